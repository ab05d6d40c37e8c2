//! Outputs of emitted designs wired to their own inputs, where that makes no loop of gates.

use crate::common;

use common::{have, make, root, tools_first};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How `start_i` and `m_axis_tready_i` are wired: the output in the port's place, or a wire of its own.
const TIES: [(&str, &str); 5] =
    [("ready", "4'b1111"), ("start", "4'b1111"), ("idle", "valid"), ("ready", "tied"), ("start", "valid")];

fn tool(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", tools_first())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {text}");
    text
}

fn icarus(folder: &Path, (start, ready): (&str, &str), files: &[&str]) -> String {
    let (start, ready) = (format!("-DSTART={start}"), format!("-DREADY={ready}"));
    let options = ["-g2012", &start, &ready, "-s", "ties", "-o", "ties.vvp", "ties.sv"];
    tool(folder, "iverilog", &[&options, files].concat());
    tool(folder, "vvp", &["-n", "ties.vvp"])
}

fn verilator(folder: &Path, (start, ready): (&str, &str), files: &[&str]) -> String {
    let (start, ready) = (format!("-DSTART={start}"), format!("-DREADY={ready}"));
    let options = ["--binary", "--timing", "--quiet", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-O0"];
    let names = ["--top-module", "ties", "--Mdir", "build", "-o", "ties", &start, &ready, "ties.sv"];
    let _ = fs::remove_dir_all(folder.join("build"));
    tool(folder, "verilator", &[&options, &names[..], files].concat());
    tool(folder, "build/ties", &[])
}

/// A stream core and the top around it in a new folder, and the files of the core.
fn design(name: &str, options: &str) -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let made = common::json(
        &format!("generate rls -n 4 -w 8 --axis --length 2 --layout files {options} -o {}", folder.display()),
        0,
    );
    let module = made["streams"]["module"].as_str().unwrap();
    let top = fs::read_to_string(root().join("crates/cli/tests/data/stream_ties.sv")).unwrap();
    fs::write(folder.join("ties.sv"), top.replace("rls_n4_w8_axis_l2_b1", module)).unwrap();
    let files = made["streams"]["files"].as_array().unwrap().iter();
    (folder, files.map(|file| file.as_str().unwrap().to_string()).collect())
}

/// An exchange that starts itself again, of each form of control: no cycle is lost, and every word arrives.
#[test]
#[ignore = "long: make test-all"]
fn an_exchange_whose_start_is_its_ready_never_stops() {
    if !have(&["iverilog", "vvp", "verilator"]) {
        return;
    }
    let top = fs::read_to_string(root().join("crates/cli/tests/data/exchange_ties.sv")).unwrap();
    for (system, latency, period, verilated) in [
        ("rls", 5, 8, true),
        ("xor", 3, 8, false),
        ("atape", 3, 8, false),
        ("benes", 5, 8, false),
        ("rls-folded", 6, 17, true),
        ("rls-folded --set plan=buffered", 11, 16, false),
    ] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exchange_ties");
        let _ = fs::remove_dir_all(&folder);
        let made = common::json(&format!("generate {system} -n 8 -w 16 -o {}", folder.display()), 0);
        let summary = common::json(&format!("simulate {system} -n 8"), 0);
        assert_eq!(summary["period"], period, "{system}");
        let module = format!("{}_exchange", made["design"].as_str().unwrap());
        let sizes = format!("LATENCY = {latency}, PERIOD = {period}, EXCHANGES");
        let top = top.replace("DESIGN", &module).replace("LATENCY = 5, PERIOD = 8, EXCHANGES", &sizes);
        // The last word of one arrives in this cycle of it; cycles_o is that of the next one then.
        let last = summary["cycles"].to_string();
        fs::write(folder.join("ties.sv"), top.replace("(LAST)", &last)).unwrap();
        let list =
            fs::read_to_string(folder.join(format!("{}.f", made["design"].as_str().unwrap()))).unwrap();
        let files: Vec<&str> = list.lines().filter(|line| line.ends_with(".v")).collect();
        let expected = format!("PASS: {} words in {} cycles", 40 * 64, 39 * period);
        let text = icarus(&folder, TIES[0], &files);
        assert!(text.contains(&expected), "{system}: {text}");
        if verilated {
            let text = verilator(&folder, TIES[0], &files);
            assert!(text.contains(&expected), "{system}: {text}");
        }
    }
}

#[test]
fn the_compact_form_with_outputs_tied_to_inputs_delivers() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let (folder, files) = design("compact_ties", "--fabric-style compact");
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for tie in TIES {
        let text = icarus(&folder, tie, &files);
        assert!(text.contains("PASS: 32 of 32 words"), "{tie:?}: {text}");
    }
}

#[test]
fn streams_with_outputs_tied_to_inputs_deliver() {
    if !have(&["iverilog", "vvp", "verilator"]) {
        return;
    }
    let (folder, files) = design("ties", "");
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for tie in TIES {
        let text = icarus(&folder, tie, &files);
        assert!(text.contains("PASS: 32 of 32 words"), "{tie:?}: {text}");
    }
    for &tie in common::some(&TIES, 1) {
        let text = verilator(&folder, tie, &files);
        assert!(text.contains("PASS: 32 of 32 words"), "{tie:?}: {text}");
    }
    one_process(&folder);
    let text = icarus(&folder, TIES[0], &files);
    assert!(text.contains("FAIL: 0 of 32 words"), "{text}");
}

/// Makes one process of two: of the one that says what a start does, and of the one that says what allows it. The cell once had it so, and
/// nothing started under Icarus.
fn one_process(folder: &Path) {
    let path = folder.join("frit_cells/frit_axis_control.v");
    let mut text = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("output wire ready_o,", "output reg  ready_o,"),
        ("  wire soon;\n", "  wire soon;\n  reg taken;\n"),
        (
            "  assign ready_o = can_start;\n",
            "  always @(*) begin\n    taken = start_i & can_start;\n    ready_o = can_start;\n  end\n",
        ),
        ("  assign starts = start_i & can_start;\n", "  assign starts = taken;\n"),
    ] {
        assert!(text.contains(from), "{text}");
        text = text.replace(from, to);
    }
    fs::write(&path, text).unwrap();
}

#[test]
#[ignore = "long: make test-all"]
fn the_emitted_testbench_ties_outputs_to_inputs_too() {
    if !have(&["iverilog", "vvp", "verilator", "make"]) {
        return;
    }
    let (folder, _) = design("tied_testbench", "");
    // It is part of what a user runs.
    let (_, commands) = make(&folder, &["-n", "axis"]);
    assert_eq!(commands.matches(" -DTIED ").count(), 2, "{commands}");
    let (passed, text) = make(&folder, &["-s", "axis_l2_b1-tied"]);
    assert!(passed && text.matches("PASS rls_n4_w8_axis_l2_b1: 4 exchanges of").count() == 2, "{text}");
    one_process(&folder);
    let (passed, text) = make(&folder, &["-s", "axis_l2_b1-icarus"]);
    assert!(passed, "with values in between nothing is seen: {text}");
    let (passed, text) = make(&folder, &["-s", "axis_l2_b1-icarus-tied"]);
    assert!(!passed && text.contains("FAIL: clock") && text.contains("expected"), "{text}");
}
