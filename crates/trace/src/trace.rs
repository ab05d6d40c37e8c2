//! Traces as files: `settings.csv` and `deliveries.csv`, written while an engine runs and read back from any engine,
//! and the first difference between two traces.

use crate::output::unmarked_text;
use crate::shown::beginning;
use frit_network::{Refusal, RoundIdx, refusal, refuse};
use frit_traffic::payload::{Notation, hex, parse_word};
use frit_traffic::trace::{Delivery, Observer, Recorder, Setting};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::io::{self, BufRead, BufReader, Read, Write};

pub const SETTINGS_HEADER: &str = "cycle,stage,switch,state";
pub const DELIVERIES_HEADER: &str = "cycle,output,source,round,first,payload";

mod states;

pub use states::{STATES_HEADER, read_states};

/// Bytes of lines that are written at a time.
const CHUNK: usize = 16 << 10;

/// Rows that are not written yet, put together by hand: formatting cost more than the run. It knows no writer, so rows are made by code
/// of this crate whoever writes them.
struct Rows {
    buffer: Vec<u8>,
    digits: itoa::Buffer,
}

impl Rows {
    fn text(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    /// A number and what stands behind it.
    fn number(&mut self, number: impl itoa::Integer, end: char) {
        self.buffer.extend_from_slice(self.digits.format(number).as_bytes());
        self.buffer.push(end as u8);
    }

    fn setting(&mut self, Setting { cycle, stage, switch, state }: Setting) {
        self.number(cycle, ',');
        self.number(stage, ',');
        self.number(switch, ',');
        self.number(state as u8, '\n');
    }

    fn delivery(&mut self, delivery: &Delivery, width_bits: u32) {
        let Delivery { cycle, output, source, round, first, payload } = delivery;
        self.number(*cycle, ',');
        for number in [*output, *source, round.0, *first as u32] {
            self.number(number, ',');
        }
        if let Some(limbs) = payload {
            self.text(&hex(limbs, width_bits));
        }
        self.text("\n");
    }
}

/// Rows to a writer. The first error stops the writing and waits for `finish`.
struct Lines<W: Write> {
    writer: W,
    rows: Rows,
    error: Option<io::Error>,
}

impl<W: Write> Lines<W> {
    fn new(writer: W, header: &str) -> Self {
        let mut rows = Rows { buffer: Vec::with_capacity(2 * CHUNK), digits: itoa::Buffer::new() };
        rows.text(header);
        rows.text("\n");
        Lines { writer, rows, error: None }
    }

    /// Writes the rows if there are enough of them.
    fn write_chunk(&mut self) {
        if self.rows.buffer.len() >= CHUNK {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.error.is_none() {
            self.error = self.writer.write_all(&self.rows.buffer).err();
        }
        self.rows.buffer.clear();
    }

    fn finish(mut self) -> io::Result<W> {
        self.write();
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.writer),
        }
    }
}

/// Writes `settings.csv` as an engine reports; ignores deliveries.
pub struct SettingsCsv<W: Write>(Lines<W>);

impl<W: Write> SettingsCsv<W> {
    /// Writes the header.
    pub fn new(writer: W) -> Self {
        SettingsCsv(Lines::new(writer, SETTINGS_HEADER))
    }

    /// The writer, flushed, or the first error that it gave.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> Observer for SettingsCsv<W> {
    fn setting(&mut self, setting: Setting) {
        self.0.rows.setting(setting);
        self.0.write_chunk();
    }
    fn wants_deliveries(&self) -> bool {
        false
    }
}

/// Writes `deliveries.csv` as an engine reports; ignores settings.
pub struct DeliveriesCsv<W: Write> {
    lines: Lines<W>,
    width_bits: u32,
}

impl<W: Write> DeliveriesCsv<W> {
    /// Writes the header. Words are written in ⌈`width_bits` / 4⌉ digits; without payload the width does not matter.
    pub fn new(writer: W, width_bits: u32) -> Self {
        DeliveriesCsv { lines: Lines::new(writer, DELIVERIES_HEADER), width_bits }
    }

