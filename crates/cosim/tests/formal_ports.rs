//! The ports of tops with bundles are proved to keep the rules of AXI; a change that breaks one of them is refuted, by its name.

use crate::support::tools;
use frit_cells::design::axis::{self, Bundles, Face, Streams};
use frit_cells::design::reset::Reset;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::formal::{Contract, Ground, Proof, Verdict};
use frit_cosim::tools::ToolPath;
use frit_schedule::{Plan, Request, plan};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

/// Bundles of words of one bit.
fn bundles(registers: bool) -> Bundles {
    Bundles { data_bits: 1, user_bits: 0, keep: false, registers, reset: Reset::AXI }
}

/// A top of `rls -n 4`.
struct Top {
    plan: Plan,
    streams: Streams,
    bundles: Bundles,
    files: Vec<SourceFile>,
}

impl Top {
    fn new(words: u32, sets: u32, registers: bool) -> Top {
        let plan = plan(&Request::new("rls", 4)).unwrap();
        let bundles = bundles(registers);
        let streams = Streams { words, sets, face: Face::Bundles(bundles) };
        let files = files(&axis::build(&plan, 1, streams).unwrap(), Style::Unrolled);
        Top { plan, streams, bundles, files }
    }

    /// With a change of a cell.
    fn changed(mut self, name: &str, from: &str, to: &str) -> Top {
        let file = self.files.iter_mut().find(|file| file.name == name).unwrap();
        assert!(file.text.contains(from), "{name} has no `{from}`");
        file.text = file.text.replacen(from, to, 1);
        self
    }

    fn proof(&self, tools: &ToolPath) -> Proof {
        let folder = tempfile::tempdir().unwrap();
        let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
        let Top { plan, streams, bundles, files } = self;
        Contract::ports(plan, 1, *streams, *bundles).prove(&ground, files, false).unwrap()
    }
}

#[test]
fn ports_keep_the_rules_of_axi() {
    let Some(tools) = tools() else { return };
    for registers in [true, false] {
        let proof = Top::new(1, 1, registers).proof(&tools);
        assert!(matches!(proof.verdict, Verdict::Proved { .. }), "registers {registers}: {proof:?}");
    }
}

/// A change of a cell and the rule that it breaks.
const CHANGES: [(&str, &str, &str, &str); 8] = [
    ("frit_axil_port.v", "answered_q & ~bready_i", "1'b0", "response-stays"),
    ("frit_axil_port.v", "shown_q & ~rready_i", "shown_q", "response-owed"),
    ("frit_axil_port.v", "aw_held_q & w_held_q & ~answered_q", "aw_held_q & ~answered_q", "response-owed"),
    ("frit_axil_port.v", "aw_held_q & w_held_q & ~answered_q", "aw_held_q & w_held_q", "response-owed"),
    ("frit_axil_port.v", "arready_o = ~shown_q", "arready_o = 1'b1", "response-comes"),
    ("frit_axil_port.v", "answered_q <= 1'b0;", "answered_q <= answered_q;", "register-reset"),
    ("frit_axis_drain.v", "moves = ~valid_q | tready_i", "moves = 1'b1", "word-stays"),
    ("frit_axis_drain.v", "valid_q <= 1'b0;", "valid_q <= valid_q;", "stream-reset"),
];

fn refuted(changes: &[(&str, &str, &str, &str)]) {
    let Some(tools) = tools() else { return };
    for &(name, from, to, rule) in changes {
        let proof = Top::new(1, 1, true).changed(name, from, to).proof(&tools);
        let Verdict::Refuted { what, .. } = &proof.verdict else { panic!("{name} with `{to}`: {proof:?}") };
        // A change of a response may break another rule of responses sooner.
        let family = rule.split('-').next().unwrap();
        assert!(what.iter().any(|what| what.starts_with(family)), "{name} with `{to}`: {what:?}");
    }
}

#[test]
fn a_change_that_breaks_a_rule_of_axi_is_refuted() {
    refuted(&CHANGES[..1]);
}

#[test]
#[ignore = "long: make test-all"]
fn changes_that_break_a_rule_of_axi_are_refuted() {
    refuted(&CHANGES[1..]);
}
