//! `--axis` with a loaded schedule: messages of any length under every engine; what is refused; the emitted testbench.

use crate::common;

use common::{have, json, run};
use std::fs;
use std::path::Path;

/// A demand in a file of its folder.
fn demand(folder: &Path, kind: &str, terminals: u32) -> String {
    let path = folder.join(format!("demand{terminals}.csv")).display().to_string();
    run(&format!("demand {kind} -n {terminals} -o {path}"), 0);
    path
}

#[test]
fn every_engine_agrees_and_each_fault_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "zipf --words 4", 4);
    let verify = format!("verify benes -w 9 --demand {path} --axis --engines rust-hdl,icarus");
    let found = json(&verify, 0);
    let longest = fs::read_to_string(&path).unwrap();
    let longest = longest.split([',', '\n']).filter_map(|words| words.parse::<u64>().ok()).max();
    assert_eq!(found["length"].as_u64(), longest);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(found[engine]["agrees"], true, "{engine}");
        assert_eq!(found[engine]["words"], found["model"]["words"], "{engine}");
    }
    for fault in ["setting:1", "bank", "place", "last", "room", "source"] {
        let verify = format!("verify benes -w 9 --demand {path} --axis --engines rust-hdl --fault {fault}");
        assert_eq!(json(&verify, 1)["rust_hdl"]["agrees"], false, "{fault}");
    }
    let wrong = json(&format!("{verify} --fault bank"), 1);
    assert_eq!(wrong["icarus"]["agrees"], false, "{wrong}");
}

#[test]
#[ignore = "long: make test-all"]
fn the_simulators_agree_for_every_kind_of_demand_and_for_networks_of_users() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for terminals in [4, 8, 16] {
        for kind in ["uniform", "zipf", "log-normal", "hot-spot", "block-diagonal", "sparse"] {
            let path = demand(folder.path(), &format!("{kind} --words 7"), terminals);
            let verify =
                format!("verify benes --demand {path} -w 33 --axis --require icarus --engines rust-hdl");
            assert_eq!(json(&verify, 0)["agrees"], true, "{kind} {terminals}");
        }
        let path = demand(folder.path(), "experts --tokens 5 --top-k 2", terminals);
        let verify = format!("verify benes --demand {path} -w 100 --axis --require verilator,icarus");
        assert_eq!(json(&verify, 0)["agrees"], true, "{terminals}");
    }
    let omega = "user --network examples/omega8/network.json --schedule examples/omega8/schedule.json";
    for length in [1, 3, 64] {
        let verify =
            format!("verify {omega} -w 5 --entries 8 --axis --length {length} --require verilator,icarus");
        assert_eq!(json(&verify, 0)["agrees"], true, "{length}");
    }
}

#[test]
fn the_emitted_testbench_passes_and_finds_another_order_of_beats() {
    if !have(&["verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "uniform --words 3", 4);
    let design = folder.path().join("design");
    let made = format!("generate benes --demand {path} --axis --length 5 -w 8 -o {}", design.display());
    let made = json(&made, 0);
    let name = made["design"].as_str().unwrap();
    assert!(name.starts_with("benes_n4_w8_e") && name.ends_with("_l5"), "{name}");
    let make = |targets: &[&str]| common::make(&design, targets);
    let (passed, log) = make(&["lint", "icarus"]);
    assert!(passed && log.contains(&format!("PASS {name}_axis: ")), "{log}");
    // The first beat that ends a message does not.
    let table = design.join(format!("{name}_axis_words.memh"));
    let text = fs::read_to_string(&table).unwrap();
    let end = text.lines().find(|line| line.starts_with('1')).unwrap();
    fs::write(&table, text.replacen(end, &end.replacen('1', "0", 1), 1)).unwrap();
    let (passed, log) = make(&["icarus"]);
    assert!(!passed && log.contains("FAIL: phase 0"), "{log}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "uniform --words 40", 8);
    let error = |arguments: &str| run(arguments, 2).1;
    let axis = |more: &str| error(&format!("verify benes --demand {path} --axis {more}"));
    let said = axis("--length 3");
    assert!(said.contains("and --length says 3; give --length "), "{said}");
    for option in ["--buffers 2", "--port-style axis", "--tkeep", "--tuser 2", "--axil"] {
        let said = axis(option);
        assert!(
            said.contains(&format!(
                "{} does not apply to a loaded schedule (--demand, --entries)",
                option.split(' ').next().unwrap()
            )),
            "{said}"
        );
    }
    let said = axis("--fault page");
    assert!(said.contains("\n  source                         the sources of messages that leave"), "{said}");
    let said = axis("--fault setting:5");
    assert!(said.contains("the stages are 0 to 4"), "{said}");
    let large = demand(folder.path(), "sparse --pairs 1 --words 2", 128);
    let said = error(&format!("verify benes --demand {large} --axis"));
    assert!(said.contains("streams around a loaded schedule have at most 64 terminals, not 128"), "{said}");
    let said = error("synth benes -n 8 --entries 16 --axis");
    assert!(said.contains("--length is missing"), "{said}");
    let said = error("synth benes -n 8 --entries 16 --axis --length 5000");
    assert!(said.contains("give --length 1 to 4096"), "{said}");
}
