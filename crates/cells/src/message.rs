//! Messages of many words.

/// How the words of a message are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageWords {
    /// Bits of a word's number in its message, 1 at least.
    pub bits: u32,
    pub last: u64,
}

impl MessageWords {
    /// For messages of `words` words, 1 at least.
    pub fn new(words: u32) -> Self {
        MessageWords { bits: (words - 1).max(1).ilog2() + 1, last: u64::from(words) - 1 }
    }
}
