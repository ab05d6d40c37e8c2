//! `D_axis` from the command line: verified under every engine, generated, refused.

mod common;

use common::{have, json, run};
use std::process::Command;

#[test]
fn the_streams_of_several_systems_agree() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (design, cycles) in [
        ("rls -n 4 -w 8 --axis", 7),
        ("rls -n 4 -w 8 --axis --length 3 --buffers 2", 15),
        ("gsen -n 6 -w 8 --axis --length 2", 19),
        ("obf -n 4 -w 8 --axis --buffers 2", 4),
        ("obf -n 4 -w 8 --set fanout=per-level --axis --length 2", 6),
        ("rls-folded -n 4 -w 8 --axis --length 2", 18),
        ("benes -n 4 -w 8 --axis --length 2", 11),
    ] {
        let report = json(&format!("verify {design} --engines rust-hdl,icarus --require icarus"), 0);
        let streams = &report["streams"];
        assert_eq!((&report["agrees"], &streams["agrees"]), (&true.into(), &true.into()), "{design}");
        assert_eq!(streams["cycles"], cycles, "{design}");
        for engine in ["rust_hdl", "icarus"] {
            assert_eq!(streams[engine]["ran"], true, "{design} {engine}");
            assert!(streams[engine]["words"].as_u64() > Some(0), "{design} {engine}");
        }
    }
}

#[test]
fn the_streams_agree_under_verilator() {
    if have(&["verilator", "make", "g++"]) {
        let report =
            json("verify rls -n 4 -w 4 --axis --length 2 --engines verilator --require verilator", 0);
        assert_eq!(report["streams"]["verilator"]["agrees"], true, "{report}");
    }
}

#[test]
fn a_fault_below_the_streams_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (design, fault) in [
        ("rls -n 8", "inverted-control:2:1"),
        ("gsen -n 6", "inverted-control:1:1"),
        ("rls -n 4", "swapped-wire:1"),
    ] {
        let report =
            json(&format!("verify {design} -w 8 --axis --engines rust-hdl,icarus --fault {fault}"), 1);
        for engine in ["rust_hdl", "icarus"] {
            let found = &report["streams"][engine];
            assert_eq!(found["agrees"], false, "{design} {engine}");
            assert!(found["complaint"].is_string(), "{found}");
        }
    }
}

#[test]
fn the_emitted_testbench_says_so_itself() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    run(&format!("generate rls -n 4 -w 8 --axis --length 3 --buffers 2 -o {place}"), 0);
    let icarus = |plusargs: &str| {
        let make = Command::new("make")
            .args(["-s", "axis_l3_b2-icarus", &format!("PLUSARGS={plusargs}")])
            .current_dir(folder.path())
            .env("PATH", common::tools_first())
            .output()
            .unwrap();
        (make.status.success(), String::from_utf8_lossy(&make.stdout).into_owned())
    };
    for plusargs in ["", "+seed=7 +offering=256 +taking=256", "+seed=9 +offering=256 +taking=20"] {
        let (passed, text) = icarus(plusargs);
        assert!(passed && text.contains("PASS rls_n4_w8_axis_l3_b2: 4 exchanges of 15 cycles"), "{text}");
    }
    // A buffer that withdraws its word while another comes in loses nothing, but breaks the rules of AXI4-Stream.
    let file = folder.path().join("frit_cells/frit_axis_drain.v");
    let text = std::fs::read_to_string(&file).unwrap();
    let broken = ["taken = valid_q & tready_i", "tvalid_o = valid_q"].iter().fold(text, |text, from| {
        assert!(text.contains(from));
        text.replace(from, &format!("{from} & ~push_i"))
    });
    std::fs::write(&file, broken).unwrap();
    let (passed, text) = icarus("");
    assert!(!passed && text.contains("a word was offered and then withdrawn or changed"), "{text}");
    assert!(!text.contains("word 0 from"), "{text}");
}

