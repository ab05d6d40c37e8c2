//! The columns of a comparison: their names, what a row has in them, and sorting by them.

use super::hardware::Hardware;
use super::table::{CompareRow, Entry, Measured};
use frit_network::facts::shown;
use frit_network::{Refusal, refuse};
use frit_traffic::pace::FACTS;
use serde_json::Value;
use std::cmp::Ordering;

pub struct Column {
    /// In CSV and JSON, and for sorting.
    pub name: &'static str,
    /// Above the column, for people.
    pub head: &'static str,
    /// Whether it has numbers.
    pub numeric: bool,
    source: Source,
}

/// Where a column finds what it shows.
#[derive(Clone, Copy)]
enum Source {
    /// A fact of the plan, of the column's name.
    Fact,
    CompareRow(fn(&CompareRow) -> Value),
}

impl Column {
    /// What a row has in the column; null if there is no figure: no size exists, the exchange was not run or not complete.
    pub fn cell(&self, row: &CompareRow) -> Value {
        match self.source {
            Source::Fact => {
                row.entry.as_ref().and_then(|entry| entry.facts.get(self.name)).cloned().unwrap_or_default()
            }
            Source::CompareRow(cell) => cell(row),
        }
    }

    /// The cell for people and in CSV; `absent` is what stands for nothing.
    pub fn text(&self, row: &CompareRow, absent: &str) -> String {
        text(&self.cell(row), row.entry.as_ref().filter(|_| matches!(self.source, Source::Fact)), absent)
    }
}

fn text(cell: &Value, entry: Option<&Entry>, absent: &str) -> String {
    match shown(cell) {
        Some(_) if cell.is_f64() => four_digits(cell.as_f64().unwrap_or_default()),
        Some(text) => text,
        None if entry.is_some_and(|entry| entry.measured == Measured::NotRun) => NOT_RUN.into(),
        None => absent.into(),
    }
}

/// A number with one digit behind the point, or with more if it has fewer than four before them.
fn four_digits(number: f64) -> String {
    match number.abs() {
        0.0 | 100.0.. => format!("{number:.1}"),
        _ => format!("{number:.3e}")
            .parse()
            .map_or_else(|_| number.to_string(), |number: f64| number.to_string()),
    }
}

/// The facts of a plan that are columns, as text under their heads: a row without what names it.
pub fn figures(entry: &Entry) -> Vec<(String, String)> {
    let facts = COLUMNS.iter().filter(|column| matches!(column.source, Source::Fact));
    facts.map(|column| (column.head.into(), text(&entry.facts[column.name], Some(entry), "-"))).collect()
}

/// What stands for a figure that the model would have to measure.
pub const NOT_RUN: &str = "not run";

const fn words(name: &'static str, cell: fn(&CompareRow) -> Value) -> Column {
    Column { name, head: name, numeric: false, source: Source::CompareRow(cell) }
}

const fn fact(name: &'static str, head: &'static str) -> Column {
    Column { name, head, numeric: true, source: Source::Fact }
}

const fn synthesis(name: &'static str, head: &'static str, cell: fn(&CompareRow) -> Value) -> Column {
    Column { name, head, numeric: true, source: Source::CompareRow(cell) }
}

fn synthesised(row: &CompareRow, figure: fn(&Hardware) -> Value) -> Value {
    row.hardware.as_ref().map_or(Value::Null, figure)
}

/// The columns but the note, in their order; those of the synthesis if it was asked for.
pub fn columns(synthesis: bool) -> impl Iterator<Item = &'static Column> + Clone {
    COLUMNS.iter().chain(SYNTHESIS.iter().filter(move |_| synthesis))
}

static COLUMNS: &[Column] = &[
    words("system", |row| row.subject.system.row.key.into()),
    words("options", |row| row.subject.options().into()),
    fact("terminals", "N"),
    fact("rounds", "rounds"),
    fact("cycles_paper", "paper"),
    fact("cycles", "cycles"),
    fact("cycles_total", "total"),
    fact("cycles_lower_bound", "bound"),
    fact("stages", "stages"),
    fact("switches", "switches"),
    fact("drivers", "drivers"),
    fact("stored_bits", "stored bits"),
    fact("label_bits", "label bits"),
    fact("wires", "wires"),
    fact("buffer_words", "buffer words"),
];

static SYNTHESIS: &[Column] = &[
    synthesis("luts", "LUT", |row| synthesised(row, |hardware| hardware.luts.into())),
    synthesis("ffs", "FF", |row| synthesised(row, |hardware| hardware.ffs.into())),
    synthesis("brams", "BRAM", |row| synthesised(row, |hardware| hardware.brams.into())),
    synthesis("fmax_mhz", "MHz", |row| synthesised(row, |hardware| hardware.fmax_mhz.into())),
];

/// The columns that a link or a clock adds.
static PACE: &[Column] = &[fact(FACTS[0], "us"), fact(FACTS[1], "GB/s")];

