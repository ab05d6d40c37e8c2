//! `--demand` of `frit generate`, `verify` and `synth`: a schedule that is loaded, under every engine; what is refused; the emitted testbench.

use crate::common;

use common::{have, json, run, tools_first};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A demand in a file of its folder.
fn demand(folder: &Path, kind: &str, terminals: u32) -> String {
    let path =
        folder.join(format!("{}_{terminals}.csv", kind.split(' ').next().unwrap())).display().to_string();
    run(&format!("demand {kind} -n {terminals} -o {path}"), 0);
    path
}

#[test]
fn every_engine_agrees_and_a_fault_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "zipf --words 20", 4);
    let found = json(&format!("verify benes -n 4 -w 9 --demand {path} --engines rust-hdl,icarus"), 0);
    assert_eq!(found["rounds"], json(&format!("demand {path}"), 0)["h"]);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(found[engine]["agrees"], true, "{engine}");
        assert_eq!(found[engine]["words"], found["model"]["words"], "{engine}");
    }
    let wrong = format!("verify benes -n 4 -w 9 --demand {path} --fault setting:1 --engines rust-hdl,icarus");
    let wrong = json(&wrong, 1);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(wrong[engine]["agrees"], false, "{engine}");
        assert!(wrong[engine]["first_difference"]["what"].as_str().unwrap().starts_with("event "), "{wrong}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_simulators_agree_for_every_kind_of_demand() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for terminals in [4, 8, 16] {
        for kind in ["uniform", "zipf", "log-normal", "hot-spot", "block-diagonal", "sparse"] {
            let path = demand(folder.path(), &format!("{kind} --words 15"), terminals);
            let found =
                json(&format!("verify benes --demand {path} -w 40 --require icarus --engines rust-hdl"), 0);
            assert_eq!(found["agrees"], true, "{kind} {terminals}");
        }
        let path = demand(folder.path(), "experts --tokens 20", terminals);
        let found = json(&format!("verify benes --demand {path} -w 100 --require verilator,icarus"), 0);
        assert_eq!(
            (&found["agrees"], &found["rust_hdl"]["ran"]),
            (&true.into(), &false.into()),
            "{terminals}"
        );
    }
}

#[test]
fn the_emitted_testbench_passes_and_finds_a_changed_program() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "uniform --words 6", 4);
    let design = folder.path().join("design");
    let made = format!("generate benes --demand {path} --entries 64 -w 8 -o {}", design.display());
    assert_eq!(json(&made, 0)["design"], "benes_n4_w8_e64");
    let make = || {
        let made = Command::new("make")
            .arg("icarus")
            .current_dir(&design)
            .env("PATH", tools_first())
            .output()
            .unwrap();
        (made.status.success(), String::from_utf8_lossy(&made.stdout).into_owned())
    };
    let (passed, log) = make();
    assert!(passed && log.contains("PASS benes_n4_w8_e64_loaded: "), "{log}");
    // The first entry's run length is one round more.
    let table = design.join("benes_n4_w8_e64_loaded_beats.memh");
    let text = fs::read_to_string(&table).unwrap();
    let entry = text.lines().nth(2).unwrap();
    let longer = format!("{:09x}", u64::from_str_radix(entry, 16).unwrap() + 1);
    fs::write(&table, text.replace(entry, &longer)).unwrap();
    let (passed, log) = make();
    assert!(!passed && log.contains("FAIL: phase 1"), "{log}");
}

#[test]
fn fewer_entries_take_another_plan_and_too_few_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "uniform --words 40", 8);
    let entries = |option: &str| {
        let out = folder.path().join(format!("out{option}"));
        let made = json(&format!("generate benes --demand {path} {option} -o {}", out.display()), 0);
        (made["entries"].as_u64().unwrap(), made["program_entries"].as_u64().unwrap())
    };
    let (room, exact) = entries("");
    assert!(room == exact.next_power_of_two() && exact > 16, "{room} {exact}");
    let (room, few) = entries("--entries=16");
    assert!(room == 16 && few <= 16, "{room} {few}");
    let error = |arguments: &str| run(arguments, 2).1;
    let said = error(&format!("verify benes --demand {path} --entries 4"));
    assert!(said.contains("4 configurations are too few"), "{said}");
    let said = error(&format!("verify benes --demand {path} --entries 24"));
    assert!(said.contains("24 entries are not possible; give a power of two from 2 to 4096"), "{said}");
    let said = error(&format!("verify rls --demand {path}"));
    assert!(
        said.contains("--demand does not apply to rls: only benes takes a schedule in memories"),
        "{said}"
    );
    let said = error(&format!("verify benes --demand {path} --formal"));
    assert!(said.contains("--formal does not apply with --demand"), "{said}");
    let said = error(&format!("verify benes --demand {path} --fault page"));
    assert!(said.contains("give setting:STAGE, bank, run, entry or label"), "{said}");
    let six = demand(folder.path(), "uniform --words 4", 6);
    let said = error(&format!("generate benes --demand {six} -o {}", folder.path().join("six").display()));
    assert!(said.contains("6 terminals are not possible with a loaded schedule"), "{said}");
    let none = folder.path().join("none.csv").display().to_string();
    fs::write(&none, "0,0,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n").unwrap();
    let said = error(&format!("verify benes --demand {none}"));
    assert!(said.contains("the demand has no words"), "{said}");
    let said = error("synth rls -n 8 --entries 16");
    assert!(said.contains("--entries does not apply to rls"), "{said}");
}
