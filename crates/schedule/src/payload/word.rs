//! Words of any width as 64-bit limbs, least significant first.

/// Limbs of a word of `width_bits` bits.
pub fn limbs_of(width_bits: u32) -> usize {
    width_bits.div_ceil(64) as usize
}

/// Clears the bits above the width.
pub(super) fn mask(limbs: &mut [u64], width_bits: u32) {
    if let (Some(last), rest @ 1..) = (limbs.last_mut(), width_bits % 64) {
        *last &= (1 << rest) - 1;
    }
}

/// The word in lower-case hexadecimal, ⌈width / 4⌉ digits: what `%h` prints in Verilog.
pub fn hex(limbs: &[u64], width_bits: u32) -> String {
    let digits = width_bits.div_ceil(4);
    (0..digits)
        .rev()
        .map(|digit| {
            let bit = digit as usize * 4;
            let nibble = limbs[bit / 64] >> (bit % 64) & 15;
            char::from_digit(nibble as u32, 16).unwrap_or('0') // a nibble is always a digit
        })
        .collect()
}

/// Steele, Lea and Flood's splitmix64: the project's one source of pseudo-random numbers, always seeded.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)] // an endless stream, not an iterator
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_as_verilog_prints_it() {
        assert_eq!(hex(&[0x1f], 5), "1f");
        assert_eq!(hex(&[0xab], 12), "0ab");
        assert_eq!(hex(&[0x0123_4567_89ab_cdef, 1], 65), "10123456789abcdef");
        assert_eq!(hex(&[1], 1), "1");
    }

    #[test]
    fn splitmix_of_zero() {
        let mut random = SplitMix64(0);
        let got = [random.next(), random.next(), random.next()];
        assert_eq!(got, [0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f]);
    }
}
