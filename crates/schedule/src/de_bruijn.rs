//! Binary de Bruijn sequences: 2^l bits in which, read cyclically, every word of l bits stands once.
//!
//! The optical butterfly is controlled by one ("Systolic Routing in an Optical Butterfly", section 3.2). Three are
//! built in, from the literature on them: *prefer-one* (Martin 1934; the paper's own, after Fredricksen, "A survey of
//! full length nonlinear shift register cycle algorithms", SIAM Review 24(2), 1982), *prefer-same* (Eldert et al.
//! 1958, Fredricksen 1982, in the form of Alhakim, Sala and Sawada, "Revisiting the prefer-same and prefer-opposite
//! de Bruijn sequence constructions", 2021) and the *granddaddy* (Fredricksen and Maiorana 1978). Any other may be
//! given as text.

use crate::bits::Bits;

/// The largest order; its sequence has 2^24 bits.
pub const MAX_ORDER: u32 = 24;

/// Why a text is not the de Bruijn sequence asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum SequenceError {
    #[error("{given} is not an order of a de Bruijn sequence; give 1 to {MAX_ORDER}")]
    Order { given: u32 },
    #[error("line {line}, column {column}: {given:?} is not a bit; expected 0, 1 and white space")]
    Character { line: usize, column: usize, given: char },
    #[error("the sequence has {given} bits, but a sequence of order {order} has 2^{order} = {expected}{}",
        if *unrolled { " (the last bits repeat the first bits; leave them out, because the sequence is read cyclically)" } else { "" })]
    Length { given: usize, order: u32, expected: usize, unrolled: bool },
    #[error(
        "the word {word} stands at bit {first} and again at bit {second} (counted from 0), and the word {missing} is missing"
    )]
    Repeated { word: String, first: usize, second: usize, missing: String },
}

/// A de Bruijn sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeBruijn {
    order: u32,
    bits: Bits,
}

impl DeBruijn {
    /// The prefer-one sequence: l zeros, then always a one if that makes a new word, else a zero.
    pub fn prefer_one(order: u32) -> Result<Self, SequenceError> {
        // The seed is part of the sequence: its bits are those that leave the words, the first of each.
        Ok(Self::greedy(order, greedy(order, 0, |_| true)?.map(|word| word >> (order - 1) & 1 == 1)))
    }

    /// The prefer-same sequence: after … 0 1 0 1 0 a one, then always the last bit again if that makes a new word, else
    /// the other. The seed is not part of it. Its run lengths are the largest in lexicographic order.
    pub fn prefer_same(order: u32) -> Result<Self, SequenceError> {
        check_order(order)?;
        let alternating = 0xaaaa_aaaa; // … 1 0 1 0
        let seed = (alternating << 1 | 1) & mask(order);
        // The bits from the first one on are those that entered the words, the last of each.
        Ok(Self::greedy(order, greedy(order, seed, |word| word & 1 == 1)?.map(|word| word & 1 == 1)))
    }

    /// The lexicographically least sequence: all Lyndon words whose length divides l, in lexicographic order.
    pub fn granddaddy(order: u32) -> Result<Self, SequenceError> {
        check_order(order)?;
        let mut bits = Vec::with_capacity(1 << order);
        let mut word = vec![false]; // Duval's algorithm: the Lyndon words of at most l bits in order
        loop {
            if order.is_multiple_of(word.len() as u32) {
                bits.extend_from_slice(&word);
            }
            let period = word.len();
            for at in period..order as usize {
                word.push(word[at - period]);
            }
            while word.last() == Some(&true) {
                word.pop();
            }
            match word.last_mut() {
                Some(last) => *last = true,
                None => break,
            }
        }
        Ok(DeBruijn { order, bits: bits.into_iter().collect() })
    }

