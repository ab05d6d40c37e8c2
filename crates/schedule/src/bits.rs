//! A row of bits, packed.

/// Bits 0 … len - 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    len: usize,
    words: Vec<u64>,
}

impl Bits {
    /// All zero.
    pub fn zeros(len: usize) -> Self {
        Bits { len, words: vec![0; len.div_ceil(64)] }
    }

    /// How many.
    #[allow(clippy::len_without_is_empty)] // nothing asks
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bit at `at`.
    pub fn get(&self, at: usize) -> bool {
        assert!(at < self.len, "bit {at} of {}", self.len);
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Sets the bit at `at` to one; true if it was zero.
    pub fn set(&mut self, at: usize) -> bool {
        assert!(at < self.len, "bit {at} of {}", self.len);
        let (word, mask) = (&mut self.words[at / 64], 1u64 << (at % 64));
        let new = *word & mask == 0;
        *word |= mask;
        new
    }

    /// How many are one.
    pub fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| word.count_ones() as u64).sum()
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Self {
        let (mut len, mut words) = (0, Vec::new());
        for bit in bits {
            if len % 64 == 0 {
                words.push(0u64);
            }
            words[len / 64] |= (bit as u64) << (len % 64);
            len += 1;
        }
        Bits { len, words }
    }
}
