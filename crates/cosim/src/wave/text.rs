//! Binary digits as text, eight at a time.

/// The bits of a limb as characters `0` and `1`, the most significant first.
pub(super) fn digits(limb: u64) -> [u8; 64] {
    let mut text = [0; 64];
    for (eight, byte) in text.chunks_exact_mut(8).zip(limb.to_be_bytes()) {
        eight.copy_from_slice(&eight_digits(byte));
    }
    text
}

/// The same of the upper half of a limb.
pub(super) fn upper_digits(limb: u64) -> [u8; 32] {
    let mut text = [0; 32];
    for (eight, byte) in text.chunks_exact_mut(8).zip(limb.to_be_bytes()) {
        eight.copy_from_slice(&eight_digits(byte));
    }
    text
}

/// Copies the byte into all eight, keeps another bit of it in each, and carries what is kept to the highest bit: a byte
/// of at most 0x80, which is not zero, is 0x80 or more with 0x7f added, and no byte runs over into the next.
pub(super) fn eight_digits(byte: u8) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const EACH_BIT: u64 = 0x0102_0408_1020_4080;
    let kept = (byte as u64 * ONES) & EACH_BIT;
    let bits = ((kept + 0x7f * ONES) >> 7) & ONES;
    (bits | (b'0' as u64 * ONES)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_half_reads_as_the_standard_library_writes_it() {
        for byte in 0..=u8::MAX {
            assert_eq!(eight_digits(byte), format!("{byte:08b}").as_bytes(), "{byte}");
        }
        for limb in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(digits(limb), format!("{limb:064b}").as_bytes());
            assert_eq!(upper_digits(limb), format!("{limb:064b}").as_bytes()[..32]);
        }
    }
}
