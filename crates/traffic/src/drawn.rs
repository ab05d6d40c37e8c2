//! Pauses and words that emitted testbenches draw as well: everything here is a few operations on 32 bits.

/// The next state of the pauses, which is also the draw.
pub fn draw(state: u32) -> u32 {
    let state = state ^ state << 13;
    let state = state ^ state >> 17;
    state ^ state << 5
}

/// Bits 32·`block` and up of word `word` of set `set` in phase `phase`; all count from 0.
pub fn block(phase: u64, set: u64, word: u64, block: u64) -> u32 {
    let key = (phase as u32)
        .wrapping_mul(0x85eb_ca6b)
        .wrapping_add((set as u32).wrapping_mul(0xc2b2_ae35))
        .wrapping_add((word as u32).wrapping_mul(0x9e37_79b1))
        .wrapping_add((block as u32).wrapping_mul(0x27d4_eb2f));
    let key = (key ^ key >> 15).wrapping_mul(0x2c1b_3c6d);
    let key = (key ^ key >> 12).wrapping_mul(0x297a_2d39);
    key ^ key >> 15
}

/// A word of up to 64 bits.
pub fn word(phase: u64, set: u64, word: u64, width: u32) -> u64 {
    let bits = u64::from(block(phase, set, word, 0)) | u64::from(block(phase, set, word, 1)) << 32;
    bits & u64::MAX >> (64 - width.min(64))
}

/// The words of a beat as one number in hexadecimal; `block(lane, b)` gives bits 32·b and up of a lane's word.
pub fn hexadecimal(lanes: u32, width: u32, block: impl Fn(u32, u32) -> u32) -> String {
    let bits = lanes * width;
    let bit = |at: u32| {
        let (lane, place) = (at / width, at % width);
        block(lane, place / 32) >> (place % 32) & 1
    };
    let digit = |digit: u32| {
        let value = (0..4).filter(|k| 4 * digit + k < bits).map(|k| bit(4 * digit + k) << k).sum();
        char::from_digit(value, 16).expect("four bits")
    };
    (0..bits.div_ceil(4)).rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_side_by_side_in_hexadecimal() {
        assert_eq!(hexadecimal(3, 8, |lane, _| 0x10 * (lane + 1) + lane), "322110");
        assert_eq!(hexadecimal(3, 3, |lane, _| lane + 1), "0d1");
        assert_eq!(hexadecimal(1, 40, |_, block| [0xdead_beef, 0x12][block as usize]), "12deadbeef");
    }
}
