//! Streamed systems in the commands: their figures, files that give an order, errors, and the core under every engine.

use crate::common;

use common::{have, json, run, tools_first};
use std::fs;
use std::process::Command;

#[test]
fn figures_are_those_of_the_plan() {
    let turn = json("simulate transpose -n 8 --set rows=64 --set cols=64", 0);
    let figures = ["columns", "switches", "columns_two_banks", "wait", "latency", "memory_words"]
        .map(|name| turn[name].clone());
    assert_eq!(figures, [6, 24, 3, 497, 509, 4096].map(serde_json::Value::from));
    assert_eq!((&turn["misplaced"], &turn["pages"]), (&false.into(), &1.into()));
    let skewed = json("simulate transpose -n 8 --rows 128 --cols 384", 0);
    assert_eq!((&skewed["columns"], &skewed["columns_two_banks"]), (&6.into(), &serde_json::Value::Null));
}

#[test]
fn orders_come_from_files() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    // A transpose of 4 x 4, as a matrix and as the place of each word.
    let matrix = file("matrix.txt", "0010\n0001\n1000\n0100\n");
    let places: Vec<String> = (0..16).map(|word| (word % 4 * 4 + word / 4).to_string()).collect();
    let order = file("order.txt", &places.join(" "));
    let [a, b] = [format!("--matrix {matrix}"), format!("--permutation {order}")]
        .map(|option| json(&format!("simulate permute -n 2 {option}"), 0));
    assert_eq!((&a["columns"], &a["wait"], &a["form"]), (&2.into(), &5.into(), &b["form"]));
    assert_eq!((&b["columns"], &b["wait"]), (&2.into(), &5.into()));

    let error = |arguments: &str| run(arguments, 2).1;
    let singular = file("singular.txt", "11\n11\n");
    let said = error(&format!("simulate permute -n 2 --matrix {singular}"));
    assert!(said.contains("the matrix is singular: its rank is 1, not 2"), "{said}");
    let twice = file("twice.txt", "0 1 1 3");
    let said = error(&format!("simulate permute -n 2 --permutation {twice}"));
    assert!(said.contains("sources 1 and 2 both go to 1"), "{said}");
    let said = error(&format!("simulate permute -n 2 --matrix {matrix} --permutation {order}"));
    assert!(said.contains("--matrix and --permutation were both given"), "{said}");
    let said = error("simulate transpose -n 8 --rows 5 --cols 19");
    assert!(said.contains("the nearest sizes are cols=16 and cols=24"), "{said}");
    let said = error("view transpose -n 8 -o page.html");
    assert!(said.contains("transpose is a streamed system, which this command does not take yet"), "{said}");
    let said = error("verify transpose -n 4 --rows 8 --fault setting:9");
    assert!(said.contains("--fault setting:9 has no place; the columns are 0 to 3"), "{said}");
}

#[test]
fn every_engine_agrees_and_a_fault_is_found() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let engines = "--require verilator,icarus";
    for design in [
        "transpose -n 4 --rows 8 -w 8",
        "transpose -n 2 --rows 6 --cols 10 -w 5",
        "permute -n 3 --kind stride --words 36 --stride 4 -w 4",
    ] {
        let found = json(&format!("verify {design} {engines}"), 0);
        for engine in ["rust_hdl", "verilator", "icarus"] {
            assert_eq!(found[engine]["agrees"], true, "{design}: {engine}");
            assert_eq!(found[engine]["beats"], found["model"]["beats"], "{design}: {engine}");
        }
    }
    let wrong = json("verify transpose -n 4 --rows 8 -w 8 --fault page --engines rust-hdl,icarus", 1);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(wrong[engine]["agrees"], false);
        assert!(wrong[engine]["first_difference"]["what"].as_str().unwrap().starts_with("beat "), "{wrong}");
    }
}

#[test]
fn the_testbench_of_emitted_files_passes_and_finds_a_changed_table() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("turn");
    run(&format!("generate transpose -n 4 --rows 8 -w 8 -o {}", folder.display()), 0);
    let make = || {
        let made = Command::new("make")
            .arg("icarus")
            .current_dir(&folder)
            .env("PATH", tools_first())
            .output()
            .unwrap();
        (made.status.success(), String::from_utf8_lossy(&made.stdout).into_owned())
    };
    let (passed, log) = make();
    assert!(passed && log.contains("PASS transpose_8x8_p4_w8_permute: 133 beats"), "{log}");
    let table = folder.join("transpose_8x8_p4_w8_permute_sources.memh");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("00000008", "00000009", 1)).unwrap();
    let (passed, log) = make();
    assert!(!passed && log.contains("FAIL: phase 0"), "{log}");
}
