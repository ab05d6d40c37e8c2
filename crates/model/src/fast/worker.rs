//! One batch after the other, through all phases of a plan.

use super::check::{Check, RoutingWords};
use super::kernel::{Batch, Passed, States, pass, senders, vectors};
use super::order::Order;
use super::pairs::Pairs;
use super::plane::{Plane, Vector, WORDS, gather, none, repeat};
use super::rotation::Rotations;
use frit_network::{StageIdx, SwitchIdx};
use frit_schedule::{Control, Phases, Plan};
use std::ops::Range;

/// Whether arrivals are compared with notes, not with a rule.
pub(super) fn notes(plan: &Plan) -> bool {
    matches!(plan.control, Control::Stages(_)) || plan.phases == Phases::PrepareAndSend
}

/// Bits of a label that travels with a message.
pub(super) fn label_bits(plan: &Plan) -> usize {
    if let Control::Labels(_) = plan.control { plan.network.stages() as usize } else { 0 }
}

/// Bytes of a row.
pub(super) fn row_bytes<const W: usize>(plan: &Plan) -> usize {
    vectors::<W>(plan.lane_bits() as usize + label_bits(plan)) * WORDS * 8
}

/// What a batch needs; every batch writes it anew, so it can be used for the next, and by the next worker.
#[derive(Default)]
pub(super) struct Memory {
    /// The messages, by row.
    rows: Vec<Vector>,
    /// Who is expected at each output lane, where no rule says it: a plane per bit.
    notes: Vec<u64>,
}

/// Takes one batch after the other.
pub(super) struct Worker<'a, const W: usize> {
    plan: &'a Plan,
    order: &'a Order,
    source_bits: usize,
    label_bits: usize,
    /// Vectors of a row.
    vectors: usize,
    memory: Memory,
    /// The row that ends at each output lane.
    row_of: Vec<u32>,
}

/// What sets the switches of a batch, and what its arrivals are compared with.
struct Rules<const W: usize> {
    rotations: Option<Rotations<W>>,
    words: Option<RoutingWords<W>>,
    masks: Vec<[Vector; 2]>,
}

impl<const W: usize> Rules<W> {
    fn new(plan: &Plan, first: u32, rounds: u32) -> Self {
        let mut rules = Rules { rotations: None, words: None, masks: Vec::new() };
        match &plan.control {
            Control::Labels(rule) => rules.rotations = Some(Rotations::new(*rule, first, rounds)),
            Control::Systolic(rule) => rules.words = Some(RoutingWords::new(rule, first, rounds)),
            Control::Stages(_) | Control::Table(_) => {}
        }
        if rules.rotations.is_none() {
            rules.masks = masks::<W>(plan, first, rounds);
        }
        rules
    }

    fn states(&self) -> States<'_, W> {
        self.rotations.as_ref().map_or(States::Stages(&self.masks), States::Labels)
    }
}

/// The control bits of the even and the odd switches of every stage.
fn masks<const W: usize>(plan: &Plan, first: u32, rounds: u32) -> Vec<[Vector; 2]> {
    let of = |stage, switch| {
        repeat(&gather::<W>(rounds, |round| {
            plan.stage_state(first + round, StageIdx(stage), SwitchIdx(switch))
                .is_some_and(|state| state.bit())
        }))
    };
    let alternates = match &plan.control {
        Control::Stages(rule) => (first..first + rounds).any(|round| rule.alternates(round)),
        Control::Labels(_) | Control::Systolic(_) | Control::Table(_) => false,
    };
    (0..plan.network.stages())
        .map(|stage| {
            let even = of(stage, 0);
            [even, if alternates { of(stage, 1) } else { even }]
        })
        .collect()
}

impl<'a, const W: usize> Worker<'a, W> {
    pub fn new(plan: &'a Plan, order: &'a Order, mut memory: Memory) -> Self {
        let (lanes, source_bits) = (plan.network.lanes() as usize, plan.lane_bits() as usize);
        let vectors = row_bytes::<W>(plan) / (WORDS * 8);
        let noted = if notes(plan) { lanes * source_bits * W } else { 0 };
        let mut row_of = vec![0; lanes];
        for (row, &lane) in order.lane_out.iter().enumerate() {
            row_of[lane as usize] = row as u32;
        }
        memory.rows.resize(lanes * vectors, [0; WORDS]);
        memory.notes.resize(noted, 0);
        Worker { plan, order, source_bits, label_bits: label_bits(plan), vectors, memory, row_of }
    }

