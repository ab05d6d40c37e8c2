//! Which lane the i-th cell of a loop is wired to: a term in `i`, or a table.

use crate::netlist::print::wrap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The tables of a module; equal ones are written once.
#[derive(Default)]
pub(super) struct Tables {
    names: BTreeMap<Vec<u64>, String>,
    /// Their declarations.
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
            let _ = writeln!(self.text, "  localparam [{last}:0] {table} = {{\n    {}}};", wrap(&words));
        }
        format!("{table}[{bits} * i +: {bits}]")
    }
}

fn bits_of(values: &[u64]) -> u32 {
    let largest = values.iter().copied().max().unwrap_or(0);
    (u64::BITS - largest.leading_zeros()).max(1)
}
