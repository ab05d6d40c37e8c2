//! What every engine does with the hardware of a streamed permutation: phases with a reset before each, words, pauses.
//!
//! Clock cycle 0 of a phase is the first after its reset. The pauses are drawn by xorshift32, which testbenches draw as well: a draw for
//! each cycle, its lowest 8 bits for the sender, the next 8 for the receiver.

use crate::streamed::Streamed;

pub use frit_traffic::drawn::{block, draw, hexadecimal, word};

/// Of 256 cycles, those in which the sender offers a beat and the receiver is ready; with 256 nobody pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Of the sender, if it has none on offer yet.
    pub offering: u32,
    /// Of the receiver.
    pub taking: u32,
}

/// A phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The pauses.
    pub pace: Pace,
    /// The beats that the sender has.
    pub beats: u64,
    /// The phase ends as soon as so many beats were taken from the sender, wherever they are; else when all have left.
    pub cut: Option<u64>,
}

/// The pauses of the first two phases.
pub const PAUSING: Pace = Pace { offering: 160, taking: 144 };

/// No pause.
pub const STEADY: Pace = Pace { offering: 256, taking: 256 };

/// A receiver that is slower than the sender, so that the stream stands still most of the time.
pub const SLOW: Pace = Pace { offering: 256, taking: 80 };

/// A receiver that is a little faster than the sender. So the queue at the output holds few beats, and their number changes often.
pub const EAGER: Pace = Pace { offering: 144, taking: 152 };

/// Both pause half of the time.
pub const EVEN: Pace = Pace { offering: 128, taking: 128 };

/// A receiver that mostly stands still, so that the queue at the output is full.
pub const STOPPING: Pace = Pace { offering: 256, taking: 24 };

/// Short pauses now and then. So three beats wait in an empty queue and leave before the next one comes, most often of all paces (found by trying).
pub const BRISK: Pace = Pace { offering: 236, taking: 220 };

/// The most beats of a data set at each of which a reset comes.
const EACH_BEAT: u64 = 16;

/// The sizes of the data sets of a phase, taken in turn, where they are loaded at run time; none if all data sets have one size.
///
/// Large matrices before small ones, so that the small ones wait for the page; three of one size, which leave without a gap; the shortest
/// and the narrowest ones.
pub fn sizes(plan: &Streamed) -> Vec<(u32, u32)> {
    let Some((rows, columns)) = plan.largest() else { return Vec::new() };
    let lanes = plan.lanes;
    let half = |side: u32| (side / lanes).div_ceil(2) * lanes;
    let most = (rows, columns);
    let (low, narrow, middle) = ((lanes, columns), (rows, lanes), (half(rows), half(columns)));
    let unit = (lanes, lanes);
    vec![most, unit, unit, narrow, low, most, most, most, low, middle, narrow, unit]
}

/// How the beats of a phase belong to data sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sets {
    /// The beats of the data sets that are taken in turn.
    cycles: Vec<u64>,
}

/// A beat of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its data set.
    pub set: u64,
    /// Its place there.
    pub cycle: u64,
    /// The beats of this data set.
    pub cycles: u64,
}

impl Sets {
    /// Those of a plan.
    pub fn of(plan: &Streamed) -> Self {
        let beats = |(rows, columns): (u32, u32)| u64::from(rows * columns / plan.lanes);
        let loaded: Vec<u64> = sizes(plan).into_iter().map(beats).collect();
        Sets { cycles: if loaded.is_empty() { vec![plan.cycles.into()] } else { loaded } }
    }

    /// The beats of all sizes together.
    pub fn round(&self) -> u64 {
        self.cycles.iter().sum()
    }

    /// The place of a beat.
    pub fn place(&self, beat: u64) -> Place {
        let (mut cycle, mut at) = (beat % self.round(), 0);
        while cycle >= self.cycles[at] {
            cycle -= self.cycles[at];
            at += 1;
        }
        let set = beat / self.round() * self.cycles.len() as u64 + at as u64;
        Place { set, cycle, cycles: self.cycles[at] }
    }

    /// The beats of all data sets before this one.
    pub fn before(&self, set: u64) -> u64 {
        let (rounds, at) = (set / self.cycles.len() as u64, set % self.cycles.len() as u64);
        rounds * self.round() + self.cycles[..at as usize].iter().sum::<u64>()
    }
}

/// The phases: one that a reset ends in the middle of a data set (of a short one: one for each of its beats), one that it ends with a full queue, one
/// with pauses, one without, one with a slow and one with a fast receiver.
pub fn phases(plan: &Streamed) -> Vec<Phase> {
    let cycles = u64::from(plan.cycles);
    let sets = Sets::of(plan);
    // So many data sets that each order of addresses follows each other one that it can follow.
    let orders = orders(plan);
    let least = if plan.largest().is_some() { 1 } else { orders + 1 };
    // And so many that each place of the queue at the output is taken several times.
    let queue = 4 << plan.queue().0;
    let rounds = |least: u64| least.max(u64::div_ceil(queue, sets.round())) * sets.round();
    let beats = rounds(least);
    let ended = |(pace, cut)| Phase { pace, beats: 2 * sets.round(), cut: Some(cut) };
    let whole = |(pace, beats)| Phase { pace, beats, cut: None };
    [(PAUSING, cycles + cycles / 2)]
        .into_iter()
        .chain(each_beat(plan, sets.round()).map(|cut| (STEADY, cut)))
        .map(ended)
        .chain([Phase { pace: STOPPING, beats: cycles + queue, cut: Some(cycles + queue) }])
        .chain([(PAUSING, beats), (STEADY, beats), (SLOW, rounds(2.min(least))), (EAGER, beats)].map(whole))
        .collect()
}

