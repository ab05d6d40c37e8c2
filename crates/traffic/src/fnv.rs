//! The hash of Fowler, Noll and Vo (xor before multiplication: FNV-1a), over bytes or over 32-bit words: [`Fnv32`] names what is in a
//! design, [`Fnv64`] what happened in a run. Both are the same on every machine, and no protection against anybody.

macro_rules! fnv {
    ($name:ident, $bits:ty, $basis:literal, $prime:literal, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name($bits);

        impl Default for $name {
            fn default() -> Self {
                $name($basis)
            }
        }

        impl $name {
            /// The digest of a text, byte by byte.
            pub fn of_text(text: &str) -> $bits {
                let mut hash = $name::default();
                text.bytes().for_each(|byte| hash.word(byte.into()));
                hash.digest()
            }

            /// The digest of words.
            pub fn of_words(words: impl IntoIterator<Item = u32>) -> $bits {
                let mut hash = $name::default();
                words.into_iter().for_each(|word| hash.word(word));
                hash.digest()
            }

            /// Takes a word.
            #[inline]
            pub fn word(&mut self, word: u32) {
                self.0 = (self.0 ^ <$bits>::from(word)).wrapping_mul($prime);
            }

            /// Takes words.
            pub fn words(&mut self, words: &[u32]) {
                words.iter().for_each(|&word| self.word(word));
            }

            /// The digest of what was taken.
            pub fn digest(self) -> $bits {
                self.0
            }
        }
    };
}

fnv!(Fnv32, u32, 0x811c_9dc5, 0x0100_0193, "The hash of 32 bits.");
fnv!(Fnv64, u64, 0xcbf2_9ce4_8422_2325, 0x100_0000_01b3, "The hash of 64 bits.");

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that the authors publish.
    #[test]
    fn the_published_values() {
        let of = |text| (Fnv32::of_text(text), Fnv64::of_text(text));
        assert_eq!(of(""), (0x811c_9dc5, 0xcbf2_9ce4_8422_2325));
        assert_eq!(of("a"), (0xe40c_292c, 0xaf63_dc4c_8601_ec8c));
        assert_eq!(of("foobar"), (0xbf9c_f968, 0x8594_4171_f739_67e8));
        assert_eq!(Fnv32::of_words([0x66, 0x6f]), Fnv32::of_text("fo"));
        assert_ne!(Fnv64::of_words([0x66, 0x6f]), Fnv64::of_words([0x666f]));
    }
}
