//! `frit verify dilated`: every engine sees the same shunts and bits, and every fault in the same step.

use crate::common;

use common::{frit, have, json, run};

fn icarus() -> bool {
    have(&["iverilog", "vvp"])
}

#[test]
fn model_and_rust_hdl_agree_without_any_tool() {
    let output = frit("verify dilated -n 8 --set bundle=6")
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("dilated_n8_b6_p3_strong: 24 of 24 packets arrive, 144 shunts"), "{text}");
    assert!(text.contains("icarus: not run: iverilog was not found"), "{text}");
}

#[test]
fn every_engine_agrees() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let designs = [
        ("-n 4 --set bundle=2 --set payload=7 --set switch=weak", 16),
        // 5n + 2M - 2.
        ("-n 2 --set bundle=2 --set payload=5 --set mode=barrier", 13),
        ("-n 2 --set bundle=1 --set per-input=3 --set payload=5 --set release=yes", 24),
        ("-n 2 --set bundle=1 --set payload=5", 8),
    ];
    for &(arguments, steps) in common::some(&designs, 1) {
        let report =
            json(&format!("verify dilated {arguments} --wave none --require rust-hdl,verilator,icarus"), 0);
        assert_eq!(report["steps"], steps, "{arguments}");
        for engine in ["model", "rust_hdl", "verilator", "icarus"] {
            assert_eq!(report[engine]["agrees"], true, "{arguments} {engine}: {report}");
            assert_eq!(report[engine]["steps"], steps);
        }
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_designs_of_the_specification_agree_under_icarus() {
    if !icarus() {
        return;
    }
    for (arguments, steps, blocked, shunts) in [
        ("-n 8 --set bundle=6", 43, 0, 144),
        ("-n 8 --set bundle=6 --set switch=weak", 49, 0, 144),
        ("-n 16 --set bundle=8 --seed 2", 47, 0, 512),
        ("-n 16 --set bundle=8 --seed 2 --set switch=weak", 55, 0, 512),
        ("-n 16 --set bundle=4", 47, 4, 494),
        ("-n 16 --set bundle=8 --seed 2 --set mode=barrier", 82, 0, 512),
        ("-n 8 --set bundle=6 --set mode=barrier --set switch=weak", 86, 0, 144),
        ("-n 8 --set bundle=2 --set release=yes", 82, 0, 144),
        ("-n 8 --set bundle=2 --set release=yes --set switch=weak", 117, 0, 144),
    ] {
        let report = json(&format!("verify dilated {arguments} --wave none --engines rust-hdl,icarus"), 0);
        let figures = (&report["steps"], &report["blocked"], &report["shunts"]);
        assert_eq!(figures, (&steps.into(), &blocked.into(), &shunts.into()), "{arguments}");
        assert_eq!(report["agrees"], true, "{arguments}: {report}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn faults_are_found_in_the_same_step_by_rust_hdl_and_icarus() {
    if !icarus() {
        return;
    }
    for (arguments, fault, step) in [
        ("-n 8 --set bundle=6", "swapped-bundle:2:3", 4),
        ("-n 8 --set bundle=6", "stuck-room:1:1:1", 3),
        ("-n 8 --set bundle=6", "rank-off-by-one:0", 2),
        ("-n 8 --set bundle=6", "stripped-twice:0", 3),
        ("-n 8 --set bundle=1", "overflow:0:1:0", 3),
        ("-n 8 --set bundle=6", "swapped-edges:2:3:1:0", 4),
        ("-n 8 --set bundle=6 --set mode=barrier", "swapped-edges:1:3:1:0", 2),
        ("-n 8 --set bundle=2 --set release=yes", "early-release:0", 38),
        ("-n 8 --set bundle=2 --set release=yes --set switch=weak", "early-release:0", 39),
    ] {
        let report = json(
            &format!("verify dilated {arguments} --fault {fault} --wave none --engines rust-hdl,icarus"),
            1,
        );
        for engine in ["rust_hdl", "icarus"] {
            assert_eq!(report[engine]["first_difference"]["step"], step, "{fault}: {report}");
        }
    }
}

/// The faults of single edges under every engine, Verilator too.
#[test]
fn faults_of_edges_are_found_in_the_same_step_by_every_engine() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let faults = [
        ("--set bundle=2", "swapped-edges:1:1:1:0", 2),
        ("--set bundle=1 --set per-input=3 --set release=yes", "early-release:0", 7),
    ];
    for &(arguments, fault, step) in common::some(&faults, 1) {
        let given = format!("{arguments} --set payload=5 --fault {fault} --wave none");
        let report = json(&format!("verify dilated -n 2 {given} --require rust-hdl,verilator,icarus"), 1);
        for engine in ["rust_hdl", "verilator", "icarus"] {
            assert_eq!(report[engine]["first_difference"]["step"], step, "{fault} {engine}: {report}");
        }
    }
}

/// Each check of the testbench, with a design in which it must fail: when, and what it says.
#[test]
fn every_check_of_the_testbench_can_fail() {
    if !icarus() {
        return;
    }
    let checks = [
        (
            "--set bundle=2",
            "forgotten-use:0",
            "FAIL: step 7: level 3 row 2: edge 0 of out bundle 0 is used twice",
        ),
        (
            "--set bundle=2 --set release=yes",
            "early-release:0",
            "FAIL: step 38: level 0 row 2: edge 0 of out bundle 0 is given before its worm has left it",
        ),
        (
            "--set bundle=3 --set switch=weak",
            "double-shunt",
            "FAIL: step 3: the weak switch at level 1 row 7 shunts 2 edges",
        ),
        (
            "--set bundle=6",
            "stuck-room:1:1:1",
            "FAIL: step 3: the queue at level 2 row 3 bundle 0 edge 0 has room, but its bit stays",
        ),
        (
            "--set bundle=1",
            "overflow:0:1:0",
            "FAIL: step 3: the queue at level 1 row 0 bundle 1 edge 0 overflows",
        ),
    ];
    for (arguments, fault, says) in common::every(&checks, 2) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().display();
        let given = format!("{arguments} --fault {fault} --wave none --engines icarus -o {folder}");
        json(&format!("verify dilated -n 8 {given}"), 1);
        let log = std::fs::read_to_string(dir.path().join("icarus/run.log")).unwrap();
        assert!(log.lines().any(|line| line == *says), "{fault}: {log}");
    }
}

/// What only further traffics show: they start without a reset, are interrupted by one, and see starts that must be ignored.
#[test]
fn the_further_traffics_find_a_control_that_forgets() {
    if !icarus() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display();
    run(&format!("generate dilated -n 4 --set bundle=2 --units --layout files -o {folder}"), 0);
    let made = |target| common::make(dir.path(), &[target, "PLUSARGS=+stop"]);
    let file = dir.path().join("frit_cells/frit_dilated_control.v");
    let healthy = std::fs::read_to_string(&file).unwrap();
    let changes = [
        ("", "", "PASS"),
        ("clear_o = clear;", "clear_o = 1'b0;", "FAIL"),
        ("clear = start_i & ~run_q;", "clear = start_i;", "FAIL"),
        ("last_q <= 32'd0;", "last_q <= last_q;", "before the start, expected 0 and 0"),
        ("stuck_q <= 1'b0;", "stuck_q <= stuck_q;", "before the start, expected 0 and 0"),
        ("run_q <= 1'b0;", "run_q <= run_q;", "busy_o is x and done_o is 0, expected 0"),
        (
            "now_q <= now_q + 1'b1;",
            "now_q <= (now_q + 1'b1) & ~32'd512;",
            "a long run: busy_o is 1, done_o 0, steps_o 1, expected 1, 0, 513",
        ),
    ];
    for &(text, changed, says) in common::every(&changes, 2) {
        assert!(healthy.contains(text), "{text}");
        std::fs::write(&file, healthy.replacen(text, changed, 1)).unwrap();
        let (passed, log) = made("icarus");
        assert!(log.contains(says), "{text}: {log}");
        assert_eq!(passed, text.is_empty(), "{text}: {log}");
    }
    // A queue that no traffic fills always has room: only the wires of the fabric alone show it.
    std::fs::write(&file, healthy).unwrap();
    let file = dir.path().join("dilated_n4_b2_p2_strong_fabric.v");
    let healthy = std::fs::read_to_string(&file).unwrap();
    let (text, changed) = ("{e3_room_3, e3_room_1}", "{e3_room_3 | 2'd2, e3_room_1}");
    assert!(healthy.contains(text), "{healthy}");
    std::fs::write(&file, healthy.replacen(text, changed, 1)).unwrap();
    let (traffics, _) = made("icarus");
    assert!(traffics);
    let (wires, log) = made("units-icarus");
    assert!(!wires && log.contains("FAIL: dilated_n4_b2_p2_strong_fabric: block"), "{log}");
    // So do the blocks alone in which one bit of all is 1, if an OR has lost an input.
    let (before, or) = healthy.split_once("assign holds_o = |{").unwrap();
    let lost = or.replacen(" holds_7,", " 1'b0,", 1);
    assert_ne!(or, lost);
    std::fs::write(&file, format!("{before}assign holds_o = |{{{lost}")).unwrap();
    let bench = dir.path().join("tb_dilated_n4_b2_p2_strong_units.sv");
    let of = |first| format!("if (block >= {first}) compare(\"dilated_n4_b2_p2_strong_fabric\"");
    let all = std::fs::read_to_string(&bench).unwrap();
    std::fs::write(&bench, all.replacen(&of(1), &of(32), 1)).unwrap();
    let (_, log) = made("units-icarus");
    assert!(log.contains("FAIL: dilated_n4_b2_p2_strong_fabric: block 3"), "{log}");
}

/// Compact modules have no instances of some cells; the testbench of the modules one by one leaves these out.
#[test]
fn compact_modules_are_tried_one_by_one() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let design = "-n 4 --set bundle=2 --fabric-style compact";
    run(&format!("generate dilated {design} --units --layout files -o {}", dir.path().display()), 0);
    let file = dir.path().join("dilated_n4_b2_p2_strong_compact_switch.v");
    let healthy = std::fs::read_to_string(&file).unwrap();
    let faulty =
        healthy.replacen("queue_two_q[i] <= rst_i ? 1'b0 : at_two_d", "queue_two_q[i] <= at_two_d", 1);
    assert_ne!(healthy, faulty);
    let cases = [
        (&faulty, "", "FAIL: dilated_n4_b2_p2_strong_compact_switch: block"),
        (&healthy, "", "PASS dilated_n4_b2_p2_strong_compact_units: 6 modules"),
        (
            &healthy,
            "+only=frit_dilated_control",
            "PASS dilated_n4_b2_p2_strong_compact_units: frit_dilated_control,",
        ),
        (&healthy, "+only=frit_shunt", "nothing that +only asks for is tried here"),
    ];
    for (text, only, says) in cases {
        std::fs::write(&file, text).unwrap();
        let (passed, log) = common::make(dir.path(), &["units-icarus", &format!("PLUSARGS={only}")]);
        assert!(log.contains(says), "{log}");
        assert_eq!(passed, says.starts_with("PASS"), "{log}");
    }
}

