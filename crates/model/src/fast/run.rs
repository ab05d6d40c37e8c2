//! Batches of rounds, on all cores.

use super::check::Expected;
use super::cover;
use super::order::Order;
use super::pairs::{self, Pairs};
use super::plane::count;
use super::shuffle;
use super::wiring::Wiring;
use super::worker::{Memory, Worker, row_bytes};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::plan::Demand;
use frit_schedule::rotation::Middle;
use frit_schedule::{Control, Labels, Phases, Plan};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes of a batch, if it can be so small: groups of its rows go through the second-level cache, the whole of it should
/// stay in the third. Measured, not critical: docs/performance.md.
const BATCH_BYTES: usize = 24 << 20;

/// Bytes of batches that all cores together may hold; where they are larger, fewer are in work at a time.
const ROW_BYTES: usize = 1 << 30;

/// Rounds of a plan, ready to run.
pub struct Fast<'a> {
    pub(super) plan: &'a Plan,
    pub(super) rounds: Range<u32>,
    /// Words of a plane: a batch has 64 times as many rounds.
    pub(super) words: usize,
    pub(super) order: Order,
    pub(super) expected: Expected<'a>,
    /// How many batches are in work at a time.
    workers: usize,
    /// What workers have left for those of the next run.
    memory: Mutex<Vec<Memory>>,
}

/// What came of the rounds that were run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The rounds.
    pub rounds: Range<u32>,
    /// Messages that went out.
    pub sent: u64,
    /// Messages that arrived at their destinations, each compared with the schedule.
    pub arrived: u64,
    /// Different pairs (source, destination) among them.
    pub pairs: u64,
    /// Rounds in which two messages wanted one output of a switch. What became of their messages is not told.
    pub rounds_with_conflict: u64,
    /// Rounds in which a message arrived at another output than its own.
    pub rounds_with_misroute: u64,
    /// Switches passed by messages, in all phases.
    pub hops: u64,
    /// Who sent what arrived at terminal 0 in which round, as one number ([`super::Cover::senders`]); told by [`Fast::run_some`].
    pub senders: Option<u64>,
}

impl Checked {
    /// No switch had a conflict and every message arrived where it should.
    pub fn clean(&self) -> bool {
        self.rounds_with_conflict == 0 && self.rounds_with_misroute == 0 && self.arrived == self.sent
    }
}

/// What is to be told of a run, beside the sums.
struct Reporting<'a> {
    senders: bool,
    pairs: Option<&'a Pairs>,
    rounds_done: &'a (dyn Fn(u64) + Sync),
}

/// The sums over batches.
#[derive(Default)]
struct Sums {
    arrived: AtomicU64,
    again: AtomicU64,
    rounds_with_conflict: AtomicU64,
    rounds_with_misroute: AtomicU64,
    senders: AtomicU64,
}

impl<'a> Fast<'a> {
    /// Prepares the rounds of a plan; none if there are none of them or it takes the reference engine: where lanes
    /// cannot be told apart evenly, for labels that are not those of the network's size, and for self-routed messages
    /// behind a prepare phase, which no system has.
    ///
    /// # Panics
    ///
    /// If the plan has not these rounds.
    pub fn new(plan: &'a Plan, rounds: Range<u32>) -> Option<Fast<'a>> {
        let expected = Expected::of(plan);
        let words = words(plan, expected, &rounds);
        Fast::with_words(plan, expected, rounds, words)
    }

    /// The same with batches of 64 times so many rounds: 1, 2, 4 or 8.
    pub(super) fn with_words(
        plan: &'a Plan,
        expected: Expected<'a>,
        rounds: Range<u32>,
        words: usize,
    ) -> Option<Fast<'a>> {
        assert!(rounds.end <= plan.rounds, "rounds {rounds:?}, but the plan has {}", plan.rounds);
        if rounds.is_empty() || !takes(plan) {
            return None;
        }
        let workers = workers(plan, expected, &rounds, words);
        let labels = matches!(plan.control, Control::Labels(_));
        let order = Order::new(Wiring::new(&plan.network), bytes_per_row(plan, words), labels);
        Some(Fast { plan, rounds, words, order, expected, workers, memory: Mutex::default() })
    }

    /// Runs the rounds and checks every switch and every arrival. Tells how many rounds are done, from several threads.
    pub fn run(&self, rounds_done: &(dyn Fn(u64) + Sync)) -> Checked {
        self.run_them(self.rounds.clone(), false, rounds_done)
    }

    /// Runs other rounds, with the same order of work, as many at a time as suit those that it was made for, and tells
    /// who sent what arrived at terminal 0.
    ///
    /// # Panics
    ///
    /// If the plan has not these rounds.
    pub fn run_some(&self, rounds: Range<u32>, rounds_done: &(dyn Fn(u64) + Sync)) -> Checked {
        assert!(rounds.end <= self.plan.rounds, "rounds {rounds:?}, but the plan has {}", self.plan.rounds);
        self.run_them(rounds, true, rounds_done)
    }

