//! Payload files: CSV of hexadecimal or decimal words, or raw little-endian binary.

use super::word::{hex, limbs_of};
use super::{Payload, WordMatrix};
use crate::npy::Array;
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};

/// How the words of a CSV file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Decimal.
    Decimal,
    /// Hexadecimal without prefix.
    Hex,
    /// Hexadecimal with `0x`.
    PrefixedHex,
}

/// Reads N rows × N columns of words. All words of a file are of one notation: hexadecimal if any of them has a
/// `0x` or a letter, or if every one has all ⌈W/4⌉ ≥ 2 digits and some a leading zero (as [`to_csv`] writes them);
/// decimal otherwise, unless `notation` says which. Lines starting with `#` are comments.
pub fn from_csv(
    text: &str,
    terminals: u32,
    width_bits: u32,
    notation: Option<Notation>,
) -> Result<(Payload, Notation), Refusal> {
    let rows: Vec<(usize, Vec<&str>)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(at, line)| (at + 1, line.split(',').map(str::trim).collect()))
        .collect();
    if rows.len() != terminals as usize {
        refuse!(
            "the payload has {} rows, expected {terminals} (row = source, column = destination)",
            rows.len()
        );
    }
    for (row, (line, words)) in rows.iter().enumerate() {
        if words.len() != terminals as usize {
            let (line, given) = (*line, words.len());
            refuse!(
                "row {row} (line {line}) has {given} words, expected {terminals} (row = source, column = destination)"
            );
        }
    }
    let notation = notation.unwrap_or_else(|| detect(rows.iter().flat_map(|(_, words)| words), width_bits));
    let mut payload = Payload::zero(terminals, width_bits);
    for (row, (_, words)) in rows.iter().enumerate() {
        for (column, word) in words.iter().enumerate() {
            let limbs = parse_word(word, notation, width_bits).map_err(|fault| {
                let given = beginning(word);
                match fault {
                    WordFault::NotANumber => {
                        let notation = if notation == Notation::Decimal { "decimal" } else { "hexadecimal" };
                        refusal!("row {row}, column {column}: {given:?} is not a {notation} word")
                    }
                    WordFault::TooWide => refusal!(
                        "row {row}, column {column}: {given} does not fit into {width_bits} bits; give a larger -w or mask the data"
                    ),
                }
            })?;
            payload.set(row as u32, column as u32, &limbs);
        }
    }
    Ok((payload, notation))
}

/// The words of an array of the shape `[N, N]`, row = source.
pub fn from_array(array: &Array, terminals: u32, width_bits: u32) -> Result<Payload, Refusal> {
    if array.shape != [terminals as usize; 2] {
        let given = beginning(&format!("{:?}", array.shape));
        refuse!(
            "the payload has the shape {given}, expected [{terminals}, {terminals}] (row = source, column = destination)"
        );
    }
    let mut payload = Payload::zero(terminals, width_bits);
    let mut word = vec![0; limbs_of(width_bits)];
    for (&number, at) in array.numbers.iter().zip(0..) {
        let (row, column) = (at / terminals, at % terminals);
        if width_bits < 64 && number >> width_bits != 0 {
            refuse!(
                "row {row}, column {column}: {number} does not fit into {width_bits} bits; give a larger -w or mask the data"
            );
        }
        word[0] = number;
        payload.set(row, column, &word);
    }
    Ok(payload)
}

fn detect<'a>(words: impl Iterator<Item = &'a &'a str> + Clone, width_bits: u32) -> Notation {
    if words.clone().any(|w| w.starts_with("0x") || w.starts_with("0X")) {
        return Notation::PrefixedHex;
    }
    let digits = width_bits.div_ceil(4) as usize;
    let letters = words.clone().any(|w| w.chars().any(|c| matches!(c, 'a'..='f' | 'A'..='F')));
    let padded =
        digits >= 2 && words.clone().all(|w| w.len() == digits) && words.clone().any(|w| w.starts_with('0'));
    if letters || padded { Notation::Hex } else { Notation::Decimal }
}

/// What is wrong with one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordFault {
    /// Not a number of this notation.
    NotANumber,
    /// More bits than the width.
    TooWide,
}

