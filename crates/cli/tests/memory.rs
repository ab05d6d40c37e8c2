//! What needs more memory than there is ends with both figures and exit code 2: nothing aborts.
#![cfg(unix)]

use super::common;
use assert_cmd::cargo::cargo_bin;
use std::path::Path;
use std::process::{Command, Output};

/// Large commands, of every kind that takes memory, with what they end with under `ulimit -v 600000` (KiB): 2 for what does not
/// fit, 0 for what does. The longest takes some seconds.
const UNDER_600_MB: &str = "\
2 simulate rls -n 1048576 --rounds 0..511
2 simulate rls -n 1048576
2 simulate gsen -n 1048574 --rounds 0..63
2 simulate obf -n 1048576 --rounds 0..63
2 simulate xor -n 1048576 --rounds 0..63 --set network=shuffle
2 simulate rls -n 4096 -w 1024 --payload random
2 simulate rls -n 8192 -w 128 --payload random
2 simulate obf -n 4096 -w 256 --payload random
2 simulate rls -n 4096 -w 128 --payload random --received OUT.csv
0 simulate rls -n 4096
0 simulate gsen -n 65536 --rounds 0..63
0 simulate obf -n 65536 --rounds 0..63
0 simulate rls -n 1024 -w 128 --payload random --received OUT.bin
2 network rls -n 1048576 --format json
2 network obf -n 1048576 --format json
2 network rls-folded -n 1048576 --format json
2 network multibutterfly -n 1048576
2 network dilated -n 65536 --step 10
0 network rls -n 65536 --format json
0 network atape -n 4096
2 generate rls -n 4096 -o OUT
2 generate obf -n 4096 -o OUT
2 generate atape -n 4096 -o OUT
2 generate rls -n 1024 -w 1024 -o OUT
2 prototype rls -n 4096 --board icebreaker -o OUT
2 synth rls -n 4096
2 schedule rls -n 4096 --format csv
2 schedule rls -n 1024 --format json
2 schedule rls -n 1048576 --round 3
2 schedule rls -n 65536 --check
2 schedule rls-flattened -n 1048576 --round 3 --paths
2 device obf -n 65536
2 route dilated -n 65536
2 route dilated -n 16384 --steps
0 route dilated -n 4096
0 route dilated -n 8 --queue 1000000
2 route multibutterfly -n 1048576
2 route multibutterfly -n 65536 --d 16 --r 8
2 route multibutterfly -n 65536 --steps
0 route multibutterfly -n 1024 --free 1024
2 view rls -n 2048 -o OUT.html
0 view rls -n 256 -o OUT.html
2 compare -n 4096
2 compare -n 65536
2 compare -n 1048576
2 compare -n 1000000000
0 compare -n 256
2 verify rls -n 4096
2 verify rls -n 1024 --engines rust-hdl";

/// What suffices, in MiB: twice what is taken at the peak, or little more, where it has been measured (docs/performance.md).
const SUFFICES: &str = "\
165 simulate rls -n 65536 --rounds 0..511
130 simulate obf -n 65536 --rounds 0..63
520 simulate rls -n 2048 -w 256 --payload random
300 route multibutterfly -n 65536 --ha 1 --free 65536
900 view rls -n 512 -o OUT.html
250 network rls -n 1048576
200 compare -n 1024 --systems rls,xor";

/// Runs `frit` behind `limit`, a command of the shell, in a folder of its own.
fn run(limit: &str, arguments: &str) -> Output {
    run_in(tempfile::tempdir().unwrap().path(), limit, arguments)
}

