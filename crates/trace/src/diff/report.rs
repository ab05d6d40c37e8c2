//! What a comparison found, as data (JSON) and as text.

use std::fmt::Write;

use serde::Serialize;

use crate::shown::printable;
use crate::wave::WaveFormat;

/// Names written out in a report; the rest is counted.
const MAX_NAMES: usize = 40;

/// A longer value is cut to this many characters around the digit that differs.
const MAX_CELL: usize = 20;

/// The comparison of two waveforms.
#[derive(Clone, Debug, Serialize)]
pub struct WaveDiff {
    /// The first file and how it was read.
    pub a: WaveSide,
    /// The second file and how it was read.
    pub b: WaveSide,
    /// How many signals have the same name in both, and were compared.
    pub compared_signals: usize,
    /// In how many cycles they were compared.
    pub compared_cycles: usize,
    /// How many common cycles were left out because reset was on.
    pub reset_cycles_ignored: usize,
    /// Whether a run that ends earlier than the other was asked to be a difference.
    pub lengths_must_agree: bool,
    /// Whether only the signals that both have count.
    pub common: bool,
    /// Signals without a partner in B.
    pub only_in_a: NameList,
    /// Signals without a partner in A.
    pub only_in_b: NameList,
    /// Signals of the same name with different widths; they differ, but in no cycle.
    pub width_mismatches: Vec<WidthMismatch>,
    /// How many values differ: one for each signal and cycle.
    pub differences: u64,
    /// How many signals differ in at least one cycle.
    pub differing_signals: usize,
    /// The earliest difference; of those in one cycle, the first by name.
    pub first: Option<FirstDifference>,
    /// Each signal that differs, by the cycle in which it first does, then by name; as many as
    /// were asked for.
    pub signals: Vec<SignalDifference>,
    /// The cycles around the first difference.
    pub context: Option<Context>,
}

/// One of two waveforms, and how its cycles were counted.
#[derive(Clone, Debug, Serialize)]
pub struct WaveSide {
    pub path: String,
    pub format: WaveFormat,
    /// How many signals it declares.
    pub signals: usize,
    /// The scopes taken off its names to match those of the other file.
    pub stripped_prefix: String,
    /// The clock that it was sampled on.
    pub clock: String,
    /// The reset that it was aligned on, if it has one.
    pub reset: Option<String>,
    /// One tick of its times.
    pub time_unit: String,
    /// Its own number, counted from the first rising edge, of the cycle compared as cycle 0.
    pub cycle_0_is: usize,
    /// The time of the edge that ends that cycle, in ticks.
    pub cycle_0_time: u64,
    /// How many cycles it has from there on.
    pub cycles: usize,
}

/// Some names: how many, and the first of them.
#[derive(Clone, Debug, Serialize)]
pub struct NameList {
    pub count: usize,
    /// The first 40.
    pub names: Vec<String>,
}

impl NameList {
    pub(super) fn new(names: &[String]) -> Self {
        Self { count: names.len(), names: names.iter().take(MAX_NAMES).cloned().collect() }
    }
}

/// A signal that is wider, or of another kind, in one file than in the other.
#[derive(Clone, Debug, Serialize)]
pub struct WidthMismatch {
    pub signal: String,
    pub a: String,
    pub b: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct FirstDifference {
    /// The compared cycle, 0 being the aligned one.
    pub cycle: usize,
    /// The time in A, in ticks, of the edge just before which the values differ.
    pub time_a: u64,
    pub time_b: u64,
    /// A's own number of that cycle, counted from its first rising edge.
    pub cycle_in_a: usize,
    /// B's own number of that cycle.
    pub cycle_in_b: usize,
    /// The signal's common name.
    pub signal: String,
    /// Its value in A: a bit, hexadecimal, or binary where bits are unknown.
    pub a: String,
    pub b: String,
    /// How many signals differ in this cycle.
    pub signals_in_this_cycle: usize,
}

/// Where and how one signal differs first.
#[derive(Clone, Debug, Serialize)]
pub struct SignalDifference {
    pub signal: String,
    /// The first compared cycle in which it differs.
    pub first_cycle: usize,
    /// In how many cycles it does.
    pub cycles: u64,
    /// Its value in A then.
    pub a: String,
    /// Its value in B then.
    pub b: String,
}

/// The values of a few signals in the cycles around the first difference.
#[derive(Clone, Debug, Serialize)]
pub struct Context {
    /// The cycle of the first value of each row.
    pub first_cycle: usize,
    /// The cycle of the first difference.
    pub different_cycle: usize,
    /// Signals that differ in that cycle, at most 8.
    pub rows: Vec<ContextRow>,
}

/// One signal's values in consecutive cycles.
#[derive(Clone, Debug, Serialize)]
pub struct ContextRow {
    pub signal: String,
    pub a: Vec<String>,
    pub b: Vec<String>,
}

impl WaveDiff {
    /// Whether nothing differs.
    pub fn same(&self) -> bool {
        let lengths_agree = self.a.cycles == self.b.cycles || !self.lengths_must_agree;
        let names_agree = self.common || self.only_in_a.count + self.only_in_b.count == 0;
        self.differences == 0 && self.width_mismatches.is_empty() && lengths_agree && names_agree
    }