/// Reads one word of at most `width_bits` bits.
pub fn parse_word(word: &str, notation: Notation, width_bits: u32) -> Result<Vec<u64>, WordFault> {
    let (digits, radix) = match notation {
        Notation::Decimal => (word, 10),
        Notation::Hex | Notation::PrefixedHex => {
            (word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word), 16)
        }
    };
    if digits.is_empty() {
        return Err(WordFault::NotANumber);
    }
    let mut limbs = vec![0u64; limbs_of(width_bits)];
    let mut too_wide = false;
    for digit in digits.chars() {
        let mut carry = digit.to_digit(radix).ok_or(WordFault::NotANumber)? as u128;
        for limb in &mut limbs {
            carry += *limb as u128 * radix as u128;
            *limb = carry as u64;
            carry >>= 64;
        }
        let spare = limbs_of(width_bits) as u32 * 64 - width_bits;
        too_wide |= carry != 0 || limbs.last().is_some_and(|last| last.leading_zeros() < spare);
        if too_wide {
            limbs.fill(0); // go on only to see whether the rest are digits
        }
    }
    if too_wide { Err(WordFault::TooWide) } else { Ok(limbs) }
}

/// Writes the matrix in the notation its input had: decimal, or hexadecimal of ⌈W/4⌉ digits.
pub fn to_csv(payload: &Payload, notation: Notation) -> String {
    let mut text = String::new();
    for row in 0..payload.terminals() {
        let words: Vec<String> = (0..payload.terminals())
            .map(|column| {
                let word = payload.word(row, column);
                match notation {
                    Notation::Decimal => decimal(word),
                    Notation::Hex => hex(word, payload.width_bits()),
                    Notation::PrefixedHex => format!("0x{}", hex(word, payload.width_bits())),
                }
            })
            .collect();
        text += &words.join(",");
        text.push('\n');
    }
    text
}

fn decimal(limbs: &[u64]) -> String {
    let mut rest = limbs.to_vec();
    let mut digits = Vec::new();
    loop {
        let mut remainder = 0u128;
        for limb in rest.iter_mut().rev() {
            let value = remainder << 64 | *limb as u128;
            *limb = (value / 10) as u64;
            remainder = value % 10;
        }
        digits.push(b'0' + remainder as u8);
        if rest.iter().all(|&limb| limb == 0) {
            break;
        }
    }
    digits.iter().rev().map(|&d| d as char).collect()
}

/// Reads raw little-endian words of ⌈W/8⌉ bytes.
pub fn from_bin(bytes: &[u8], terminals: u32, width_bits: u32) -> Result<Payload, Refusal> {
    let word_bytes = width_bits.div_ceil(8) as usize;
    let expected = terminals as usize * terminals as usize * word_bytes;
    if bytes.len() != expected {
        refuse!(
            "the payload has {} bytes, expected {expected}: {terminals} x {terminals} little-endian words of {word_bytes} bytes",
            bytes.len()
        );
    }
    let limbs: Vec<u64> = match word_bytes {
        1 => widen::<1>(bytes),
        2 => widen::<2>(bytes),
        4 => widen::<4>(bytes),
        whole if whole % 8 == 0 => widen::<8>(bytes),
        _ => {
            let mut limbs = Payload::zero(terminals, width_bits).into_limbs();
            let words = limbs.chunks_exact_mut(limbs_of(width_bits));
            for (word, bytes) in words.zip(bytes.chunks_exact(word_bytes)) {
                for (limb, part) in word.iter_mut().zip(bytes.chunks(8)) {
                    let mut whole = [0; 8];
                    whole[..part.len()].copy_from_slice(part);
                    *limb = u64::from_le_bytes(whole);
                }
            }
            limbs
        }
    };
    let payload = Payload { terminals, width_bits, limbs: limbs.into() };
    let spare = limbs_of(width_bits) as u32 * 64 - width_bits;
    let too_wide = |word: &[u64]| word.last().is_some_and(|last| last.leading_zeros() < spare);
    // Whole bytes cannot be too wide.
    let last = if width_bits.is_multiple_of(8) { 0 } else { payload.limbs.len() };
    if let Some(at) = payload.limbs[..last].chunks_exact(limbs_of(width_bits)).position(too_wide) {
        let (row, column) = (at / terminals as usize, at % terminals as usize);
        let given = format!("0x{}", hex(payload.word(row as u32, column as u32), word_bytes as u32 * 8));
        refuse!(
            "row {row}, column {column}: {given} does not fit into {width_bits} bits; give a larger -w or mask the data"
        );
    }
    Ok(payload)
}

/// Words of B bytes, each in a limb.
fn widen<const B: usize>(bytes: &[u8]) -> Vec<u64> {
    let limb = |bytes: &[u8]| {
        let mut whole = [0; 8];
        whole[..B].copy_from_slice(bytes);
        u64::from_le_bytes(whole)
    };
    bytes.chunks_exact(B).map(limb).collect()
}

