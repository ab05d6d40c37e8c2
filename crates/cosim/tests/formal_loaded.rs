//! Networks whose schedule is loaded are proved to keep their contract for all programs; what is wrong is refuted, by the name of what it breaks.

use crate::support::tools;
use frit_cells::design::loaded::Hardware;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::formal::{Contract, Ground, Proof, Verdict};
use frit_cosim::tools::ToolPath;
use frit_demand::loadable::Loadable;
use frit_demand::program::Shape;
use frit_device::loaded::netlist;
use frit_network::butterfly;
use frit_schedule::user;
use frit_trace::wave::Wave;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

fn benes(terminals: u64, entries: u64, width: u32) -> Hardware {
    Hardware::new(Loadable::benes(Shape::new(terminals, entries).unwrap()), width)
}

fn sources(hardware: &Hardware) -> Vec<SourceFile> {
    files(&hardware.netlist(), Style::Unrolled)
}

/// The proof of some sources, and the folder of its waveform.
fn tried(
    tools: &ToolPath,
    hardware: &Hardware,
    files: &[SourceFile],
    lemmas: bool,
) -> (Proof, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
    let proof = Contract::loaded(hardware).prove(&ground, files, lemmas).unwrap();
    (proof, folder)
}

fn proved(tools: &ToolPath, hardware: &Hardware) {
    let (proof, _folder) = tried(tools, hardware, &sources(hardware), true);
    let inductive = matches!(proof.verdict, Verdict::Proved { depth: 1, .. }) && proof.engine == "induction";
    assert!(inductive, "{}: {proof:?}", hardware.design_name());
}

/// What a counterexample violates in its last cycle.
fn violated(tools: &ToolPath, hardware: &Hardware, files: &[SourceFile]) -> Vec<&'static str> {
    let (proof, _folder) = tried(tools, hardware, files, false);
    let Verdict::Refuted { what, wave, .. } = proof.verdict else { panic!("{proof:?}") };
    let wave = Wave::open(&wave).unwrap();
    for name in ["s_axis_tvalid_i", "loading_q"] {
        assert!(wave.signals().iter().any(|signal| signal.name == name), "no {name}");
    }
    what
}

/// Whether one of the properties is violated: a word that takes another way can be the wrong word at one terminal or a missing one at another,
/// whichever the solver shows first.
fn any_of(properties: &str, found: &[&str]) -> bool {
    properties.split(" or ").any(|property| found.contains(&property))
}

/// The smallest hardware, with a fault.
fn faulty(fault: &str) -> (Hardware, Vec<SourceFile>) {
    let hardware = benes(4, 2, 1);
    let netlist = netlist(&hardware, Some(fault)).unwrap();
    (hardware, files(&netlist, Style::Unrolled))
}

#[test]
fn the_smallest_loaded_schedule_is_proved() {
    let Some(tools) = tools() else { return };
    proved(&tools, &benes(4, 2, 1));
}

/// What the settings of a group of stages select is stored, which the contract's lemmas know.
#[test]
fn a_loaded_schedule_with_4x4_switches_is_proved() {
    let Some(tools) = tools() else { return };
    let radix4 = |terminals| Loadable::benes(Shape::new(terminals, 2).unwrap().radix4());
    proved(&tools, &Hardware::new(radix4(4), 1));
    let hardware = Hardware::new(radix4(4), 1);
    let mut files = files(&hardware.netlist(), Style::Unrolled);
    let file = files.iter_mut().find(|file| file.name == "frit_switch4.v").unwrap();
    file.text = file.text.replacen("data3_q <= data2_i", "data3_q <= data1_i", 1);
    assert!(!violated(&tools, &hardware, &files).is_empty());
}

#[test]
fn settings_of_the_wrong_state_are_refuted() {
    let Some(tools) = tools() else { return };
    let (hardware, files) = faulty("setting:1");
    assert_eq!(violated(&tools, &hardware, &files), ["arrival"]);
}

#[test]
#[ignore = "long: make test-all"]
fn every_size_is_proved() {
    let Some(tools) = tools() else { return };
    // Words of several bits; entries of two words; more terminals than the contract counts words of.
    proved(&tools, &benes(4, 4, 3));
    proved(&tools, &benes(8, 8, 1));
    proved(&tools, &benes(16, 2, 1));
    // A network that does not pass every permutation, of which no settings fit the destinations of most programs.
    let text = format!(
        "{{\"format\": \"{}\", \"rounds\": [{{\"states\": [\"0000\", \"0000\", \"0000\"]}}]}}",
        user::FORMAT
    );
    let plan = user::plan(butterfly(8).unwrap(), &text).unwrap();
    proved(&tools, &Hardware::new(Loadable::user(&plan, 4).unwrap(), 1));
}

#[test]
#[ignore = "long: make test-all"]
fn every_fault_is_refuted() {
    let Some(tools) = tools() else { return };
    for (fault, property) in [
        ("setting:0", "arrival or word"),
        ("setting:2", "arrival or word"),
        ("bank", "destination"),
        ("run", "round"),
        ("entry", "round"),
        ("label", "arrival or word"),
    ] {
        let (hardware, files) = faulty(fault);
        let found = violated(&tools, &hardware, &files);
        assert!(any_of(property, &found), "{fault}: {found:?}");
    }
}

/// A cell, a change of it, and the property that breaks.
const CHANGES: [(&str, &str, &str, &str); 12] = [
    ("frit_schedule_loader.v", "if (empty | (tlast_i ^ ends))", "if (tlast_i ^ ends)", "load"),
    ("frit_schedule_loader.v", "dropping_q <= 1'b0;", "dropping_q <= dropping_q;", "load"),
    ("frit_program_beat.v", "~full_i & ~(taken_q & last_q)", "~full_i", "load"),
    ("frit_schedule_fetch.v", "ready = full_i & ~reading_q", "ready = full_i", "start"),
    ("frit_schedule_fetch.v", "both_q <= left_q == THREE", "both_q <= left_q == 16'd2", "round"),
    ("frit_program_beat.v", "once_q <= one_i & ~two_i & ~more_i", "once_q <= one_i & ~more_i", "round"),
    ("frit_schedule_source.v", "valid_i & due_q", "valid_i", "word"),
    ("frit_schedule_sink.v", "valid_o = valid_i & mine", "valid_o = valid_i", "word"),
    ("frit_switch.v", "data0_q <= data1_i;", "data0_q <= data0_i;", "arrival or word"),
    ("frit_schedule_sink.v", "stray_q <= valid_i & ~mine", "stray_q <= 1'b0", "stray"),
    ("frit_schedule_sink.v", "stray_q <= valid_i & ~mine", "stray_q <= valid_i", "stray"),
    ("frit_delay_line.v", "bit_o = line_q[TOP]", "bit_o = line_q[TOP-1]", "done"),
];

#[test]
#[ignore = "long: make test-all"]
fn changed_cells_of_loaded_schedules_are_refuted() {
    let Some(tools) = tools() else { return };
    let hardware = benes(4, 2, 1);
    for (name, from, to, property) in CHANGES {
        let mut files = sources(&hardware);
        let file = files.iter_mut().find(|file| file.name == name).unwrap();
        assert!(file.text.contains(from), "{name} has no `{from}`");
        file.text = file.text.replacen(from, to, 1);
        let found = violated(&tools, &hardware, &files);
        assert!(any_of(property, &found), "{name} with `{to}`: {found:?}");
    }
}
