//! `--crossbar` of `frit generate`, `verify` and `synth`: a crossbar of streams under every engine; what is refused; the header for C.

use crate::common;

use common::{compiled, have, json, run};
use frit_cells::design::crossbar::Hardware;
use frit_demand::crossbar::drawn;
use frit_demand::crossbar::{COMMIT, OFF, Shape, address, program};
use frit_rtl::crossbar::header;
use frit_traffic::random::SplitMix64;
use std::fmt::Write;
use std::fs;

#[test]
fn every_engine_agrees_and_a_fault_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let found = json("verify benes -n 4 -w 9 --crossbar --sources 1,off,3,0 --engines rust-hdl,icarus", 0);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(found[engine]["agrees"], true, "{engine}");
        assert_eq!(found[engine]["words"], found["model"]["words"], "{engine}");
    }
    let wrong = json("verify benes -n 4 -w 9 --crossbar --fault setting:1 --engines icarus", 1);
    assert_eq!(wrong["icarus"]["agrees"], false);
    assert!(wrong["icarus"]["first_difference"]["what"].as_str().unwrap().starts_with("event "), "{wrong}");
}

/// One column of 4×4 switches, and three columns of which the outer ones have 2×2 switches.
#[test]
fn a_crossbar_of_4x4_switches_agrees_and_faults_are_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let crossbar = "verify benes --set radix=4 -w 9 --crossbar";
    let found = json(&format!("{crossbar} -n 4 --sources 1,off,3,0 --engines rust-hdl,icarus"), 0);
    assert_eq!((&found["agrees"], &found["latency"]), (&true.into(), &3.into()), "{found}");
    let eight = json(&format!("{crossbar} -n 8 --engines rust-hdl"), 0);
    assert_eq!((&eight["agrees"], &eight["latency"]), (&true.into(), &5.into()), "{eight}");
    for fault in ["setting:1", "early"] {
        let wrong = json(&format!("{crossbar} -n 8 --fault {fault} --engines rust-hdl"), 1);
        assert_eq!(wrong["rust_hdl"]["agrees"], false, "{fault}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_simulators_agree_for_every_size() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    for (terminals, width) in [(4, 1), (8, 63), (16, 32)] {
        let found =
            json(&format!("verify benes -n {terminals} -w {width} --crossbar --require verilator,icarus"), 0);
        assert_eq!(found["agrees"], true, "{terminals}");
    }
    // rust-hdl has no words of this width.
    let wide = json("verify benes -n 4 -w 100 --crossbar --require verilator,icarus", 0);
    assert_eq!((&wide["agrees"], &wide["rust_hdl"]["ran"]), (&true.into(), &false.into()));
}

#[test]
#[ignore = "long: make test-all"]
fn a_netlist_does_what_the_model_says_and_every_fault_is_found_by_a_simulator() {
    if !have(&["iverilog", "vvp", "yosys"]) {
        return;
    }
    for mapping in ["ice40", "ecp5"] {
        let found =
            json(&format!("verify benes -n 4 -w 5 --crossbar --engines icarus --netlist {mapping}"), 0);
        assert_eq!((&found["netlist"], &found["agrees"]), (&mapping.into(), &true.into()));
    }
    for fault in ["setting:0", "setting:2", "room", "early", "number", "close"] {
        let wrong = json(&format!("verify benes -n 4 -w 5 --crossbar --engines icarus --fault {fault}"), 1);
        assert_eq!(wrong["icarus"]["agrees"], false, "{fault}");
    }
}

