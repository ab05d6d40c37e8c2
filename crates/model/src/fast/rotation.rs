//! The labels of Algorithm 1 and the destinations of the rotations, for many rounds and some lanes at a time.
//!
//! With y = destination = (i - k) mod N for a right rotation of order k: for odd k, N/2 - i + k - 1 = ~y + N/2 mod N,
//! which is y with its n - 1 low bits inverted. And π̂(x) is x if the first and the last bit of x are the same, else ~x.
//! A left rotation by k has y = (i + k) mod N, and its order N - k is odd when k is. The tests hold all of it to
//! [`RotationLabels`], where the paper's text is followed.

use super::plane::{Vector, gather, repeat, spread};
use frit_schedule::rotation::{Direction, RotationLabels};

/// The rounds of a batch, as the rotations need them.
pub(super) struct Rotations<const W: usize> {
    direction: Direction,
    /// Bits of the rounds' numbers, the least significant first.
    round: Vec<Vector>,
}

impl<const W: usize> Rotations<W> {
    /// Of rounds `first`, `first + 1`, …
    pub fn new(rule: RotationLabels, first: u32, rounds: u32) -> Self {
        let bit = |bit: u32| gather::<W>(rounds, |k| (first + k) >> bit & 1 == 1);
        Rotations { direction: rule.direction, round: (0..rule.n).map(|b| repeat(&bit(b))).collect() }
    }

    /// Writes the 2n - 1 label bits of as many lanes as planes fit in a vector, the least significant bit first.
    #[inline(always)]
    pub fn labels(&self, lanes: &[u32], label: &mut [Vector]) {
        let low = self.round.len() - 1;
        let mut top = [0; 8];
        self.turn(
            |bit| spread::<W>(|place| lanes[place] >> bit & 1 == 1),
            |bit, y| {
                if bit < low {
                    label[bit] = y;
                } else {
                    top = y;
                }
            },
        );
        let odd = self.round[0];
        // The first bit of x is that of y, the last is inverted in odd rounds.
        let invert: Vector = std::array::from_fn(|w| top[w] ^ label[0][w] ^ odd[w]);
        for bit in 0..low {
            label[low + bit] = std::array::from_fn(|w| label[bit][w] ^ odd[w] ^ invert[w]);
        }
        label[2 * low] = std::array::from_fn(|w| top[w] ^ invert[w]);
    }

    /// Where messages of the lanes in `source` (a vector per bit) are not for `outputs`.
    #[inline(always)]
    pub fn astray(&self, source: &[Vector], outputs: &[u32]) -> Vector {
        let mut astray = [0; 8];
        self.turn(
            |bit| source[bit],
            |bit, y| {
                let output = spread::<W>(|place| outputs[place] >> bit & 1 == 1);
                astray = std::array::from_fn(|w| astray[w] | y[w] ^ output[w]);
            },
        );
        astray
    }

    /// Gives the bits of lane - k or lane + k (mod N), the least significant first.
    #[inline(always)]
    fn turn(&self, lane: impl Fn(usize) -> Vector, mut give: impl FnMut(usize, Vector)) {
        let right = if self.direction == Direction::Right { u64::MAX } else { 0 };
        let mut carry: Vector = [0; 8];
        for (bit, k) in self.round.iter().enumerate() {
            let lane = lane(bit);
            give(bit, std::array::from_fn(|w| lane[w] ^ k[w] ^ carry[w]));
            // A borrow when subtracting is a carry with the lane's bit inverted.
            carry = std::array::from_fn(|w| {
                let a = lane[w] ^ right;
                a & k[w] | carry[w] & (a | k[w])
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::plane::numbers;
    use frit_schedule::rotation::Middle;

    fn check<const W: usize>(rule: RotationLabels) {
        let (size, lanes_at_a_time) = (1u32 << rule.n, 8 / W as u32);
        let mut label = vec![[0; 8]; 2 * rule.n as usize - 1];
        let mut labels = vec![0; 512];
        for first in (0..size).step_by(64 * W) {
            let rounds = (size - first).min(64 * W as u32);
            let rotations = Rotations::<W>::new(rule, first, rounds);
            for lane in (0..size).step_by(lanes_at_a_time as usize) {
                let lanes: Vec<u32> = (0..lanes_at_a_time).map(|more| (lane + more) % size).collect();
                rotations.labels(&lanes, &mut label);
                numbers::<8>(label.as_flattened(), &mut labels);
                let source: Vec<_> =
                    (0..rule.n).map(|bit| spread::<W>(|place| lanes[place] >> bit & 1 == 1)).collect();
                for (place, &lane) in lanes.iter().enumerate() {
                    for k in 0..rounds {
                        let at = place * 64 * W + k as usize;
                        assert_eq!(labels[at] as u64, rule.label(first + k, lane));
                        let right = rule.destination(first + k, lane);
                        for (output, wrong) in [(right, 0), (right ^ 1, 1), (right ^ (size / 2), 1)] {
                            let astray = rotations.astray(&source, &[output; 8]);
                            assert_eq!(astray[at / 64] >> (at % 64) & 1, wrong);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn labels_and_destinations_are_those_of_the_schedule() {
        for direction in [Direction::Right, Direction::Left] {
            for n in 2..=8 {
                check::<1>(RotationLabels { n, direction, middle: Middle::Shared });
                check::<2>(RotationLabels { n, direction, middle: Middle::Shared });
                check::<8>(RotationLabels { n, direction, middle: Middle::Shared });
            }
        }
    }
}
