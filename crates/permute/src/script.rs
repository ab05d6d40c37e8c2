//! What every engine does with the hardware of a streamed permutation: phases with a reset before each, words, pauses.
//!
//! Clock cycle 0 of a phase is the first after its reset. The pauses are drawn by xorshift32, which testbenches draw as well: a draw for
//! each cycle, its lowest 8 bits for the sender, the next 8 for the receiver.

use crate::streamed::Streamed;

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

/// The phases: one that a reset ends in the middle of a data set, one with pauses, one without, one with a slow receiver.
pub fn phases(plan: &Streamed) -> Vec<Phase> {
    let cycles = u64::from(plan.cycles);
    // So many data sets that each order of addresses follows each other one that it can follow.
    let orders = plan.memories().map(|memory| memory.orders.len() as u64).max().unwrap_or(1);
    let beats = (orders + 1) * cycles;
    vec![
        Phase { pace: PAUSING, beats: 2 * cycles, cut: Some(cycles + cycles / 2) },
        Phase { pace: PAUSING, beats, cut: None },
        Phase { pace: STEADY, beats, cut: None },
        Phase { pace: SLOW, beats: 2 * cycles, cut: None },
    ]
}

/// The seed of a phase's pauses.
pub fn seed(phase: usize) -> u32 {
    0x2545_f491 ^ (phase as u32).wrapping_mul(0x9e37_79b9)
}

/// The next state of the pauses, which is also the draw.
pub fn draw(state: u32) -> u32 {
    let state = state ^ state << 13;
    let state = state ^ state >> 17;
    state ^ state << 5
}

/// Cycles after which a phase has failed.
pub fn limit(plan: &Streamed, phase: Phase) -> u64 {
    let slowest = phase.pace.offering.min(phase.pace.taking);
    (phase.beats + u64::from(plan.latency())) * 256 * 3 / u64::from(slowest) + 1000
}

/// Word `word` of a data set, bits 32·`block` and up: `phase` and `set` count from 0.
pub fn block(phase: u64, set: u64, word: u64, block: u64) -> u32 {
    let key = (phase as u32)
        .wrapping_mul(0x85eb_ca6b)
        .wrapping_add((set as u32).wrapping_mul(0xc2b2_ae35))
        .wrapping_add((word as u32).wrapping_mul(0x9e37_79b1))
        .wrapping_add((block as u32).wrapping_mul(0x27d4_eb2f));
    let key = (key ^ key >> 15).wrapping_mul(0x2c1b_3c6d);
    let key = (key ^ key >> 12).wrapping_mul(0x297a_2d39);
    key ^ key >> 15
}

/// A word of up to 64 bits.
pub fn word(phase: u64, set: u64, word: u64, width: u32) -> u64 {
    let bits = u64::from(block(phase, set, word, 0)) | u64::from(block(phase, set, word, 1)) << 32;
    bits & u64::MAX >> (64 - width.min(64))
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

/// The words of a beat as one number in hexadecimal; `block(lane, b)` gives bits 32·b and up of a lane's word.
pub fn hexadecimal(lanes: u32, width: u32, block: impl Fn(u32, u32) -> u32) -> String {
    let bits = lanes * width;
    let bit = |at: u32| {
        let (lane, place) = (at / width, at % width);
        block(lane, place / 32) >> (place % 32) & 1
    };
    let digit = |digit: u32| {
        let value = (0..4).filter(|k| 4 * digit + k < bits).map(|k| bit(4 * digit + k) << k).sum();
        char::from_digit(value, 16).expect("four bits")
    };
    (0..bits.div_ceil(4)).rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_side_by_side_in_hexadecimal() {
        assert_eq!(hexadecimal(3, 8, |lane, _| 0x10 * (lane + 1) + lane), "322110");
        assert_eq!(hexadecimal(3, 3, |lane, _| lane + 1), "0d1");
        assert_eq!(hexadecimal(1, 40, |_, block| [0xdead_beef, 0x12][block as usize]), "12deadbeef");
    }
}