    /// The report for people.
    pub fn render_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.render(&mut text);
        text
    }

    fn render(&self, text: &mut String) -> std::fmt::Result {
        let what = format!(
            "{} compared in {}",
            count(self.compared_signals, "signal"),
            count(self.compared_cycles, "cycle")
        );
        if self.same() {
            writeln!(text, "same: {what}")?;
        } else {
            writeln!(
                text,
                "different: {what}; {} in {}",
                differ(self.differences as usize, "value"),
                count(self.differing_signals, "signal")
            )?;
        }
        self.a.render(text, "A")?;
        self.b.render(text, "B")?;
        if self.reset_cycles_ignored > 0 {
            writeln!(text, "  not compared: {} in reset", count(self.reset_cycles_ignored, "cycle"))?;
        }
        self.render_lengths(text)?;
        for (names, side) in [(&self.only_in_a, "A"), (&self.only_in_b, "B")] {
            if names.count > 0 {
                let shown = names.names[..names.names.len().min(4)].join(", ");
                let more = if names.count > 4 { ", ..." } else { "" };
                let indent = if self.common { "  " } else { "" };
                writeln!(text, "{indent}only in {side}: {} ({shown}{more})", count(names.count, "signal"))?;
            }
        }
        if !self.common && self.only_in_a.count + self.only_in_b.count > 0 {
            writeln!(text, "  (--common compares only the signals that both files have)")?;
        }
        for mismatch in &self.width_mismatches {
            writeln!(text, "width: {} is {} in A, {} in B", mismatch.signal, mismatch.a, mismatch.b)?;
        }
        if let Some(first) = &self.first {
            self.render_first(text, first)?;
        }
        Ok(())
    }

    fn render_lengths(&self, text: &mut String) -> std::fmt::Result {
        let (long, short, more) = match self.a.cycles.cmp(&self.b.cycles) {
            std::cmp::Ordering::Equal => return Ok(()),
            std::cmp::Ordering::Greater => ("A", "B", self.a.cycles - self.b.cycles),
            std::cmp::Ordering::Less => ("B", "A", self.b.cycles - self.a.cycles),
        };
        if self.lengths_must_agree {
            writeln!(text, "length: {long} goes on for {} after {short} ends", count(more, "cycle"))
        } else {
            writeln!(text, "  not compared: the last {} of {long}, {short} has ended", count(more, "cycle"))
        }
    }

