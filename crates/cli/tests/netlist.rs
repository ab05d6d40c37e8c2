//! `frit verify --netlist`: what Yosys makes of a design does the same, and a wrong LUT in it is found.

use crate::common;

use common::{have, json, run};

#[test]
fn netlists_of_both_families_agree_under_icarus() {
    if !have(&["yosys", "iverilog", "vvp"]) {
        return;
    }
    let designs = [("obf -n 4", "ice40"), ("rls -n 4", "ecp5"), ("rls -n 4", "ice40"), ("gsen -n 4", "ecp5")];
    for &(system, family) in common::some(&designs, 2) {
        let report =
            json(&format!("verify {system} -w 2 --netlist {family} --engines icarus --require icarus"), 0);
        assert_eq!(report["netlist"], family);
        assert_eq!((&report["icarus"]["ran"], &report["icarus"]["agrees"]), (&true.into(), &true.into()));
        assert_eq!(report["icarus"]["cycles"], report["cycles"], "{system} {family}");
    }
}

#[test]
fn a_netlist_agrees_under_verilator() {
    if have(&["yosys", "verilator", "make", "g++"]) {
        let report = json("verify gsen -n 4 -w 2 --netlist ice40 --engines verilator --require verilator", 0);
        assert_eq!(report["verilator"]["agrees"], true);
    }
}

#[test]
fn a_wrong_lut_is_found_and_so_is_a_fault_of_the_design() {
    if !have(&["yosys", "iverilog", "vvp"]) {
        return;
    }
    // LUTs that the short run uses: the upper bits of the cycle counter would not show.
    let faults = [
        ("ice40", "--invert-lut 40"),
        ("ecp5", "--invert-lut 40"),
        ("ice40", "--fault inverted-control:1:1"),
    ];
    for (family, fault) in common::every(&faults, 2) {
        let report = json(&format!("verify rls -n 4 -w 2 --netlist {family} --engines icarus {fault}"), 1);
        let icarus = &report["icarus"];
        assert_eq!((&icarus["ran"], &icarus["agrees"]), (&true.into(), &false.into()), "{family} {fault}");
        assert!(icarus["first_difference"]["signal"].is_string(), "{report}");
    }
    let (_, text) = run("verify rls -n 4 -w 2 --netlist ice40 --engines icarus --invert-lut 99999", 2);
    assert!(text.starts_with("error: LUT 99999 does not exist in the netlist, which has "), "{text}");
}

#[test]
#[ignore = "long: make test-all"]
fn the_netlist_of_a_router_agrees_and_an_edited_one_does_not() {
    if !have(&["yosys", "iverilog", "vvp"]) {
        return;
    }
    let router = "verify dilated -n 4 --set bundle=2 --set payload=7";
    for (switch, family, steps) in [("strong", "ice40", 14), ("weak", "ecp5", 16)] {
        let arguments = format!("{router} --set switch={switch} --netlist {family} --engines icarus");
        let report = json(&arguments, 0);
        assert_eq!(report["netlist"], family);
        let icarus = &report["icarus"];
        assert_eq!((&icarus["agrees"], &icarus["steps"]), (&true.into(), &steps.into()), "{report}");
        assert_eq!(icarus["wave"], serde_json::Value::Null);
    }
    // LUTs of the inner switches, whose first heads come in step 2.
    for (family, fault, step) in [
        ("ice40", "--invert-lut 150", 2),
        ("ecp5", "--invert-lut 120", 2),
        ("ice40", "--fault rank-off-by-one:0", 4),
    ] {
        let report = json(&format!("{router} --netlist {family} --engines icarus {fault}"), 1);
        let first = &report["icarus"]["first_difference"];
        assert_eq!(
            (&first["step"], &first["what"]),
            (&step.into(), &"shunt".into()),
            "{family} {fault}: {report}"
        );
    }
    let (_, text) = run(&format!("{router} --netlist ecp5 --engines icarus --invert-lut 99999"), 2);
    assert!(text.starts_with("error: LUT 99999 does not exist in the netlist, which has "), "{text}");
}

#[test]
fn the_netlist_of_a_router_agrees_under_both_simulators() {
    if !have(&["yosys", "verilator", "make", "g++", "iverilog", "vvp"]) {
        return;
    }
    for (engine, sizes, steps) in [
        ("verilator", "-n 2 --set bundle=1 --set payload=5", 8),
        // Of this one cells read a wire by another name than the testbench.
        ("icarus", "-n 4 --set bundle=2 --set payload=7", 14),
    ] {
        let arguments =
            format!("verify dilated {sizes} --netlist ice40 --engines {engine} --require {engine}");
        let seen = &json(&arguments, 0)[engine];
        assert_eq!((&seen["agrees"], &seen["steps"]), (&true.into(), &steps.into()), "{engine}: {seen}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_netlist_of_a_multibutterfly_agrees_and_an_edited_one_does_not() {
    if !have(&["yosys", "iverilog", "vvp"]) {
        return;
    }
    let design = "verify multibutterfly -n 4 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2 --seed 3";
    for family in ["ice40", "ecp5"] {
        let report = json(&format!("{design} --netlist {family} --engines icarus"), 0);
        let icarus = &report["icarus"];
        assert_eq!((&icarus["agrees"], &icarus["cycles"]), (&true.into(), &134.into()), "{report}");
        assert_eq!((&report["netlist"], &icarus["wave"]), (&family.into(), &().into()));
    }
    for fault in ["--invert-lut 40", "--fault count-one-short:1:0"] {
        let report = json(&format!("{design} --netlist ice40 --engines icarus {fault}"), 1);
        let first = &report["icarus"]["first_difference"];
        assert!(first["stage"].is_u64() && first["got"].is_string(), "{fault}: {report}");
    }
}

#[test]
fn unusable_input_is_refused() {
    for (arguments, expected) in [
        ("verify rls -n 4 --netlist xilinx", "[possible values: ice40, ecp5]"),
        ("verify rls -n 4 --invert-lut 0", "--netlist <FAMILY>"),
    ] {
        let (_, text) = run(arguments, 2);
        assert!(text.contains(expected), "{text}");
    }
    for system in ["rls -n 4", "dilated -n 2 --set bundle=1", "multibutterfly -n 4"] {
        let output = common::frit(&format!("verify {system} --netlist ice40"))
            .env("FRITILLARY_TOOLS", "/nonexistent")
            .env("PATH", "")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.starts_with("error: yosys was not found"), "{text}");
    }
}
