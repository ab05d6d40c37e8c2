//! What a command leaves behind, ended as it may be, and what it does not replace.
#![cfg(unix)]

use crate::common;

use common::sweeps::signed;
use common::{frit, run};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// `frit`, running, with `temporary` for what is temporary. Who runs the tests may ignore signals (`nohup`, a shell's `&`), which
/// would be inherited.
fn start(arguments: &[&str], tools: &Path, temporary: &Path) -> Child {
    let mut command = Command::new("/usr/bin/env");
    if cfg!(target_os = "linux") {
        command.arg("--default-signal=INT,TERM,HUP");
    }
    command
        .arg(assert_cmd::cargo::cargo_bin("frit"))
        .args(arguments)
        .env("FRITILLARY_TOOLS", tools)
        .env("PATH", "")
        .env("TMPDIR", temporary);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits for something that must come; how long it takes decides nothing.
fn wait_for(what: &str, there: impl Fn() -> bool) {
    for _ in 0..6000 {
        if there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("after a minute: {what}");
}

fn entries(folder: &Path) -> Vec<String> {
    let found = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    found.map(|name| name.into_string().unwrap()).collect()
}

fn signal(child: &mut Child, signal: &str) -> ExitStatus {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap()
}

/// A compiler that never ends, leaves a temporary file, and starts another program that does not end, either; both leave their
/// numbers.
fn endless(tools: &Path) {
    let path = tools.join("iverilog");
    let pids = tools.join("pids");
    let text = format!(
        "#!/bin/sh\n/bin/sleep 1000 &\n: > \"$TMPDIR/left\"\necho \"$$ $!\" > '{0}.new'\n/bin/mv '{0}.new' '{0}'\nwait\n",
        pids.display()
    );
    std::fs::write(&path, text).unwrap();
    std::fs::copy(&path, tools.join("vvp")).unwrap();
    for name in ["iverilog", "vvp"] {
        std::fs::set_permissions(tools.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn what_is_refused_leaves_no_temporary_folder() {
    let (tools, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (line, code) in [
        ("compare --stream transpose -n 4096", 2),
        ("compare --permutation -n 9", 2),
        ("compare --relation 8 -n 8 --synth ice40-hx8k", 3),
        ("verify rls -n 4 -w 2 --engines icarus --wave none", 3),
        ("synth rls -n 4 -w 2", 3),
    ] {
        let mut command = frit(line);
        let command =
            command.env("FRITILLARY_TOOLS", tools.path()).env("PATH", "").env("TMPDIR", temporary.path());
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert_eq!(entries(temporary.path()), Vec::<String>::new(), "{line}: {text}");
    }
}

/// A small file system of its own, full at once, is more than a test may ask for: a limit on the size of files ends a write as well.
#[test]
fn of_several_traces_none_is_left_if_one_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    // Terminal 0 has little to send, the last one much.
    let rows: Vec<String> =
        (0..64).map(|row| vec![if row == 63 { "1" } else { "0" }; 64].join(",")).collect();
    std::fs::write(folder.path().join("d.csv"), rows.join("\n")).unwrap();
    let binary = assert_cmd::cargo::cargo_bin("frit");
    let line = format!("trap '' XFSZ; ulimit -f 2; exec '{}' demand d.csv -o d.et", binary.display());
    let limited = Command::new("/bin/sh").current_dir(&folder).args(["-c", &line]).output().unwrap();
    let text = String::from_utf8_lossy(&limited.stderr);
    assert!(limited.status.code() == Some(2) && text.contains("cannot write d.63.et: "), "{text}");
    assert_eq!(entries(folder.path()), ["d.csv"]);
    let free = frit("demand d.csv -o d.et").current_dir(&folder).output().unwrap();
    assert!(free.status.success() && entries(folder.path()).len() == 65);
}

#[test]
fn a_signal_ends_the_programs_that_were_started_and_removes_the_temporary_folder() {
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let (tools, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        endless(tools.path());
        let arguments = ["verify", "rls", "-n", "4", "-w", "2", "--engines", "icarus", "--wave", "none"];
        let mut child = start(&arguments, tools.path(), temporary.path());
        let pids = tools.path().join("pids");
        wait_for("the simulator runs", || pids.exists());
        // That of the run, and that of the compiler.
        assert_eq!(entries(temporary.path()).len(), 2);
        let status = signal(&mut child, name);
        assert_eq!(status.signal(), Some(number), "the shell must see the signal");
        assert_eq!(entries(temporary.path()), Vec::<String>::new());
        let pids = std::fs::read_to_string(pids).unwrap();
        assert_eq!(pids.split_whitespace().count(), 2);
        for pid in pids.split_whitespace() {
            // Killed, but perhaps still in the table until somebody asks for its state.
            let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            wait_for("the program is gone", || state().is_empty() || state().contains(") Z "));
        }
    }
}

#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    let (tools, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    endless(tools.path());
    let binary = assert_cmd::cargo::cargo_bin("frit");
    let line =
        format!("trap '' HUP; exec '{}' verify rls -n 4 -w 2 --engines icarus --wave none", binary.display());
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &line]).env("FRITILLARY_TOOLS", tools.path()).env("TMPDIR", temporary.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("the simulator runs", || tools.path().join("pids").exists());
    let hup = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    assert!(hup.success());
    assert_eq!(signal(&mut child, "-TERM").signal(), Some(15));
}

#[test]
fn a_signal_removes_the_file_that_was_being_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    // The settings are begun; then nobody opens the other end of the pipe.
    let (settings, pipe) = (at("s.csv"), at("pipe"));
    let arguments = ["simulate", "rls", "-n", "8", "--settings", &settings, "--deliveries", &pipe];
    let mut child = start(&arguments, folder.path(), folder.path());
    wait_for("the file is begun", || entries(folder.path()).iter().any(|name| name.ends_with(".part")));
    assert_eq!(signal(&mut child, "-TERM").signal(), Some(15));
    assert_eq!(entries(folder.path()), ["pipe"]);
}

#[test]
fn two_runs_into_one_folder_are_refused() {
    let (tools, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    endless(tools.path());
    let output = folder.path().join("run").display().to_string();
    let arguments =
        ["verify", "rls", "-n", "4", "-w", "2", "--engines", "icarus", "--wave", "none", "-o", &output];
    let mut child = start(&arguments, tools.path(), folder.path());
    wait_for("the simulator runs", || tools.path().join("pids").exists());
    for command in
        ["verify rls -n 4 -w 2 --engines rust-hdl", "generate rls -n 4 -w 2", "synth rls -n 4 -w 2 --no-pnr"]
    {
        let (_, text) = run(&format!("{command} -o {output}"), 2);
        assert!(text.contains(&format!("{output}: another frit is writing into this folder")), "{text}");
    }
    signal(&mut child, "-TERM");
    // Nothing stays locked when a run has been killed.
    run(&format!("verify rls -n 4 -w 2 --engines rust-hdl --wave none -o {output}"), 0);
}

#[test]
fn generate_replaces_its_own_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let generate =
        |more: &str, code| run(&format!("generate rls -n 4 {more} -o {}", folder.path().display()), code).1;
    let top = folder.path().join("Makefile");
    std::fs::write(&top, "mine").unwrap();
    let text = generate("-w 2", 2);
    assert!(text.contains("files that frit has not written, or that were changed since: Makefile"), "{text}");
    assert_eq!(entries(folder.path()), ["Makefile"], "nothing is written then");
    generate("-w 2 --force", 0);
    generate("-w 4", 0);
    // The sums are what the standard tool checks.
    let check = || {
        Command::new("sha256sum").args(["-c", "--quiet", "SHA256SUMS"]).current_dir(folder.path()).output()
    };
    assert!(check().unwrap().status.success());
    let edited = folder.path().join("rls_n4_w4.v");
    std::fs::write(&edited, std::fs::read_to_string(&edited).unwrap() + "// mine\n").unwrap();
    assert!(!check().unwrap().status.success());
    let text = generate("-w 4", 2);
    assert!(text.contains("rls_n4_w4.v; --force replaces them"), "{text}");
    generate("-w 4 --force", 0);
    assert!(!std::fs::read_to_string(&edited).unwrap().contains("mine"));
}

#[test]
fn two_results_in_one_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let x = at("x");
    let (_, text) = run(&format!("simulate rls -n 4 --settings {x} --deliveries {x}"), 2);
    assert!(text.contains("--settings and --deliveries name the same file"), "{text}");
    let sweep = "kind = \"exchange\"\nsystems = [{ system = \"rls\", terminals = [4] }]\n[files]\ncsv = \"x.csv\"\nsvg = \"./x.csv\"\n";
    std::fs::write(at("s.toml"), sweep).unwrap();
    let (_, text) = run(&format!("sweep {} -o {}", at("s.toml"), folder.path().display()), 2);
    assert!(text.contains("csv and svg name the same file"), "{text}");
    assert_eq!(entries(folder.path()), ["s.toml"]);
    frit("simulate rls -n 4 --settings /dev/null --deliveries /dev/null").assert().success();
}

#[test]
fn figures_of_a_sweep_are_read_again_as_figures() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let sweep =
        "kind = \"exchange\"\nsystems = [{ system = \"rls\", terminals = [4] }]\n[files]\ncsv = \"x.csv\"\n";
    std::fs::write(at("s.toml"), sweep).unwrap();
    let command = format!("sweep {} -o {}", at("s.toml"), folder.path().display());
    run(&command, 0);
    let text = std::fs::read_to_string(at("x.csv")).unwrap();
    assert!(text.contains(",16,0,"), "{text}");
    // With the digest of what it says now, so that its figures are looked at.
    std::fs::write(at("x.csv"), signed(&text.replacen(",16,0,", ",zzz,0,", 1))).unwrap();
    let (_, said) = run(&command, 2);
    assert!(said.contains("line 2 was not written by a sweep"), "{said}");
    assert!(said.contains("\"zzz\" in column") && said.contains("is no number"), "{said}");
}