    fn render_first(&self, text: &mut String, first: &FirstDifference) -> std::fmt::Result {
        writeln!(text, "first difference: cycle {}, signal {}", first.cycle, first.signal)?;
        for (side, value, wave, cycle, ticks) in [
            ("A", &first.a, &self.a, first.cycle_in_a, first.time_a),
            ("B", &first.b, &self.b, first.cycle_in_b, first.time_b),
        ] {
            let at = time(ticks, &wave.time_unit);
            writeln!(text, "  {side} has {value}  (before the edge at {at}, its cycle {cycle})")?;
        }
        if let Some(context) = &self.context {
            writeln!(text, "{} in that cycle:", differ(first.signals_in_this_cycle, "signal"))?;
            context.render(text)?;
        }
        if self.differing_signals > first.signals_in_this_cycle && self.signals.len() > 1 {
            writeln!(text, "signals by the cycle in which they first differ:")?;
            for signal in &self.signals {
                let cycles = count(signal.cycles as usize, "cycle");
                writeln!(
                    text,
                    "  cycle {}: {}  A {}  B {}  ({cycles})",
                    signal.first_cycle,
                    signal.signal,
                    cut(&signal.a, first_difference(&signal.a, &signal.b)),
                    cut(&signal.b, first_difference(&signal.a, &signal.b)),
                )?;
            }
            if self.differing_signals > self.signals.len() {
                writeln!(text, "  ... {} more", self.differing_signals - self.signals.len())?;
            }
        }
        Ok(())
    }
}

impl WaveSide {
    fn render(&self, text: &mut String, side: &str) -> std::fmt::Result {
        write!(text, "  {side}: {}, clock {}", printable(&self.path), self.clock)?;
        if let Some(reset) = &self.reset {
            write!(text, ", reset {reset}")?;
        }
        if !self.stripped_prefix.is_empty() {
            write!(text, ", without the prefix {}", self.stripped_prefix)?;
        }
        let end = time(self.cycle_0_time, &self.time_unit);
        writeln!(text, "; cycle 0 is its cycle {}, which ends at {end}", self.cycle_0_is)
    }
}

impl Context {
    /// The table: a column for each cycle, the differing one marked, two lines for each signal.
    fn render(&self, text: &mut String) -> std::fmt::Result {
        let mark = self.different_cycle - self.first_cycle;
        let columns = self.rows.iter().map(|row| row.a.len()).max().unwrap_or(0);
        let mut lines = vec![vec!["cycle".to_string(), String::new()]];
        lines[0].extend((0..columns).map(|column| {
            let marker = if column == mark { ">" } else { "" };
            format!("{marker}{}", self.first_cycle + column)
        }));
        for row in &self.rows {
            let digit = match (row.a.get(mark), row.b.get(mark)) {
                (Some(a), Some(b)) => first_difference(a, b),
                _ => 0,
            };
            for (name, side, values) in [(row.signal.as_str(), "A", &row.a), ("", "B", &row.b)] {
                let mut line = vec![name.to_string(), side.to_string()];
                line.extend(values.iter().map(|value| cut(value, digit)));
                lines.push(line);
            }
        }
        render_columns(text, &lines)
    }
}

/// Writes cells in columns: the first column to the left, the others to the right.
pub(super) fn render_columns(text: &mut String, lines: &[Vec<String>]) -> std::fmt::Result {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for line in lines {
        let mut out = String::new();
        for (column, cell) in line.iter().enumerate() {
            match column {
                0 => write!(out, "  {cell:<0$}", widths[0])?,
                _ => write!(out, "  {cell:>0$}", widths[column])?,
            }
        }
        writeln!(text, "{}", out.trim_end())?;
    }
    Ok(())
}

pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn differ(number: usize, noun: &str) -> String {
    format!("{} differ{}", count(number, noun), if number == 1 { "s" } else { "" })
}

/// Ticks and their unit: `55 ns`, `55 x 10ps`.
fn time(ticks: u64, unit: &str) -> String {
    match unit.strip_prefix('1') {
        Some(unit) if unit.starts_with(|first: char| first.is_ascii_alphabetic()) => {
            format!("{ticks} {unit}")
        }
        _ => format!("{ticks} x {unit}"),
    }
}

fn first_difference(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// A value that is too wide for a table, as the characters around one of them.
fn cut(value: &str, digit: usize) -> String {
    let characters: Vec<char> = value.chars().collect();
    if characters.len() <= MAX_CELL {
        return value.to_string();
    }
    let shown = MAX_CELL - 4;
    let start = digit.saturating_sub(shown / 2).min(characters.len() - shown);
    let before = if start > 0 { ".." } else { "" };
    let after = if start + shown < characters.len() { ".." } else { "" };
    let middle: String = characters[start..start + shown].iter().collect();
    format!("{before}{middle}{after}")
}
