//! The commands of the optical butterfly on the binary: `frit photonics`, `frit relation` (more of it, as `frit route`, in
//! `route.rs`), `frit sequence`, and sequences
//! of the user's in the other commands.

use crate::common;

use common::{documented, json, refused, run};
use std::fs;

fn close(value: &serde_json::Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-9 * expected.abs().max(1.0), "{value}");
}

#[test]
fn photonics_prints_the_papers_figures_beside_its_own() {
    let report = json("photonics --paper", 0);
    ["parameters", "figures", "paper"].iter().for_each(|part| documented(&report[part]));
    documented(&report);
    let (figures, paper) = (&report["figures"], &report["paper"]);
    for (member, ours, theirs) in [
        ("bit_mm", 2.0, "2 mm"),
        ("packet_mm", 256.0, "256 mm"),
        ("slot_ns", 1.28, "1.3 ns"),
        ("fibre_m", 196.608, "200 m"),
        ("clock_cycles", 8.0, "8 clock cycles"),
    ] {
        close(&figures[member], ours);
        assert_eq!(paper[member], theirs);
    }
    close(&figures["end_to_end_ns"], 7.68);
    assert_eq!((&figures["closes"], &figures["largest_dimension"]), (&true.into(), &7.into()));
    assert_eq!(run("photonics", 0).0, run("photonics --paper", 0).0);
    let (text, _) = run("photonics -v", 0);
    for part in ["196.6 m", "200 m", "7.68 ns", "the budget closes", "Hoffman", "G.652"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (help, _) = run("photonics --help", 0);
    assert!(help.contains("Hoffman") && help.contains("[default: -48]"), "{help}");
}

#[test]
fn photonics_says_what_is_missing_and_what_is_allowed() {
    assert!(run("photonics -r 10", 1).0.contains("does not close: the receiver needs 11.001 dB more light"));
    assert!(run("photonics -n 16 --crosstalk-per-switch -10", 1).0.contains("too much crosstalk"));
    assert_eq!(json("photonics -n 16 --loss-per-switch 2", 0)["figures"]["largest_dimension"], 13);
    assert_eq!(json("photonics --laser -40", 1)["figures"]["largest_dimension"], serde_json::Value::Null);
    for (arguments, expected) in [
        ("photonics -r 21", "the dimension is 21, but must be 2..=20"),
        (
            "photonics -n 12",
            "-n 12 is not a size of the optical butterfly; give a power of two, 4 to 1048576",
        ),
        ("photonics --bit-rate 0", "the bit rate in Gb/s is 0, but must be more than 0"),
        ("photonics --guard -1", "the guard time in ps is -1, but cannot be less than 0"),
        ("photonics --index 0.9", "the refractive index is 0.9, but must be 1 or more"),
        (
            "photonics --crosstalk-per-switch 3",
            "the crosstalk per switch is 3 dB, but must be less than 0 dB",
        ),
        ("photonics --switching 2000", "has no room for a bit beside 2000 ps of switching"),
        ("photonics --paper --clock 2", "cannot be used with"),
        ("photonics -r 3 -n 8", "cannot be used with"),
    ] {
        assert!(refused(arguments).contains(expected), "{arguments}: {}", refused(arguments));
    }
}

#[test]
fn relations_step_by_step_and_in_closed_form() {
    for arguments in [
        "-n 16",
        "-n 8 --per-source 100 --seeds 3..4",
        "-n 16 --relation permutation --load 7",
        "-n 8 --relation hot-spot --hot 3 --percent 50 --per-source 20",
    ] {
        let closed = json(&format!("relation obf {arguments}"), 0);
        let steps = json(&format!("relation obf {arguments} --steps"), 0);
        documented(&closed);
        documented(&steps["points"][0]);
        assert_eq!(closed["cost_mean"], steps["cost_mean"], "{arguments}");
        for (a, b) in closed["points"].as_array().unwrap().iter().zip(steps["points"].as_array().unwrap()) {
            assert_eq!(
                (&a["steps"], &a["largest_buffer"]),
                (&b["steps"], &b["largest_buffer"]),
                "{arguments}"
            );
            assert_eq!((&b["closed_form_agrees"], &b["delivered"]), (&true.into(), &b["packets"]));
        }
    }
    let seeds = json("relation obf -n 8 --seeds 3..4", 0);
    assert_eq!((&seeds["points"][0]["seed"], &seeds["points"][1]["seed"]), (&3.into(), &4.into()));
    let (csv, _) = run("relation obf -n 4 --per-source 8 --format csv", 0);
    // h is the most that a terminal sends or receives: seed 1 sends one of the four terminals more than its eight.
    assert!(
        csv.starts_with("seed,h,packets,most_sent,most_received,largest_buffer,steps,cost\n1,9,32,8,9,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 6);
    assert!(run("relation obf -n 16", 0).0.contains("mean and standard deviation of 5 seeds"));
    // Without a closed form the packets are moved.
    assert!(run("relation rls -n 8 --seeds 1", 0).0.contains("closed form"));
}

#[test]
fn relations_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("packets.txt");
    fs::write(&path, "# a complete exchange of two\n0,1\n1 0 3\n").unwrap();
    let report = json(&format!("relation obf -n 4 --relation {} --steps", path.display()), 0);
    assert_eq!((&report["h"], &report["points"][0]["packets"]), (&3.into(), &4.into()));
    assert_eq!(report["points"][0]["seed"], serde_json::Value::Null);
    fs::write(&path, "0 4\n").unwrap();
    let text = refused(&format!("relation obf -n 4 --relation {}", path.display()));
    assert!(
        text.contains("packets.txt: line 1: destination 4 is out of range; terminals are 0..4"),
        "{text}"
    );
}

#[test]
fn relations_that_make_no_sense() {
    for (arguments, expected) in [
        ("relation obf -n 131072", "in closed form; use -n up to 65536"),
        ("relation obf -n 8192 --steps", "step by step; use -n up to 4096"),
        (
            "relation obf -n 8 --relation cold-spot",
            "is not a kind of traffic and not an existing file; give random, permutation, hot-spot, or a file",
        ),
        ("relation obf -n 8 --hot 3", "use them with --traffic hot-spot"),
        ("relation obf -n 8 --relation hot-spot --hot 8", "hot spot 8 is out of range; terminals are 0..8"),
        ("relation obf -n 8 --relation hot-spot --percent 101", "at most 100 %"),
        ("relation obf -n 8 --seeds 5..1", "is not a number or a range of seeds"),
        ("relation obf -n 8 --seeds 0", "is not a number or a range of seeds"),
        ("relation obf -n 8 --relation README.md --seeds 3", "apply only to random traffic"),
    ] {
        assert!(refused(arguments).contains(expected), "{arguments}: {}", refused(arguments));
    }
}

#[test]
fn sequences_are_printed_and_checked() {
    assert_eq!(run("sequence 4", 0).0, "0000111101100101\n");
    assert_eq!(run("sequence 3 --kind granddaddy", 0).0, "00010111\n");
    let report = json("sequence 3 --kind prefer-same", 0);
    documented(&report);
    assert_eq!((&report["length"], &report["kind"]), (&8.into(), &"prefer-same".into()));
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    for kind in ["prefer-one", "prefer-same", "granddaddy"] {
        for order in [1, 2, 5, 10] {
            let file = path("printed", &run(&format!("sequence {order} --kind {kind}"), 0).0);
            assert!(run(&format!("sequence --check {file}"), 0).0.starts_with("yes"));
        }
    }
    let wrong = path("wrong", "0001 0011");
    let (text, _) = run(&format!("sequence 3 --check {wrong}"), 1);
    assert!(text.contains("the word 001 stands at bit 1 and again at bit 4 (counted from 0)"), "{text}");
    let report = json(&format!("sequence 3 --check {wrong}"), 1);
    documented(&report);
    assert_eq!((&report["de_bruijn"], &report["repeated"]["word"]), (&false.into(), &"001".into()));
    assert!(
        run(&format!("sequence 4 --check {wrong}"), 1)
            .0
            .contains("8 bits, but a sequence of order 4 has 2^4 = 16")
    );
    assert!(refused(&format!("sequence --check {}", path("text", "0120"))).contains("'2' is not a bit"));
    assert!(refused("sequence --check /nonexistent").contains("/nonexistent"));
    assert!(refused("sequence 25").contains("25 is not an order of a de Bruijn sequence; give 1 to 24"));
    assert!(refused("sequence").contains("required"));
}

#[test]
fn a_sequence_of_the_users_controls_the_network() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let rotated = path("rotated", "11 10 10 00\n");
    let summary = json(&format!("simulate obf -n 16 --sequence {rotated}"), 0);
    assert_eq!((&summary["options"]["sequence"], &summary["cycles"]), (&"custom".into(), &11.into()));
    assert_eq!((&summary["delivered"], &summary["conflicts"]), (&256.into(), &0.into()));
    assert_eq!(json("simulate obf -n 16 --sequence granddaddy", 0)["options"]["sequence"], "granddaddy");
    let (schedule, _) = run(&format!("schedule obf -n 16 --sequence {rotated}"), 0);
    assert!(schedule.contains("8 rounds"), "{schedule}");
    for (arguments, expected) in [
        (format!("-n 16 --sequence {}", path("wrong", "00010011")), "stands at bit 1 and again at"),
        (
            format!("-n 8 --sequence {rotated}"),
            "the sequence has 8 bits, but a sequence of order 2 has 2^2 = 4",
        ),
        (format!("-n 12 --sequence {rotated}"), "does not exist with 12 terminals"),
        (
            "-n 16 --sequence best".into(),
            "not an existing file; give one of prefer-one, prefer-same, granddaddy, or a file",
        ),
        (format!("-n 16 --set colour=red --sequence {rotated}"), "obf has no option \"colour\""),
    ] {
        let text = refused(&format!("simulate obf {arguments}"));
        assert!(text.contains(expected), "{arguments}: {text}");
    }
    assert!(refused(&format!("simulate rls -n 16 --sequence {rotated}")).contains("rls has no option"));
    let (checked, _) = run(&format!("schedule obf -n 16 --check --sequence {rotated}"), 0);
    assert!(checked.contains(": complete"), "{checked}");
}
