//! What an arrival is compared with.

use super::plane::{Plane, splat};
use super::rotation::Rotations;
use frit_schedule::obf::Systolic;

/// How the arrivals of a batch are checked; the planes of an arrival are the number of the lane that sent it.
pub(super) enum Check<'a, const W: usize> {
    /// The sender rotated by the round is the output.
    Rotated(&'a Rotations<W>),
    /// The routing word of the round leads from the sender to the output.
    Systolic(&'a RoutingWords<W>),
    /// The prepare phase: what arrives is noted, `source bits` planes per output lane.
    Note(&'a mut [Plane<W>]),
    /// The phase behind it: a source queued its message of a round for the output at which its number was noted, so
    /// what arrives must be the number noted.
    Noted(&'a [Plane<W>]),
}

impl<const W: usize> Check<'_, W> {
    /// The rounds in which what arrives at output `lane` is for another.
    #[inline(always)]
    pub fn astray(&mut self, source: &[Plane<W>], lane: u32) -> Plane<W> {
        let at = lane as usize * source.len();
        match self {
            Check::Rotated(rotations) => rotations.astray(source, lane),
            Check::Systolic(words) => words.astray(source, lane),
            Check::Note(notes) => {
                notes[at..at + source.len()].copy_from_slice(source);
                [0; W]
            }
            Check::Noted(notes) => {
                let mut astray = [0; W];
                for (arrived, noted) in source.iter().zip(&notes[at..at + source.len()]) {
                    for w in 0..W {
                        astray[w] |= arrived[w] ^ noted[w];
                    }
                }
                astray
            }
        }
    }
}

/// The systolic routing words of a batch: bit j of the words in plane j.
pub(super) struct RoutingWords<const W: usize>(Vec<Plane<W>>);

impl<const W: usize> RoutingWords<W> {
    /// Of rounds `first`, `first + 1`, …
    pub fn new(rule: &Systolic, first: u32, rounds: u32) -> Self {
        let mut planes = vec![[0; W]; rule.dimension() as usize];
        for round in 0..rounds {
            let word = rule.routing_word((first + round) as u64);
            for (bit, plane) in planes.iter_mut().enumerate() {
                plane[round as usize / 64] |= (word as u64 >> bit & 1) << (round % 64);
            }
        }
        RoutingWords(planes)
    }

    /// The rounds in which a message of the lane in `source` is not for `output`: lane 2s + down goes, with the word or
    /// for down = 1 its complement a, to lane 2 (s XOR a) + a_last.
    #[inline(always)]
    fn astray(&self, source: &[Plane<W>], output: u32) -> Plane<W> {
        let down = source[0];
        let expected = splat::<W>(output & 1 == 1);
        let mut astray: Plane<W> = std::array::from_fn(|w| self.0[0][w] ^ down[w] ^ expected[w]);
        for (bit, word) in self.0.iter().enumerate() {
            let expected = splat::<W>(output >> (bit + 1) & 1 == 1);
            for w in 0..W {
                astray[w] |= source[bit + 1][w] ^ word[w] ^ down[w] ^ expected[w];
            }
        }
        astray
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::de_bruijn::DeBruijn;

    #[test]
    fn systolic_destinations_are_those_of_the_schedule() {
        for order in 1..=8 {
            let rule = Systolic::new(DeBruijn::prefer_one(order).unwrap());
            let (bits, rounds) = (order + 2, rule.period().min(64));
            for first in [0, rule.period() - rounds] {
                let words = RoutingWords::<1>::new(&rule, first, rounds);
                for lane in 0..1u32 << bits {
                    let source: Vec<_> = (0..bits).map(|bit| splat::<1>(lane >> bit & 1 == 1)).collect();
                    for round in 0..rounds {
                        let right = rule.destination((first + round) as u64, lane);
                        assert_eq!(words.astray(&source, right)[0] >> round & 1, 0);
                        for wrong in [right ^ 1, right ^ 2, right ^ 1 << (bits - 1)] {
                            assert_eq!(words.astray(&source, wrong)[0] >> round & 1, 1);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_arrival_that_was_not_noted_is_astray() {
        let mut notes = vec![[0; 1]; 4];
        let source = [[0b0110], [0b1010]];
        assert_eq!(Check::Note(&mut notes).astray(&source, 1), [0]);
        assert_eq!(Check::Noted(&notes).astray(&source, 1), [0]);
        assert_eq!(Check::Noted(&notes).astray(&[[0b0111], [0b0010]], 1), [0b1001]);
        assert_eq!(Check::Noted(&notes).astray(&source, 0), [0b1110]);
    }
}
