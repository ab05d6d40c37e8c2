//! Changes of bytes.

use super::{one, part};
use frit_traffic::random::SplitMix64;

/// Changes a byte or a few, or takes, doubles or moves a part.
pub(crate) fn bytes(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let range = part(input.len(), random);
    match random.below(7) {
        0 => drop(input.drain(range)),
        1 => {
            let copy = input[range].to_vec();
            let at = random.below(input.len() as u32 + 1) as usize;
            input.splice(at..at, copy);
        }
        2 => input.truncate(range.end),
        3 => input[range].iter_mut().for_each(|byte| *byte = random.next() as u8),
        4 if !input.is_empty() => {
            let at = random.below(input.len() as u32) as usize;
            input[at] ^= 1 << random.below(8);
        }
        5 if !input.is_empty() => {
            let at = random.below(input.len() as u32) as usize;
            input[at] = *one(&[0, 1, 0x7f, 0x80, 0xfe, 0xff, b'\n', b' ', b'0'], random);
        }
        _ => {
            let size = *one(&[1usize, 2, 4, 8], random);
            let value = *one(&[0, 1, u64::MAX, u64::MAX >> 1, 1 << 31, 1 << 20, 1 << 40], random);
            let end = (range.start + size).min(input.len());
            let value = value.to_be_bytes();
            input[range.start..end].copy_from_slice(&value[8 - (end - range.start)..]);
        }
    }
}
