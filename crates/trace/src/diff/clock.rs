//! Clock edges, reset and alignment: what a cycle is.

use super::names::{Names, find_bit, shortened};
use super::{Align, DiffOptions};
use crate::shown::ends;
use crate::wave::{SignalKind, Wave};
use frit_network::{Refusal, refusal, refuse};

const CLOCK_NAMES: [&str; 3] = ["clk_i", "clk", "clock"];
const RESET_NAMES: [&str; 3] = ["rst_i", "rst", "reset"];

/// The cycles of one waveform. Cycle k is the clock period that ends with rising edge k; its
/// values are those just before that edge, which is what flip-flops see.
pub(super) struct Timeline {
    /// The clock: its name and signal.
    pub(super) clock: (String, usize),
    pub(super) reset: Option<(String, usize)>,
    /// Of each rising edge, the index of its time.
    pub(super) edges: Vec<usize>,
    /// Whether reset is 1 just before each edge; empty without a reset.
    in_reset: Vec<bool>,
    /// The file's own number of the cycle compared as cycle 0.
    pub(super) start: usize,
}

/// Which of the two files, for `--align A:B`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
}

impl Timeline {
    pub(super) fn new(
        wave: &mut Wave,
        names: &Names,
        options: &DiffOptions,
        side: Side,
    ) -> Result<Self, Refusal> {
        let clock = find_clock(wave, names, options)?;
        let reset = find_reset(wave, names, options)?;
        let edges = rising_edges(wave, clock.1)?;
        if edges.is_empty() {
            refuse!(
                "the clock {} of {} never rises: name another with --clock NAME, or dump a longer run",
                ends(&clock.0),
                wave.path().display()
            );
        }
        let in_reset = match &reset {
            Some((_, index)) => sample_bit(wave, *index, &edges)?,
            None => Vec::new(),
        };
        let mut timeline = Self { clock, reset, edges, in_reset, start: 0 };
        timeline.start = match (options.align, side) {
            (Align::Cycles { a, .. }, Side::A) => usize::try_from(a).unwrap_or(usize::MAX),
            (Align::Cycles { b, .. }, Side::B) => usize::try_from(b).unwrap_or(usize::MAX),
            (Align::FirstActiveEdge, _) => timeline.first_active(wave)?,
        };
        Ok(timeline)
    }

    /// How many cycles there are from the aligned one on.
    pub(super) fn cycles(&self) -> usize {
        self.edges.len().saturating_sub(self.start)
    }

    /// Whether reset is on in a compared cycle.
    pub(super) fn in_reset(&self, cycle: usize) -> bool {
        self.in_reset.get(self.start + cycle).copied().unwrap_or(false)
    }

    fn first_active(&self, wave: &Wave) -> Result<usize, Refusal> {
        let Some(asserted) = self.in_reset.iter().position(|&reset| reset) else { return Ok(0) };
        let after = self.in_reset[asserted..].iter().position(|&reset| !reset);
        after.map(|cycles| asserted + cycles).ok_or_else(|| {
            refusal!(
                "the reset {} of {} never falls before the last clock edge: name another with --reset NAME, or align by hand with --align",
                self.reset.as_ref().map(|(name, _)| ends(name)).unwrap_or_default(),
                wave.path().display()
            )
        })
    }
}

fn find_clock(wave: &Wave, names: &Names, options: &DiffOptions) -> Result<(String, usize), Refusal> {
    let found = match &options.clock {
        Some(name) => find_bit(wave, names, name),
        None => CLOCK_NAMES.iter().find_map(|name| find_bit(wave, names, name)),
    };
    found.ok_or_else(|| {
        refusal!(
            "{} has no one-bit signal named {}: name its clock with --clock NAME (its one-bit signals: {})",
            wave.path().display(),
            options.clock.clone().unwrap_or_else(|| CLOCK_NAMES.join(", ")),
            bit_names(wave, names)
        )
    })
}

fn find_reset(wave: &Wave, names: &Names, options: &DiffOptions) -> Result<Option<(String, usize)>, Refusal> {
    let found = match &options.reset {
        Some(name) => find_bit(wave, names, name),
        None => RESET_NAMES.iter().find_map(|name| find_bit(wave, names, name)),
    };
    if found.is_none() && (options.reset.is_some() || options.ignore_reset) {
        refuse!(
            "{} has no one-bit signal named {}: name its reset with --reset NAME, or drop --ignore-reset (its one-bit signals: {})",
            wave.path().display(),
            options.reset.clone().unwrap_or_else(|| RESET_NAMES.join(", ")),
            bit_names(wave, names)
        );
    }
    Ok(found)
}

fn bit_names(wave: &Wave, names: &Names) -> String {
    let bits = names.iter().filter(|(_, index)| wave.signals()[*index].kind == SignalKind::Bits(1));
    shortened(bits.map(|(name, _)| name), 12)
}

/// The values that a one-bit signal settles to at each time at which it changes.
fn settled(wave: &mut Wave, index: usize) -> Result<Vec<(usize, char)>, Refusal> {
    let traces = wave.load(&[index])?;
    let mut values: Vec<(usize, char)> = Vec::new();
    for (time, value) in traces.changes(&wave.signals()[index]) {
        let bit = value.to_bit_string().and_then(|bits| bits.chars().next()).unwrap_or('x');
        match values.last_mut() {
            Some(last) if last.0 == time => last.1 = bit,
            _ => values.push((time, bit)),
        }
    }
    Ok(values)
}

/// A rising edge is a change from 0 to 1. The step from `x` to 1 at the start of some dumps is
/// none, so that a clock that starts at 1 gives the same cycles in a two-state simulator.
fn rising_edges(wave: &mut Wave, clock: usize) -> Result<Vec<usize>, Refusal> {
    let values = settled(wave, clock)?;
    let rises = values.windows(2).filter(|pair| pair[0].1 == '0' && pair[1].1 == '1');
    Ok(rises.map(|pair| pair[1].0).collect())
}

fn sample_bit(wave: &mut Wave, index: usize, edges: &[usize]) -> Result<Vec<bool>, Refusal> {
    let values = settled(wave, index)?;
    let mut next = 0;
    let mut current = false;
    let sample = |&edge: &usize| {
        while let Some(&(time, bit)) = values.get(next)
            && time < edge
        {
            current = bit == '1';
            next += 1;
        }
        current
    };
    Ok(edges.iter().map(sample).collect())
}