#[test]
fn the_emitted_testbench_passes_and_finds_other_sources() {
    if !have(&["verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let design = folder.path().join("design");
    let made =
        json(&format!("generate benes -n 4 -w 8 --crossbar --sources 1,off,1,0 -o {}", design.display()), 0);
    assert_eq!(made["design"], "benes_n4_w8");
    let written = fs::read_to_string(design.join("benes_n4_w8_crossbar_writes.memh")).unwrap();
    let written: Vec<&str> = written.lines().skip(1).collect();
    // The lower output has source 1, so output 2 is off.
    let due = ["0000004000000001", "0000004480000000", "0000004880000000", "0000004c00000000"];
    assert_eq!(written[..4], due);
    assert_eq!((written.len(), written[5]), (6, "0000000000000002"));
    let make = |targets: &[&str]| common::make(&design, targets);
    let (passed, log) = make(&["lint", "icarus"]);
    assert!(passed && log.contains("PASS benes_n4_w8_crossbar: "), "{log}");
    // In the phase of the sources that were given the host gives output 3 source 2, whose settings do not lead it there.
    let table = design.join("benes_n4_w8_crossbar_accesses.memh");
    let text = fs::read_to_string(&table).unwrap();
    let access =
        text.lines().find(|line| line.ends_with("004c00000000") && line[8..].starts_with("1f")).unwrap();
    fs::write(&table, text.replacen(access, &access.replace("004c00000000", "004c00000002"), 1)).unwrap();
    let (passed, log) = make(&["icarus"]);
    assert!(!passed && log.contains("FAIL: phase 1"), "{log}");
}

#[test]
fn what_is_no_crossbar_is_explained() {
    let error = |arguments: &str| run(arguments, 2).1;
    let said = |arguments: &str, due: &str| {
        let said = error(arguments);
        assert!(said.contains(due), "{arguments}: {said}");
    };
    said(
        "verify rls -n 8 --crossbar",
        "--crossbar does not apply to rls: only benes can be a crossbar; give benes",
    );
    said("synth user -n 8 --crossbar", "--crossbar does not apply to user");
    said("verify benes --crossbar", "-n is missing; a crossbar needs a power of two from 4 on");
    said(
        "verify benes -n 6 --crossbar",
        "6 terminals are not possible with --crossbar; give a power of two from 4 to 128",
    );
    said(
        "verify benes -n 4 --crossbar --sources 0,1",
        "2 sources were given for 4 outputs; give one for each output",
    );
    said(
        "verify benes -n 4 --crossbar --sources 0,1,2,7",
        "\"7\" is not a source of a crossbar of 4 terminals; give 0 to 3 or off",
    );
    said(
        "verify benes -n 4 --crossbar --entries 4",
        "--entries does not apply to a crossbar (--crossbar), which has streams and registers already: it is for a loaded schedule",
    );
    said(
        "verify benes -n 4 --crossbar --formal --sources 0,1,2,3",
        "--sources does not apply to a crossbar (--crossbar) with --formal",
    );
    said("verify benes -n 4 --crossbar --fault rooms", "a crossbar; give one of these:\n  setting:STAGE  ");
    said(
        "generate benes -n 4 --crossbar --axis -o nowhere",
        "--axis does not apply to a crossbar (--crossbar)",
    );
    said("verify benes -n 4 --sources 0,1,2,3", "--crossbar");
}

/// Reads sources from its arguments, and prints what it writes for them: addresses and words.
const MAIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include "TOP.h"
int main(int count, char **text)
{
    uint32_t settings[MACROS_SETTING_WORDS], sources[MACROS_TERMINALS], registers[512] = {0};
    for (int at = 1; at < count; at += (int)MACROS_TERMINALS) {
        for (unsigned i = 0; i < MACROS_TERMINALS; i++) sources[i] = (uint32_t)strtoul(text[at + (int)i], 0, 10);
        TOP_settings(settings, sources);
        for (unsigned i = 0; i < MACROS_TERMINALS; i++) printf("%08lx ", (unsigned long)sources[i]);
        for (unsigned i = 0; i < MACROS_SETTING_WORDS; i++) printf("%08lx ", (unsigned long)settings[i]);
        puts("");
    }
    registers[MACROS_STATUS / 4] = 1;
    (void)(0 && TOP_connect(registers, sources));
    return 0;
}
"#;

#[test]
fn the_header_for_c_writes_what_frit_writes() {
    let mut random = SplitMix64(9);
    for terminals in [4u32, 8, 16, 32, 64, 128] {
        let shape = Shape::new(terminals.into()).unwrap();
        let (mut arguments, mut due) = (Vec::new(), String::new());
        for on in [256, 256, 200, 60, 0] {
            let mut sources = drawn(shape, random.next(), on);
            // The same source twice, now and then.
            if random.below(2) == 0 {
                sources[terminals as usize - 1] = sources[1];
            }
            // Any source that is no input is off.
            let off = [OFF, terminals, OFF + 1][random.below(3) as usize];
            arguments.extend(sources.iter().map(|source| source.unwrap_or(off).to_string()));
            let writes = program(shape, &sources);
            let (last, others) = writes.split_last().unwrap();
            assert_eq!(*last, (address::CONTROL, COMMIT));
            others.iter().for_each(|(_, word)| write!(due, "{word:08x} ").unwrap());
            due.push('\n');
        }
        assert_eq!(compiled(MAIN, &header(&Hardware::new(shape, 32)), &arguments), due, "{terminals}");
    }
}