fn run_in(folder: &Path, limit: &str, arguments: &str) -> Output {
    let script = format!("{limit}; ulimit -c 0; exec \"$0\" {arguments}");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(cargo_bin("frit")).current_dir(folder);
    // A list of frames for each thread that fails would take memory, too.
    command
        .env_remove("FRIT_MEMORY")
        .env("RUST_BACKTRACE", "0")
        .env("RAYON_NUM_THREADS", "2")
        .output()
        .unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn nothing_aborts_where_addresses_are_few() {
    let lines: Vec<&str> = UNDER_600_MB.lines().collect();
    for line in common::every(&lines, 3) {
        let (code, arguments) = line.split_once(' ').unwrap();
        let output = run("ulimit -v 600000", arguments);
        let error = error(&output);
        assert_eq!(output.status.code(), Some(code.parse().unwrap()), "frit {arguments}: {error}");
        let refused = error.contains(" needs about ") && error.contains(" is available (ulimit -v); ");
        assert_eq!(refused, code == "2" && !arguments.contains("1000000000"), "frit {arguments}: {error}");
    }
}

#[test]
fn what_fits_is_not_refused() {
    for line in SUFFICES.lines() {
        let (mib, arguments) = line.split_once(' ').unwrap();
        let output = run(&format!("export FRIT_MEMORY={mib}M"), arguments);
        assert_eq!(output.status.code(), Some(0), "{mib} MiB for frit {arguments}: {}", error(&output));
        let output = run("export FRIT_MEMORY=20M", arguments);
        assert_eq!(output.status.code(), Some(2), "20 MiB for frit {arguments}: {}", error(&output));
    }
}

/// The option comes before the variable, and both before what the system says.
#[test]
fn the_user_says_how_much_there_is() {
    let large = "network rls -n 1048576";
    let refused = run("export FRIT_MEMORY=20M", large);
    assert!(
        error(&refused).contains("MiB is available (--memory or FRIT_MEMORY); use a smaller -n"),
        "{}",
        error(&refused)
    );
    let allowed = run("export FRIT_MEMORY=20M", &format!("{large} --memory 1G"));
    assert_eq!(allowed.status.code(), Some(0), "{}", error(&allowed));
    for (limit, arguments) in [("export FRIT_MEMORY=much", "systems"), ("true", "systems --memory much")] {
        let output = run(limit, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            error(&output).contains("\"much\" is not a size; give a number of bytes"),
            "{}",
            error(&output)
        );
    }
}

/// Lines are counted by the length of their file, messages by the lines, and what is blocked before it is written down.
#[test]
fn a_file_of_traffic_is_estimated_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let lines = "0, 1\n".repeat(300_000);
    std::fs::write(file("lines"), lines).unwrap();
    std::fs::write(file("counts"), "0 1 20000000\n".repeat(5)).unwrap();
    std::fs::File::create(file("long")).unwrap().set_len(200 << 20).unwrap();
    let text = format!("route dilated -n 8 --traffic {}", file("lines"));
    for (arguments, code, expected) in [
        (text.clone(), 1, ""),
        (format!("{text} --format json"), 2, "the JSON report of 299986 blocked heads needs about "),
        (format!("{text} --format csv"), 1, ""),
        (text.replace("lines", "counts"), 2, "counts, 100000000 messages needs about "),
        (text.replace("lines", "long"), 2, "long needs about "),
        (format!("route rls -n 8 --traffic {}", file("long")), 2, "long needs about "),
    ] {
        let output = run("ulimit -v 600000", &arguments);
        let error = error(&output);
        assert_eq!(output.status.code(), Some(code), "frit {arguments}: {error}");
        assert!(error.contains(expected) && error.lines().count() <= 1, "frit {arguments}: {error}");
    }
}

/// The plain engine keeps every ghost; it stops before they take more than there is.
#[test]
fn ghosts_are_counted_before_they_are_made() {
    let stuck = "route multibutterfly -n 512 --d 2 --r 1 --h 2 --z 1 --free 2 --steps";
    let refused = run("export FRIT_MEMORY=40M", stuck);
    assert_eq!(refused.status.code(), Some(2), "{}", error(&refused));
    let text = error(&refused);
    assert!(
        text.contains("the ghosts fill ") && text.contains("; declare a larger h (rerun=yes does so)"),
        "{text}"
    );
    let fast = run("export FRIT_MEMORY=40M", &stuck.replace(" --steps", ""));
    assert_eq!(fast.status.code(), Some(1), "{}", error(&fast));
}

/// Four lines whose sums are near 2^32, with what each command ends with under `ulimit -v 600000`. `obf` stores each of its rounds.
const SUMS_NEAR_THE_LIMIT: &str = "\
2 simulate obf -n 4 --demand u.csv
2 simulate obf -n 4 --demand u.csv --two-hop
2 sweep obf.toml
2 sweep two-hop.toml
0 sweep rls.toml
0 simulate rls -n 4 --demand u.csv
0 simulate rls -n 4 --demand u.csv --two-hop
0 simulate benes -n 4 --demand u.csv
0 compare --demand u.csv
0 compare --demand u.csv --delta 3 --planes 2 --plot ratio.svg
0 compare --demand full.csv
0 demand u.csv --delta 3 --planes 2 --schedule plan.csv
0 demand u.csv --delta 3 --check plan.csv
2 generate benes -n 4 --demand u.csv -o OUT
2 verify benes -n 4 --demand u.csv";

