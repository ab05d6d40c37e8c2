//! Crossbars are proved to keep their contract for all settings and words; what is wrong is refuted, by the name of what it breaks.

use crate::support::tools;
use frit_cells::design::crossbar::Hardware;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::formal::{Contract, Ground, Proof, Verdict};
use frit_cosim::tools::ToolPath;
use frit_demand::crossbar::Shape;
use frit_device::crossbar::netlist;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(600);

fn crossbar(terminals: u64, width: u32) -> Hardware {
    Hardware::new(Shape::new(terminals).unwrap(), width)
}

fn sources(hardware: &Hardware) -> Vec<SourceFile> {
    files(&hardware.netlist(), Style::Unrolled)
}

/// The smallest crossbar with a change of a cell.
fn changed(name: &str, from: &str, to: &str) -> (Hardware, Vec<SourceFile>) {
    let hardware = crossbar(4, 1);
    let mut files = sources(&hardware);
    let file = files.iter_mut().find(|file| file.name == name).unwrap();
    assert!(file.text.contains(from), "{name} has no `{from}`");
    file.text = file.text.replacen(from, to, 1);
    (hardware, files)
}

fn tried(tools: &ToolPath, (hardware, files): &(Hardware, Vec<SourceFile>), lemmas: bool) -> Proof {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
    Contract::crossbar(hardware).prove(&ground, files, lemmas).unwrap()
}

fn proved(tools: &ToolPath, hardware: Hardware) {
    let files = sources(&hardware);
    let proof = tried(tools, &(hardware, files), true);
    let inductive = matches!(proof.verdict, Verdict::Proved { depth: 1, .. }) && proof.engine == "induction";
    assert!(inductive, "{proof:?}");
}

fn violated(tools: &ToolPath, design: &(Hardware, Vec<SourceFile>)) -> Vec<&'static str> {
    let proof = tried(tools, design, false);
    let Verdict::Refuted { what, .. } = proof.verdict else { panic!("{proof:?}") };
    what
}

#[test]
#[ignore = "long: make test-all"]
fn a_response_that_is_withdrawn_is_refuted() {
    let Some(tools) = tools() else { return };
    let design = changed("frit_crossbar_port.v", "answered_q & ~bready_i", "1'b0");
    assert_eq!(violated(&tools, &design), ["write"]);
}

#[test]
#[ignore = "long: make test-all"]
fn crossbars_are_proved() {
    let Some(tools) = tools() else { return };
    proved(&tools, crossbar(4, 1));
    proved(&tools, crossbar(4, 3));
    proved(&tools, crossbar(8, 1));
    for terminals in [4, 8] {
        proved(&tools, Hardware::new(Shape::new(terminals).unwrap().radix4(), 1));
    }
}

#[test]
#[ignore = "long: make test-all"]
fn faults_of_crossbars_are_refuted() {
    let Some(tools) = tools() else { return };
    for (fault, property) in [
        ("setting:0", "offered"),
        ("setting:1", "offered"),
        ("early", "offered"),
        ("number", "ready"),
        ("close", "ready"),
    ] {
        let hardware = crossbar(4, 1);
        let netlist = netlist(&hardware, Some(fault)).unwrap();
        let found = violated(&tools, &(hardware, files(&netlist, Style::Unrolled)));
        assert!(found.contains(&property), "{fault}: {found:?}");
    }
}

/// A cell, a change of it, and the property that breaks.
const CHANGES: [(&str, &str, &str, &str); 10] = [
    ("frit_crossbar_port.v", " & ~answered_q", "", "write"),
    ("frit_crossbar_port.v", " & ~looking_q & ~shown_q", " & ~looking_q", "read"),
    ("frit_crossbar_port.v", " & ~busy_i", "", "write"),
    ("frit_crossbar_port.v", "takes & (wstrb_i == ALL)", "takes", "write"),
    ("frit_crossbar_port.v", "if (found_i) begin", "if (1'b1) begin", "read"),
    ("frit_crossbar_word.v", "known = here_i & ~above_i", "known = here_i", "write"),
    ("frit_crossbar_input.v", "wrong_q <= on_q & ~mine", "wrong_q <= 1'b0", "error"),
    ("frit_beat_queue.v", "shown_next = taken | (shown_q & ~tready_i)", "shown_next = taken", "hold"),
    ("frit_queue_pointer.v", "head_q <= head_q + 1'b1", "head_q <= head_q", "word"),
    ("frit_return_switch.v", "back0_q <= back1_i;", "back0_q <= back0_i;", "ready"),
];

#[test]
#[ignore = "long: make test-all"]
fn changed_cells_of_crossbars_are_refuted() {
    let Some(tools) = tools() else { return };
    for (name, from, to, property) in CHANGES {
        let found = violated(&tools, &changed(name, from, to));
        assert!(found.contains(&property), "{name} with `{to}`: {found:?}");
    }
}
