//! `frit verify --formal`: verdicts, exit codes, the waveform of a counterexample.

use crate::common;

use common::{have, json, run};

#[test]
fn a_contract_is_proved_and_a_fault_refuted_with_a_waveform() {
    if !have(&["yosys", "berkeley-abc"]) {
        return;
    }
    let proved = json("verify rls -n 4 --formal", 0);
    assert_eq!((&proved["design"], &proved["proved"]), (&"rls_n4_w1".into(), &true.into()));
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    let command = format!("verify rls -n 4 --formal --fault swapped-wire:1 -o {place}");
    let refuted = json(&command, 1);
    let proof = &refuted["proofs"][0];
    assert_eq!((&proof["verdict"], &proof["violated"][0]), (&"refuted".into(), &"word".into()));
    let wave = std::path::Path::new(proof["wave"].as_str().unwrap()).to_path_buf();
    assert!(std::fs::read_to_string(&wave).unwrap().contains("$scope module u_fabric $end"));
    let (text, _) = run(&command, 1);
    assert!(text.contains("word does not hold") && text.contains(&wave.display().to_string()), "{text}");
}

#[test]
fn streams_are_proved_and_a_fault_refuted_with_a_waveform() {
    if !have(&["yosys", "berkeley-abc"]) {
        return;
    }
    if common::all() {
        let proved = json("verify rls -n 4 --formal --axis", 0);
        let verdicts = [0, 1].map(|at| [&proved["proofs"][at]["property"], &proved["proofs"][at]["verdict"]]);
        assert_eq!(verdicts, [["contract", "proved"], ["streams", "proved"]]);
    }
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    let command = format!("verify rls -n 4 --formal --axis --fault swapped-wire:1 -o {place}");
    let refuted = json(&command, 1);
    let proof = &refuted["proofs"][1];
    assert_eq!((&proof["verdict"], &proof["violated"][0]), (&"refuted".into(), &"word".into()));
    let wave = std::fs::read_to_string(proof["wave"].as_str().unwrap()).unwrap();
    assert!(wave.contains("$scope module u_axis $end") && wave.contains("$scope module u_drain_0 $end"));
}

#[test]
fn a_wrong_bank_of_a_loaded_schedule_is_refuted() {
    if !have(&["yosys", "berkeley-abc"]) {
        return;
    }
    let refuted = json("verify benes -n 4 --entries 2 --formal --fault bank", 1);
    let proof = &refuted["proofs"][0];
    assert_eq!(
        (&refuted["design"], &proof["violated"][0]),
        (&"benes_n4_w1_e2".into(), &"destination".into())
    );
}

#[test]
fn streams_that_there_are_not_are_refused() {
    if !have(&["yosys", "berkeley-abc"]) {
        return;
    }
    let (_, error) = run("verify obf -n 4 --formal --axis --length 2", 2);
    assert!(error.contains("fanout=per-level"), "{error}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    for arguments in ["--engines icarus", "--payload random"] {
        let (_, error) = run(&format!("verify rls -n 4 --formal {arguments}"), 2);
        assert!(error.contains("cannot be used with"), "{arguments}: {error}");
    }
    let (_, error) = run("verify rls -n 4 --proof-time 5", 2);
    assert!(error.contains("--formal"), "{error}");
    let (_, error) = run("verify dilated -n 4 --formal", 2);
    assert!(error.contains("--formal"), "{error}");
}

#[test]
fn a_missing_tool_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let mut command = common::frit("verify rls -n 4 --formal");
    let output = command.env("FRITILLARY_TOOLS", empty.path()).env("PATH", "").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains("was not found") && error.contains("scripts/setup"), "{error}");
}
