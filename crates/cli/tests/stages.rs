//! `frit verify multibutterfly`: every engine sees the same commits, placements and deliveries, and every fault.

mod common;

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
    assert!(text.contains("6 of 16 messages arrive, 41 events in 6 stages"), "{text}");
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

#[test]
fn faults_are_found_in_the_same_stage_by_rust_hdl_and_icarus() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let verify =
        |fault: &str| format!("verify {STUCK} --fault {fault} --wave none --engines rust-hdl,icarus");
    for fault in ["lost-cancel:1", "grant-to-two:1", "count-one-short:1"] {
        // Where an in-port is not used, nothing is wrong.
        let reports = (0..4).map(|port| json_of(&verify(&format!("{fault}:{port}"))));
        let differs = |report: &serde_json::Value| {
            let found =
                ["rust_hdl", "icarus"].map(|engine| report[engine]["first_difference"]["stage"].clone());
            assert_eq!(found[0], found[1], "{fault}");
            !found[0].is_null()
        };
        assert!(reports.filter(differs).count() > 0, "{fault}");
    }
    let report = json(&verify("ghost-too-many:1"), 1);
    assert_eq!(report["icarus"]["first_difference"], report["rust_hdl"]["first_difference"], "{report}");
}

/// What is said as JSON, whether engines agree or not.
fn json_of(arguments: &str) -> serde_json::Value {
    let output = frit(&format!("{arguments} --format json")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_a_multibutterfly_does_not_take_is_refused() {
    for (arguments, why) in [
        ("-n 8 -w 8", "--width is not for the multibutterfly"),
        ("-n 8 --set x=3", "take x=0"),
        ("-n 8 --set force=yes", "take force=no"),
        ("-n 8 --set order=sequential", "take order=parallel"),
        ("-n 8 --set rerun=yes", "take rerun=no"),
        ("-n 8 --traffic transpose", "verified is one of perm"),
        ("-n 8 --fault overflow:1:0:0", "count-one-short:COLUMN:PORT"),
        ("-n 8 --fault ghost-too-many:0", "neither the first nor the last"),
    ] {
        let (_, error) = run(&format!("verify multibutterfly {arguments}"), 2);
        assert!(error.contains(why), "{arguments}: {error}");
    }
}
