//! Tools that succeed without doing what they were asked: one that does nothing, one that prints PASS, one that gives the answer to
//! another question. `frit` must not take any of them for a result. And folders whose names are commands.
#![cfg(unix)]

use crate::common;

use common::{frit, have, root, run};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A place for the files of one test, empty.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake_tools").join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// The real tool.
fn real(tool: &str) -> PathBuf {
    let folders = std::env::split_paths(&common::tools_first()).collect::<Vec<_>>();
    folders.iter().map(|folder| folder.join(tool)).find(|path| path.is_file()).unwrap()
}

/// A folder of tools in which `tool` is this shell script.
fn fake(place: &Path, tool: &str, script: &str) -> PathBuf {
    let folder = place.join("bin");
    fs::create_dir_all(&folder).unwrap();
    // Where Yosys's models of cells are.
    let _ = std::os::unix::fs::symlink(root().join(".tools/share"), place.join("share"));
    let path = folder.join(tool);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// The exit code, and all that `frit` prints, with a tool replaced.
fn with(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let mut command = frit(arguments);
    command.env("FRITILLARY_TOOLS", folder).env("PATH", common::tools_first());
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// `frit ARGUMENTS` with a tool that does nothing, one that prints PASS, and one that first does `other`, which may use `$real`
/// and `$other`, the folder of the run of `question`. Each run has a folder in which a good run has left its files.
fn refuses(name: &str, tool: &str, arguments: &str, question: &str, other: &str) {
    let place = place(name);
    let kept = place.join("kept");
    let good = format!("{arguments} -o {}", kept.display());
    let answered = place.join("other");
    run(&good, 0);
    run(&format!("{question} -o {}", answered.display()), 0);
    let real = real(tool);
    let before = format!("real={}\nother={}\n{other}", real.display(), answered.display());
    let fakes = [
        ("does nothing", "exit 0"),
        ("answers another question", &before),
        ("prints PASS", "echo PASS d: cycles=6"),
    ];
    // A tool that runs no testbench prints PASS for nobody.
    let runs_testbench = ["verilator", "make", "iverilog", "vvp"].contains(&tool);
    for &(what, script) in if runs_testbench { &fakes } else { common::some(&fakes, 2) } {
        let folder = fake(&place, tool, script);
        let (code, text) = with(&folder, &good);
        assert!(matches!(code, Some(1 | 2)), "{tool} {what}: exit {code:?}\n{text}");
        assert!(text.contains("error: "), "{tool} {what}\n{text}");
        assert!(!text.contains(" proved") && !text.contains("  yes "), "{tool} {what}\n{text}");
    }
    // The real one, called by such a script, is believed.
    if common::all() {
        let (code, text) = with(&fake(&place, tool, &format!("exec {} \"$@\"", real.display())), &good);
        assert_eq!(code, Some(0), "{text}");
    }
}

const EXCHANGE: &str = "verify rls -n 4 -w 4";
const OTHER_EXCHANGE: &str = "verify rls -n 4 -w 5";

#[test]
fn verilator_that_builds_something_else() {
    if have(&["verilator", "make", "g++"]) {
        let program = "mkdir -p build; printf '#!/bin/sh\\ncat %s\\n' $other/verilator/run.log > build/tb_rls_n4_w4; chmod +x build/tb_rls_n4_w4";
        let engine = "--engines verilator";
        refuses(
            "verilator",
            "verilator",
            &format!("{EXCHANGE} {engine}"),
            &format!("{OTHER_EXCHANGE} {engine}"),
            program,
        );
        refuses(
            "make",
            "make",
            &format!("{EXCHANGE} {engine}"),
            &format!("{OTHER_EXCHANGE} {engine}"),
            program,
        );
    }
}

#[test]
fn icarus_that_compiles_or_runs_something_else() {
    if have(&["iverilog", "vvp"]) {
        let engine = "--engines icarus";
        let compiled = "while [ $# -gt 1 ]; do [ \"$1\" = -o ] && cp $other/icarus/tb.vvp $2; shift; done";
        let runs = [
            ("icarus", format!("{EXCHANGE} {engine}"), format!("{OTHER_EXCHANGE} {engine}")),
            (
                "router",
                format!("verify dilated -n 2 --set bundle=1 {engine}"),
                format!("verify dilated -n 2 --set bundle=2 {engine}"),
            ),
            ("device", "device obf -n 4".to_string(), "device obf -n 8".to_string()),
        ];
        for (name, arguments, question) in common::some(&runs, 2) {
            refuses(&format!("{name}-iverilog"), "iverilog", arguments, question, compiled);
            let said = "cat $other/icarus/run.log";
            refuses(&format!("{name}-vvp"), "vvp", arguments, question, said);
        }
    }
}

#[test]
#[ignore = "long: make test-all"]
fn yosys_that_maps_or_proves_something_else() {
    if have(&["yosys", "iverilog", "vvp"]) {
        let netlist = "--netlist ice40 --engines icarus";
        let copied = "cp $other/netlist/netlist.v $other/netlist/netlist.made .";
        refuses(
            "netlist",
            "yosys",
            &format!("{EXCHANGE} {netlist}"),
            &format!("{OTHER_EXCHANGE} {netlist}"),
            copied,
        );
        let synth = |width: u32| format!("synth rls -n 4 -w {width} --no-pnr --prove --part labels");
        let proof = "case \"$*\" in *prove.ys*) cp $other/*/prove.txt $other/*/prove.made . ;; *) exec $real \"$@\" ;; esac";
        refuses("prove", "yosys", &synth(4), &synth(5).replace("-n 4", "-n 8"), proof);
        // The fake that does nothing but where it is asked for a proof: what is mapped is right, and nothing is proved.
        let place = place("silent");
        let silent =
            format!("case \"$*\" in *prove.ys*) exit 0 ;; esac\nexec {} \"$@\"", real("yosys").display());
        let (code, text) = with(&fake(&place, "yosys", &silent), &synth(4));
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("yosys reported success but did not write"), "{text}");
    }
}

#[test]
fn a_model_checker_that_answers_another_question() {
    if have(&["yosys", "berkeley-abc"]) {
        let formal = |width: u32| format!("verify rls -n 4 -w {width} --formal");
        refuses("abc", "berkeley-abc", &formal(1), &formal(2), "cat $other/contract/abc.log");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn place_and_route_of_something_else() {
    if have(&["yosys", "nextpnr-ice40"]) {
        let synth = |terminals: u32| format!("synth rls -n {terminals} -w 1 --part labels --seeds 1");
        refuses(
            "nextpnr",
            "nextpnr-ice40",
            &synth(4),
            &synth(8),
            "cp $other/*/seed1.json .; cp $other/*/harness.json seed1.placed.json",
        );
    }
}

#[test]
fn a_build_that_is_newer_than_the_clock_is_not_run() {
    if !have(&["verilator", "make", "g++", "iverilog", "vvp"]) {
        return;
    }
    let place = place("newer");
    let kept = place.join("kept");
    let verify = format!("{EXCHANGE} --engines verilator,icarus -o {}", kept.display());
    run(&verify, 0);
    let touched = std::process::Command::new("find")
        .arg(&kept)
        .args(["-exec", "touch", "-d", "+2 days", "{}", "+"])
        .status();
    assert!(touched.unwrap().success());
    let (text, _) = run(&format!("{verify} --fault inverted-control:2:1"), 1);
    assert!(
        text.contains("verilator differs first in cycle 3")
            && text.contains("icarus differs first in cycle 3"),
        "{text}"
    );
}

#[test]
fn a_folder_whose_name_is_a_command_runs_nothing() {
    if !have(&["verilator", "make", "g++"]) {
        return;
    }
    let place = place("names");
    let ran = place.join("RAN");
    let names = ["a$(shell touch $(RAN))b", "a`touch $RAN`b", "a;touch $RAN;b", "a\ntouch $RAN\nb", "a b"];
    for name in common::every(&names, 3) {
        let folder = place.join(name);
        fs::create_dir_all(&folder).unwrap();
        let mut verify = frit("verify rls -n 4 -w 4 --engines verilator -o out");
        verify.current_dir(&folder).env("RAN", &ran);
        let output = verify.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!ran.exists(), "{name:?} was run by frit verify");
        frit("generate rls -n 4 -w 4 -o core").current_dir(&folder).assert().success();
        let make = std::process::Command::new("make")
            .args(["-C", "core", "verilator"])
            .current_dir(&folder)
            .env("RAN", &ran)
            .env("PATH", common::tools_first())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&make.stderr).into_owned();
        assert!(
            !make.status.success()
                && text.contains("Verilator cannot build here, because the name of the folder has"),
            "{name:?}: {text}"
        );
        assert!(!ran.exists(), "{name:?} was run by make");
    }
    let plain = place.join("plain");
    frit(&format!("generate rls -n 4 -w 4 -o {}", plain.display())).assert().success();
    let (passed, log) = common::make(&plain, &["verilator"]);
    assert!(passed, "{log}");
}
