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
}
