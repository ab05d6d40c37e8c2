//! Changes of inputs that know their form: words and lines of text, values of JSON, sections of FST.

mod bytes;
mod fst;
mod fst_values;
mod json;
mod text;

pub(crate) use bytes::bytes;
pub(crate) use fst::fst;
pub(crate) use json::json;
pub(crate) use text::text;

use frit_traffic::random::SplitMix64;

/// Bytes of a changed input: what is repeated stays below, since an input may be a single line.
pub(crate) const LONGEST: usize = 16384;

/// How many changes are made at once: one as often as more, since most inputs with many are refused where they begin.
fn times(random: &mut SplitMix64) -> u32 {
    if random.below(2) == 0 { 1 } else { 1 + random.below(4) }
}

fn one<'a, T>(of: &'a [T], random: &mut SplitMix64) -> &'a T {
    &of[random.below(of.len() as u32) as usize]
}

/// A part of something of that length, as it is short more often than long.
fn part(length: usize, random: &mut SplitMix64) -> std::ops::Range<usize> {
    let start = random.below(length as u32 + 1) as usize;
    let most = (length - start).min(1 << random.below(12));
    start..start + random.below(most as u32 + 1) as usize
}

/// Numbers at which something ends.
const NUMBERS: [&str; 28] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "16",
    "63",
    "64",
    "65",
    "255",
    "256",
    "1024",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "1e3",
    "0x10",
    "007",
    "99999999999999999999999999999999999999999",
];

/// A number beside one that stands there, or one at which something ends.
fn number(given: &str, random: &mut SplitMix64) -> String {
    match (random.below(4), given.parse::<i128>()) {
        (0, Ok(number)) => number.wrapping_add(1).to_string(),
        (1, Ok(number)) => number.wrapping_sub(1).to_string(),
        (2, Ok(number)) => number.wrapping_mul(2).to_string(),
        _ => one(&NUMBERS, random).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{COMMANDS, TARGETS};

    /// One line without an end, and a list of lists: what repeats a line or an item makes it longer each time.
    #[test]
    fn no_change_makes_an_input_grow_without_bound() {
        let line = |start: &str| [start.as_bytes(), &[b'a'; LONGEST]].concat();
        let list = format!("{{\"links\":[{}[7]]}}", "[0,1,2,3],".repeat(1600)).into_bytes();
        for target in TARGETS.iter().chain(COMMANDS) {
            for seed in 0..60 {
                for mut input in [line("\u{1}\u{7}\0\u{1}"), list.clone()] {
                    (target.mutate)(&mut input, &mut SplitMix64(seed));
                    let most = 20 * LONGEST;
                    assert!(input.len() <= most, "{}, seed {seed}: {} bytes", target.name, input.len());
                }
            }
        }
    }
}