    fn run_them(&self, all: Range<u32>, senders: bool, rounds_done: &(dyn Fn(u64) + Sync)) -> Checked {
        let network = &self.plan.network;
        let sent = all.len() as u64 * network.lanes() as u64;
        let repeated = repeated(self.plan, self.expected, &all);
        let pairs = (repeated == Repeated::Marked).then(|| Pairs::new(network.terminals(), sent));
        let (sums, run) = (Sums::default(), Reporting { senders, pairs: pairs.as_ref(), rounds_done });
        for (rounds, words) in self.parts(&all) {
            match words {
                1 => self.batches::<1>(rounds, &run, &sums),
                2 => self.batches::<2>(rounds, &run, &sums),
                4 => self.batches::<4>(rounds, &run, &sums),
                _ => self.batches::<8>(rounds, &run, &sums),
            }
        }
        let arrived = sums.arrived.into_inner();
        let again = if repeated == Repeated::Told { sums.again.into_inner() } else { 0 };
        Checked {
            rounds: all.clone(),
            sent,
            arrived,
            pairs: pairs.map_or(arrived - again, Pairs::count),
            rounds_with_conflict: sums.rounds_with_conflict.into_inner(),
            rounds_with_misroute: sums.rounds_with_misroute.into_inner(),
            hops: sent * network.stages() as u64 * self.plan.phases.count(),
            senders: senders.then(|| sums.senders.into_inner()),
        }
    }

    /// Rounds with the words of their batches: those behind the last full batch take fewer, where fewer hold them.
    fn parts(&self, all: &Range<u32>) -> [(Range<u32>, usize); 2] {
        let rest = all.len() % (64 * self.words);
        let words = rest.div_ceil(64).next_power_of_two();
        let middle = if words < self.words { all.end - rest as u32 } else { all.end };
        [(all.start..middle, self.words), (middle..all.end, words)]
    }

    fn batches<const W: usize>(&self, all: Range<u32>, told: &Reporting, sums: &Sums) {
        let next = AtomicU64::new(0);
        let work = || {
            let left = self.memory.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut worker =
                Worker::<W>::new(self.plan, &self.order, self.expected, left.unwrap_or_default());
            // Whoever is free takes the next batch.
            while let Some(rounds) = batch(&all, W, next.fetch_add(1, Ordering::Relaxed)) {
                let (first, length) = (rounds.start, rounds.len() as u64);
                let passed = worker.run(rounds);
                if told.senders {
                    sums.senders.fetch_add(self.senders(&worker, first, length as usize), Ordering::Relaxed);
                }
                sums.arrived.fetch_add(passed.arrived, Ordering::Relaxed);
                sums.again.fetch_add(passed.again, Ordering::Relaxed);
                sums.rounds_with_conflict.fetch_add(count(&passed.conflict), Ordering::Relaxed);
                sums.rounds_with_misroute.fetch_add(count(&passed.astray), Ordering::Relaxed);
                if let Some(pairs) = told.pairs {
                    worker.note_pairs(length as usize, pairs);
                }
                (told.rounds_done)(length);
            }
            self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(worker.memory());
        };
        match self.workers.min(all.len().div_ceil(64 * W)) {
            0 => (),
            // To wake a thread takes longer than a small exchange.
            1 => work(),
            workers => rayon::scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| work()))),
        }
    }

    /// Who sent what arrived at terminal 0 in a batch.
    fn senders<const W: usize>(&self, worker: &Worker<W>, first: u32, rounds: usize) -> u64 {
        let mut senders = vec![0; 64 * W];
        (0..self.plan.lanes_per_terminal()).fold(0, |sum: u64, lane| {
            worker.senders(LaneIdx(lane), &mut senders);
            let of = |(round, &sender): (u32, &u32)| {
                cover::sender(RoundIdx(round), LaneIdx(lane), LaneIdx(sender))
            };
            (first..).zip(&senders[..rounds]).map(of).fold(sum, u64::wrapping_add)
        })
    }
}

/// The rounds of a batch of so many words, of some rounds.
pub(super) fn batch(rounds: &Range<u32>, words: usize, number: u64) -> Option<Range<u32>> {
    let size = words as u64 * 64;
    let (first, end) = (u64::from(rounds.start) + number * size, u64::from(rounds.end));
    (first < end).then(|| first as u32..(first + size).min(end) as u32)
}

/// How it is known which arrivals are of a pair that has arrived.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    /// None is.
    Never,
    /// The check of an arrival tells: all rounds are run in which its pair comes.
    Told,
    /// Each pair is marked.
    Marked,
}

