//! What every engine reports: switch settings and deliveries, cycle by cycle, and the tally made of them.
//!
//! The engines (the model, the rust-hdl network, the testbenches) share these types and nothing else.

use frit_network::facts::Facts;
use frit_network::{RoundIdx, facts};

/// A switch of a stage that acts on a round in this cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// The cycle.
    pub cycle: u64,
    /// The stage.
    pub stage: u32,
    /// The switch.
    pub switch: u32,
    /// The control bit: false straight, true cross.
    pub state: bool,
}

/// A message that arrived.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Delivery {
    /// The cycle.
    pub cycle: u64,
    /// The terminal where it arrived.
    pub output: u32,
    /// The terminal that sent it.
    pub source: u32,
    /// The round.
    pub round: RoundIdx,
    /// Whether it is the first of this source here.
    pub first: bool,
    /// The word, if the run carries payload; least significant limb first.
    pub payload: Option<Vec<u64>>,
}

/// Takes what an engine reports, in the order of cycles; within a cycle settings and deliveries are sorted.
pub trait Observer {
    /// A switch was set for a round.
    fn setting(&mut self, _setting: Setting) {}
    /// A message arrived.
    fn delivery(&mut self, _delivery: &Delivery) {}
    /// Whether it does anything with settings; an engine need not tell of them otherwise.
    fn wants_settings(&self) -> bool {
        true
    }
    /// Whether it does anything with deliveries.
    fn wants_deliveries(&self) -> bool {
        true
    }
}

/// Ignores everything.
impl Observer for () {
    fn wants_settings(&self) -> bool {
        false
    }
    fn wants_deliveries(&self) -> bool {
        false
    }
}

/// Keeps everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// All settings.
    pub settings: Vec<Setting>,
    /// All deliveries.
    pub deliveries: Vec<Delivery>,
}

impl Observer for Recorder {
    fn setting(&mut self, setting: Setting) {
        self.settings.push(setting);
    }
    fn delivery(&mut self, delivery: &Delivery) {
        self.deliveries.push(delivery.clone());
    }
}

/// What went wrong first, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstFault {
    /// Two messages wanted one output of a switch.
    Conflict {
        /// The cycle.
        cycle: u64,
        /// The stage.
        stage: u32,
        /// The switch.
        switch: u32,
        /// The sources of the two messages.
        sources: [u32; 2],
    },
    /// A message arrived at a terminal that is not its destination.
    Misrouted {
        /// The cycle.
        cycle: u64,
        /// Where it arrived.
        output: u32,
        /// Who sent it.
        source: u32,
        /// Where it should have arrived.
        destination: u32,
    },
    /// No message of this source arrived at this destination.
    Missing {
        /// The source.
        source: u32,
        /// The destination.
        destination: u32,
        /// The cycle in which it was first due.
        cycle: u64,
    },
}

impl std::fmt::Display for FirstFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FirstFault::Conflict { cycle, stage, switch, sources: [a, b] } => {
                write!(
                    f,
                    "cycle {cycle}: conflict at stage {stage}, switch {switch}: the messages of {a} and {b} want the same output"
                )
            }
            FirstFault::Misrouted { cycle, output, source, destination } => {
                write!(f, "cycle {cycle}: the message from {source} to {destination} arrived at {output}")
            }
            FirstFault::Missing { source, destination, cycle } => {
                write!(f, "cycle {cycle}: the message from {source} to {destination} did not arrive")
            }
        }
    }
}

/// What a run adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Cycle of the last delivery (of the phase that carries the messages).
    pub cycles: u64,
    /// Cycles of all phases.
    pub cycles_total: u64,
    /// Pairs (source, destination) delivered.
    pub delivered: u64,
    /// Messages that arrived again, identical.
    pub duplicates: u64,
    /// Pairs not delivered.
    pub missing: u64,
    /// Messages that arrived at the wrong terminal.
    pub misrouted: u64,
    /// Conflicts at switches.
    pub conflicts: u64,
    /// The first thing that went wrong.
    pub first_fault: Option<FirstFault>,
}

impl Run {
    /// Everything arrived where it should, without conflict.
    pub fn ok(&self) -> bool {
        self.missing == 0 && self.misrouted == 0 && self.conflicts == 0
    }

    /// What is said of the run, in order; the first thing that went wrong only if something did.
    pub fn facts(&self) -> Facts {
        let mut facts = facts! {
            "cycles": self.cycles, "cycles_total": self.cycles_total, "delivered": self.delivered,
            "duplicates": self.duplicates, "missing": self.missing, "misrouted": self.misrouted, "conflicts": self.conflicts,
        };
        if let Some(fault) = &self.first_fault {
            facts.insert("first_fault".into(), fault.to_string().into());
        }
        facts
    }
}

/// One bit per pair (source, destination): which have been delivered, and which are due.
#[derive(Clone, Debug)]
pub struct Delivered {
    terminals: usize,
    bits: Vec<u64>,
    /// The pairs that are due; none if that is all of them.
    due: Option<Vec<u64>>,
}

impl Delivered {
    /// Nothing delivered yet; every pair of `terminals` terminals is due.
    pub fn all_pairs(terminals: u32) -> Self {
        let terminals = terminals as usize;
        Delivered { terminals, bits: vec![0; (terminals * terminals).div_ceil(64)], due: None }
    }

    /// Nothing delivered yet; only these pairs (source, destination) are due, however often each is named.
    pub fn some_pairs(terminals: u32, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut delivered = Delivered::all_pairs(terminals);
        for (source, destination) in pairs {
            delivered.insert(source, destination);
        }
        let none = vec![0; delivered.bits.len()];
        delivered.due = Some(std::mem::replace(&mut delivered.bits, none));
        delivered
    }

    /// Notes a delivery; true if it is the first of this pair.
    pub fn insert(&mut self, source: u32, destination: u32) -> bool {
        let pair = source as usize * self.terminals + destination as usize;
        let mask = 1u64 << (pair % 64);
        let first = self.bits[pair / 64] & mask == 0;
        self.bits[pair / 64] |= mask;
        first
    }

    /// Pairs delivered.
    pub fn count(&self) -> u64 {
        self.bits.iter().map(|word| word.count_ones() as u64).sum()
    }

    /// How many pairs [`missing`](Self::missing) names.
    pub fn missing_count(&self) -> u64 {
        match &self.due {
            Some(due) => due.iter().zip(&self.bits).map(|(due, got)| (due & !got).count_ones() as u64).sum(),
            None => (self.terminals * self.terminals) as u64 - self.count(),
        }
    }

    /// Pairs that are due and not delivered, in order of source, then destination.
    pub fn missing(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let due = |pair: usize| self.due.as_ref().is_none_or(|due| due[pair / 64] >> (pair % 64) & 1 == 1);
        (0..self.terminals * self.terminals)
            .filter(move |&pair| due(pair) && self.bits[pair / 64] >> (pair % 64) & 1 == 0)
            .map(|pair| ((pair / self.terminals) as u32, (pair % self.terminals) as u32))
    }
}