/// Orders of addresses that the data sets take in turn.
fn orders(plan: &Streamed) -> u64 {
    plan.memories().map(|memory| memory.orders.len() as u64).max().unwrap_or(1)
}

/// The beats at each of which a reset comes: so many from the end of the first data set on, or none if a data set is long.
fn each_beat(plan: &Streamed, beats: u64) -> std::ops::Range<u64> {
    let cycles = u64::from(plan.cycles);
    if cycles <= EACH_BEAT { cycles..cycles + beats } else { 0..0 }
}

/// A testbench makes [`trials`] only where one data set of each size has no more beats than this, all sizes taken together.
const SHORT: u64 = 256;

/// Resets with a full queue in trials, and resets in the last order of addresses.
const FULL_RESETS: u64 = 16;
const LAST_ORDER: u64 = 4;

/// The most beats of a trial with words of one kind.
const MOST_ALIKE: u64 = 2048;

/// The words of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Pseudo-random ones.
    Random,
    /// Zeros. In every third data set one word has ones, each place in turn.
    Zeros,
    /// The opposite.
    Ones,
}

/// Phases that only testbenches make, after the others: so many beats with pauses that a queue, a memory and a counter have been in each of
/// their states, and words that hardly differ, so that a bit that is kept too long shows. Of long data sets the others have enough.
pub fn trials(plan: &Streamed) -> Vec<(Phase, Words)> {
    let (sets, words) = (Sets::of(plan), plan.order.words());
    let whole = |beats: u64| u64::div_ceil(beats, sets.round()) * sets.round();
    // Where sizes are loaded, the largest ones come to each page of the memories only now and then.
    let often = if plan.largest().is_some() { 128 } else { 64 };
    let (long, alike) = (whole(often << plan.queue().0), whole((6 * words * sets.round()).min(MOST_ALIKE)));
    let all = [
        (EAGER, long, Words::Random),
        (PAUSING, long, Words::Random),
        (EVEN, long, Words::Random),
        // The queue is full again and again, with other words each time.
        (STOPPING, whole(long / 4), Words::Random),
        (STEADY, alike, Words::Zeros),
        (EVEN, alike, Words::Ones),
    ];
    let short = sets.round() <= SHORT;
    let alone = |pace, cut, beats| (Phase { pace, beats, cut }, Words::Random);
    // A beat is in each register when a reset comes. After each reset all data sets leave, so that an address that was not reset shows, and a flag.
    let resets = each_beat(plan, sets.round() + u64::from(plan.registers()))
        .flat_map(|cut| [alone(STEADY, Some(cut), whole(cut + 1)), alone(BRISK, None, sets.round())]);
    // Or beats wait at the output, so that the flags of the queue are set, and the sender is stopped.
    let waiting = u64::from(plan.waits() + plan.queue().1);
    let full = (waiting..waiting + FULL_RESETS)
        .flat_map(|cut| [alone(STOPPING, Some(cut), whole(cut + 1)), alone(BRISK, None, sets.round())]);
    // Or a bank writes or reads in the last of its orders; of the two data sets behind it the second shows which is next.
    let delay = u64::from(plan.registers() + plan.waits());
    let turns = (0..LAST_ORDER).map(|at| {
        let cycles = u64::from(plan.cycles);
        cycles * orders(plan) - cycles / 2 + at * delay / LAST_ORDER
    });
    let turned = turns
        .flat_map(|cut| [alone(STEADY, Some(cut), whole(cut + 1)), alone(STEADY, None, 2 * sets.round())]);
    all.into_iter()
        .map(|(pace, beats, kind)| (Phase { pace, beats, cut: None }, kind))
        .chain(resets)
        .chain(full)
        .chain(turned)
        .filter(|_| short)
        .collect()
}

/// The seed of a phase's pauses.
pub fn seed(phase: usize) -> u32 {
    0x2545_f491 ^ (phase as u32).wrapping_mul(0x9e37_79b9)
}

/// Cycles after which a phase has failed.
pub fn limit(plan: &Streamed, phase: Phase) -> u64 {
    let slowest = phase.pace.offering.min(phase.pace.taking);
    (phase.beats + u64::from(plan.latency())) * 256 * 3 / u64::from(slowest) + 1000
}

/// What the inputs of the size show while beat `next` is the next one, where sizes are loaded: the size of its data set until its first beat has
/// entered, then one that is not possible, and from the last beat on that of the next data set.
pub fn shown_size(plan: &Streamed, sets: &Sets, next: u64) -> Option<(u32, u32)> {
    let all = sizes(plan);
    let place = sets.place(next);
    let of = |set: u64| all.get((set % all.len().max(1) as u64) as usize).copied();
    match place.cycle {
        0 => of(place.set),
        cycle if cycle + 1 == place.cycles => of(place.set + 1),
        cycle => {
            of(place.set).map(|(rows, columns)| if cycle % 2 == 0 { (0, columns) } else { (columns, rows) })
        }
    }
}

/// A beat that left: its phase and cycle, whether it was the last of a data set, and its words, lane 0 first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The phase.
    pub phase: usize,
    /// The clock cycle of the phase.
    pub cycle: u64,
    /// `tlast`.
    pub last: bool,
    /// Its words in hexadecimal, lane 0 at the end, as many digits as its bits need.
    pub data: String,
}
