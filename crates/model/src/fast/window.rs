//! The labels of a window and whom they are from, for many rounds and some lanes at a time.
//!
//! A label is a constant above a number mod N that starts where its lane says and grows by the same in every round for all lanes; so
//! is the source of what arrives at an output. The tests hold both to [`WindowLabels`].

use super::plane::{Vector, WORDS, any, gather, majority, repeat, splat, spread};
use frit_network::RoundIdx;
use frit_schedule::window::WindowLabels;

/// The rounds of a batch, as the labels of a window need them.
pub(super) struct Windows<const W: usize> {
    rule: WindowLabels,
    /// By which an output is multiplied to have its source in round 0.
    factor: u32,
    /// What a label has grown by in each round.
    grown: Growth,
    /// What the source of what arrives has.
    turned: Growth,
}

/// A number mod N for each round: its bits, the least significant first, and those of 2^bits - N more.
struct Growth {
    number: Vec<Vector>,
    above: Vec<Vector>,
}

impl Growth {
    /// Of a number that starts so in the first of some rounds, and steps so from each to the next.
    fn new<const W: usize>(rule: WindowLabels, rounds: u32, start: u32, step: u32) -> Self {
        let next = |&number: &u32| Some((number + step) % rule.terminals);
        let numbers: Vec<u32> = std::iter::successors(Some(start), next).take(rounds as usize).collect();
        let planes = |more: u32| {
            let plane =
                |bit: u32| gather::<W>(rounds, |round| (numbers[round as usize] + more) >> bit & 1 == 1);
            (0..rule.stages).map(|bit| repeat(&plane(bit))).collect()
        };
        Growth { number: planes(0), above: planes((1 << rule.stages) - rule.terminals) }
    }

    /// Adds it to numbers below N, mod N.
    #[inline(always)]
    fn add(&self, numbers: &mut [Vector]) {
        // Sums of N or more are those that 2^bits - N more carries out of the highest bit.
        let mut folds: Vector = [0; WORDS];
        for (number, above) in numbers.iter().zip(&self.above) {
            folds = majority(number, above, &folds);
        }
        let mut carry: Vector = [0; WORDS];
        for (number, (plain, above)) in numbers.iter_mut().zip(self.number.iter().zip(&self.above)) {
            let more: Vector = std::array::from_fn(|w| plain[w] ^ (plain[w] ^ above[w]) & folds[w]);
            let sum = std::array::from_fn(|w| number[w] ^ more[w] ^ carry[w]);
            carry = majority(number, &more, &carry);
            *number = sum;
        }
    }
}

impl<const W: usize> Windows<W> {
    /// Of rounds `first`, `first + 1`, …
    pub fn new(rule: WindowLabels, first: u32, rounds: u32) -> Self {
        // What holds for lane 0 and for output 0, whose numbers start at 0.
        let grown = Growth::new::<W>(rule, rounds, rule.destination(RoundIdx(first), 0), rule.step());
        let turned = Growth::new::<W>(rule, rounds, rule.source(RoundIdx(first), 0), rule.source_step());
        Windows { rule, factor: rule.source(RoundIdx(0), 1), grown, turned }
    }

    /// Writes the label bits of as many lanes as planes fit in a vector, the least significant bit first.
    #[inline(always)]
    pub fn labels(&self, lanes: &[u32], label: &mut [Vector]) {
        let start = self.start(lanes, |lane| self.rule.above(RoundIdx(0), lane));
        place::<W>(&start, label);
        self.grown.add(label);
        let first = self.rule.first();
        let mut carry: Vector = [0; WORDS];
        for (bit, label) in label.iter_mut().enumerate() {
            let more = splat(first >> bit & 1 == 1);
            let sum = std::array::from_fn(|w| label[w] ^ more[w] ^ carry[w]);
            carry = majority(label, &more, &carry);
            *label = sum;
        }
    }

    /// Marks the lanes of `source` (a vector per bit) whose message is not addressed to their lane of `outputs`. `room` is scratch space.
    #[inline(always)]
    pub fn astray(&self, source: &[Vector], outputs: &[u32], room: &mut [Vector]) -> Vector {
        let first = |lane: u32| u64::from(self.factor) * u64::from(lane) % u64::from(self.rule.terminals);
        let start = self.start(outputs, |lane| first(lane) as u32);
        let expected = &mut room[..source.len()];
        place::<W>(&start, expected);
        self.turned.add(expected);
        any(expected, |bit, expected| std::array::from_fn(|w| expected[w] ^ source[bit][w]))
    }

    /// A number of each lane; places without one have any.
    #[inline(always)]
    fn start(&self, lanes: &[u32], number: impl Fn(u32) -> u32) -> [u32; WORDS] {
        std::array::from_fn(|place| lanes.get(place).map_or(0, |&lane| number(lane)))
    }
}

/// Writes the bits of a number for each place.
#[inline(always)]
fn place<const W: usize>(numbers: &[u32; WORDS], bits: &mut [Vector]) {
    for (bit, bits) in bits.iter_mut().enumerate() {
        *bits = spread::<W>(|place| numbers[place] >> bit & 1 == 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::plane::numbers;
    use frit_network::shuffle;

    fn check<const W: usize>(rule: WindowLabels) {
        let (size, lanes_at_a_time) = (rule.terminals, 8 / W as u32);
        let bits = rule.stages as usize;
        let (mut label, mut room) = (vec![[0; 8]; bits], vec![[0; 8]; bits]);
        let planes = |numbers: &[u32]| -> Vec<Vector> {
            (0..bits).map(|bit| spread::<W>(|place| numbers[place] >> bit & 1 == 1)).collect()
        };
        let mut labels = vec![0; 512];
        for first in (0..size).step_by(64 * W) {
            let rounds = (size - first).min(64 * W as u32);
            let windows = Windows::<W>::new(rule, first, rounds);
            for lane in (0..size).step_by(lanes_at_a_time as usize) {
                let lanes: Vec<u32> = (0..lanes_at_a_time).map(|more| (lane + more) % size).collect();
                windows.labels(&lanes, &mut label);
                numbers::<8>(label.as_flattened(), &mut labels);
                for (place, &lane) in lanes.iter().enumerate() {
                    for k in 0..rounds {
                        let at = place * 64 * W + k as usize;
                        assert_eq!(u64::from(labels[at]), rule.label(RoundIdx(first + k), lane));
                    }
                }
                // What arrives at these outputs in a round, and what does not.
                for k in 0..rounds {
                    let sources: Vec<u32> =
                        lanes.iter().map(|&lane| rule.source(RoundIdx(first + k), lane)).collect();
                    for wrong in [0, 1, 1 << (rule.stages - 1)] {
                        let given: Vec<u32> = sources.iter().map(|source| source ^ wrong).collect();
                        let astray = windows.astray(&planes(&given), &lanes, &mut room);
                        for place in 0..lanes.len() {
                            let at = place * 64 * W + k as usize;
                            assert_eq!(astray[at / 64] >> (at % 64) & 1, u64::from(wrong != 0));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn labels_and_sources_are_those_of_the_schedule() {
        for terminals in [6, 10, 14, 18, 62, 66, 130, 258] {
            let rule = WindowLabels { terminals, stages: shuffle::stages(terminals.into()) };
            check::<1>(rule);
            check::<2>(rule);
            check::<8>(rule);
        }
    }
}