/// The lowest B bytes of each limb.
fn narrow<const B: usize>(limbs: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; limbs.len() * B];
    for (bytes, limb) in bytes.chunks_exact_mut(B).zip(limbs) {
        bytes.copy_from_slice(&limb.to_le_bytes()[..B]);
    }
    bytes
}

/// Writes raw little-endian words of ⌈W/8⌉ bytes.
pub fn to_bin(payload: &WordMatrix) -> Vec<u8> {
    let word_bytes = payload.width_bits().div_ceil(8) as usize;
    match word_bytes {
        1 => narrow::<1>(&payload.limbs),
        2 => narrow::<2>(&payload.limbs),
        4 => narrow::<4>(&payload.limbs),
        whole if whole % 8 == 0 => narrow::<8>(&payload.limbs),
        _ => {
            let words = payload.limbs.chunks_exact(limbs_of(payload.width_bits()));
            let mut bytes = Vec::with_capacity(words.len() * word_bytes);
            for word in words {
                for (limb, at) in word.iter().zip((0..word_bytes).step_by(8)) {
                    bytes.extend_from_slice(&limb.to_le_bytes()[..(word_bytes - at).min(8)]);
                }
            }
            bytes
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimal_and_hexadecimal_are_told_apart() {
        let read = |text: &str, width| from_csv(text, 2, width, None).unwrap();
        assert_eq!(read("1,2\n3,10\n", 8).1, Notation::Decimal);
        assert_eq!(read("1,2\n3,1f\n", 8).1, Notation::Hex);
        assert_eq!(read("01,02\n03,10\n", 8).1, Notation::Hex);
        assert_eq!(read("0x1,2\n3,10\n", 8).1, Notation::PrefixedHex);
        assert_eq!(read("1,2\n3,10\n", 8).0.word(1, 1), [10]);
        assert_eq!(read("0x1,2\n3,10\n", 8).0.word(1, 1), [16]);
    }

    #[test]
    fn arrays_are_words_row_by_row() {
        let array = |shape: &[usize], numbers: &[u64]| Array { shape: shape.into(), numbers: numbers.into() };
        let read = from_array(&array(&[2, 2], &[1, 2, 3, 255]), 2, 8).unwrap();
        assert_eq!((read.word(0, 1), read.word(1, 1)), ([2].as_slice(), [255].as_slice()));
        let wide = from_array(&array(&[2, 2], &[0, 0, u64::MAX, 0]), 2, 100).unwrap();
        assert_eq!(wide.word(1, 0), [u64::MAX, 0]);
        let text = |array, width| from_array(&array, 2, width).unwrap_err().to_string();
        assert!(
            text(array(&[4], &[1, 2, 3, 4]), 8).starts_with("the payload has the shape [4], expected [2, 2]")
        );
        assert!(
            text(array(&[2, 2], &[1, 2, 3, 16]), 4)
                .starts_with("row 1, column 1: 16 does not fit into 4 bits")
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let text = |t: &str| from_csv(t, 2, 8, None).unwrap_err().to_string();
        assert_eq!(text("1,2\n"), "the payload has 1 rows, expected 2 (row = source, column = destination)");
        assert!(text("1,2\n3\n").starts_with("row 1 (line 2) has 1 words, expected 2"));
        assert!(text("1,2\n3,256\n").starts_with("row 1, column 1: 256 does not fit into 8 bits"));
        assert_eq!(text("1,2\n3,x\n"), "row 1, column 1: \"x\" is not a decimal word");
        let bin = |b: &[u8], w| from_bin(b, 2, w).unwrap_err().to_string();
        assert!(bin(&[0; 7], 12).starts_with("the payload has 7 bytes, expected 8: 2 x 2"));
        assert!(bin(&[0, 0, 0, 0x10, 0, 0, 0, 0], 12).starts_with("row 0, column 1: 0x1000 does not fit"));
    }

    proptest! {
        #[test]
        fn every_payload_is_read_back(n in 2u32..6, width in 1u32..200, seed in any::<u64>()) {
            let payload = Payload::random(n, width, seed);
            for notation in [Notation::Decimal, Notation::Hex, Notation::PrefixedHex] {
                let (back, _) = from_csv(&to_csv(&payload, notation), n, width, Some(notation)).unwrap();
                prop_assert_eq!(&back, &payload);
            }
            prop_assert_eq!(&from_bin(&to_bin(&payload), n, width).unwrap(), &payload);
        }
    }
}
