//! `frit verify` agrees on what is right, and finds every deliberate fault at its cycle in every engine.

use crate::common;

use common::{frit, have, json, run};

#[test]
fn model_and_rust_hdl_agree_without_any_tool() {
    let output = frit("verify rls -n 8 -w 8")
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("verilator: not run: verilator was not found"), "{text}");
    assert!(text.contains("icarus: not run: iverilog was not found"), "{text}");
}

#[test]
fn every_engine_agrees() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let designs = [
        ("rls -n 4 -w 8", vec![6]),
        ("rls -n 4,8 -w 9", vec![6, 12]),
        ("gsen -n 6 -w 33", vec![10]),
        ("gsen -n 10 -w 33", vec![19]),
        ("obf -n 4,8 -w 8", vec![3, 6]),
        ("gsen --algorithm ata2 -n 6,10 -w 1", vec![8, 13]),
        ("xor -n 4,8 -w 8", vec![5, 10]),
        ("rotator -n 4,8 -w 8", vec![5, 10]),
        ("atape -n 4,8 -w 8", vec![5, 10]),
        ("benes -n 4,8 -w 8", vec![6, 12]),
        ("xor --set network=shuffle -n 4,8 -w 8", vec![5, 10]),
        ("obf --set fanout=per-level --set sequence=prefer-same -n 4,8 -w 8", vec![3, 6]),
        ("rls --pipeline 2 -n 4,8 -w 33", vec![9, 17]),
        ("gsen --pipeline 2 -n 6,10 -w 8", vec![13, 23]),
        ("obf --pipeline 3 --set sequence=prefer-same -n 4,8 -w 8", vec![5, 10]),
        ("benes --pipeline 2 -n 4,8 -w 9", vec![9, 17]),
        ("benes --set radix=4 -n 4,8,16 -w 8", vec![4, 10, 18]),
        ("benes --set radix=4 --pipeline 2 -n 8 -w 9", vec![13]),
    ];
    for (arguments, cycles) in common::some(&designs, 1) {
        let found = json(&format!("verify {arguments} --require rust-hdl,verilator,icarus"), 0);
        let reports = found.as_array().map_or(std::slice::from_ref(&found), Vec::as_slice);
        assert_eq!(reports.len(), cycles.len());
        for (report, &cycles) in reports.iter().zip(cycles) {
            assert_eq!(report["cycles"], cycles, "{arguments}");
            for engine in ["model", "rust_hdl", "verilator", "icarus"] {
                assert_eq!(report[engine]["agrees"], true, "{arguments} {engine}: {report}");
                assert_eq!(report[engine]["cycles"], cycles);
            }
        }
    }
}

/// Settings, deliveries and waveforms of exchanges that overlap, under every engine.
#[test]
fn exchanges_without_a_gap_agree() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let designs = [
        ("rls -n 4 -w 8", 14),
        ("gsen -n 6 -w 2", 26),
        ("obf -n 8 -w 8", 14),
        ("rls-folded -n 8 -w 8", 53),
        ("rls-folded --set plan=buffered -n 4 -w 8", 25),
    ];
    for &(arguments, cycles) in common::some(&designs, 1) {
        let report =
            json(&format!("verify {arguments} --exchanges 3 --require rust-hdl,verilator,icarus"), 0);
        assert_eq!((&report["cycles"], &report["exchanges"]), (&cycles.into(), &3.into()), "{arguments}");
        for engine in ["model", "rust_hdl", "verilator", "icarus"] {
            assert_eq!(report[engine]["agrees"], true, "{arguments} {engine}: {report}");
            assert_eq!(report[engine]["cycles"], cycles);
        }
    }
    // A valid bit that is lost in every round, first in that of cycle 0.
    let report = json("verify rls -n 4 -w 8 --exchanges 2 --engines icarus --fault dropped-valid:1:0", 1);
    assert_eq!(report["icarus"]["first_difference"]["cycle"], 2, "{report}");
}

#[test]
fn how_many_exchanges_is_checked() {
    for (arguments, what) in [
        ("simulate rls -n 8 --exchanges 0", "--exchanges"),
        ("simulate rls -n 8 --exchanges 1001", "1..=1000"),
        ("simulate rls -n 8 --exchanges 2 --rounds 1", "cannot be used with"),
        ("verify rls -n 8 --exchanges 2 --formal", "cannot be used with"),
    ] {
        let (_, text) = run(arguments, 2);
        assert!(text.contains(what), "{arguments}: {text}");
    }
    let summary = json("simulate rls -n 8 --exchanges 3", 0);
    let figures = ["cycles", "delivered", "exchanges", "period", "rounds"].map(|key| summary[key].clone());
    assert_eq!(figures, [28, 192, 3, 8, 8].map(serde_json::Value::from));
}

