//! A counterexample run again on the graph it was found for, and written as a waveform.

use super::aiger::{Aig, Literal};
use super::symbols::Symbols;
use frit_network::Refusal;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use frit_trace::wave::{SignalDecl, WaveWriter};
use std::path::Path;

/// A graph as it runs, all registers 0 at first.
pub struct Replay<'a> {
    aig: &'a Aig,
    latches: Vec<bool>,
    values: Vec<bool>,
}

impl<'a> Replay<'a> {
    /// Before the first cycle.
    pub fn new(aig: &'a Aig) -> Self {
        Replay { aig, latches: vec![false; aig.latches.len()], values: Vec::new() }
    }

    /// One cycle: its values are there afterwards, and the registers are those of the next.
    pub fn cycle(&mut self, inputs: &[bool]) {
        self.values.clear();
        self.values.push(false);
        self.values.extend((0..self.aig.inputs as usize).map(|at| inputs.get(at).copied().unwrap_or(false)));
        self.values.extend(&self.latches);
        for [a, b] in &self.aig.ands {
            let value = self.value(*a) && self.value(*b);
            self.values.push(value);
        }
        self.latches = self.aig.latches.iter().map(|latch| self.value(latch.next)).collect();
    }

    /// A value in the last cycle.
    pub fn value(&self, literal: Literal) -> bool {
        self.values[literal as usize / 2] ^ (literal % 2 == 1)
    }
}

/// The first cycle in which `bad` rises, with the places of those literals that are high then.
pub fn first_violation(
    aig: &Aig,
    inputs: &[Vec<bool>],
    bad: Literal,
    literals: &[Literal],
) -> Option<(u64, Vec<usize>)> {
    let mut replay = Replay::new(aig);
    (0..).zip(inputs).find_map(|(cycle, row)| {
        replay.cycle(row);
        let high = (0..literals.len()).filter(|&at| replay.value(literals[at]));
        replay.value(bad).then(|| (cycle, high.collect()))
    })
}

/// Writes all that has a name, below a scope; a cycle ends with the rising edge of `clk_i`, as everywhere.
pub fn write(
    path: &Path,
    scope: &str,
    aig: &Aig,
    symbols: &Symbols,
    inputs: &[Vec<bool>],
) -> Result<(), Refusal> {
    let signals: Vec<(&str, Vec<Literal>)> = symbols.signals().filter(|(name, _)| *name != "clk_i").collect();
    let mut decls = vec![declaration(scope, "clk_i", 1)];
    decls.extend(signals.iter().map(|(name, bits)| declaration(scope, name, bits.len() as u32)));
    let mut wave = WaveWriter::create(path, "1ns", decls)?;
    let mut replay = Replay::new(aig);
    for (cycle, row) in (0..).zip(inputs) {
        replay.cycle(row);
        // Registers show their new values with the edge before.
        let edge = FIRST_EDGE_NS + PERIOD_NS * cycle;
        wave.time((edge + PERIOD_NS / 2).saturating_sub(PERIOD_NS))?;
        wave.change(0, &[0])?;
        for (number, (_, bits)) in (1..).zip(&signals) {
            let mut limbs = vec![0u64; bits.len().div_ceil(64)];
            for (at, bit) in bits.iter().enumerate() {
                limbs[at / 64] |= u64::from(replay.value(*bit)) << (at % 64);
            }
            wave.change(number, &limbs)?;
        }
        wave.time(edge)?;
        wave.change(0, &[1])?;
    }
    wave.time(FIRST_EDGE_NS + PERIOD_NS * inputs.len() as u64)?;
    wave.finish()
}

fn declaration(scope: &str, name: &str, width_bits: u32) -> SignalDecl {
    let mut parts: Vec<String> = std::iter::once(scope).chain(name.split('.')).map(String::from).collect();
    let name = parts.pop().unwrap_or_default();
    SignalDecl { scope: parts.into(), name, width_bits }
}
