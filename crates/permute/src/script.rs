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

/// A receiver that mostly stands still, so that the queue at the output is full.
pub const STOPPING: Pace = Pace { offering: 256, taking: 24 };

/// The most beats of a data set at each of which a reset comes.
const EACH_BEAT: u64 = 16;

/// The phases: one that a reset ends in the middle of a data set (of a short one: one for each of its beats), one that it ends with a full queue, one
/// with pauses, one without, one with a slow and one with a fast receiver.
pub fn phases(plan: &Streamed) -> Vec<Phase> {
    let cycles = u64::from(plan.cycles);
    // So many data sets that each order of addresses follows each other one that it can follow.
    let orders = plan.memories().map(|memory| memory.orders.len() as u64).max().unwrap_or(1);
    // And so many that each place of the queue at the output is taken several times.
    let round = 4 << plan.queue().0;
    let sets = |least: u64| least.max(u64::div_ceil(round, cycles)) * cycles;
    let beats = sets(orders + 1);
    let ended = |(pace, cut)| Phase { pace, beats: 2 * cycles, cut: Some(cut) };
    let whole = |(pace, beats)| Phase { pace, beats, cut: None };
    let each = if cycles <= EACH_BEAT { cycles..2 * cycles } else { 0..0 };
    [(PAUSING, cycles + cycles / 2)]
        .into_iter()
        .chain(each.map(|cut| (STEADY, cut)))
        .map(ended)
        .chain([Phase { pace: STOPPING, beats: cycles + round, cut: Some(cycles + round) }])
        .chain([(PAUSING, beats), (STEADY, beats), (SLOW, sets(2)), (EAGER, beats)].map(whole))
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