#[test]
fn one_permutation_of_the_users_is_verified() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("p.txt");
    std::fs::write(
        &file,
        "# idle tables show round 0, in which switches of most stages cross\n3,7,4,0,2,6,1,5\n",
    )
    .unwrap();
    let design = format!("benes --permutation {} -w 8", file.display());
    let icarus = have(&["iverilog", "vvp"]);
    let engines = if icarus { "--engines rust-hdl,icarus --require icarus" } else { "--engines rust-hdl" };
    let report = json(&format!("verify {design} {engines}"), 0);
    assert_eq!(
        (&report["cycles"], &report["delivered"], &report["missing"]),
        (&5.into(), &8.into(), &0.into())
    );
    assert_eq!(report["rust_hdl"]["agrees"], true, "{report}");
    // One message of eight is lost: that, and not the 56 pairs that no round names, is what is missing.
    let report = json(&format!("verify {design} {engines} --fault dropped-valid:4:1"), 1);
    for key in if icarus { &["rust_hdl", "icarus"][..] } else { &["rust_hdl"] } {
        assert_eq!(report[key]["first_difference"]["cycle"], 5, "{key}: {report}");
    }
}

#[test]
fn words_too_wide_for_rust_hdl_are_said_to_be_not_run() {
    // Asked for by name it must run. Required, it is waited for beside the other engines.
    for option in ["--engines", "--require"].into_iter().take(if common::all() { 2 } else { 1 }) {
        let (_, text) = run(&format!("verify rls -n 8 -w 200 {option} rust-hdl --wave none"), 2);
        assert!(text.contains(&format!("{option} rust-hdl was not run")), "{text}");
        assert!(text.contains("at most 64 bits"), "{text}");
    }
    // Of all engines, Verilator is compiled for them.
    if common::all() && have(&["iverilog", "vvp"]) {
        let report = json("verify rls -n 4 -w 200 --wave none", 0);
        assert_eq!(report["rust_hdl"]["ran"], false);
        assert!(report["rust_hdl"]["reason"].as_str().unwrap().contains("at most 64 bits"));
        assert_eq!(report["icarus"]["agrees"], true);
    }
}

#[test]
fn a_folder_may_have_any_name() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    // Make takes no space, a shell reads quotes and dollars, Icarus opens no name that is not ASCII.
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("two words, ünïcode $(x) 'q");
    let output = frit("verify rls -n 4 -w 8 --require verilator,icarus -o").arg(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.join("verilator/wave.fst").is_file() && folder.join("icarus/wave.fst").is_file());
}

