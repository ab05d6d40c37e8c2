//! A sixth kind of core with streams, for tests only: what a kind must bring to be generated, verified, faulted, proved, synthesised, swept and
//! driven from cocotb.
//!
//! N streams enter and one leaves: a word of each in turn, with its `tlast`. An input waits until the others have had their turns. A word leaves
//! from a register, so it is seen a cycle after it is taken.

mod hardware;
mod tests;

use crate::catalog::{Added, Design, Entry};
use crate::registry::STREAM;
use crate::stream_core::StreamCore;
use anyhow::Result;
use frit_cells::fault::{Faults, FaultsOf};
use frit_cosim::formal::{Contract, Method};
use frit_device::Recorded;
use frit_model::crossbar::{part, script::picks};
use frit_model::event::{self, PhaseRun};
use frit_model::loaded::script::{STEADY, seed};
use frit_network::options::{Request, Row};
use frit_network::refuse;
use frit_rtl::template::{context, fill};
use frit_schedule::plan::Variant;
use frit_traffic::drawn::{draw, hexadecimal};
use hardware::{FAULTS, GatherDevice};
use serde_json::json;

static ROW: Row = Row {
    key: "gather",
    title: "N streams into one, a word of each in turn",
    sizes: "powers of two from 2 to 16",
    cycles: "1 from a word in to the word out",
    drivers: "whose turn it is",
    paper: "",
    options: &[],
    example: 4,
};

pub static SYSTEM: Added = Added {
    row: &ROW,
    kind: "streamed",
    entry: Entry { name: "gather", ..STREAM },
    build: |request| match u32::try_from(request.terminals) {
        Ok(lanes @ (2 | 4 | 8 | 16)) => Ok(Design::Streamed(Box::new(Gather { lanes }))),
        _ => refuse!("gather has {} inputs here; give 2, 4, 8 or 16", request.terminals),
    },
};

frit_model::marks! {
    /// What is seen at the ports.
    GatherMark {
        Round = "round" at "round_o",
        In = "in",
        Out = "out",
    }
}
type Event = event::Event<GatherMark>;

const WORDS: u32 = 16;

/// What is done between two resets.
struct Phase {
    what: &'static str,
    /// Words that the last input offers; the others offer [`WORDS`].
    last_words: u32,
    /// Of 256 cycles, those in which an input begins to offer a word, and in which the output is taken.
    offering: u32,
    taking: u32,
    cycles: u64,
}

/// A core with so many inputs.
#[derive(Clone, Copy, Debug)]
struct Gather {
    lanes: u32,
}

/// What the inputs offer in a cycle, and whether the output is taken. An offer stays until it is taken.
struct Senders {
    state: u32,
    offered: Vec<bool>,
    sent: Vec<u32>,
    takes: bool,
}

impl Senders {
    fn new(gather: Gather, at: usize) -> Self {
        let lanes = gather.lanes as usize;
        Senders { state: seed(at), offered: vec![false; lanes], sent: vec![0; lanes], takes: false }
    }

    fn cycle(&mut self, phase: &Phase) {
        self.state = draw(self.state);
        let last = self.sent.len() - 1;
        for (lane, offered) in self.offered.iter_mut().enumerate() {
            let words = if lane == last { phase.last_words } else { WORDS };
            *offered |= self.sent[lane] < words && picks(self.state, lane as u32, phase.offering);
        }
        self.takes = picks(self.state, last as u32 + 1, phase.taking);
    }

    fn taken(&mut self, lane: usize) {
        self.offered[lane] = false;
        self.sent[lane] += 1;
    }
}

impl Gather {
    fn phases(self) -> Vec<Phase> {
        let phase = |what, [offering, taking]: [u32; 2]| {
            let cycles = u64::from(self.lanes) * 80 + 40;
            Phase { what, last_words: WORDS, offering, taking, cycles }
        };
        let steady = |what| phase(what, [STEADY, STEADY]);
        vec![
            steady("nobody pauses"),
            phase("inputs and the output pause", [60, 140]),
            phase("the output pauses", [STEADY, 90]),
            phase("inputs pause", [40, STEADY]),
            phase("the output is never taken", [STEADY, 0]),
            Phase { last_words: 3, ..steady("the last input has fewer words than the others") },
            Phase { cycles: 3 * u64::from(self.lanes) - 1, ..steady("a reset in the middle of a round") },
            phase("the first input has the first turn after that", [200, 200]),
        ]
    }

    /// What the model sees in a phase.
    fn run(self, width: u32, at: usize, phase: &Phase) -> PhaseRun<GatherMark> {
        let (mut senders, mut turn, mut shown, mut events) = (Senders::new(self, at), 0, None, vec![]);
        for cycle in 0..phase.cycles {
            senders.cycle(phase);
            let mut word = |what, place, (lane, k)| {
                let data = hexadecimal(1, width + 1, |_, block| part(width, at, lane, k, block));
                events.push(Event { phase: at, cycle, what, place, source: 0, data });
            };
            if let Some(leaves) = shown.filter(|_| senders.takes) {
                word(GatherMark::Out, 0, leaves);
                shown = None;
            }
            if shown.is_none() && senders.offered[turn] {
                let enters = (turn as u32, senders.sent[turn]);
                word(GatherMark::In, enters.0, enters);
                shown = Some(enters);
                senders.taken(turn);
                turn = (turn + 1) % senders.sent.len();
                if turn == 0 {
                    events.push(Event::mark(at, cycle, GatherMark::Round));
                }
            }
        }
        events.sort();
        PhaseRun { events, cycles: phase.cycles }
    }
}

impl StreamCore for Gather {
    fn core(&self) -> &'static str {
        ROW.key
    }

    fn request(&self) -> Request {
        Request::new(ROW.key, self.lanes.into())
    }

    fn make(&self, width: u32, fault: Option<&str>, variant: Option<Variant>) -> Result<Box<dyn Recorded>> {
        Ok(Box::new(GatherDevice::new(*self, width, fault, variant)?))
    }

    fn faults(&self, width: u32) -> Box<dyn Faults> {
        let (subject, lanes) = (self.netlist(width, &self.name(width)), self.lanes);
        Box::new(FaultsOf { table: &FAULTS, subject, count: move |_: &str| lanes })
    }

    /// No cell computes with a word, so one bit of each is enough.
    fn contract(&self, width: u32) -> Result<Contract<'_>> {
        let top = format!("{}_gather", self.name(width));
        let values = json!({ "top": top, "lanes": self.lanes, "width": width });
        let text = fill(include_str!("gather/contract.sv.tera"), &context(&values));
        let (circuit, properties) = ((format!("{top}_contract"), text), &["hold", "ready", "word", "round"]);
        let mut contract = Contract::new(["core", "gather"], circuit, properties, 4 * u64::from(self.lanes));
        (contract.lemma, contract.method) = (None, Method::AtOnce);
        Ok(contract)
    }
}