    /// The memory for another worker.
    pub fn memory(self) -> Memory {
        self.memory
    }

    /// Takes a batch through all phases. The messages stay in the rows.
    pub fn run(&mut self, rounds: Range<u32>) -> Passed<W> {
        let (first, length) = (rounds.start, rounds.len() as u32);
        let rules = Rules::new(self.plan, first, length);
        let Worker { order, source_bits, label_bits, .. } = *self;
        let active = gather(length, |_| true);
        let batch = Batch { order, source_bits, label_bits, states: rules.states(), active };
        let mut unforeseen = [0; W];
        let mut check = match &rules {
            _ if self.plan.phases == Phases::PrepareAndSend => {
                pass(&batch, &mut self.memory.rows, &mut Check::Note(&mut self.memory.notes));
                Check::Noted(&self.memory.notes)
            }
            Rules { rotations: Some(rotations), .. } => Check::Rotated(rotations),
            Rules { words: Some(words), .. } => Check::Systolic(words),
            _ => {
                unforeseen = self.foresee(first, length);
                Check::Noted(&self.memory.notes)
            }
        };
        let mut passed = pass(&batch, &mut self.memory.rows, &mut check);
        for (astray, unforeseen) in passed.astray.iter_mut().zip(unforeseen) {
            *astray |= unforeseen;
        }
        passed
    }

    /// Notes whom the schedule sends to each output lane; the rounds in which it does not send one to each.
    fn foresee(&mut self, first: u32, rounds: u32) -> Plane<W> {
        let lanes = self.plan.network.lanes();
        let mut unclaimed = vec![gather::<W>(rounds, |_| true); lanes as usize];
        let mut beyond = [0; W];
        self.memory.notes.fill(0);
        for round in 0..rounds {
            let (word, bit) = (round as usize / 64, round % 64);
            for lane in 0..lanes {
                let destination = self.plan.destination(first + round, lane) as usize;
                let Some(open) = unclaimed.get_mut(destination) else {
                    beyond[word] |= 1 << bit;
                    continue;
                };
                open[word] &= !(1 << bit);
                let size = self.source_bits * W;
                let note = &mut self.memory.notes[destination * size..][..size];
                for (position, plane) in note.chunks_exact_mut(W).enumerate() {
                    plane[word] |= (lane as u64 >> position & 1) << bit;
                }
            }
        }
        for open in unclaimed.iter().filter(|open| !none(&open[..])) {
            for (beyond, open) in beyond.iter_mut().zip(open) {
                *beyond |= open;
            }
        }
        beyond
    }

    /// The lanes that sent what has arrived at output `lane`, by round.
    pub fn senders(&self, lane: u32, into: &mut [u32]) {
        let row = self.row_of[lane as usize] as usize;
        senders::<W>(&self.memory.rows[row * self.vectors..][..self.vectors], self.source_bits, into);
    }

    /// Notes the pairs of the first `rounds` rounds of the batch.
    pub fn note_pairs(&self, rounds: usize, pairs: &Pairs) {
        let owned = self.plan.lanes_per_terminal();
        let mut lanes = vec![0; 64 * W];
        pairs.note(self.plan.network.terminals(), |destination, sources| {
            sources.clear();
            for lane in destination * owned..(destination + 1) * owned {
                self.senders(lane, &mut lanes);
                match owned {
                    1 => sources.extend(&lanes[..rounds]),
                    _ => sources.extend(lanes[..rounds].iter().map(|lane| lane / owned)),
                }
            }
        });
    }
}

impl Worker<'_, WORDS> {
    /// The label bits that a stage has read in a row, that of the upper input of one of its switches.
    pub fn settings(&self, stage: u32, row: u32) -> &Plane<WORDS> {
        &self.memory.rows[(row as usize + 1) * self.vectors - 1 - stage as usize]
    }
}