/// System, fault, run and cycle in which it must be found. A switch of stage s acts on round 0 in cycle s, and its
/// register shows it in cycle s + 1; 1 of the runs of gsen prepares, and shows the fault first.
const FAULTS: [(&str, &str, u64); 61] = [
    ("rls -n 8", "swapped-wire:1", 2),
    ("rls -n 8", "swapped-wire:4", 5),
    ("rls -n 8", "inverted-control:2:1", 3),
    ("rls -n 8", "dropped-valid:0:3", 1),
    ("rls -n 8", "dropped-valid:4:2", 5),
    // The label bit of stage 2 sends two messages to one output there, which is told when round 0 arrives.
    ("rls -n 8", "wrong-label-bit:3:2", 5),
    // One round too few: round 7 is not sent.
    ("rls -n 8", "off-by-one-counter", 6),
    // Two registers in a stage: stage s acts in cycle 2s, and its second register shows it in cycle 2s + 2.
    ("rls --pipeline 2 -n 8", "swapped-wire:1", 4),
    ("rls --pipeline 2 -n 8", "inverted-control:2:1", 6),
    ("rls --pipeline 2 -n 8", "wrong-label-bit:3:2", 10),
    ("gsen --pipeline 3 -n 10", "dropped-valid:2:2", 9),
    ("gsen --pipeline 3 -n 10", "late-driver:1", 7),
    ("benes --pipeline 2 -n 8", "flipped-setting:2:1:5", 9),
    // Stages 1 to 3 are one group, which acts on round k in cycle k + 1; its settings come a cycle before.
    ("benes --set radix=4 -n 8", "flipped-setting:2:1:5", 5),
    // The link before stage 0 has one register.
    ("obf --pipeline 2 -n 8", "stuck-switch:1:3:0", 5),
    ("obf --pipeline 2 -n 8", "flipped-bit:3", 1),
    ("gsen -n 10", "swapped-wire:1", 2),
    ("gsen -n 10", "inverted-control:3:4", 4),
    // Stage 1 follows bit 2 of the round, which is 1 first in round 4; stage 1 acts on it in cycle 5.
    ("gsen -n 10", "late-driver:1", 5),
    // Stage 3 follows bit 0: round 1 passes it in cycle 4.
    ("gsen -n 10", "late-driver:3", 4),
    ("gsen -n 10", "dropped-valid:2:2", 3),
    ("gsen -n 10", "off-by-one-counter", 14),
    ("gsen --algorithm ata2 -n 6", "late-driver:2", 3),
    ("gsen --algorithm ata2 -n 6", "off-by-one-counter", 4),
    // Stage 2 of three follows bit 0 of the round: round 1 passes it in cycle 3.
    ("xor -n 8", "late-driver:2", 3),
    ("xor -n 8", "inverted-control:1:3", 2),
    ("xor --set network=shuffle -n 8", "swapped-wire:2", 3),
    ("xor --set network=shuffle -n 8", "off-by-one-counter", 6),
    ("rotator -n 8", "inverted-control:1:3", 2),
    ("rotator -n 8", "stuck-switch:2:1:0", 4),
    // Labels from a table: the last stage reads the wrong bit of round 0 in cycle 2.
    ("atape -n 8", "wrong-label-bit:3:2", 3),
    // The table says it in the round itself.
    ("atape -n 8", "wrong-destination:5:6", 6),
    ("atape -n 8", "swapped-wire:1", 2),
    ("benes -n 8", "wrong-destination:3:4", 4),
    // Stage 2 acts on round 5 in cycle 7.
    ("benes -n 8", "flipped-setting:2:1:5", 7),
    ("benes -n 8", "flipped-setting:0:3:0", 0),
    // Round 1 is the first that sets stage 3 otherwise than round 0.
    ("benes -n 8", "late-driver:3", 4),
    ("benes -n 8", "inverted-control:4:2", 5),
    ("benes -n 8", "off-by-one-counter", 6),
    // The optical butterfly: a link before stage 0, so that stage s acts on round 0 in cycle s + 1. xi = 0011.
    ("obf -n 8", "swapped-wire:1", 3),
    ("obf -n 8", "inverted-control:0:2", 2),
    ("obf -n 8", "dropped-valid:0:1", 2),
    // Cycle 2 is the first whose bit differs from the one before.
    ("obf -n 8", "late-driver:0", 2),
    // Stage 1 should cross in cycle 2.
    ("obf -n 8", "stuck-switch:1:3:0", 3),
    // Bit 3 enters the state after cycle 1, and the routing word of slot 1 follows from it.
    ("obf -n 8", "flipped-bit:3", 1),
    ("obf -n 16", "flipped-bit:7", 4),
    ("obf -n 8", "wrong-complement:5", 0),
    ("obf -n 8", "off-by-one-counter", 2),
    // A Butterfly of 3 stages that is passed twice: hop 4 is stage 1 of the second pass, in cycle 4; its conflict is told two later.
    ("rls-folded -n 8", "swapped-wire:1", 2),
    ("rls-folded -n 8", "dropped-valid:0:3", 1),
    ("rls-folded -n 8", "wrong-label-bit:3:4", 6),
    // Round 7 is the second of the third window, which begins in cycle 12.
    ("rls-folded -n 8", "off-by-one-counter", 13),
    ("rls-folded -n 8", "stuck-again", 3),
    // All eight first passes, then the second ones: hop 4 acts on round 0 in cycle 9.
    ("rls-folded --set plan=buffered -n 8", "wrong-label-bit:3:4", 11),
    ("rls-folded --set plan=buffered -n 8", "stuck-again", 8),
    ("rls-folded --set plan=two-plane -n 8", "inverted-control:3:1", 4),
    // Windows of two rounds; the last stage acts on round 0 in cycle 4.
    ("rls-flattened -n 8", "dropped-valid:2:1", 5),
    ("rls-flattened -n 8", "wrong-label-bit:2:2", 5),
    ("rls-flattened -n 8", "off-by-one-counter", 13),
    ("rls-flattened --set capacity=2 -n 8", "swapped-wire:4", 5),
    // One level alone is late: level 2 should have the first 1 in cycle 2.
    ("obf --set fanout=per-level -n 8", "late-driver:1", 2),
];

fn every_fault_is_found(engine: &str, key: &str) {
    for (system, fault, cycle) in FAULTS {
        let report = json(&format!("verify {system} -w 8 --engines {engine} --fault {fault}"), 1);
        let first = &report[key]["first_difference"];
        assert_eq!(report[key]["agrees"], false, "{system} {fault}");
        assert_eq!((&first["run"], &first["cycle"]), (&0.into(), &cycle.into()), "{system} {fault}: {first}");
        for member in ["signal", "expected", "got"] {
            assert!(first[member].as_str().is_some_and(|text| !text.is_empty()), "{system} {fault}: {first}");
        }
    }
}

