//! Sets of small numbers, a bit each.

use std::ops::Range;

/// A set.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        Bits(vec![0; count.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Words of 64 numbers.
    pub(super) fn words(&self) -> usize {
        self.0.len()
    }

    pub(super) fn word(&self, word: usize) -> u64 {
        self.0[word]
    }

    /// Empties a word and gives what was in it.
    pub(super) fn take_word(&mut self, word: usize) -> u64 {
        std::mem::take(&mut self.0[word])
    }

    /// Words that a range touches, and which of their bits it has.
    fn masks(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
        let words = if range.is_empty() { 0..0 } else { range.start / 64..(range.end - 1) / 64 + 1 };
        words.map(move |word| {
            let from = range.start.saturating_sub(64 * word);
            let to = (range.end - 64 * word).min(64);
            (word, !0 << from & !0 >> (64 - to))
        })
    }

    /// The least number of a range that is not in the set.
    pub(super) fn first_missing(&self, range: Range<usize>) -> Option<usize> {
        Self::masks(range).find_map(|(word, mask)| {
            let free = !self.0[word] & mask;
            (free != 0).then(|| 64 * word + free.trailing_zeros() as usize)
        })
    }

    /// Moves the numbers of a range from this set to another.
    pub(super) fn move_to(&mut self, other: &mut Bits, range: Range<usize>) {
        for (word, mask) in Self::masks(range) {
            other.0[word] |= self.0[word] & mask;
            self.0[word] &= !mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_over_words() {
        let (mut set, mut other) = (Bits::new(200), Bits::new(200));
        for number in 0..200 {
            set.insert(number);
        }
        assert_eq!(set.first_missing(3..200), None);
        set.remove(130);
        set.remove(64);
        assert_eq!(
            [set.first_missing(65..200), set.first_missing(0..64), set.first_missing(5..5)],
            [Some(130), None, None]
        );
        set.move_to(&mut other, 63..129);
        let has = |set: &Bits| (0..200).filter(|&number| set.contains(number)).collect::<Vec<_>>();
        assert_eq!(has(&other), [63].into_iter().chain(65..129).collect::<Vec<_>>());
        assert_eq!(has(&set).len(), 200 - 2 - 65);
    }
}
