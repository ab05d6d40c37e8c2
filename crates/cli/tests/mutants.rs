//! The emitted testbench finds mutants of an emitted design: a small part of `make mutants`.

use std::path::Path;
use std::process::Command;

use crate::common;

use common::have;

#[test]
fn every_mutant_of_a_small_design_is_found_or_proved_equal() {
    if !have(&["yosys", "verilator", "iverilog", "vvp", "berkeley-abc"]) {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("python3")
        .arg("scripts/mutants")
        .args(["--again", "-n", "20", "--frit", env!("CARGO_BIN_EXE_frit"), "rls4"])
        .current_dir(&root)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("| `frit generate rls -n 4 -w 4` | 30 | ") && text.contains(" | 0 | 100.0 % |"),
        "{text}"
    );
}

#[test]
fn the_provers_know_equal_mutants_from_others() {
    if !have(&["yosys", "berkeley-abc", "g++"]) {
        return;
    }
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let output =
        Command::new("python3").args(["-m", "mutation.check"]).current_dir(&scripts).output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && text.contains("64 answers are right"), "{text}");
}