#[test]
fn rust_hdl_shows_every_fault() {
    every_fault_is_found("rust-hdl", "rust_hdl");
}

#[test]
fn icarus_shows_every_fault() {
    if have(&["iverilog", "vvp"]) {
        every_fault_is_found("icarus", "icarus");
    }
}

#[test]
fn verilator_shows_faults() {
    if !have(&["verilator", "make", "g++"]) {
        return;
    }
    let faults = [("rls -n 4", "inverted-control:1:1", 2), ("gsen -n 6", "late-driver:2", 3)];
    for &(system, fault, cycle) in common::some(&faults, 1) {
        let report = json(&format!("verify {system} -w 8 --engines verilator --fault {fault}"), 1);
        assert_eq!(report["verilator"]["first_difference"]["cycle"], cycle, "{report}");
    }
}

#[test]
fn faults_are_found_without_waveforms_too() {
    let report = json("verify rls -n 8 -w 8 --engines rust-hdl --wave none --fault inverted-control:2:1", 1);
    // Then the first sign is the delivery of round 0.
    assert_eq!(report["rust_hdl"]["first_difference"]["cycle"], 5);
}

#[test]
fn a_difference_says_which_waveforms_to_open() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display();
    let (text, _) =
        run(&format!("verify rls -n 8 -w 8 --engines rust-hdl --fault swapped-wire:1 -o {out}"), 1);
    for expected in ["rust-hdl differs first in cycle 2", "s1_data_", "model/wave.fst", "frit diff"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let (text, _) = run(&format!("diff {out}/model/wave.fst {out}/rust-hdl/wave.fst"), 1);
    assert!(text.contains("s1_data_"), "{text}");
}

#[test]
fn files_of_every_engine_stay_and_old_ones_go() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let payload = "examples/transpose32/matrix.csv";
    run(&format!("verify rls -n 32 -w 32 --engines rust-hdl --payload {payload} -o {out}"), 0);
    let received = |engine: &str| std::fs::read_to_string(dir.path().join(engine).join("received.csv"));
    assert_eq!(received("model").unwrap(), received("rust-hdl").unwrap());
    let matrix = std::fs::read_to_string(common::root().join(payload)).unwrap();
    let rows: Vec<Vec<&str>> = matrix.lines().map(|line| line.split(',').collect()).collect();
    for (r, line) in received("model").unwrap().lines().enumerate() {
        let expected: Vec<&str> = rows.iter().map(|row| row[r]).collect();
        assert_eq!(line.split(',').collect::<Vec<_>>(), expected);
    }
    // Asked for by name it should have run; what it left earlier is gone all the same.
    run(&format!("verify rls -n 32 -w 96 --engines rust-hdl -o {out}"), 2);
    assert!(received("rust-hdl").is_err(), "rust-hdl did not run, so it has no files");
}

#[test]
#[ignore = "long: make test-all"]
fn the_compact_form_agrees_as_well_and_shows_the_same_faults() {
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let compact = "--fabric-style compact --engines verilator,icarus --require verilator,icarus";
    for design in [
        "rls -n 8 -w 33",
        "gsen --algorithm ata2 -n 10 -w 8",
        "obf -n 8 -w 8",
        "benes -n 8 -w 8",
        "atape -n 8 -w 8",
        "rls-folded --set plan=buffered -n 8 -w 8",
    ] {
        let report = json(&format!("verify {design} {compact}"), 0);
        assert_eq!(report["fabric_style"], "compact", "{design}");
        assert_eq!(report["verilator"]["agrees"], true, "{design}: {report}");
        assert_eq!(report["icarus"]["agrees"], true, "{design}: {report}");
    }
    for (design, fault) in [
        ("rls", "swapped-wire:2"),
        ("rls", "inverted-control:2:1"),
        ("rls", "dropped-valid:1:0"),
        ("rls", "stuck-switch:3:2:1"),
        ("atape", "wrong-destination:3:2"),
    ] {
        let first = |style: &str| {
            let engines = "--engines icarus --require icarus --wave none";
            let report = json(
                &format!("verify {design} -n 8 -w 8 --fabric-style {style} {engines} --fault {fault}"),
                1,
            );
            report["icarus"]["first_difference"]["cycle"].clone()
        };
        assert_eq!(first("compact"), first("unrolled"), "{fault}");
    }
}

/// Verilator leaves out of a waveform what is wider than its default limit.
#[test]
#[ignore = "long: make test-all"]
fn ports_of_thousands_of_bits_are_in_the_waveform() {
    if !have(&["verilator", "make", "g++"]) {
        return;
    }
    let report = json("verify rls -n 8 -w 1024 --engines verilator --require verilator", 0);
    assert_eq!(report["verilator"]["agrees"], true, "{report}");
}