/// A change of an emitted cell, and what the testbench says of it.
const CHANGES: [(&str, &str, &str, &str); 9] = [
    ("control", "double_q | twice_i", "double_q", "missing, double, unknown, length are"),
    ("control", "~running_i & waiting_i", "waiting_i", "missing, double, unknown, length are"),
    ("control", "busy_o = running_i", "busy_o = running_i & ~finished_i", "busy_o is 0, expected 1"),
    ("control", "done_d = finished_i", "done_d = finished_i & ~length_q", "done_o is 0, expected 1"),
    ("control", "cycles_d = cycles_i", "cycles_d = cycles_i + 1", "cycles_o is 16, expected 15"),
    ("load", "count_q == LastTerminal)) begin", "0)) begin", "s_axis_tready_o is 1, expected 0"),
    (
        "load",
        "length_o = held_q",
        "length_o = held_q & ~full_q & first",
        "missing, double, unknown, length are",
    ),
    ("drain", "room_o = owed_q != Sets", "room_o = 1'b1", "ready_o is 1, expected 0"),
    (
        "drain",
        "valid_d = filled_q",
        "valid_d = filled_q & ~taken",
        "m_axis_tvalid_o is 0, but a word is left",
    ),
];

#[test]
fn the_emitted_testbench_knows_what_the_ports_should_show() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(&format!("generate rls -n 4 -w 8 --axis --length 3 --buffers 2 -o {}", folder.path().display()), 0);
    for (cell, from, to, said) in CHANGES {
        let file = folder.path().join(format!("frit_cells/frit_axis_{cell}.v"));
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        std::fs::write(&file, text.replace(from, to)).unwrap();
        let make = Command::new("make")
            .args(["-s", "axis_l3_b2-icarus"])
            .current_dir(folder.path())
            .env("PATH", common::tools_first())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&make.stdout);
        assert!(!make.status.success() && printed.contains(said), "{to}: {printed}");
        std::fs::write(&file, text).unwrap();
    }
}

#[test]
fn what_the_streams_cannot_carry_is_refused() {
    for (arguments, expected) in [
        ("verify rls -n 4 --length 2", "--axis"),
        (
            "generate rls -n 4 -w 8 -o nowhere --axis --length 257",
            "messages of 257 words: give a length from 1 to 256",
        ),
        ("generate rls -n 4 -w 8 -o nowhere --axis --length 0", "messages of 0 words"),
        ("generate obf -n 8 -w 8 -o nowhere --axis --length 2", "give --set fanout=per-level"),
        ("generate rls -n 4 -w 8 -o nowhere --axis --buffers 3", "1..=2"),
    ] {
        let (_, text) = run(arguments, 2);
        assert!(text.contains(expected), "{arguments}: {text}");
        assert!(!common::root().join("nowhere").exists());
    }
}

#[test]
fn the_command_that_a_header_names_makes_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (given, again) = (folder.path().join("given"), folder.path().join("again"));
    let design = "rls -n 4 -w 8";
    run(&format!("generate {design} --axis --length 3 --buffers 2 -o {}", given.display()), 0);
    let mut with_streams = 0;
    let is_file = |path: &std::path::PathBuf| path.is_file();
    for file in std::fs::read_dir(&given).unwrap().map(|entry| entry.unwrap().path()).filter(is_file) {
        let text = std::fs::read_to_string(&file).unwrap();
        // Long comments go on in the next line.
        let header = text.replace("\n//   ", " ");
        let Some((_, rest)) = header.split_once("// Generated by Fritillary: frit ") else { continue };
        let (command, _) = rest.split_once("; do not edit.").unwrap();
        with_streams += u32::from(command.contains(" --axis --length 3 --buffers 2"));
        run(&format!("{command} -o {}", again.display()), 0);
        let name = file.file_name().unwrap();
        assert_eq!(std::fs::read_to_string(again.join(name)).unwrap(), text, "{name:?}: {command}");
        std::fs::remove_dir_all(&again).unwrap();
    }
    assert_eq!(with_streams, 2, "D_axis and D_axis_core");
}
