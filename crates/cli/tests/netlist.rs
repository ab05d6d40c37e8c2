//! `frit verify --netlist`: what Yosys makes of a design does the same, and a wrong LUT in it is found.

mod common;

use common::{have, json, run};

#[test]
fn netlists_of_both_families_agree_under_icarus() {
    if !have(&["yosys", "iverilog", "vvp"]) {
        return;
    }
    for (system, family) in
        [("rls -n 4", "ice40"), ("rls -n 4", "ecp5"), ("obf -n 4", "ice40"), ("gsen -n 4", "ecp5")]
    {
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
    for (family, fault) in
        [("ice40", "--invert-lut 60"), ("ecp5", "--invert-lut 50"), ("ice40", "--fault inverted-control:1:1")]
    {
        let report = json(&format!("verify rls -n 4 -w 2 --netlist {family} --engines icarus {fault}"), 1);
        let icarus = &report["icarus"];
        assert_eq!((&icarus["ran"], &icarus["agrees"]), (&true.into(), &false.into()), "{family} {fault}");
        assert!(icarus["first_difference"]["signal"].is_string(), "{report}");
    }
    let (_, text) = run("verify rls -n 4 -w 2 --netlist ice40 --engines icarus --invert-lut 99999", 2);
    assert!(text.starts_with("error: there is no LUT 99999 in the netlist: it has "), "{text}");
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
    let output = common::frit("verify rls -n 4 --netlist ice40")
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("error: yosys was not found"), "{text}");
}
