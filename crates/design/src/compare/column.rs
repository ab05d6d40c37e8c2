//! The columns of a comparison: their names, what a row has in them, and sorting by them.

use super::hardware::Hardware;
use super::table::{CompareRow, Entry, Measured};
use frit_network::{Refusal, refuse};
use serde_json::Value;
use std::cmp::Ordering;

/// What a row has in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    Number(u64),
    Decimal(f64),
    /// The model was not run.
    NotRun,
    /// There is no figure: no size exists, or the exchange was not complete.
    Absent,
}

impl Cell {
    /// For people and in CSV; `absent` is what stands for nothing.
    pub fn text(&self, absent: &str) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(number) => number.to_string(),
            Cell::Decimal(number) => format!("{number:.1}"),
            Cell::NotRun => "not run".into(),
            Cell::Absent => absent.into(),
        }
    }

    /// For programs; null where there is no figure.
    pub fn json(&self) -> Value {
        match self {
            Cell::Text(text) => text.as_str().into(),
            Cell::Number(number) => (*number).into(),
            Cell::Decimal(number) => (*number).into(),
            Cell::NotRun | Cell::Absent => Value::Null,
        }
    }

    /// The order of cells with a value; none if one has none.
    fn compare(&self, other: &Cell) -> Option<Ordering> {
        match (self, other) {
            (Cell::Text(a), Cell::Text(b)) => Some(a.cmp(b)),
            (Cell::Number(a), Cell::Number(b)) => Some(a.cmp(b)),
            (Cell::Decimal(a), Cell::Decimal(b)) => Some(a.total_cmp(b)),
            _ => None,
        }
    }

    fn has_value(&self) -> bool {
        !matches!(self, Cell::NotRun | Cell::Absent)
    }
}

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
    /// In the figures of a plan.
    Figures(fn(&Entry) -> Cell),
    /// Elsewhere in the row.
    CompareRow(fn(&CompareRow) -> Cell),
}

impl Column {
    pub fn cell(&self, row: &CompareRow) -> Cell {
        match self.source {
            Source::Figures(cell) => row.entry.as_ref().map_or(Cell::Absent, cell),
            Source::CompareRow(cell) => cell(row),
        }
    }
}

/// The figures of one plan, each with its column: a row without what names it.
pub fn figures(entry: &Entry) -> impl Iterator<Item = (&'static Column, Cell)> {
    COLUMNS.iter().filter_map(move |column| match column.source {
        Source::Figures(cell) => Some((column, cell(entry))),
        Source::CompareRow(_) => None,
    })
}

const fn words(name: &'static str, cell: fn(&CompareRow) -> Cell) -> Column {
    Column { name, head: name, numeric: false, source: Source::CompareRow(cell) }
}

const fn count(name: &'static str, head: &'static str, cell: fn(&Entry) -> Cell) -> Column {
    Column { name, head, numeric: true, source: Source::Figures(cell) }
}

const fn synthesis(name: &'static str, head: &'static str, cell: fn(&CompareRow) -> Cell) -> Column {
    Column { name, head, numeric: true, source: Source::CompareRow(cell) }
}

fn measured(entry: &Entry, all_phases: bool) -> Cell {
    match entry.measured {
        Measured::Complete { cycles, total } => Cell::Number(if all_phases { total } else { cycles }),
        Measured::NotRun => Cell::NotRun,
        Measured::Incomplete(_) => Cell::Absent,
    }
}

fn synthesised(row: &CompareRow, figure: fn(&Hardware) -> Option<Cell>) -> Cell {
    row.hardware.as_ref().and_then(figure).unwrap_or(Cell::Absent)
}

/// The columns but the note, in their order; those of the synthesis if it was asked for.
pub fn columns(synthesis: bool) -> impl Iterator<Item = &'static Column> + Clone {
    COLUMNS.iter().chain(SYNTHESIS.iter().filter(move |_| synthesis))
}

static COLUMNS: &[Column] = &[
    words("system", |row| Cell::Text(row.subject.system.row.key.into())),
    words("options", |row| Cell::Text(row.subject.options())),
    count("terminals", "N", |entry| Cell::Number(entry.terminals)),
    count("rounds", "rounds", |entry| Cell::Number(entry.rounds)),
    count("cycles_paper", "paper", |entry| Cell::Number(entry.cycles_paper)),
    count("cycles", "cycles", |entry| measured(entry, false)),
    count("cycles_total", "total", |entry| measured(entry, true)),
    count("cycles_lower_bound", "bound", |entry| Cell::Number(entry.cycles_lower_bound)),
    count("stages", "stages", |entry| Cell::Number(entry.stages)),
    count("switches", "switches", |entry| Cell::Number(entry.switches)),
    count("drivers", "drivers", |entry| Cell::Number(entry.drivers)),
    count("stored_bits", "stored bits", |entry| Cell::Number(entry.stored_bits)),
    count("label_bits", "label bits", |entry| Cell::Number(entry.label_bits)),
    count("wires", "wires", |entry| Cell::Number(entry.wires)),
    count("buffer_words", "buffer words", |entry| Cell::Number(entry.buffer_words)),
];

static SYNTHESIS: &[Column] = &[
    synthesis("luts", "LUT", |row| synthesised(row, |hardware| Some(Cell::Number(hardware.luts)))),
    synthesis("ffs", "FF", |row| synthesised(row, |hardware| Some(Cell::Number(hardware.ffs)))),
    synthesis("brams", "BRAM", |row| synthesised(row, |hardware| Some(Cell::Number(hardware.brams)))),
    synthesis("fmax_mhz", "MHz", |row| synthesised(row, |hardware| hardware.fmax_mhz.map(Cell::Decimal))),
];

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
        let (name, descending) = match text.strip_prefix('-') {
            Some(name) => (name, true),
            None => (text, descending),
        };
        match columns(synthesis).find(|column| column.name == name) {
            Some(column) => Ok(Order { column, descending }),
            None => refuse!(
                "--sort {text}: {name:?} is not a column; the columns are {}; with --synth also {}",
                names(COLUMNS),
                names(SYNTHESIS)
            ),
        }
    }

    /// Sorts rows. Rows without a value come last either way; equal ones keep their order.
    pub fn sort(&self, rows: &mut [CompareRow]) {
        rows.sort_by(|a, b| {
            let (a, b) = (self.column.cell(a), self.column.cell(b));
            match a.compare(&b) {
                Some(order) if self.descending => order.reverse(),
                Some(order) => order,
                None => b.has_value().cmp(&a.has_value()),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::table::{rows, subjects};

    #[test]
    fn rows_without_a_value_are_last_either_way() {
        let mut rows = rows(&subjects(&["xor".into(), "obf".into()]).unwrap(), &[8], |_| ());
        rows[0].entry.as_mut().unwrap().measured = Measured::NotRun;
        let sorted = |rows: &mut Vec<CompareRow>, text| -> Vec<String> {
            Order::parse(text, false, false).unwrap().sort(rows);
            rows.iter().map(|row| measured(row.entry.as_ref().unwrap(), false).text("-")).collect()
        };
        assert_eq!(sorted(&mut rows, "cycles"), ["10", "10", "not run"]);
        rows[0].entry.as_mut().unwrap().measured = Measured::Complete { cycles: 9, total: 9 };
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
        assert_eq!(column("luts").cell(&row), Cell::Number(5608));
        assert_eq!(column("fmax_mhz").cell(&row), Cell::Absent);
    }
}
