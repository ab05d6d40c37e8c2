//! `frit sweep` with kind = "synth" on the binary.

use crate::common;

use common::rows::rows;
use common::sweeps::{joined, ran, said};
use common::{frit, have, json, root, tools_first};
use std::fs;
use std::path::Path;

const SMALL: &str = "kind = \"synth\"
parts = \"fabric\"
seeds = \"2..3\"
[[systems]]
system = \"rls\"
terminals = 4
widths = 1
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

fn sweep(folder: &Path, text: &str, arguments: &str) -> serde_json::Value {
    fs::write(folder.join("s.toml"), text).unwrap();
    let mut command = frit(&format!("sweep {0}/s.toml -o {0} --format json {arguments}", folder.display()));
    let output = command.env("PATH", tools_first()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The figures of `frit synth`, whose seeds begin with 1.
#[test]
fn seeds_are_those_of_frit_synth() {
    if !have(&["yosys", "nextpnr-ice40"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (2, 2));
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let rows = rows(&csv);
    let report = json("synth rls -n 4 -w 1 --part fabric --seeds 3", 0);
    let module = &report["modules"][0];
    for (row, at) in rows.iter().zip([1, 2]) {
        assert_eq!(row["seed"], (at + 1).to_string());
        assert_eq!((&row["lut4"], &row["ff"]), (&module["luts"].to_string(), &module["ffs"].to_string()));
        let fmax = module["fmax_mhz"]["seeds"][at].as_f64().unwrap();
        assert_eq!((&row["fmax_mhz"], row["fits"].as_str()), (&format!("{fmax:.2}"), "1"));
    }
    assert!(fs::read_to_string(dir.path().join("s.svg")).unwrap().contains("Fmax in MHz"));
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(joined(&csv).lines().next().unwrap()), "{csv}");
}

/// With an exchange in one file, each with its part.
#[test]
#[ignore = "long: make test-all"]
fn areas_of_a_corner_turn_are_those_of_frit_synth() {
    if !have(&["yosys"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let text = SMALL
        .replace("seeds = \"2..3\"", "no_pnr = true")
        .replace("\"fabric\"", "[\"permute\", \"fabric\"]")
        .replace(
            "[files]",
            "[[systems]]\nsystem = \"transpose\"\nterminals = 4\nwidths = 8\noptions = { rows = 8 }\n[files]",
        );
    assert_eq!(ran(&sweep(dir.path(), &text, "")), (2, 2));
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let rows = rows(&csv);
    let report = json("synth transpose -n 4 --rows 8 -w 8 --part permute --no-pnr", 0);
    let module = &report["modules"][0];
    let row = rows.iter().find(|row| row["system"] == "transpose").unwrap();
    for (column, member) in [("lut4", "luts"), ("ff", "ffs"), ("carry", "carries"), ("bram", "brams")] {
        assert_eq!(row[column], module[member].to_string(), "{csv}");
    }
    assert_eq!((row["part"].as_str(), rows[0]["part"].as_str()), ("permute", "fabric"));
}

#[test]
#[ignore = "long: make test-all"]
fn areas_need_no_seeds_and_what_does_not_fit_is_a_result() {
    if !have(&["yosys"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let text = SMALL
        .replace("seeds = \"2..3\"", "no_pnr = true\ntargets = \"ice40-up5k\"")
        .replace("widths = 1", "widths = [1, 500]");
    let report = sweep(dir.path(), &text, "");
    assert_eq!((ran(&report), &report["conclusion"]["fine"]), ((2, 2), &true.into()));
    let line = report["conclusion"]["lines"][0].as_str().unwrap();
    assert!(line.starts_with("1 of 2 points do not fit, the first: rls,"), "{line}");
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    // 6 switches at the floor of 2 W + 2.
    assert!(csv.contains(",4,1,fabric,ice40-up5k,0,24,24,0,0,,1,"), "{csv}");
    assert!(csv.contains(",4,500,fabric,ice40-up5k,0,6012,6012,0,0,,0,"), "{csv}");
}

#[test]
fn a_missing_tool_is_known_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("s.toml"), SMALL).unwrap();
    let mut command = frit(&format!("sweep {0}/s.toml -o {0}", dir.path().display()));
    let output =
        command.env("PATH", "/nonexistent").env("FRITILLARY_TOOLS", "/nonexistent").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(3) && text.contains("yosys was not found"), "{text}");
}

#[test]
fn what_cannot_be_synthesised_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (from, to, expected) in [
        ("\"fabric\"", "\"cells\"", "parts: cells is not a part; give fabric, labels, exchange or permute"),
        ("\"rls\"", "\"dilated\"", "dilated is routed"),
        ("\"rls\"", "\"transpose\"", "parts: fabric: transpose has permute; add one of its parts"),
        (
            "\"fabric\"",
            "\"permute\"",
            "parts: permute: rls has fabric, labels, exchange; add one of its parts",
        ),
        (
            "parts = \"fabric\"\nseeds = \"2..3\"\n[[systems]]\nsystem = \"rls\"\nterminals = 4",
            "[[systems]]\nsystem = \"transpose\"\noptions = { rows = 4096 }\nterminals = 4",
            "block RAMs for its memories",
        ),
        ("\"fabric\"", "[]", "parts needs at least one value"),
        ("\"2..3\"", "0", "seeds = \"0\" is not a number or a range of seeds"),
        ("\"2..3\"", "\"0..3\"", "seeds: 0 is not a seed of nextpnr"),
        ("seeds", "no_pnr = true\nseeds", "areas need no seeds of the placer"),
        ("seeds", "targets = \"gowin\"\nseeds", "targets: \"gowin\" has areas only; add no_pnr = true"),
        ("seeds = \"2..3\"", "targets = \"ice50\"", "a value or a list of values"),
        (
            "[files]",
            "[drawing]\ny = \"lut6\"\n[files]",
            "y = \"lut6\": give one of lut4, ff, carry, bram, fmax_mhz",
        ),
        (
            "seeds = \"2..3\"\n",
            "no_pnr = true\ndrawing = { y = \"fmax_mhz\" }\n",
            "with no_pnr there is no Fmax; give another y",
        ),
        ("widths = 1", "widths = 1\nengines = []", "unknown field `engines`"),
    ] {
        let (code, text) = said(dir.path(), &SMALL.replace(from, to), "");
        assert!(code == Some(2) && text.contains(expected), "{to}: {text}");
    }
    let text = SMALL.replace("\"fabric\"", "\"labels\"").replace("\"rls\"", "\"gsen\"");
    let (code, text) = said(dir.path(), &text, "");
    assert!(code == Some(2) && text.contains("are not set by labels"), "{text}");
}
