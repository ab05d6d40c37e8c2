//! `frit prototype` and `frit generate --selftest`: bitstreams, what does not fit or is too slow, and the report on the line.

use crate::common;

use common::{frit, have, json, run};
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn a_small_design_becomes_a_bitstream() {
    if !have(&["yosys", "nextpnr-ice40", "icepack"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let arguments = format!("prototype --board icebreaker gsen -n 4 -w 2 -o {}", dir.path().display());
    let report = json(&arguments, 0);
    let bitstream = Path::new(report["bitstream"].as_str().unwrap());
    let bytes = std::fs::read(bitstream).unwrap();
    assert!(bytes.len() > 10_000, "{report}");
    assert_eq!((&report["outcome"], &report["clock_hz"]), (&"bitstream".into(), &12_000_000.into()));
    assert!(report["fmax_mhz"].as_f64().unwrap() > 12.0, "{report}");
    assert!(report["flash"][0].as_str().unwrap().starts_with("openFPGALoader"), "{report}");
    for usage in report["usage"].as_array().unwrap() {
        assert_eq!(usage["missing"], 0, "{report}");
    }
    for name in ["gsen_n4_w2_icebreaker.v", "gsen_n4_w2_icebreaker.pcf", "yosys.log", "nextpnr.log"] {
        assert!(dir.path().join(name).is_file(), "{name}");
    }
    // The same again, and as text.
    if common::all() {
        let (text, _) = run(&arguments, 0);
        assert!(text.contains("Bitstream: ") && text.contains("iceprog"), "{text}");
        assert_eq!(std::fs::read(bitstream).unwrap(), bytes);
    }
}

#[test]
#[ignore = "long: make test-all"]
fn what_does_not_fit_or_is_too_slow_says_by_how_much() {
    if !have(&["yosys", "nextpnr-ice40", "icepack"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display();
    let (text, _) = run(&format!("prototype --board icebreaker rls -n 32 -w 16 -o {out}"), 1);
    let line = text.lines().find(|line| line.contains("does not fit")).unwrap();
    let numbers: Vec<u64> = line.split([' ', ':', ',']).filter_map(|word| word.parse().ok()).collect();
    let [needed, has, over] = numbers[..] else { panic!("{line}") };
    assert_eq!((has, over), (5280, needed - has), "{line}");
    // 144 switches of 34 LUT4.
    assert!(needed > 144 * 34 && !dir.path().join("rls_n32_w16_icebreaker.bin").exists(), "{line}");
    let report = json(&format!("prototype --board icebreaker gsen -n 4 -w 2 --frequency 192 -o {out}"), 1);
    assert_eq!(report["outcome"], "too-slow", "{report}");
    assert!(report["fmax_mhz"].as_f64().unwrap() < 192.0 && report["bitstream"].is_null(), "{report}");
}

#[test]
fn unusable_input_is_refused() {
    for (arguments, expected) in [
        ("prototype --board arty rls -n 8", "[possible values: hx8k, icebreaker, ulx3s]"),
        ("prototype rls -n 8", "--board <BOARD>"),
        ("prototype --board hx8k rls -n 8 --frequency 1", "the PLL of iCE40-HX8K breakout cannot make 1 MHz"),
        ("prototype --board hx8k rls -n 8 --frequency x", "not a number; give a frequency in MHz"),
        ("prototype --board hx8k rls -n 8 --baud 9000000", "a bit would last 1.33 cycles"),
        ("prototype --board hx8k rls -n 7", "the nearest size is 8"),
        ("generate rls -n 8 -o x --baud 9600", "--selftest"),
        ("generate rls -n 8 -o x --selftest --clock 100000", "a bit would last 0.87 cycles"),
    ] {
        let (stdout, stderr) = run(arguments, 2);
        assert_eq!(stdout, "", "frit {arguments}");
        assert!(stderr.contains(expected), "frit {arguments}: {stderr}");
    }
}

#[test]
fn missing_tools_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let output = frit("prototype --board ulx3s rls -n 4 -w 2")
        .env("FRITILLARY_TOOLS", dir.path())
        .env("PATH", dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("yosys was not found"), "{text}");
}

/// `make selftest` in the folder of a design that was generated with these arguments.
fn make_selftest(arguments: &str) -> Output {
    let dir = tempfile::tempdir().unwrap();
    run(&format!("generate {arguments} --selftest --baud 1000000 -o {}", dir.path().display()), 0);
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(tools).chain(std::env::split_paths(&path));
    Command::new("make")
        .args(["-k", "selftest"])
        .current_dir(dir.path())
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap()
}

#[test]
fn the_testbench_reads_the_line_in_both_simulators() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let output = make_selftest("obf -n 4 -w 3");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("PASS obf_n4_w3_selftest_d12: 2 reports").count(), 2, "{text}");
    assert_eq!(text.matches("frit obf_n4_w3 PASS cycles=00000003 errors=00000000").count(), 4, "{text}");
}

/// A checker of the self-test that finds nothing any more, and what the testbench says of it.
const BLIND: [(&str, &str, &str, &str); 10] = [
    ("checker", "seen_q & (|difference_q)", "1'b0", "a wrong word in lane 0"),
    ("checker", "count_q != Total", "1'b0", "a lost word in lane 0"),
    ("selftest_control", "ended_q & done_i", "1'b0", "an exchange that ends twice"),
    ("selftest_control", " | ~ended_q", "", "an exchange without an end"),
    ("selftest_control", "cycles_q != RunCycles", "1'b0", "other cycles"),
    ("selftest_control", "conflict_q <= conflict_i", "conflict_q <= 1'b0", "a conflict"),
    ("checker", "seen_q ? difference_q : ", "", "signature_o="),
    ("parity", "c_i ^ d_i", "c_i", "signature_o="),
    ("signature", "sum_q <= next_i", "sum_q <= sum_q", "signature_o="),
    ("uart_tx", "uart_o = ~space_q", "uart_o = ~space_q ^ tick_q", "a bit that changes"),
];

#[test]
fn the_testbench_fails_for_a_blind_checker() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    run(
        &format!(
            "generate rls -n 4 -w 8 --selftest --baud 3000000 --layout files -o {}",
            dir.path().display()
        ),
        0,
    );
    let test = |verdict: &str| {
        let script = "iverilog -g2012 -s tb_rls_n4_w8_selftest_d4 -o tb $(grep -v '^//' rls_n4_w8_selftest_d4.f) \
                      tb_rls_n4_w8_selftest_d4.sv && vvp -n tb";
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(dir.path())
            .env("PATH", common::tools_first())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(text.contains(verdict), "{verdict}: {text}");
        output.status.success()
    };
    assert!(test("PASS rls_n4_w8_selftest_d4: 2 reports"));
    for (cell, from, to, said) in BLIND {
        let file = dir.path().join(format!("frit_cells/frit_{cell}.v"));
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        std::fs::write(&file, text.replace(from, to)).unwrap();
        assert!(!test(&format!("FAIL rls_n4_w8_selftest_d4: {said}")), "{said}");
        std::fs::write(&file, text).unwrap();
    }
}

#[test]
fn the_testbench_fails_for_a_faulty_exchange() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let output = make_selftest("rls -n 4 -w 8 --fault stuck-switch:1:0:1");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success(), "{text}");
    assert!(
        text.contains("frit rls_n4_w8_fault_stuck_switch_1_0_1 FAIL cycles=")
            && text.contains("FAIL rls_n4_w8_fault_stuck_switch_1_0_1_selftest_d12"),
        "{text}"
    );
    assert!(!text.contains("\nPASS "), "{text}");
    // Both simulators sent the same line, and it tells which switch it was, or which label bit: no exchange of this size tells the two apart.
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("frit ")).collect();
    assert!(lines.len() == 2 && lines[0] == lines[1], "{text}");
    let output = frit("diagnose rls -n 4 -w 8 --format json --report").arg(lines[0]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(report["faults"], serde_json::json!([["stuck-switch:1:0:1"], ["stuck-label:0:1:1"]]));
}