/// With four edges in a bundle and more the loops of the compact form search among many bits.
#[test]
#[ignore = "long: make test-all"]
fn the_compact_form_agrees_and_shows_the_same_faults() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let verify = |design: &str, style: &str, code: i32| {
        let arguments = format!("-n 4 --set payload=5 {design} --fabric-style {style} --engines icarus");
        json(&format!("verify dilated {arguments}"), code)
    };
    // The waveforms are compared as well.
    for design in [
        "--set bundle=2",
        "--set bundle=4",
        "--set bundle=5 --set switch=weak",
        "--set bundle=4 --set release=yes",
        "--set bundle=2 --set mode=barrier --set switch=weak --set release=yes",
    ] {
        let report = verify(design, "compact", 0);
        assert_eq!((&report["fabric_style"], &report["icarus"]["agrees"]), (&"compact".into(), &true.into()));
        assert_eq!(verify(design, "auto", 0)["fabric_style"], "unrolled");
    }
    for fault in ["rank-off-by-one:0", "stripped-twice:0", "swapped-bundle:1:1"] {
        let first = |style| {
            let report = verify(&format!("--set bundle=4 --fault {fault}"), style, 1);
            report["icarus"]["first_difference"].clone()
        };
        assert_eq!(first("compact"), first("unrolled"), "{fault}");
    }
}

