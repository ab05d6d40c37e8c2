//! The tables of the compact form: which lane the i-th cell of a loop is wired to (a term in `i`, or a table), and the
//! words of many ROMs side by side.

use crate::cells::{CellSpec, RomSpec};
use crate::netlist::text::wrap;
use crate::netlist::{Instance, Of};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The tables of a module; equal ones are written once.
#[derive(Default)]
pub(super) struct Tables {
    names: BTreeMap<Vec<u64>, String>,
    pub(super) text: String,
}

impl Tables {
    /// An expression for the i-th of `values`, as a number.
    pub(super) fn number(&mut self, name: &str, values: &[u64]) -> String {
        let first = values[0];
        let step = values.get(1).map_or(0, |second| second.wrapping_sub(first));
        let regular = |(at, value): (usize, &u64)| *value == first.wrapping_add(step.wrapping_mul(at as u64));
        if step <= u64::from(u32::MAX) && values.iter().enumerate().all(regular) {
            return match (step, first) {
                (0, _) => first.to_string(),
                (1, 0) => "i".into(),
                (1, _) => format!("i + {first}"),
                (_, 0) => format!("{step} * i"),
                _ => format!("{step} * i + {first}"),
            };
        }
        self.entry(name, values, bits_of(values))
    }

    /// An expression of `bits` bits for the i-th of `values`.
    pub(super) fn word(&mut self, name: &str, values: &[u64], bits: u32) -> String {
        match values.iter().all(|value| *value == values[0]) {
            true => format!("{bits}'d{}", values[0]),
            false => self.entry(name, values, bits),
        }
    }

    fn entry(&mut self, name: &str, values: &[u64], bits: u32) -> String {
        let mut key = vec![u64::from(bits)];
        key.extend(values);
        let fresh = !self.names.contains_key(&key);
        let table = self.names.entry(key).or_insert_with(|| name.to_uppercase()).clone();
        if fresh {
            let words: Vec<String> = values.iter().rev().map(|value| format!("{bits}'d{value}")).collect();
            let last = bits as usize * values.len() - 1;
            // Writing to a String cannot fail.
            let _ = writeln!(self.text, "  localparam [{last}:0] {table} = {{\n    {}}};", wrap(&words, 4));
        }
        format!("{table}[{bits} * i +: {bits}]")
    }
}

fn bits_of(values: &[u64]) -> u32 {
    let largest = values.iter().copied().max().unwrap_or(0);
    (u64::BITS - largest.leading_zeros()).max(1)
}

/// ROMs that are all given the same round: a row of their words for every round.
pub(super) struct WordTable {
    /// Bits of a round.
    pub(super) bits: u32,
    /// Bits of a word.
    pub(super) width: u32,
    /// For every round the words of all ROMs as a hexadecimal number, the first ROM in the least significant bits.
    pub(super) rows: Vec<String>,
}

impl WordTable {
    /// The words of the ROMs `members`, of `width` bits each.
    pub(super) fn of<'a>(bits: u32, width: u32, members: &[&'a Instance]) -> Self {
        let words = |member: &&'a Instance| match &member.of {
            Of::Cell(CellSpec::Rom(RomSpec { words, .. })) => words.as_slice(),
            _ => unreachable!("a table of words is of ROMs"),
        };
        let words: Vec<&[u64]> = members.iter().map(words).collect();
        let rounds = words.iter().map(|words| words.len()).max().unwrap_or(0);
        let row =
            |round| hexadecimal(words.iter().map(|words| words.get(round).copied().unwrap_or(0)), width);
        WordTable { bits, width, rows: (0..rounds).map(row).collect() }
    }
}

/// Words of `width` bits, 64 at most, side by side as one hexadecimal number, the first in the least significant bits.
fn hexadecimal(words: impl Iterator<Item = u64>, width: u32) -> String {
    let (mut digits, mut rest, mut bits) = (Vec::new(), 0u128, 0);
    let digit = |value: u128| char::from_digit((value & 15) as u32, 16).expect("a digit");
    for word in words {
        rest |= u128::from(word) << bits;
        bits += width;
        while bits >= 4 {
            digits.push(digit(rest));
            (rest, bits) = (rest >> 4, bits - 4);
        }
    }
    if bits > 0 {
        digits.push(digit(rest));
    }
    digits.iter().rev().collect()
}
