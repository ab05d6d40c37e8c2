//! One batch after the other, through all phases of a plan.

use super::check::{Check, Expected, RoundBits, RoutingWords};
use super::kernel::{Batch, Labels, Passed, States, pass, senders, vectors};
use super::order::Order;
use super::pairs::Pairs;
use super::plane::{Lines, Plane, Vector, WORDS, gather, none, repeat};
use super::rotation::Rotations;
use super::shuffle::Backwards;
use super::window::Windows;
use frit_network::{LaneIdx, RoundIdx, RowIdx, StageIdx, SwitchIdx};
use frit_schedule::{Control, Phases, Plan};
use std::ops::Range;

/// Bits of a label that travels with a message.
pub(super) fn label_bits(plan: &Plan) -> usize {
    if let Control::Labels(_) = plan.control { plan.network.stages() as usize } else { 0 }
}

pub(super) fn row_bytes<const W: usize>(plan: &Plan) -> usize {
    row_vectors::<W>(plan, 0) * WORDS * 8
}

/// Vectors of a row that has so many planes more.
fn row_vectors<const W: usize>(plan: &Plan, more: usize) -> usize {
    vectors::<W>(plan.lane_bits() as usize + more + label_bits(plan))
}

/// What a batch needs; every batch writes it anew, so it can be used for the next, and by the next worker.
#[derive(Default)]
pub(super) struct Memory {
    /// The messages, by row.
    rows: Lines,
    /// Who is expected at each output lane, where no rule says it: a plane per bit.
    notes: Vec<u64>,
}

/// Takes one batch after the other.
pub(super) struct Worker<'a, const W: usize> {
    plan: &'a Plan,
    order: &'a Order,
    expected: Expected<'a>,
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
    sources: Sources<W>,
    /// The control bits of the stages; none where labels set the switches.
    masks: Vec<[Vector; 2]>,
}

/// [`Expected`], with what is the same for a batch.
enum Sources<const W: usize> {
    Rotated(Rotations<W>),
    Windowed(Windows<W>),
    Systolic(RoutingWords<W>),
    Xor(RoundBits<W>),
    Shuffled,
    Noted,
}

impl<const W: usize> Rules<W> {
    fn new(plan: &Plan, expected: Expected, first: u32, rounds: u32) -> Self {
        let sources = match expected {
            Expected::Rotated(rule) => Sources::Rotated(Rotations::new(rule, first, rounds)),
            Expected::Windowed(rule) => Sources::Windowed(Windows::new(rule, first, rounds)),
            Expected::Systolic(rule) => Sources::Systolic(RoutingWords::new(rule, first, rounds)),
            Expected::Xor(rotation) => {
                Sources::Xor(RoundBits::new(plan.lane_bits(), rotation, first, rounds))
            }
            Expected::Shuffled(_) => Sources::Shuffled,
            Expected::Noted => Sources::Noted,
        };
        let labels = matches!(sources, Sources::Rotated(_) | Sources::Windowed(_));
        let masks = if labels { Vec::new() } else { masks::<W>(plan, first, rounds) };
        Rules { sources, masks }
    }

    /// How arrivals are checked, if there is a rule.
    fn check(&self, plan: &Plan) -> Option<Check<'_, W>> {
        Some(match &self.sources {
            Sources::Rotated(rotations) => Check::Rotated(rotations),
            Sources::Windowed(windows) => Check::Windowed(windows),
            Sources::Systolic(words) => Check::Systolic(words),
            Sources::Xor(rounds) => Check::Xor(rounds),
            Sources::Shuffled => Check::Shuffled(Backwards::new(plan.network.terminals(), &self.masks)),
            Sources::Noted => return None,
        })
    }

    fn states(&self) -> States<'_, W> {
        match &self.sources {
            Sources::Rotated(rotations) => States::Labels(Labels::Rotations(rotations)),
            Sources::Windowed(windows) => States::Labels(Labels::Windows(windows)),
            _ => States::Stages(&self.masks),
        }
    }
}

