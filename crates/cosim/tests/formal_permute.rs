//! Streamed permutations are proved to bring every word to its place in its cycle; what is wrong is refuted, with a waveform.

use crate::support::tools;
use frit_cells::design::permute::build;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::formal::{Contract, Ground, Proof, Verdict};
use frit_cosim::tools::ToolPath;
use frit_device::permute::STREAMED;
use frit_network::options::Request;
use frit_permute::{Streamed, streamed, with_permutation};
use frit_trace::wave::Wave;
use frit_traffic::random::SplitMix64;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(900);

fn planned(system: &str, lanes: u64, options: &[(&str, &str)]) -> Streamed {
    let request = Request::new(system, lanes);
    let request = options.iter().fold(request, |request, (key, value)| request.with(key, value));
    streamed(&request).unwrap()
}

fn sources(plan: &Streamed) -> Vec<SourceFile> {
    files(&build(plan, 1).unwrap(), Style::Unrolled)
}

/// The proof of some sources, and the folder of its waveform.
fn tried(
    tools: &ToolPath,
    plan: &Streamed,
    files: &[SourceFile],
    lemmas: bool,
) -> (Proof, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
    let proof = Contract::permute(plan, 1).prove(&ground, files, lemmas).unwrap();
    (proof, folder)
}

fn proved(tools: &ToolPath, plan: &Streamed) {
    let (proof, _folder) = tried(tools, plan, &sources(plan), true);
    let inductive = matches!(proof.verdict, Verdict::Proved { depth: 1, .. }) && proof.engine == "induction";
    assert!(inductive, "{}: {proof:?}", plan.name());
}

/// What a counterexample violates in its last cycle.
fn violated(tools: &ToolPath, plan: &Streamed, files: &[SourceFile]) -> Vec<&'static str> {
    // A counterexample needs no lemmas.
    let (proof, _folder) = tried(tools, plan, files, false);
    let Verdict::Refuted { what, wave, .. } = proof.verdict else { panic!("{proof:?}") };
    let wave = Wave::open(&wave).unwrap();
    for name in ["s_axis_tvalid_i", "seen_q"] {
        assert!(wave.signals().iter().any(|signal| signal.name == name), "no {name}");
    }
    what
}

/// The smallest transpose: two beats of two words.
fn smallest() -> Streamed {
    planned("transpose", 2, &[("rows", "2"), ("cols", "2")])
}

#[test]
fn the_smallest_transpose_is_proved() {
    let Some(tools) = tools() else { return };
    proved(&tools, &smallest());
}

#[test]
fn reading_a_beat_early_is_refuted() {
    let Some(tools) = tools() else { return };
    let plan = smallest();
    let mut early = plan.clone();
    STREAMED.plant(&mut early, "early").unwrap();
    let early = sources(&early);
    assert_eq!(violated(&tools, &plan, &early), ["due"]);
}

#[test]
#[ignore = "long: make test-all"]
fn every_form_is_proved() {
    let Some(tools) = tools() else { return };
    proved(&tools, &planned("transpose", 2, &[("rows", "4"), ("cols", "4")]));
    // Several orders of addresses; two banks; skewed storage with one page and with two.
    proved(&tools, &planned("transpose", 4, &[("rows", "8"), ("cols", "4")]));
    proved(&tools, &planned("transpose", 4, &[("rows", "8"), ("cols", "4"), ("banks", "2")]));
    proved(&tools, &planned("transpose", 2, &[("rows", "6"), ("cols", "6")]));
    proved(&tools, &planned("transpose", 2, &[("rows", "6"), ("cols", "4")]));
    proved(&tools, &planned("transpose", 3, &[("rows", "6"), ("cols", "6")]));
    // An order without a rule, whose words take three lanes of four.
    let order = SplitMix64(3).permutation(15);
    proved(&tools, &with_permutation(&Request::new("permute", 3), order).unwrap());
    // Memories of which one word is kept.
    proved(&tools, &planned("transpose", 4, &[("rows", "16"), ("cols", "16")]));
}

#[test]
#[ignore = "long: make test-all"]
fn every_fault_is_refuted() {
    let Some(tools) = tools() else { return };
    let plan = planned("transpose", 2, &[("rows", "4"), ("cols", "4")]);
    for (fault, property) in
        [("setting:0", "word"), ("setting:1", "word"), ("write", "word"), ("read", "word"), ("page", "word")]
    {
        let mut built = plan.clone();
        STREAMED.plant(&mut built, fault).unwrap();
        assert!(violated(&tools, &plan, &sources(&built)).contains(&property), "{fault}");
    }
}

/// A cell, a change of it, and the property that breaks.
const CHANGES: [(&str, &str, &str, &str); 10] = [
    ("frit_queue_pointer.v", "reads = some_q & (tready_i | ~shown_q)", "reads = some_q", "hold"),
    ("frit_beat_queue.v", "taken = some_q & (tready_i | ~shown_q)", "taken = some_q", "due"),
    ("frit_beat_queue.v", "shown_q <= 1'b0;", "shown_q <= shown_q;", "reset"),
    ("frit_beat_queue.v", "full_q <= |(used_q & TOP)", "full_q <= used_q > TOP", "ready"),
    ("frit_beat_queue.v", "lots_q & (~less | fourth)", "lots_q & ~less", "due"),
    ("frit_beat_queue.v", "write_o = ~(|(stored_q & TOP))", "write_o = 1'b1", "word"),
    ("frit_queue_pointer.v", "head_q <= head_q + 1'b1", "head_q <= head_q", "word"),
    ("frit_beat_end.v", "ending_q <= prior", "ending_q <= 1'b0", "last"),
    ("frit_beat_check.v", "wrong_q | ", "", "error"),
    ("frit_turn_switch.v", "data0_q <= data1_i;", "data0_q <= data0_i;", "word"),
];

#[test]
#[ignore = "long: make test-all"]
fn changed_cells_are_refuted() {
    let Some(tools) = tools() else { return };
    let plan = planned("transpose", 2, &[("rows", "4"), ("cols", "4")]);
    for (name, from, to, property) in CHANGES {
        let mut files = sources(&plan);
        let file = files.iter_mut().find(|file| file.name == name).unwrap();
        assert!(file.text.contains(from), "{name} has no `{from}`");
        file.text = file.text.replacen(from, to, 1);
        let found = violated(&tools, &plan, &files);
        assert!(found.contains(&property), "{name} with `{to}`: {found:?}");
    }
}