    /// The writer, flushed, or the first error that it gave.
    pub fn finish(self) -> io::Result<W> {
        self.lines.finish()
    }
}

impl<W: Write> Observer for DeliveriesCsv<W> {
    fn delivery(&mut self, delivery: &Delivery) {
        self.lines.rows.delivery(delivery, self.width_bits);
        self.lines.write_chunk();
    }
    fn wants_settings(&self) -> bool {
        false
    }
}

/// Tells several observers, in order.
pub struct Tee<'a>(pub Vec<&'a mut dyn Observer>);

impl Observer for Tee<'_> {
    fn setting(&mut self, setting: Setting) {
        self.0.iter_mut().for_each(|observer| observer.setting(setting));
    }
    fn delivery(&mut self, delivery: &Delivery) {
        self.0.iter_mut().for_each(|observer| observer.delivery(delivery));
    }
    fn wants_settings(&self) -> bool {
        self.0.iter().any(|observer| observer.wants_settings())
    }
    fn wants_deliveries(&self) -> bool {
        self.0.iter().any(|observer| observer.wants_deliveries())
    }
}

/// Reads `settings.csv`; `file` is its name for messages.
pub fn read_settings(reader: impl Read, file: &str) -> Result<Vec<Setting>, Refusal> {
    read(reader, file, SETTINGS_HEADER, |row| {
        let (cycle, stage, switch) = (row.number(0)?, row.number(1)?, row.number(2)?);
        Ok(Setting { cycle, stage, switch, state: row.bit(3)? })
    })
}

/// Reads `deliveries.csv`; `file` is its name for messages.
pub fn read_deliveries(reader: impl Read, file: &str) -> Result<Vec<Delivery>, Refusal> {
    read(reader, file, DELIVERIES_HEADER, |row| {
        Ok(Delivery {
            cycle: row.number(0)?,
            output: row.number(1)?,
            source: row.number(2)?,
            round: row.number(3).map(RoundIdx)?,
            first: row.bit(4)?,
            payload: row.word(5)?,
        })
    })
}

/// More than the header of any of these files has.
const LONGEST_HEAD: u64 = 4096;

fn read<T: Ord>(
    reader: impl Read,
    file: &str,
    header: &'static str,
    mut parse: impl FnMut(&CsvRow) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let mut reader = BufReader::new(reader);
    let io = |source| refusal!("{file}: {source}");
    // What never ends a line (/dev/zero) is no file of rows.
    let mut head = Vec::new();
    reader.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut head).map_err(io)?;
    let given = String::from_utf8_lossy(&head);
    let given = unmarked_text(given.strip_suffix('\n').unwrap_or(&given));
    let lines = reader.lines().zip(1..).map(|(line, at)| (at, line));
    if given.trim_end() != header {
        let given = beginning(given);
        refuse!("{file}, line 1: expected the header {header:?}, got {given:?}");
    }
    let mut rows: Vec<T> = Vec::new();
    for (at, text) in lines {
        let (line, text) = (at + 1, text.map_err(io)?);
        if text.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        let expected = header.split(',').count();
        if cells.len() != expected {
            let given = cells.len();
            refuse!("{file}, line {line}: expected {expected} columns ({header}), got {given}");
        }
        let row = parse(&CsvRow { file, line, header, cells })?;
        if rows.last().is_some_and(|before| row < *before) {
            refuse!(
                "{file}, line {line}: expected the rows sorted by {header}, but this one belongs before line {}",
                line - 1
            );
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A line, cut into cells.
struct CsvRow<'a> {
    file: &'a str,
    line: usize,
    header: &'static str,
    cells: Vec<&'a str>,
}

impl CsvRow<'_> {
    fn wrong(&self, column: usize, expected: &'static str) -> Refusal {
        refusal!(
            "{}, line {}, column {}: expected {expected}, got {:?}",
            self.file,
            self.line,
            self.header.split(',').nth(column).unwrap_or_default(),
            beginning(self.cells[column])
        )
    }

    fn number<N: std::str::FromStr>(&self, column: usize) -> Result<N, Refusal> {
        self.cells[column].parse().map_err(|_| self.wrong(column, "a decimal number"))
    }

    fn bit(&self, column: usize) -> Result<bool, Refusal> {
        match self.cells[column] {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(self.wrong(column, "0 or 1")),
        }
    }

    fn word(&self, column: usize) -> Result<Option<Vec<u64>>, Refusal> {
        let digits = self.cells[column];
        if digits.is_empty() {
            return Ok(None);
        }
        let wrong = || self.wrong(column, "a word in hexadecimal digits, or nothing");
        let width_bits = u32::try_from(digits.len() * 4).map_err(|_| wrong())?;
        parse_word(digits, Notation::Hex, width_bits).map(Some).map_err(|_| wrong())
    }
}