#[test]
fn what_a_router_does_not_take_is_refused() {
    for (arguments, why) in [
        ("verify dilated -n 8 -w 8", "--width does not apply to dilated"),
        ("verify dilated -n 8 --axis", "--axis does not apply to dilated"),
        ("verify dilated -n 8 --set queue=3", "queue = 3"),
        ("verify dilated -n 8 --fault late-driver:1", "rank-off-by-one:EDGE"),
        ("verify dilated -n 8 --fault stuck-room:5:0:0", "always room"),
    ] {
        let (_, error) = run(arguments, 2);
        assert!(error.contains(why), "{arguments}: {error}");
    }
}

#[test]
fn a_generated_design_is_clean_and_runs_without_fritillary() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display().to_string();
    let design = json(&format!("generate dilated -n 4 --set bundle=2 --set payload=7 -o {folder}"), 0);
    assert_eq!((&design["steps"], &design["blocked"]), (&14.into(), &2.into()), "{design}");
    let files: Vec<&str> =
        design["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    for name in ["dilated_n4_b2_p2_strong.v", "tb_dilated_n4_b2_p2_strong.sv", "Makefile"] {
        assert!(files.contains(&name), "{name}: {files:?}");
    }
    if !have(&["verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    for target in ["lint", "icarus"] {
        let (passed, text) = common::make(dir.path(), &[target]);
        assert!(passed && !text.contains("arning"), "{target}: {text}");
    }
}
