//! The messages: an N × N matrix of words, row = source, column = destination.
//!
//! A complete exchange delivers its transpose: what receiver r got from source s stands in row r, column s.

mod parse;
mod word;

use crate::random::SplitMix64;
use frit_network::{Refusal, refuse};
pub use parse::{Notation, from_array, from_bin, from_csv, parse_word, to_bin, to_csv};
use std::borrow::Cow;
pub use word::{hex, limbs_of};

/// The widest word, in bits.
pub const MAX_WIDTH: u32 = 1024;

/// A matrix of `terminals` × `terminals` words of `width_bits` bits, 64-bit limbs, least significant first. The limbs may be somebody
/// else's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordMatrix<'a> {
    terminals: u32,
    width_bits: u32,
    limbs: Cow<'a, [u64]>,
}

/// Refuses words without bits, or with too many.
pub fn check_width(given: u64) -> Result<u32, Refusal> {
    match u32::try_from(given) {
        Ok(width @ 1..=MAX_WIDTH) => Ok(width),
        _ => refuse!("words of {given} bits are not possible; give a width from 1 to {MAX_WIDTH}"),
    }
}

/// A matrix that owns its words.
pub type Payload = WordMatrix<'static>;

impl<'a> WordMatrix<'a> {
    /// These limbs, row by row.
    ///
    /// # Errors
    ///
    /// A width that is no multiple of 64, so that a limb could have too many bits; or another number of limbs.
    pub fn of_limbs(terminals: u32, width_bits: u32, limbs: &'a [u64]) -> Result<Self, Refusal> {
        if !width_bits.is_multiple_of(64) || !(64..=MAX_WIDTH).contains(&width_bits) {
            refuse!("words of {width_bits} bits are not possible; give a width from 1 to {MAX_WIDTH}");
        }
        let expected = terminals as usize * terminals as usize * limbs_of(width_bits);
        if limbs.len() != expected {
            let (given, expected) = (8 * limbs.len(), 8 * expected);
            refuse!(
                "the payload has {given} bytes, expected {expected}: {terminals} x {terminals} little-endian words of {} bytes",
                8 * limbs_of(width_bits)
            );
        }
        Ok(WordMatrix { terminals, width_bits, limbs: limbs.into() })
    }

    /// The limbs, row by row.
    pub fn into_limbs(self) -> Vec<u64> {
        self.limbs.into_owned()
    }
}

impl Payload {
    /// All words zero.
    pub fn zero(terminals: u32, width_bits: u32) -> Self {
        let words = terminals as usize * terminals as usize;
        Payload { terminals, width_bits, limbs: vec![0; words * limbs_of(width_bits)].into() }
    }

    /// Pseudo-random words from a seed (splitmix64, row by row).
    pub fn random(terminals: u32, width_bits: u32, seed: u64) -> Self {
        let mut payload = Payload::zero(terminals, width_bits);
        let mut random = SplitMix64(seed);
        for word in payload.limbs.to_mut().chunks_exact_mut(limbs_of(width_bits)) {
            word.fill_with(|| random.next());
            word::mask(word, width_bits);
        }
        payload
    }

    /// Stores a word; bits above the width must be zero.
    pub fn set(&mut self, row: u32, column: u32, word: &[u64]) {
        let range = self.range(row, column);
        self.limbs.to_mut()[range].copy_from_slice(word);
    }
}

impl WordMatrix<'_> {
    /// Number of terminals: rows and columns.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    /// Bits of a word.
    pub fn width_bits(&self) -> u32 {
        self.width_bits
    }

    fn range(&self, row: u32, column: u32) -> std::ops::Range<usize> {
        let limbs = limbs_of(self.width_bits);
        let start = (row as usize * self.terminals as usize + column as usize) * limbs;
        start..start + limbs
    }

    /// The word that source `row` has for destination `column`, least significant limb first.
    pub fn word(&self, row: u32, column: u32) -> &[u64] {
        &self.limbs[self.range(row, column)]
    }

    /// The words of the first `terminals` terminals, those of terminals that it has not being zero.
    pub fn resized(&self, terminals: u32) -> Payload {
        let mut resized = Payload::zero(terminals, self.width_bits);
        let both = terminals.min(self.terminals);
        for row in 0..both {
            for column in 0..both {
                resized.set(row, column, self.word(row, column));
            }
        }
        resized
    }

    /// The transpose by definition.
    pub fn transposed(&self) -> Payload {
        let mut transposed = Payload::zero(self.terminals, self.width_bits);
        for row in 0..self.terminals {
            for column in 0..self.terminals {
                transposed.set(column, row, self.word(row, column));
            }
        }
        transposed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_words_fit_their_width_and_depend_on_the_seed() {
        for width in [1, 8, 33, 64, 200] {
            let payload = Payload::random(4, width, 1);
            assert_eq!(payload, Payload::random(4, width, 1));
            assert_ne!(payload, Payload::random(4, width, 2));
            let spare = limbs_of(width) as u32 * 64 - width;
            assert!((0..4).all(|r| payload.word(r, r).last().unwrap().leading_zeros() >= spare));
        }
    }

    #[test]
    fn limbs_are_words() {
        let payload = Payload::random(3, 128, 2);
        let limbs = payload.clone().into_limbs();
        assert_eq!(WordMatrix::of_limbs(3, 128, &limbs), Ok(payload));
        let text = |width, limbs: &[u64]| WordMatrix::of_limbs(3, width, limbs).unwrap_err().to_string();
        assert!(text(128, &limbs[1..]).starts_with("the payload has 136 bytes, expected 144"));
        assert!(text(65, &limbs).starts_with("words of 65 bits are not possible"));
    }

    #[test]
    fn transposing_twice_gives_the_matrix_back() {
        let payload = Payload::random(5, 70, 3);
        assert_ne!(payload.transposed(), payload);
        assert_eq!(payload.transposed().transposed(), payload);
        assert_eq!(payload.transposed().word(1, 4), payload.word(4, 1));
    }
}