/// The control bits of the even and the odd switches of every stage.
fn masks<const W: usize>(plan: &Plan, first: u32, rounds: u32) -> Vec<[Vector; 2]> {
    let of = |stage, switch| {
        repeat(&gather::<W>(rounds, |round| {
            plan.stage_state(RoundIdx(first + round), StageIdx(stage), SwitchIdx(switch))
                .is_some_and(|state| state.bit())
        }))
    };
    let alternates = match &plan.control {
        Control::Stages(rule) => (first..first + rounds).any(|round| rule.alternates(RoundIdx(round))),
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
    pub fn new(plan: &'a Plan, order: &'a Order, expected: Expected<'a>, memory: Memory) -> Self {
        Self::with_vectors(plan, order, expected, memory, row_vectors::<W>(plan, 0))
    }

    /// The same for [`Worker::send`].
    pub fn of_packets(plan: &'a Plan, order: &'a Order, expected: Expected<'a>, memory: Memory) -> Self {
        Self::with_vectors(plan, order, expected, memory, row_vectors::<W>(plan, 1))
    }

    fn with_vectors(
        plan: &'a Plan,
        order: &'a Order,
        expected: Expected<'a>,
        mut memory: Memory,
        vectors: usize,
    ) -> Self {
        let (lanes, source_bits) = (plan.network.lanes() as usize, plan.lane_bits() as usize);
        let noted = if expected == Expected::Noted { lanes * source_bits * W } else { 0 };
        let mut row_of = vec![0; lanes];
        for (row, &lane) in order.lane_out.iter().enumerate() {
            row_of[lane as usize] = row as u32;
        }
        memory.rows.resize(lanes * vectors);
        memory.notes.resize(noted, 0);
        Worker { plan, order, expected, source_bits, label_bits: label_bits(plan), vectors, memory, row_of }
    }

    /// The memory for another worker.
    pub fn memory(self) -> Memory {
        self.memory
    }

    /// Takes a batch through all phases. The messages stay in the rows.
    pub fn run(&mut self, rounds: Range<u32>) -> Passed<W> {
        let (first, length) = (rounds.start, rounds.len() as u32);
        let rules = Rules::new(self.plan, self.expected, first, length);
        let Worker { order, source_bits, label_bits, .. } = *self;
        let active = gather(length, |_| true);
        let batch = Batch { order, source_bits, label_bits, states: rules.states(), active, present: None };
        let prepares = self.plan.phases == Phases::PrepareAndSend;
        let mut before = [0; W];
        let mut check = match rules.check(self.plan) {
            Some(mut check) => {
                if prepares {
                    before = pass(&batch, self.memory.rows.vectors_mut(), &mut check).astray;
                }
                check
            }
            None if prepares => {
                pass(&batch, self.memory.rows.vectors_mut(), &mut Check::Note(&mut self.memory.notes));
                Check::Noted(&self.memory.notes)
            }
            None => {
                before = self.foresee(first, length);
                Check::Noted(&self.memory.notes)
            }
        };
        let mut passed = pass(&batch, self.memory.rows.vectors_mut(), &mut check);
        for (astray, before) in passed.astray.iter_mut().zip(before) {
            *astray |= before;
        }
        passed
    }

    /// Takes the messages that are `present`, a plane for each lane, through the phase that carries them. There is a rule for what
    /// arrives.
    pub fn send(&mut self, rounds: Range<u32>, present: &[u64]) -> Passed<W> {
        let length = rounds.len() as u32;
        let rules = Rules::new(self.plan, self.expected, rounds.start, length);
        let Worker { order, source_bits, label_bits, .. } = *self;
        let (states, active) = (rules.states(), gather(length, |_| true));
        let batch = Batch { order, source_bits, label_bits, states, active, present: Some(present) };
        let mut check = rules.check(self.plan).expect("plans without a rule are run by the reference");
        pass(&batch, self.memory.rows.vectors_mut(), &mut check)
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
                let destination = self.plan.destination(RoundIdx(first + round), LaneIdx(lane)).idx();
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
    pub fn senders(&self, lane: LaneIdx, into: &mut [u32]) {
        let row = self.row_of[lane.idx()] as usize;
        senders::<W>(
            &self.memory.rows.vectors()[row * self.vectors..][..self.vectors],
            self.source_bits,
            into,
        );
    }

    /// Notes the pairs of the first `rounds` rounds of the batch.
    pub fn note_pairs(&self, rounds: usize, pairs: &Pairs) {
        let owned = self.plan.lanes_per_terminal();
        let mut lanes = vec![0; 64 * W];
        pairs.note(self.plan.network.terminals(), |destination, sources| {
            sources.clear();
            for lane in destination * owned..(destination + 1) * owned {
                self.senders(LaneIdx(lane), &mut lanes);
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
    pub fn settings(&self, stage: u32, row: RowIdx) -> &Plane<WORDS> {
        &self.memory.rows.vectors()[(row.idx() + 1) * self.vectors - 1 - stage as usize]
    }
}
