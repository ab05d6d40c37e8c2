//! `frit sweep` with kind = "faults" on the binary.

use crate::common;

use common::root;
use common::rows::rows;
use common::sweeps::{joined, ran, said, sweep};
use std::fs;

const SMALL: &str = "kind = \"faults\"
faults = [\"stuck-switch\", \"swapped-wire\", \"off-by-one-counter\"]
[[systems]]
system = \"rls\"
terminals = 4
widths = 8
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

#[test]
fn every_fault_of_a_small_exchange_is_planted() {
    let dir = tempfile::tempdir().unwrap();
    let report = sweep(dir.path(), SMALL, "");
    assert_eq!(ran(&report), (16, 16)); // 3 stages of 2 switches: 12 + 3 + 1
    assert_eq!(report["conclusion"]["fine"], true);
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let rows = rows(&csv);
    let found = rows.iter().filter(|row| row["found"] == "1").count();
    assert_eq!(found, 14);
    let line = "14 of 16 faults found, 2 not";
    assert_eq!(report["conclusion"]["lines"][0], line);
    // A counter that is one short loses the last round: seen when it should enter.
    let short = rows.iter().find(|row| row["fault"] == "off-by-one-counter").unwrap();
    assert_eq!([&short["found"], &short["rust_hdl"], &short["icarus"]], ["1", "1", ""]);
    assert_eq!((short["cycle"].as_str(), short["missing"].as_str()), ("2", "4"));
    // Wires that are swapped lose nothing, but it comes to others: two messages of each round.
    let swapped = rows.iter().find(|row| row["fault"] == "swapped-wire:2").unwrap();
    assert_eq!(["found", "missing", "misrouted"].map(|column| swapped[column].as_str()), ["1", "0", "8"]);
    // The first stage of this network is always set straight.
    let stuck = rows.iter().find(|row| row["fault"] == "stuck-switch:0:0:0").unwrap();
    assert_eq!((stuck["found"].as_str(), stuck["cycle"].as_str()), ("0", ""));
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(joined(&csv).lines().next().unwrap()), "{csv}");
    // A sample is some of them.
    let sampled = SMALL.replace("kind = \"faults\"", "kind = \"faults\"\nsample = 2");
    assert_eq!(ran(&sweep(dir.path(), &sampled, "--drop")), (5, 0));
}

#[test]
fn every_fault_of_a_small_corner_turn_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let text = SMALL
        .replace(
            "faults = [\"stuck-switch\", \"swapped-wire\", \"off-by-one-counter\"]\n",
            "need = \"all\"\n",
        )
        .replace("\"rls\"", "\"transpose\"")
        .replace("widths = 8", "widths = 8\noptions = { rows = 8 }");
    let report = sweep(dir.path(), &text, "");
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let rows = rows(&csv);
    let faults: Vec<&str> = rows.iter().map(|row| row["fault"].as_str()).collect();
    assert_eq!(
        faults,
        ["setting:0", "setting:1", "setting:2", "setting:3", "write", "read", "page", "early"]
    );
    assert_eq!(report["conclusion"]["lines"][0], "8 of 8 faults found, 0 not");
    let early = rows.iter().find(|row| row["fault"] == "early").unwrap();
    assert!(early["run"] == "0" && early["missing"].is_empty(), "{csv}");
    // A form of exchanges has no place in it.
    let (code, told) =
        said(dir.path(), &text.replace("need = \"all\"", "faults = \"stuck-switch\""), "--drop");
    assert!(code == Some(2) && told.contains("no point"), "{told}");
}

/// A driver that is late where its stage is set alike in every round changes nothing.
#[test]
fn a_fault_that_changes_nothing_is_a_result_unless_all_are_needed() {
    let dir = tempfile::tempdir().unwrap();
    let text = SMALL
        .replace("\"rls\"", "\"benes\"")
        .replace("[\"stuck-switch\", \"swapped-wire\", \"off-by-one-counter\"]", "\"late-driver\"");
    let report = sweep(dir.path(), &text, "");
    assert_eq!(report["conclusion"]["fine"], true);
    let lines = report["conclusion"]["lines"].as_array().unwrap();
    assert!(lines[1].as_str().unwrap().starts_with("not found: benes_n4_w8 late-driver:0"), "{lines:?}");
    let (code, told) = said(dir.path(), &text.replace("[[", "need = \"all\"\n[["), "");
    assert_eq!(code, Some(1), "{told}");
}

#[test]
fn what_cannot_be_planted_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (from, to, expected) in [
        (
            "\"stuck-switch\"",
            "\"stuck\"",
            "\"stuck\" is not a form of fault; give one of swapped-wire, inverted-control",
        ),
        ("terminals = 4", "terminals = 12", "does not exist with 12 terminals"),
        ("\"rls\"", "\"multibutterfly\"", "multibutterfly is routed"),
        ("widths = 8", "widths = 65", "rust-hdl simulates words of at most 64 bits"),
        ("kind = \"faults\"", "kind = \"faults\"\nsample = 0", "sample = 0"),
        ("kind = \"faults\"", "kind = \"faults\"\nneed = \"some\"", "unknown variant `some`"),
        ("kind = \"faults\"", "kind = \"faults\"\nseeds = 3", "unknown field `seeds`"),
        ("[\"stuck-switch\", \"swapped-wire\", \"off-by-one-counter\"]", "\"flipped-bit\"", "no point"),
    ] {
        let (code, text) = said(dir.path(), &SMALL.replace(from, to), "");
        assert!(code == Some(2) && text.contains(expected), "{to}: {text}");
    }
}