/// Where two traces differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceDifference {
    pub cycle: u64,
    /// What differs, e.g. `settings stage 2 switch 3` or `delivery at output 5`.
    pub signal: String,
    /// The value expected; `missing` if there should be none.
    pub expected: String,
    /// The value found; `missing` if there is none.
    pub got: String,
}

/// The earliest cycle in which two traces differ; settings before deliveries within a cycle. Both traces are sorted,
/// as engines report them and the readers demand.
pub fn first_difference(expected: &Recorder, got: &Recorder) -> Option<TraceDifference> {
    let setting = differ(&expected.settings, &got.settings, |s| (s.cycle, s.stage, s.switch)).map(
        |((cycle, stage, switch), expected, got)| TraceDifference {
            cycle,
            signal: format!("settings stage {stage} switch {switch}"),
            expected: text(expected, |s| (s.state as u8).to_string()),
            got: text(got, |s| (s.state as u8).to_string()),
        },
    );
    let delivery = differ(&expected.deliveries, &got.deliveries, |d| (d.cycle, d.output)).map(
        |((cycle, output), expected, got)| TraceDifference {
            cycle,
            signal: format!("delivery at output {output}"),
            expected: text(expected, arrival),
            got: text(got, arrival),
        },
    );
    match (setting, delivery) {
        (Some(setting), Some(delivery)) if delivery.cycle < setting.cycle => Some(delivery),
        (setting, delivery) => setting.or(delivery),
    }
}

/// The place of the first difference with what stands there on either side.
type Difference<'a, K, T> = (K, Option<&'a T>, Option<&'a T>);

fn differ<'a, T: PartialEq, K: Ord + Debug>(
    expected: &'a [T],
    got: &'a [T],
    place: impl Fn(&T) -> K,
) -> Option<Difference<'a, K, T>> {
    let same = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    match (expected.get(same), got.get(same)) {
        (None, None) => None,
        (Some(a), None) => Some((place(a), Some(a), None)),
        (None, Some(b)) => Some((place(b), None, Some(b))),
        (Some(a), Some(b)) => Some(match place(a).cmp(&place(b)) {
            Ordering::Less => (place(a), Some(a), None),
            Ordering::Equal => (place(a), Some(a), Some(b)),
            Ordering::Greater => (place(b), None, Some(b)),
        }),
    }
}

fn text<T>(value: Option<&T>, describe: impl Fn(&T) -> String) -> String {
    value.map_or("missing".into(), describe)
}

fn arrival(delivery: &Delivery) -> String {
    let again = if delivery.first { "" } else { ", again" };
    let word = delivery.payload.as_ref().map_or(String::new(), |limbs| {
        let digits = hex(limbs, limbs.len() as u32 * 64);
        let digits = digits.trim_start_matches('0');
        format!(", word 0x{}", if digits.is_empty() { "0" } else { digits })
    });
    format!("from {} in round {}{again}{word}", delivery.source, delivery.round)
}

#[cfg(test)]
mod tests;