/// How pairs are told apart in some rounds of a plan, when every arrival is the expected one.
///
/// For rotations the round is (source - destination) mod N or its negative, so it follows from the pair, and a round
/// brings one message to each output. Under systolic routing a slot has one word, source XOR destination, for the upper
/// lanes, and its complement for the lower ones. If no two slots share a word or have complementary ones, which is tested
/// here, a pair's word tells its slot and its lane, so no pair comes twice. Under the XOR method the round is the rotated source XOR the destination. For stage control see [`shuffle`].
fn repeated(plan: &Plan, expected: Expected, rounds: &Range<u32>) -> Repeated {
    let (lanes, terminals) = (plan.network.lanes(), plan.network.terminals());
    let never = match expected {
        Expected::Rotated(_) | Expected::Windowed(_) | Expected::Xor(_) => {
            lanes == terminals && plan.rounds <= lanes
        }
        Expected::Systolic(rule) => {
            let mut seen = vec![false; terminals as usize];
            lanes == 2 * terminals
                && rounds.clone().all(|slot| {
                    let word = rule.routing_word(slot as u64) as usize;
                    let both = [word, terminals as usize - 1 - word];
                    both.into_iter().all(|word| !std::mem::replace(&mut seen[word], true))
                })
        }
        Expected::Shuffled(control) if shuffle::all_words(control, rounds) => return Repeated::Told,
        Expected::Shuffled(control) => shuffle::repeats_no_pair(plan, control, rounds.clone()),
        Expected::Noted => false,
    };
    if never { Repeated::Never } else { Repeated::Marked }
}

/// Whether this engine takes a plan.
fn takes(plan: &Plan) -> bool {
    // Faults are the reference's business.
    if !plan.faults.is_empty() {
        return false;
    }
    let (lanes, terminals) = (plan.network.lanes(), plan.network.terminals());
    let control = match &plan.control {
        Control::Labels(Labels::Windows(rule)) => {
            (lanes, plan.network.stages()) == (rule.terminals, rule.stages) && plan.phases == Phases::One
        }
        Control::Labels(Labels::Rotations(rule)) => {
            let bits = rule.n + rule.destination_bits();
            let fits = lanes.checked_shr(rule.n) == Some(1) && plan.network.stages() == bits;
            fits && rule.middle == Middle::Shared && plan.phases == Phases::One
        }
        // The kernel knows 2×2 switches.
        Control::Stages(_) => plan.turn(frit_network::StageIdx(0)).is_none(),
        Control::Systolic(_) => true,
        Control::Table(_) => false,
    };
    let whole = plan.second_pass.is_none() && plan.demand == Demand::AllToAll;
    control && whole && terminals > 0 && lanes.is_multiple_of(terminals)
}

fn bytes_per_row(plan: &Plan, words: usize) -> usize {
    match words {
        1 => row_bytes::<1>(plan),
        2 => row_bytes::<2>(plan),
        4 => row_bytes::<4>(plan),
        _ => row_bytes::<8>(plan),
    }
}

/// Words of a plane that suit these rounds.
fn words(plan: &Plan, expected: Expected, rounds: &Range<u32>) -> usize {
    let fits = |words: usize| batch_bytes(plan, expected, words) <= BATCH_BYTES;
    let fills = |words: usize| words / 2 * 64 < rounds.len();
    [8, 4, 2].into_iter().find(|&words| fits(words) && fills(words)).unwrap_or(1)
}

/// How many batches are in work at a time.
fn workers(plan: &Plan, expected: Expected, rounds: &Range<u32>, words: usize) -> usize {
    rayon::current_num_threads()
        .min(rounds.len().div_ceil(64 * words))
        .min(ROW_BYTES / batch_bytes(plan, expected, words))
        .max(1)
}

fn batch_bytes(plan: &Plan, expected: Expected, words: usize) -> usize {
    let noted = if expected == Expected::Noted { plan.lane_bits() as usize * words * 8 } else { 0 };
    plan.network.lanes() as usize * (bytes_per_row(plan, words) + noted)
}

/// Bytes of the order of visits for each lane and stage, and of the tables that it is made from.
const ORDER_BYTES: u64 = 8;

/// Bytes of the reference engine for each lane and stage: what it holds and what it did.
const REFERENCE_BYTES: u64 = 64;

/// Bytes that running these rounds takes beside the plan, tables of visits and the batches of all workers included; of a plan that
/// takes the reference engine what that takes.
pub fn all_bytes(plan: &Plan, rounds: Range<u32>) -> u64 {
    let (lanes, stages) = (u64::from(plan.network.lanes()), u64::from(plan.network.stages()));
    if !takes(plan) {
        let pairs = u64::from(plan.network.terminals()).pow(2) / 8;
        return pairs + lanes * u64::from(plan.hops() + 1) * REFERENCE_BYTES;
    }
    let expected = Expected::of(plan);
    let words = words(plan, expected, &rounds);
    let batches = workers(plan, expected, &rounds, words) * batch_bytes(plan, expected, words);
    let first = batch_bytes(plan, expected, 1) as u64;
    bytes(plan, rounds) - first + batches as u64 + lanes * stages * ORDER_BYTES
}

/// Bytes that running these rounds takes beside the plan, roughly.
pub fn bytes(plan: &Plan, rounds: Range<u32>) -> u64 {
    let arrivals = rounds.len() as u64 * plan.network.lanes() as u64;
    let expected = Expected::of(plan);
    let pairs = match repeated(plan, expected, &rounds) {
        Repeated::Marked => pairs::bytes(plan.network.terminals(), arrivals),
        Repeated::Never | Repeated::Told => 0,
    };
    pairs + batch_bytes(plan, expected, 1) as u64
}
