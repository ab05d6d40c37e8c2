//! `frit verify multibutterfly`: every engine sees the same commits, placements and deliveries, and every fault.

use crate::common;

use common::{frit, have, json, run};

const STUCK: &str = "multibutterfly -n 8 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2 --seed 3";
const SMALL: &str = "multibutterfly -n 4 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2";

#[test]
fn model_and_rust_hdl_agree_without_any_tool() {
    let output = frit(&format!("verify {STUCK}"))
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("6 of 16 messages arrive, 41 events in 6 phases"), "{text}");
    assert!(text.contains("icarus: not run: iverilog was not found"), "{text}");
}

#[test]
fn every_engine_agrees() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let report = json(&format!("verify {SMALL} --wave none --require rust-hdl,verilator,icarus"), 0);
    for engine in ["model", "rust_hdl", "verilator", "icarus"] {
        assert_eq!(report[engine]["agrees"], true, "{engine}: {report}");
        assert_eq!(report[engine]["cycles"], report["cycles"], "{engine}: {report}");
    }
}

/// A fault, and what every bench says of it first.
const FAULTS: [(&str, &str); 4] = [
    ("lost-cancel:1:0", "cycle 4: column 1 row 0 in-port 0: the request of a committed side stands"),
    ("ghost-too-many:1", "cycle 138: column 1 row 0: ghosts on a side: 5, expected 4"),
    ("grant-to-two:1:0", "cycle 2: column 1 row 0 grants in-port 0 a size that another asks for"),
    ("count-one-short:1:0", "cycle 6: column 1 row 1: g'' of what is assigned to it: 1, expected 2"),
];

#[test]
#[ignore = "long: make test-all"]
fn every_engine_finds_every_fault_in_the_same_cycle() {
    let mut engines = vec!["rust-hdl"];
    engines.extend(have(&["iverilog", "vvp"]).then_some("icarus"));
    engines.extend(have(&["verilator", "make", "g++"]).then_some("verilator"));
    let list = engines.join(",");
    for (fault, says) in FAULTS {
        let (text, _) = run(&format!("verify {STUCK} --fault {fault} --wave none --engines {list}"), 1);
        for engine in &engines {
            assert!(text.contains(&format!("{engine} differs first in stage 0")), "{fault}: {text}");
            assert!(text.contains(&format!("{engine}  {says}")), "{fault}: {text}");
        }
    }
}

/// Where an in-port is not used, nothing is wrong.
#[test]
fn faults_of_other_in_ports_are_found_in_the_same_stage() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for fault in ["lost-cancel:1", "count-one-short:1"] {
        let found = (0..4).filter(|port| {
            let report =
                json_of(&format!("verify {SMALL} --seed 3 --fault {fault}:{port} --engines rust-hdl,icarus"));
            let [a, b] =
                ["rust_hdl", "icarus"].map(|engine| report[engine]["first_difference"]["stage"].clone());
            assert_eq!(a, b, "{fault}:{port}");
            !a.is_null()
        });
        assert!(found.count() > 0, "{fault}");
    }
}

#[test]
fn waveforms_are_those_of_rust_hdl() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display();
    let large = "multibutterfly -n 8 --set d=4 --set r=2 --set h=2 --set z=1";
    let design = if common::all() { large } else { SMALL };
    let arguments = format!("{design} --engines rust-hdl,icarus --wave vcd");
    let report = json(&format!("verify {arguments} -o {folder}"), 0);
    assert_eq!(report["model"]["wave"], serde_json::Value::Null);
    let waves = ["rust_hdl", "icarus"].map(|engine| report[engine]["wave"].as_str().unwrap().to_string());
    let (text, _) = run(&format!("diff {} {} --common --x-is-dont-care", waves[0], waves[1]), 0);
    assert!(text.starts_with("same: ") && !text.contains("only in A"), "{text}");
    let names = std::fs::read_to_string(&waves[1]).unwrap();
    for name in ["u_route", "u_fabric", "u_n1_0", "u_side1", "chosen", "asked", "told"] {
        assert!(names.contains(&format!(" {name} ")), "{name}");
    }
    // An older run's are gone.
    run(&format!("verify {arguments} -o {folder} --wave none").replace(" --wave vcd", ""), 0);
    assert!(!waves.iter().any(|wave| std::path::Path::new(wave).exists()));
}

