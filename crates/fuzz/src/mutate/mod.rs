//! Changes of inputs that know their form: words and lines of text, values of JSON, sections of FST.

mod bytes;
mod fst;
mod json;
mod text;

pub(crate) use bytes::bytes;
pub(crate) use fst::fst;
pub(crate) use json::json;
pub(crate) use text::text;

use frit_traffic::random::SplitMix64;

/// One of several.
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