/// The columns of these rows: those of a pace if one was given.
pub fn columns_of(rows: &[CompareRow], synthesis: bool) -> impl Iterator<Item = &'static Column> + Clone {
    let paced =
        rows.iter().any(|row| row.entry.as_ref().is_some_and(|entry| entry.facts.contains_key(FACTS[0])));
    COLUMNS
        .iter()
        .chain(PACE.iter().filter(move |_| paced))
        .chain(SYNTHESIS.iter().filter(move |_| synthesis))
}

fn names(of: &[Column]) -> String {
    of.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

/// A column and a direction.
pub struct Order {
    column: &'static Column,
    descending: bool,
}

impl Order {
    /// `COLUMN` ascending, `-COLUMN` or `descending` the other way. The columns of a synthesis are there with one.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn parse(text: &str, descending: bool, synthesis: bool) -> Result<Self, Refusal> {
        let (name, descending) = direction(text, descending);
        match columns(synthesis).chain(PACE).find(|column| column.name == name) {
            Some(column) => Ok(Order { column, descending }),
            None => refuse!(
                "--sort {text}: {name:?} is not a column; the columns are {}; with --link or --clock also {}; with --synth also {}",
                names(COLUMNS),
                names(PACE),
                names(SYNTHESIS)
            ),
        }
    }

    /// Sorts rows. Rows without a value come last either way; equal ones keep their order.
    pub fn sort(&self, rows: &mut [CompareRow]) {
        rows.sort_by(|a, b| ordered(&self.column.cell(a), &self.column.cell(b), self.descending));
    }
}

/// Sorts rows of cells by the column of a name, as [`Order`] sorts; `-COLUMN` or `descending` the other way.
///
/// # Errors
/// If there is no such column.
pub fn sort_cells(
    rows: &mut [Vec<Value>],
    columns: &[&str],
    text: &str,
    descending: bool,
) -> Result<(), Refusal> {
    let (name, descending) = direction(text, descending);
    let Some(at) = columns.iter().position(|column| *column == name) else {
        refuse!("--sort {text}: {name:?} is not a column; the columns are {}", columns.join(", "));
    };
    rows.sort_by(|a, b| ordered(&a[at], &b[at], descending));
    Ok(())
}

/// The name of the column in `--sort`, and whether the order is descending: that of `-COLUMN` is.
fn direction(text: &str, descending: bool) -> (&str, bool) {
    text.strip_prefix('-').map_or((text, descending), |name| (name, true))
}

/// The order of two cells. A cell without a value comes last either way.
fn ordered(a: &Value, b: &Value, descending: bool) -> Ordering {
    match compare(a, b) {
        Some(order) if descending => order.reverse(),
        Some(order) => order,
        None => a.is_null().cmp(&b.is_null()),
    }
}

/// The order of two texts or two numbers.
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => Some(a.cmp(b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::table::{rows, subjects};

    #[test]
    fn rows_without_a_value_are_last_either_way() {
        let mut rows = rows(&subjects(&["xor".into(), "obf".into()]).unwrap(), &[8], |_| ());
        let cycles = columns(false).find(|column| column.name == "cycles").unwrap();
        let set = |row: &mut CompareRow, measured, cycles: Value| {
            let entry = row.entry.as_mut().unwrap();
            (entry.measured, entry.facts["cycles"]) = (measured, cycles);
        };
        set(&mut rows[0], Measured::NotRun, Value::Null);
        let sorted = |rows: &mut Vec<CompareRow>, text| -> Vec<String> {
            Order::parse(text, false, false).unwrap().sort(rows);
            rows.iter().map(|row| cycles.text(row, "-")).collect()
        };
        assert_eq!(sorted(&mut rows, "cycles"), ["10", "10", "not run"]);
        set(&mut rows[0], Measured::Complete, 9.into());
        assert_eq!(sorted(&mut rows, "-cycles"), ["10", "9", "not run"]);
        assert_eq!(sorted(&mut rows, "cycles"), ["9", "10", "not run"]);
    }

    #[test]
    fn a_design_that_does_not_fit_says_so_and_keeps_its_areas() {
        let mut row = rows(&subjects(&["xor".into()]).unwrap()[..1], &[10], |_| ()).remove(0);
        let too_large = Some("it needs 5608 LUT4, but the device has 5280, 328 too few".into());
        row.hardware = Some(Hardware { luts: 5608, ffs: 5608, brams: 0, fmax_mhz: None, too_large });
        let expected =
            "does not exist with 10 terminals; nearest size shown; does not fit: it needs 5608 LUT4";
        assert!(row.note().unwrap().starts_with(expected), "{:?}", row.note());
        let column = |name: &str| columns(true).find(|column| column.name == name).unwrap();
        assert_eq!(column("luts").cell(&row), 5608);
        assert_eq!(column("fmax_mhz").text(&row, "-"), "-");
    }
}