/// What is said as JSON, whether engines agree or not.
fn json_of(arguments: &str) -> serde_json::Value {
    let output = frit(&format!("{arguments} --format json")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_a_multibutterfly_does_not_take_is_refused() {
    for (arguments, why) in [
        ("-n 8 -w 8", "--width does not apply to multibutterfly"),
        ("-n 12", "the nearest size is 16"),
        ("-n 8 --set r=3", "it must be a power of two, for example 4"),
        ("-n 8 --set d=2 --set r=4", "r must not be greater than d"),
        ("-n 8 --set r=4 --set h=2", "h must be r or more"),
        ("-n 8 --set d=5", "d must be from 1 to 4"),
        ("-n 8 --set x=3", "pass x=0"),
        ("-n 8 --set force=yes", "pass force=no"),
        ("-n 8 --set order=sequential", "pass order=parallel"),
        ("-n 8 --set rerun=yes", "pass rerun=no"),
        ("-n 8 --traffic transpose", "--traffic transpose cannot be verified; give one of perm"),
        ("-n 8 --fault overflow:1:0:0", "count-one-short:COLUMN:PORT"),
        ("-n 8 --fault ghost-too-many:0", "neither the first nor the last"),
    ] {
        for command in ["verify", "generate -o never"] {
            let (_, error) = run(&format!("{command} multibutterfly {arguments}"), 2);
            assert!(error.contains(why), "{command} {arguments}: {error}");
        }
    }
}

#[test]
fn wires_that_are_none_are_refused_and_others_built() {
    let dir = tempfile::tempdir().unwrap();
    let (wires, _) = run("network multibutterfly -n 8 --d 2 --seed 3 --format json", 0);
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let of = |path: &str| format!("multibutterfly --set wiring={path} --set r=1 --set h=2 --seed 3");
    let fine = of(&file("wires.json", &wires));
    let report = json(&format!("verify {fine} --engines rust-hdl --wave none"), 0);
    assert_eq!(report["rust_hdl"]["agrees"], true);
    // The last column's nodes have both outputs of a splitter.
    let pair = wires.match_indices("[[").nth(1).map(|(at, _)| at + 1).unwrap();
    let digit = &wires[pair + 1..pair + 2];
    let twice = format!("{}[{digit}, {digit}]{}", &wires[..pair], &wires[pair + 6..]);
    let twice = of(&file("twice.json", &twice));
    let out = dir.path().join("out").display().to_string();
    for command in ["route".to_string(), "verify".into(), format!("generate -o {out}")] {
        let (_, error) = run(&format!("{command} {twice}"), 2);
        assert!(error.contains(&format!("ports 0 and 1 both lead to row {digit}")), "{command}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(!std::path::Path::new(&out).exists());
}

/// What only further traffics show: some start without a reset, some are interrupted by one, and they see starts and messages that must
/// be ignored. What no traffic of four rows shows, the modules one by one show.
#[test]
#[ignore = "long: make test-all"]
fn the_further_traffics_find_a_control_that_forgets() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    run(&format!("generate {SMALL} --units --layout files -o {}", dir.path().display()), 0);
    let file = dir.path().join("frit_cells/frit_run_control.v");
    let healthy = std::fs::read_to_string(&file).unwrap();
    let made = |target, text, changed| {
        assert!(healthy.contains(text), "{text}");
        std::fs::write(&file, healthy.replacen(text, changed, 1)).unwrap();
        common::make(dir.path(), &[target, "PLUSARGS=+stop"])
    };
    let changes = [
        ("", "", "PASS"),
        ("start_i & ~run_q & ~done_q;", "start_i & ~done_q;", "FAIL"),
        ("idle_o = ~run_q & ~done_q;", "idle_o = 1'b1;", "inject_ready_o is f during a run"),
        ("run_q <= 1'b0;", "run_q <= run_q;", "FAIL"),
        ("cycles_q <= 32'd0;", "cycles_q <= cycles_q;", "cycles_o is"),
        ("phases_q <= 8'd0;", "phases_q <= phases_q;", "phases_o is"),
        // Wrong within a run but right at its end; not kept behind a run.
        (
            "cycles_o = cycles_q;",
            "cycles_o = cycles_q ^ {cycles_q[5], 31'd0};",
            "cycles_o is 2147483680, expected 32",
        ),
        (
            "end else begin\n",
            "end else begin\n      cycles_q <= cycles_q ^ {29'd0, cycles_q[6], 2'd0};\n",
            "cycles_o 68, phases_o 56, expected 0, 0, 1, 64",
        ),
        (
            "end else begin\n",
            "end else begin\n      cycles_q <= cycles_q ^ {20'd0, cycles_q[12], 11'd0};\n",
            "cycles_o 6144",
        ),
        (
            "end else begin\n",
            "end else begin\n      stuck_q <= stuck_q & ~phases_q[5];\n",
            "a short run: busy_o is 0",
        ),
    ];
    for &(text, changed, says) in common::every(&changes, 2) {
        let (passed, log) = made("icarus", text, changed);
        assert!(log.contains(says), "{text}: {log}");
        assert_eq!(passed, text.is_empty(), "{text}: {log}");
    }
    let unseen = ("full_i & long_still_q", "full_i & still_q");
    assert!(made("icarus", unseen.0, unseen.1).0);
    let (passed, log) = made("units-icarus", unseen.0, unseen.1);
    assert!(!passed && log.contains("FAIL: frit_run_control: block"), "{log}");
    let (passed, log) = made("units-icarus", "", "");
    assert!(passed && log.contains("_units: 34 modules and cells"), "{log}");
}
