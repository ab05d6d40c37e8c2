//! The labels of Algorithm 1 and the destinations of the rotations, for many rounds at a time.
//!
//! With y = destination = (i - k) mod N for a right rotation of order k: for odd k, N/2 - i + k - 1 = ~y + N/2 mod N,
//! which is y with its n - 1 low bits inverted. And π̂(x) is x if the first and the last bit of x are the same, else ~x.
//! A left rotation by k has y = (i + k) mod N, and its order N - k is odd when k is. The tests hold all of it to
//! [`RotationLabels`], where the paper's text is followed.

use super::plane::{Plane, gather, splat};
use frit_schedule::rotation::{Direction, RotationLabels};

/// The rounds of a batch, as the rotations need them.
pub(super) struct Rotations<const W: usize> {
    direction: Direction,
    /// Bits of the rounds' numbers, the least significant first.
    round: Vec<Plane<W>>,
}

impl<const W: usize> Rotations<W> {
    /// Of rounds `first`, `first + 1`, …
    pub fn new(rule: RotationLabels, first: u32, rounds: u32) -> Self {
        let round = (0..rule.n).map(|bit| gather(rounds, |k| (first + k) >> bit & 1 == 1)).collect();
        Rotations { direction: rule.direction, round }
    }

    /// Label bits of a message, 2n - 1.
    #[cfg(test)]
    fn label_bits(&self) -> usize {
        2 * self.round.len() - 1
    }

    /// Writes the label of a lane in every round, the least significant bit first.
    #[inline(always)]
    pub fn label(&self, lane: u32, label: &mut [Plane<W>]) {
        let low = self.round.len() - 1;
        let mut top = [0; W];
        let lane_bits = |bit: usize| splat::<W>(lane >> bit & 1 == 1);
        self.turn(lane_bits, |bit, plane| {
            if bit < low {
                label[bit] = plane;
            } else {
                top = plane;
            }
        });
        let odd = self.round[0];
        // The first bit of x is that of y, the last is inverted in odd rounds.
        let invert: Plane<W> = std::array::from_fn(|w| top[w] ^ label[0][w] ^ odd[w]);
        for bit in 0..low {
            label[low + bit] = std::array::from_fn(|w| label[bit][w] ^ odd[w] ^ invert[w]);
        }
        label[2 * low] = std::array::from_fn(|w| top[w] ^ invert[w]);
    }

    /// The rounds in which a message of the lane in `source` (a plane per bit) is not for `output`.
    #[inline(always)]
    pub fn astray(&self, source: &[Plane<W>], output: u32) -> Plane<W> {
        let mut astray = [0; W];
        self.turn(
            |bit| source[bit],
            |bit, plane| {
                let expected = splat::<W>(output >> bit & 1 == 1);
                for w in 0..W {
                    astray[w] |= plane[w] ^ expected[w];
                }
            },
        );
        astray
    }

    /// Gives the bits of lane - k or lane + k (mod N), the least significant first.
    #[inline(always)]
    fn turn(&self, lane: impl Fn(usize) -> Plane<W>, mut give: impl FnMut(usize, Plane<W>)) {
        let right = splat::<W>(self.direction == Direction::Right);
        let mut carry = [0; W];
        for (bit, k) in self.round.iter().enumerate() {
            let lane = lane(bit);
            give(bit, std::array::from_fn(|w| lane[w] ^ k[w] ^ carry[w]));
            // A borrow when subtracting is a carry with the lane's bit inverted.
            carry = std::array::from_fn(|w| {
                let a = lane[w] ^ right[w];
                a & k[w] | carry[w] & (a | k[w])
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::plane::numbers;

    #[test]
    fn labels_and_destinations_are_those_of_the_schedule() {
        for direction in [Direction::Right, Direction::Left] {
            for n in 2..=9 {
                let rule = RotationLabels { n, direction };
                for first in (0..1u32 << n).step_by(128) {
                    let rounds = ((1 << n) - first).min(128);
                    let rotations = Rotations::<2>::new(rule, first, rounds);
                    let mut label = vec![[0; 2]; rotations.label_bits()];
                    let mut labels = vec![0; 128];
                    for lane in 0..1 << n {
                        rotations.label(lane, &mut label);
                        numbers(&label, &mut labels);
                        let source: Vec<_> = (0..n).map(|bit| splat::<2>(lane >> bit & 1 == 1)).collect();
                        for k in 0..rounds {
                            assert_eq!(labels[k as usize] as u64, rule.label(first + k, lane));
                            let bit = |plane: Plane<2>| plane[k as usize / 64] >> (k % 64) & 1;
                            let right = rule.destination(first + k, lane);
                            assert_eq!(bit(rotations.astray(&source, right)), 0);
                            for wrong in [right ^ 1, right ^ 1 << (n - 1)] {
                                assert_eq!(bit(rotations.astray(&source, wrong)), 1);
                            }
                        }
                    }
                }
            }
        }
    }
}