    /// A user's sequence: characters 0 and 1, white space ignored.
    pub fn parse(text: &str, order: u32) -> Result<Self, SequenceError> {
        check_order(order)?;
        let mut bits = Vec::new();
        for (line, content) in text.lines().enumerate() {
            for (column, given) in content.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
                let wrong = SequenceError::Character { line: line + 1, column: column + 1, given };
                bits.push(match given {
                    '0' => false,
                    '1' => true,
                    _ => return Err(wrong),
                });
            }
        }
        Self::from_bits(order, &bits)
    }

    /// A sequence from its bits, if it is one of this order.
    pub fn from_bits(order: u32, bits: &[bool]) -> Result<Self, SequenceError> {
        check_order(order)?;
        let (given, expected, overlap) = (bits.len(), 1usize << order, order as usize - 1);
        if given != expected {
            let unrolled = overlap > 0 && given == expected + overlap && bits[expected..] == bits[..overlap];
            return Err(SequenceError::Length { given, order, expected, unrolled });
        }
        let sequence = DeBruijn { order, bits: bits.iter().copied().collect() };
        sequence.verify()?;
        Ok(sequence)
    }

    /// Every word once, or which one stands twice.
    fn verify(&self) -> Result<(), SequenceError> {
        let mut seen = Bits::zeros(self.len());
        let repeated = self.words().enumerate().find(|&(_, word)| !seen.set(word as usize));
        let Some((second, word)) = repeated else { return Ok(()) };
        let first = self.words().position(|w| w == word).unwrap_or(second);
        let mut all = Bits::zeros(self.len());
        self.words().for_each(|word| {
            all.set(word as usize);
        });
        // There are as many places as words, so when one stands twice another is missing.
        let missing = (0..self.len()).find(|&word| !all.get(word)).unwrap_or(0);
        let text = |word: usize| format!("{word:0width$b}", width = self.order as usize);
        Err(SequenceError::Repeated { word: text(word as usize), first, second, missing: text(missing) })
    }

    /// The bits of a greedy construction that has found every word.
    fn greedy(order: u32, bits: impl Iterator<Item = bool>) -> Self {
        let bits: Bits = bits.collect();
        assert_eq!(bits.len(), 1 << order, "a greedy construction of order {order} stopped early");
        DeBruijn { order, bits }
    }

    /// l: the words have this many bits.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// The period, 2^l.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// The bit at `at`, read cyclically.
    pub fn bit(&self, at: u64) -> bool {
        self.bits.get((at & (self.len() as u64 - 1)) as usize)
    }

    /// The word of l bits that starts at `at`, its first bit the most significant.
    pub fn word(&self, at: u64) -> u32 {
        (0..self.order as u64).fold(0, |word, j| word << 1 | self.bit(at + j) as u32)
    }

    /// The words that start at bits 0, 1, 2, …
    pub fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let ahead = self.order as u64 - 1;
        let mut word = self.word(0) >> 1;
        (0..self.len() as u64).map(move |at| {
            word = (word << 1 | self.bit(at + ahead) as u32) & mask(self.order);
            word
        })
    }

    /// Where each word starts.
    pub fn positions(&self) -> Vec<u32> {
        let mut positions = vec![0; self.len()];
        for (at, word) in self.words().enumerate() {
            positions[word as usize] = at as u32;
        }
        positions
    }

    /// The feedback function of the shift register that runs through the sequence, as a truth table: for each state
    /// (the l bits that leave next, the first of them most significant) the bit that enters behind them.
    pub fn feedback(&self) -> Bits {
        let mut table = Bits::zeros(self.len());
        for (at, word) in self.words().enumerate() {
            if self.bit(at as u64 + self.order as u64) {
                table.set(word as usize);
            }
        }
        table
    }
}

impl std::fmt::Display for DeBruijn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (0..self.len()).try_for_each(|at| f.write_str(if self.bits.get(at) { "1" } else { "0" }))
    }
}

/// The bit that follows the state a_1 … a_l (a_1, the most significant, leaves first) in the prefer-one sequence,
/// computed from the state alone.
///
/// Let k be the first index ≥ 2 with a_k = 1, or l + 1 if there is none, and w the word a_k … a_l 1 0 … 0 with k - 2
/// zeros. The bit is the complement of a_1 if w is the largest of its own rotations, else a_1. This is a necklace test;
/// the sequence has had one since Fredricksen, "Generation of the Ford sequence of length 2^n, n large" (1972). The
/// tests compare it with the greedy construction.
///
/// # Panics
///
/// If there is no such order or the state has more than `order` bits.
pub fn prefer_one_successor(order: u32, state: u32) -> bool {
    assert!((1..=MAX_ORDER).contains(&order) && state <= mask(order), "state {state:#b} of order {order}");
    let first = state >> (order - 1) == 1;
    let rest = state & mask(order) >> 1;
    let significant = u32::BITS - rest.leading_zeros(); // l - k + 1
    let word = (rest << 1 | 1) << (order - 1 - significant);
    let rotate = |by: u32| (word << by | word >> (order - by)) & mask(order);
    let largest = (1..order).all(|by| rotate(by) <= word);
    first != largest
}

fn mask(order: u32) -> u32 {
    (1 << order) - 1
}

fn check_order(order: u32) -> Result<(), SequenceError> {
    if (1..=MAX_ORDER).contains(&order) { Ok(()) } else { Err(SequenceError::Order { given: order }) }
}

/// A greedy construction: from `seed` on, appends the preferred bit if the word it makes is new, else the other if
/// that is, else stops. Gives the words. Memory: a bit per word.
fn greedy(
    order: u32,
    seed: u32,
    prefer: impl Fn(u32) -> bool,
) -> Result<impl Iterator<Item = u32>, SequenceError> {
    check_order(order)?;
    let mut seen = Bits::zeros(1 << order);
    seen.set(seed as usize);
    let mut now = Some(seed);
    Ok(std::iter::from_fn(move || {
        let word = now?;
        let mut enter = |bit: bool| {
            let next = (word << 1 | bit as u32) & mask(order);
            seen.set(next as usize).then_some(next)
        };
        let preferred = prefer(word);
        now = enter(preferred).or_else(|| enter(!preferred));
        Some(word)
    }))
}

#[cfg(test)]
mod tests;
