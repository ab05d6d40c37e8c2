//! `frit sweep` with kind = "verify" on the binary.

use crate::common;

use common::rows::rows;
use common::sweeps::{joined, ran, said, sweep};
use common::{frit, have, json, root, tools_first};
use frit_schedule::{Request, plan};
use std::fs;

const SMALL: &str = "kind = \"verify\"
[[systems]]
system = \"rls\"
terminals = [8, 4]
widths = [1, 8]
engines = [\"rust-hdl\"]
[[systems]]
system = \"rls-folded\"
terminals = 4
widths = 8
options = { plan = [\"windowed\", \"buffered\"] }
engines = [\"rust-hdl\"]
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

#[test]
fn designs_agree_and_one_with_a_fault_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let csv = || fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let report = sweep(dir.path(), SMALL, "");
    assert_eq!(ran(&report), (6, 6));
    assert_eq!(report["conclusion"]["fine"], true);
    assert_eq!(report["conclusion"]["lines"][0], "6 designs, in all of which the engines agree");
    assert!(
        joined(&csv()).contains("\nrls,conflict=yes direction=right,8,8,rust-hdl,12,12,12,64,1,,,1,"),
        "{}",
        csv()
    );
    assert!(fs::read_to_string(dir.path().join("s.svg")).unwrap().contains("rls folded buffered"));
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(joined(&csv()).lines().next().unwrap()), "{}", csv());
    assert_eq!(ran(&sweep(dir.path(), &SMALL.replace("[1, 8]", "[1, 2, 8]"), "")), (8, 2));

    // Broken on purpose: every design differs, each is told, the rest is run all the same.
    let broken = format!("fault = \"inverted-control:0:0\"\n{SMALL}");
    let (code, text) = said(dir.path(), &broken, "--again --drop");
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(text.matches("rust-hdl differs first in cycle").count(), 6, "{text}");
    assert!(
        text.contains("again: frit verify rls -n 8 -w 8 --fault inverted-control:0:0 -o FOLDER"),
        "{text}"
    );
    assert!(rows(&csv()).iter().all(|row| row["agrees"] == "0"), "{}", csv());
    // So is one that is known, and joined from parts.
    let report = json(&format!("sweep merge {0}/s.toml -o {0}", dir.path().display()), 1);
    assert_eq!(report["conclusion"]["lines"][0], "6 of 6 designs differ, the first: rls_n4_w1");
}

const STREAMED: &str = "kind = \"verify\"
engines = [\"rust-hdl\"]
[[systems]]
system = \"transpose\"
terminals = [2, 4]
widths = 8
options = { rows = [8, 12], cols = 8 }
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

/// A row of the table names the options as `frit simulate` does, and gives the latency and the beats that `frit verify` reports.
#[test]
fn streamed_permutations_are_verified_and_a_wrong_one_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let report = sweep(dir.path(), STREAMED, "");
    assert_eq!(ran(&report), (4, 4));
    assert_eq!(report["conclusion"]["lines"][0], "4 designs, in all of which the engines agree");
    let csv = || fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let folder = dir.path().join("one");
    let one = json(
        &format!("verify transpose -n 4 --rows 12 --cols 8 -w 8 --engines rust-hdl -o {}", folder.display()),
        0,
    );
    let text = csv();
    let all = rows(&text);
    let row = all.iter().find(|row| row["terminals"] == "4" && row["options"].contains("rows=12")).unwrap();
    let figures = ["cycles", "cycles_total", "cycles_paper", "delivered", "rust_hdl", "icarus", "agrees"];
    let (latency, beats) = (one["latency"].to_string(), one["model"]["beats"].to_string());
    assert_eq!(figures.map(|column| row[column].as_str()), [&latency, "", "", &beats, "1", "", "1"], "{one}");
    assert!(fs::read_to_string(dir.path().join("s.svg")).unwrap().contains("transpose cols=8 rows=12"));
    let broken = format!("fault = \"read\"\n{STREAMED}");
    let (code, text) = said(dir.path(), &broken, "--again --drop");
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(text.matches("rust-hdl differs first in cycle").count(), 4, "{text}");
    let again = "again: frit verify transpose -n 4 --rows 12 --cols 8 -w 8 --fault read -o FOLDER";
    assert!(text.contains(again), "{text}");
    assert!(rows(&csv()).iter().all(|row| row["agrees"] == "0"));
    for (from, to, expected) in [
        ("kind", "wave = \"vcd\"\nkind", "wave does not apply to transpose, whose beats are compared"),
        ("kind", "fabric_style = \"compact\"\nkind", "fabric_style does not apply to transpose"),
        ("kind", "fault = \"stuck-again\"\nkind", "is not a fault of a streamed system"),
        ("kind", "fault = \"setting:9\"\nkind", "--fault setting:9 has no place"),
        ("widths = 8", "widths = 65", "rust-hdl simulates words of at most 64 bits"),
        ("[8, 12], cols = 8", "2, cols = 2", "data sets of one cycle"),
        ("[2, 4]", "[2, 5]", "the nearest"),
    ] {
        let (code, text) = said(dir.path(), &STREAMED.replacen(from, to, 1), "--drop");
        assert!(code == Some(2) && text.contains(expected), "{to}: {text}");
    }
}

#[test]
fn every_engine_that_is_named_runs() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let text = SMALL.replacen("engines = [\"rust-hdl\"]\n", "", 1).replace("[8, 4]", "4");
    fs::write(dir.path().join("s.toml"), text).unwrap();
    let mut command = frit(&format!("sweep {0}/s.toml -o {0}", dir.path().display()));
    let output = command.env("PATH", tools_first()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert!(csv.contains(",4,8,rust-hdl verilator icarus,6,6,6,16,1,1,1,1,"), "{csv}");
}

#[test]
fn a_missing_tool_is_known_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let text = format!("engines = [\"icarus\"]\n{}", SMALL.replacen("engines = [\"rust-hdl\"]\n[[", "[[", 1));
    let text = text.replacen(
        "engines = [\"icarus\"]\nkind = \"verify\"\n",
        "kind = \"verify\"\nengines = [\"icarus\"]\n",
        1,
    );
    fs::write(dir.path().join("s.toml"), text).unwrap();
    let run = |more: &str| {
        let mut command = frit(&format!("sweep {0}/s.toml -o {0} {more}", dir.path().display()));
        let output =
            command.env("PATH", "/nonexistent").env("FRITILLARY_TOOLS", "/nonexistent").output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = run("");
    assert!(code == Some(3) && text.contains("iverilog was not found"), "{text}");
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert_eq!(rows(&csv).len(), 0, "{csv}");
    assert_eq!(run("--list").0, Some(0));
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (from, to, expected) in [
        ("[8, 4]", "[8, 12]", "does not exist with 12 terminals"),
        ("[1, 8]", "[]", "widths needs at least one value"),
        ("[1, 8]", "[0]", "words of 0 bits are not possible; give a width from 1 to 1024"),
        ("[1, 8]", "[65]", "rust-hdl simulates words of at most 64 bits: give wider words their own entry"),
        ("\"buffered\"", "\"windowed\"", "is listed twice"),
        ("\"buffered\"", "\"x\"", "plan cannot be \"x\""),
        ("[\"rust-hdl\"]", "[\"model\"]", "unknown variant `model`"),
        ("[\"rust-hdl\"]", "[]", "engines needs at least one"),
        ("kind = \"verify\"", "kind = \"verify\"\nfault = \"x\"", "\"x\" is not a fault"),
        ("kind = \"verify\"", "kind = \"verify\"\nwidth = 8", "unknown field `width`"),
        ("kind = \"verify\"", "kind = \"verify\"\nfabric_style = \"flat\"", "unknown variant `flat`"),
    ] {
        let (code, text) = said(dir.path(), &SMALL.replace(from, to), "");
        assert!(code == Some(2) && text.contains(expected), "{to}: {text}");
    }
}

/// Cycles of the run that carries the messages, from the papers' formulas: of the number of terminals alone.
fn cycles(system: &str, options: &str, terminals: u64) -> u64 {
    let bits = u64::from((terminals - 1).ilog2()) + 1; // ceil(log2 N)
    let has = |option: &str| options.split(' ').any(|other| other == option);
    match system {
        "rls-folded" if has("plan=windowed") => {
            let turns = terminals.div_ceil(bits);
            2 * bits * turns + (terminals - (turns - 1) * bits) - 1
        }
        "rls-folded" if has("plan=buffered") => 2 * terminals + bits - 1,
        "rls-folded" if has("plan=two-plane") => 2 * bits + terminals - 1,
        // n - 1 rounds, then their second halves.
        "rls-flattened" if has("capacity=1") => {
            let turns = terminals.div_ceil(bits - 1) - 1;
            2 * (bits - 1) * turns + (terminals - turns * (bits - 1)) + 2 * bits - 2
        }
        "rls" | "benes" | "rls-flattened" => (2 * bits - 1) + (terminals - 1),
        "xor" | "atape" => terminals + bits - 1,
        // The next N = 4k + 2.
        "gsen" if has("pad=yes") && terminals % 4 != 2 => {
            cycles(system, "algorithm=latin", (terminals - 2).div_ceil(4) * 4 + 2)
        }
        // N = 2^n + 2, and N = 4k + 2.
        "gsen" if has("algorithm=ata2") || has("algorithm=latin") => terminals + (bits - 1),
        // 2^n < N <= 2^(n+1).
        "gsen" => (1 << bits) + (bits - 1),
        other => panic!("no formula for {other}"),
    }
}

#[test]
fn the_matrix_takes_the_cycles_of_the_papers() {
    let report = json("sweep examples/verify_matrix.toml --list", 0);
    let points = report["listed"].as_array().unwrap();
    assert_eq!(points.len(), 213);
    for point in points {
        let cell = |column: &str| point["key"][column].as_str().unwrap();
        let (system, options) = (cell("system"), cell("options"));
        let terminals: u64 = cell("terminals").parse().unwrap();
        let mut request = Request::new(system, terminals);
        for (key, value) in options.split(' ').filter_map(|option| option.split_once('=')) {
            request = request.with(key, value);
        }
        let plan = plan(&request).unwrap();
        let run = frit_model::fast::exchange(&plan, None, &mut ()).run;
        assert!(run.ok(), "{}", plan.name());
        assert_eq!(run.cycles, cycles(system, options, terminals), "{}", plan.name());
    }
}