/// A folder with that demand, one in which every terminal has as many words as it may have, and sweeps.
fn large_sums() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("u.csv", "0,4294967295,0,0\n2147483648,0,0,0\n0,0,1,4294967294\n0,0,0,0\n");
    write("full.csv", "4294967295,0,0,0\n0,4294967295,0,0\n0,0,4294967295,0\n0,0,0,4294967295\n");
    for (name, planner) in [("obf", "obf"), ("two-hop", "obf two-hop"), ("rls", "rls two-hop")] {
        let text = format!(
            "kind = \"demand\"\ndemands = [\"u.csv\"]\nplanners = [\"{planner}\"]\n[files]\ncsv = \"{name}.csv\"\n"
        );
        write(&format!("{name}.toml"), &text);
    }
    folder
}

#[test]
fn four_lines_do_not_take_all_memory() {
    let folder = large_sums();
    for line in SUMS_NEAR_THE_LIMIT.lines() {
        let (code, arguments) = line.split_once(' ').unwrap();
        let output = run_in(folder.path(), "ulimit -v 600000", arguments);
        let error = error(&output);
        assert_eq!(output.status.code(), Some(code.parse().unwrap()), "frit {arguments}: {error}");
        let refused = error.contains(" needs about ") && error.contains(" is available (ulimit -v); ");
        assert_eq!(refused, code == "2", "frit {arguments}: {error}");
    }
    let asked = run_in(folder.path(), "true", "simulate obf -n 4 --demand u.csv --memory 1G");
    assert_eq!(asked.status.code(), Some(2));
    assert!(error(&asked).contains("needs about 176.0 GiB, but only "), "{}", error(&asked));
    // The other plans are compared; why those of obf are missing stands below.
    let compared = run_in(folder.path(), "ulimit -v 600000", "compare --demand u.csv");
    let text = String::from_utf8(compared.stdout).unwrap();
    for note in ["\nobf: the plan of obf_n4 ", "\nobf, two-hop: the plan of obf_n4 "] {
        assert!(text.contains(note), "{text}");
    }
    assert!(text.contains(" MiB is available; give a demand of fewer words"), "{text}");
    // What is shown has a limit of its own.
    let once = "0,262144,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n";
    std::fs::write(folder.path().join("once.csv"), once).unwrap();
    for (demand, said) in [
        ("u.csv", "error: 4294967295 rounds of 4 terminals are too many to show"),
        ("once.csv", "error: obf_n4 needs 262144 rounds or more, which are too many to show"),
    ] {
        let view = format!("view obf -n 4 --demand {demand} -o x.html");
        let page = run_in(folder.path(), "ulimit -v 600000", &view);
        assert_eq!(page.status.code(), Some(2));
        assert!(error(&page).starts_with(said), "{}", error(&page));
    }
    let full = run_in(folder.path(), "true", "simulate rls -n 4 --demand full.csv --two-hop");
    assert_eq!(full.status.code(), Some(2));
    assert!(error(&full).contains("two hops bring 4294967296 words to terminal 0"), "{}", error(&full));
    // What is said of entries can be done.
    for (entries, advice) in [("4096", "; no bank has more"), ("2", "; give --entries 4096, the most, or ")] {
        let refused = run_in(folder.path(), "true", &format!("demand u.csv -o a.memh --entries {entries}"));
        let said = error(&refused);
        assert!(refused.status.code() == Some(2) && said.contains(advice), "{said}");
    }
}

/// A million configurations of two terminals take what is estimated, and no less than a half of it.
#[test]
fn plans_that_are_checked_are_estimated() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.csv"), "0,1000000\n1000000,0\n").unwrap();
    std::fs::write(folder.path().join("p.csv"), format!("hold,0,1\n{}", "1,1,0\n".repeat(1_000_000)))
        .unwrap();
    for (limit, code) in [("export FRIT_MEMORY=200M", 0), ("export FRIT_MEMORY=100M", 2)] {
        let output = run_in(folder.path(), limit, "demand d.csv --check p.csv");
        assert_eq!(output.status.code(), Some(code), "{limit}: {}", error(&output));
    }
}

/// Three million rounds that are stored take what is estimated, and no less than a half of it.
#[test]
fn stored_rounds_are_estimated() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.csv"), "0,3000000,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n").unwrap();
    for (arguments, enough, little) in [("", 160, 120), ("--two-hop", 140, 100)] {
        for (mib, code) in [(enough, 0), (little, 2)] {
            let arguments = format!("simulate obf -n 4 --demand d.csv {arguments}");
            let output = run_in(folder.path(), &format!("export FRIT_MEMORY={mib}M"), &arguments);
            assert_eq!(
                output.status.code(),
                Some(code),
                "{mib} MiB for frit {arguments}: {}",
                error(&output)
            );
        }
    }
}
