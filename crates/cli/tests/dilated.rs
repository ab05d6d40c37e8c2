//! The dilated butterfly in `frit network` and `frit compare` on the binary.

use crate::common;

use common::{have, json, root, run};
use std::fs;

#[test]
fn the_worms_of_a_step_are_drawn_and_counted() {
    let (svg, _) = run("network dilated -n 8 --bundle 4 --step 9 --format svg", 0);
    let report = json("network dilated -n 8 --bundle 4 --step 9", 0);
    let held = report["snapshot"]["held"].as_array().unwrap();
    let heads = held.iter().filter(|held| held["head"] == true).count();
    // A line for each of 96 bundles, and one for each edge that is held.
    let marks = |svg: &str| svg.matches("<circle ").count() + svg.matches("<polygon ").count();
    assert_eq!((svg.matches("<line ").count(), marks(&svg)), (96 + held.len(), heads));
    assert_eq!((held.len(), heads), (24 * 5, 24)); // nine steps: five levels
    assert!(svg.contains("after 9 steps"));
    let (plain, _) = run("network dilated -n 8 --bundle 4 --format svg", 0);
    assert_eq!((plain.matches("<line ").count(), marks(&plain)), (96, 0));
    assert!(run("network dilated -n 8 --bundle 4 --format dot", 0).0.contains("digraph"));
    let (text, _) = run("network dilated -n 8 --bundle 4 --step 1000", 0);
    assert!(text.contains("after 43 steps") && text.contains("24 delivered"), "{text}");
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let members = report.as_object().unwrap().keys();
    let members = members.chain(report["snapshot"].as_object().unwrap().keys());
    for member in members.chain(held[0].as_object().unwrap().keys()) {
        assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
}

#[test]
fn a_planned_permutation_stands_beside_a_routed_one() {
    let report = json("compare -n 16 --permutation", 0);
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * (1 + 6 + 3));
    assert_eq!(report["area"], "floor");
    for row in rows {
        let messages = row["messages"].as_u64().unwrap();
        assert_eq!(row["delivered"], 16 * messages, "{row}");
        let bits = 32 * messages;
        let expected = match (row["system"].as_str().unwrap(), row["options"].as_str().unwrap()) {
            ("benes", _) => 7 + bits - 1,
            ("dilated", options) if options.ends_with("barrier") => 5 * 4 + 2 * 32 - 2,
            ("dilated", options) if options.contains("switch=strong") => 4 * 4 + 32 - 1,
            _ => continue,
        };
        assert_eq!(row["steps"], expected, "{row}");
    }
    let member = |system: &str, options: &str, member: &str| {
        let same = |row: &&serde_json::Value| {
            row["system"] == system && row["options"].as_str().unwrap().starts_with(options)
        };
        rows.iter().find(same).unwrap()[member].as_u64()
    };
    // The exchange of one bit takes sixteen rounds, and is repeated for each of the others.
    let steps = |word: &str| member("rls", word, "steps").unwrap();
    assert_eq!(steps("word=1"), 31 * 16 + steps("word=32"));
    assert!(steps("word=32") <= 22);
    // 56 switches of two bits twice; a switch of words of 32 bits has 66.
    let area =
        |system: &str, options: &str| (member(system, options, "luts"), member(system, options, "ffs"));
    assert_eq!(area("benes", ""), (Some(224), Some(224)));
    assert_eq!(area("rls", "word=1"), (Some(224), Some(224)));
    assert_eq!(area("rls", "word=32"), (Some(56 * 66), Some(56 * 66)));
    // Half of the levels; a greater part of them are those where packets start, which are smaller.
    let [(half, _), (whole, _)] =
        ["barrier", "unrolled"].map(|mode| area("dilated", &format!("bundle=5 switch=strong mode={mode}")));
    assert!((40..50).contains(&(100 * half.unwrap() / whole.unwrap())));
    assert!(area("dilated", "bundle=5 switch=weak") < area("dilated", "bundle=5 switch=strong"));
    let (csv, _) = run("compare -n 16 --permutation --format csv", 0);
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(csv.lines().next().unwrap()));
    assert_eq!(run("compare -n 16 --permutation --format md", 0).0.matches("\n| ").count(), 21);
}

#[test]
#[ignore = "long: make test-all"]
fn the_areas_of_permutations_are_mapped_on_demand() {
    if !have(&["yosys"]) {
        return;
    }
    // One message from each of two rows: one switch at the start of each row, and one behind it.
    let report = json("compare -n 2 --permutation --synth ice40-hx8k", 0);
    let switches = json("synth dilated -n 2 --set bundle=1 --part switch --no-pnr", 0);
    let sum: u64 =
        switches["modules"].as_array().unwrap().iter().map(|m| 2 * m["luts"].as_u64().unwrap()).sum();
    assert_eq!(report["area"], "ice40-hx8k");
    assert_eq!(report["rows"][0]["options"], "bundle=1 switch=strong mode=unrolled");
    assert_eq!(report["rows"][0]["luts"], sum, "{report}");
}

#[test]
fn what_makes_no_sense() {
    for (arguments, expected) in [
        ("network dilated -n 8 --round 1", "--round does not apply to dilated"),
        ("network rls -n 8 --step 1", "--step does not apply to rls"),
        (
            "network dilated -n 8 --step 1 --traffic hot-spot",
            "--traffic hot-spot is not a kind of traffic for --step; give one of permutation, bit-reversal",
        ),
        ("network dilated -n 65536 --format svg", "too many to draw (at most 16384)"),
        ("network dilated -n 8 --seed 3", "--traffic and --seed need --step"),
        ("network dilated -n 8 --step 1 --expansion", "--expansion does not apply to dilated"),
        ("compare -n 12 --permutation", "does not exist with 12 terminals"),
        ("compare -n 8192 --permutation", "permutations are compared for up to 4096"),
        ("compare -n 8 --permutation --sort switches", "cannot be used with"),
        ("compare -n 8 --permutation --synth ecp5-25k -w 8", "cannot be used with"),
    ] {
        let (stdout, stderr) = run(arguments, 2);
        assert!(stdout.is_empty() && stderr.contains(expected), "frit {arguments}: {stderr}");
    }
}