#[test]
fn what_no_network_has_is_refused_at_once() {
    for option in ["-n 1000000000", "-n 8 --plot x.svg --sizes 8,1000000000"] {
        let (_, text) = run(&format!("compare {option}"), 2);
        assert!(text.contains("1000000000 is too large; give at most 1048576 terminals"), "{text}");
    }
}

#[test]
fn an_error_names_the_design_file_that_its_value_is_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.toml").display().to_string();
    for (text, wrong) in [
        ("terminals = 7", "does not exist with 7 terminals"),
        ("terminals = 8\nwidth = 5000", "words of 5000 bits"),
        ("terminals = 8\n[options]\ndirection = \"up\"", "direction cannot be \"up\""),
    ] {
        std::fs::write(&path, format!("system = \"rls\"\n{text}\n")).unwrap();
        let (_, said) = run(&format!("simulate {path}"), 2);
        assert!(said.contains(&format!("the design file {path}: ")) && said.contains(wrong), "{said}");
    }
}

#[test]
fn a_file_that_never_ends_is_not_read_to_its_end() {
    let traffic = ["rls", "dilated", "multibutterfly"].map(|system| format!("route {system} -n 8 --traffic"));
    for command in ["simulate rls -n 8 -w 8 --payload".into(), "sweep".into()].into_iter().chain(traffic) {
        let (_, text) = run(&format!("{command} /dev/zero"), 2);
        assert!(text.contains("/dev/zero has more than"), "{text}");
    }
}

/// A file at stdout has stdout to itself, whether that is a pipe or a file, and by whichever name; the report goes to stderr.
#[cfg(unix)]
#[test]
fn a_file_at_stdout_has_it_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out");
    let holds = |text: &str, report: &str| {
        assert!(text.lines().all(|line| line.split(',').count() == 4 && !line.contains(' ')), "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(report.contains("zipf, seed 1\n") && report.contains("lower bound"), "{report}");
    };
    for name in ["-", "/dev/stdout"] {
        let (text, report) = run(&format!("demand zipf -n 4 -o {name}"), 0);
        holds(&text, &report);
    }
    for name in ["/dev/stdout", file.to_str().unwrap()] {
        let stdout = std::fs::File::create(&file).unwrap();
        let arguments = ["demand", "zipf", "-n", "4", "-o", name];
        let done = Command::new(env!("CARGO_BIN_EXE_frit")).args(arguments).stdout(stdout).output().unwrap();
        assert!(done.status.success());
        holds(&std::fs::read_to_string(&file).unwrap(), &String::from_utf8_lossy(&done.stderr));
    }
}
