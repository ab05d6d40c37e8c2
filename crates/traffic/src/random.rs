//! Pseudo-random numbers, always seeded: one generator, and the two ways in which streams are derived from a seed.
//!
//! [`source_stream`] is the derivation of this project's h-relations; [`stream`] that of the references of the routed
//! systems, so that their figures can be compared number for number. Both stay: what a seed gives never changes.

/// Steele, Lea and Flood's splitmix64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)] // an endless stream, not an iterator
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix64(self.0)
    }

    /// A number below `limit` from one draw, the high half of draw · limit. 0 if `limit` is.
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u32
    }

    /// Shuffles by Fisher and Yates, from the last place to the first, a draw for each place but the first.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // Fewer than 2^32 items fit where these are used.
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// The numbers 0 … `count` − 1, shuffled.
    pub fn permutation(&mut self, count: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..count).collect();
        self.shuffle(&mut numbers);
        numbers
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix64(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The numbers of one purpose (`tag`) of a routed system's run: streams of different seeds and tags have nothing to do
/// with each other.
pub fn stream(seed: u64, tag: u64) -> SplitMix64 {
    SplitMix64(mix64(mix64(seed.wrapping_add(GOLDEN)).wrapping_add(tag)))
}

/// The numbers of one source of an h-relation.
pub fn source_stream(seed: u64, source: u32) -> SplitMix64 {
    let seed = SplitMix64(seed).next();
    SplitMix64(SplitMix64(seed.wrapping_add(source.into())).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_of_zero() {
        let mut random = SplitMix64(0);
        let got = [random.next(), random.next(), random.next()];
        assert_eq!(got, [0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f]);
    }

    #[test]
    fn streams_and_permutations_are_those_of_the_references() {
        let mut random = stream(1, 0x200);
        let got = [random.next(), random.next(), random.next()];
        assert_eq!(got, [0xd4768736db3a3e36, 0xd6d2f4f9db107c07, 0xef35696ba60b0c40]);
        assert_eq!(stream(7, 5).permutation(8), [6, 7, 4, 2, 3, 5, 1, 0]);
    }

    #[test]
    fn numbers_stay_below_their_limit() {
        let mut random = SplitMix64(3);
        assert!((0..1000).all(|_| random.below(7) < 7));
        assert_eq!(random.below(1), 0);
    }
}
