//! Binary digits as text, eight at a time.

/// The highest N bits of a limb as characters `0` and `1`, the most significant first; N is a multiple of 8.
pub(super) fn digits<const N: usize>(limb: u64) -> [u8; N] {
    let mut text = [0; N];
    for (eight, byte) in text.chunks_exact_mut(8).zip(limb.to_be_bytes()) {
        eight.copy_from_slice(&eight_digits(byte));
    }
    text
}

pub(super) fn eight_digits(byte: u8) -> [u8; 8] {
    DIGITS[byte as usize]
}

/// Of every byte its digits: 2 KiB, which stay in the cache.
static DIGITS: [[u8; 8]; 256] = {
    let mut digits = [[b'0'; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        let (byte, place) = (at / 8, at % 8);
        digits[byte][place] += (byte >> (7 - place) & 1) as u8;
        at += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_half_reads_as_the_standard_library_writes_it() {
        for byte in 0..=u8::MAX {
            assert_eq!(eight_digits(byte), format!("{byte:08b}").as_bytes(), "{byte}");
        }
        for limb in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(digits::<64>(limb), format!("{limb:064b}").as_bytes());
            assert_eq!(digits::<32>(limb), format!("{limb:064b}").as_bytes()[..32]);
        }
    }
}
