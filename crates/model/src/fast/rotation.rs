//! The labels of Algorithm 1 and the destinations of the rotations, for many rounds and some lanes at a time.
//!
//! With y = destination = (i - k) mod N for a right rotation of order k: for odd k, N/2 - i + k - 1 = ~y + N/2 mod N,
//! which is y with its n - 1 low bits inverted. And π̂(x) is x if the first and the last bit of x are the same, else ~x.
//! A left rotation by k has y = (i + k) mod N, and its order N - k is odd when k is. The tests hold all of it to
//! [`RotationLabels`], where the paper's text is followed.

use super::plane::{Vector, add, any, gather, repeat, splat, spread};
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
        let (y, rest) = label.split_at_mut(low + 1);
        for (bit, y) in y.iter_mut().enumerate() {
            *y = spread::<W>(|place| lanes[place] >> bit & 1 == 1);
        }
        self.turn(y);
        let (first, top, odd) = (y[0], y[low], self.round[0]);
        // The first bit of x is that of y, the last is inverted in odd rounds.
        let invert: Vector = std::array::from_fn(|w| top[w] ^ first[w] ^ odd[w]);
        y[low] = std::array::from_fn(|w| first[w] ^ odd[w] ^ invert[w]);
        for (rest, y) in rest.iter_mut().zip(&y[1..low]) {
            *rest = std::array::from_fn(|w| y[w] ^ odd[w] ^ invert[w]);
        }
        rest[low - 1] = std::array::from_fn(|w| top[w] ^ invert[w]);
    }

    /// Marks the lanes of `source` (a vector per bit) whose message is not addressed to their lane of `output`. `room` is scratch space.
    #[inline(always)]
    pub fn astray(&self, source: &[Vector], output: impl Fn(usize) -> Vector, room: &mut [Vector]) -> Vector {
        let y = &mut room[..source.len()];
        y.copy_from_slice(source);
        self.turn(y);
        any(y, |bit, y| {
            let output = output(bit);
            std::array::from_fn(|w| y[w] ^ output[w])
        })
    }

    /// Makes lane - k or lane + k (mod N) of lanes.
    #[inline(always)]
    fn turn(&self, lanes: &mut [Vector]) {
        add(lanes, &self.round, &splat(self.direction == Direction::Right));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::plane::numbers;
    use frit_network::RoundIdx;
    use frit_schedule::rotation::Middle;

    fn check<const W: usize>(rule: RotationLabels) {
        let (size, lanes_at_a_time) = (1u32 << rule.n, 8 / W as u32);
        let mut label = vec![[0; 8]; 2 * rule.n as usize - 1];
        let mut room = label.clone();
        let planes = |numbers: &[u32]| -> Vec<Vector> {
            (0..rule.n).map(|bit| spread::<W>(|place| numbers[place] >> bit & 1 == 1)).collect()
        };
        let mut labels = vec![0; 512];
        for first in (0..size).step_by(64 * W) {
            let rounds = (size - first).min(64 * W as u32);
            let rotations = Rotations::<W>::new(rule, first, rounds);
            for lane in (0..size).step_by(lanes_at_a_time as usize) {
                let lanes: Vec<u32> = (0..lanes_at_a_time).map(|more| (lane + more) % size).collect();
                rotations.labels(&lanes, &mut label);
                numbers::<8>(label.as_flattened(), &mut labels);
                let source = planes(&lanes);
                for (place, &lane) in lanes.iter().enumerate() {
                    for k in 0..rounds {
                        let at = place * 64 * W + k as usize;
                        assert_eq!(labels[at] as u64, rule.label(RoundIdx(first + k), lane));
                        let right = rule.destination(RoundIdx(first + k), lane);
                        for (output, wrong) in [(right, 0), (right ^ 1, 1), (right ^ (size / 2), 1)] {
                            let astray =
                                rotations.astray(&source, |bit| splat(output >> bit & 1 == 1), &mut room);
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
