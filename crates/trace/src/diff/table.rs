//! The comparison of two CSV traces.

use frit_network::{Refusal, refuse};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

use super::report::{count, render_columns};
use super::{Align, DiffOptions};
use crate::shown::{beginning, printable};
use crate::wave::{TraceCycle, TraceReader, TraceRow};

/// Rows shown around the first difference, in each file, for each cycle of context.
const ROWS_PER_CYCLE: usize = 4;

/// Characters of a list of columns that an error shows.
const MAX_COLUMNS: usize = 200;

/// The comparison of two traces.
#[derive(Clone, Debug, Serialize)]
pub struct TableDiff {
    pub a: String,
    /// The second file.
    pub b: String,
    /// The columns of both.
    pub header: Vec<String>,
    /// How many rows of A were compared.
    pub rows_a: u64,
    /// How many rows of B were compared.
    pub rows_b: u64,
    /// Rows that differ only in the last column.
    pub changed: u64,
    /// Rows of A without such a row in B.
    pub only_in_a: u64,
    /// Rows of B without such a row in A.
    pub only_in_b: u64,
    pub first: Option<RowDifference>,
    /// The first differences, as many as were asked for.
    pub rows: Vec<RowDifference>,
    /// Rows of A around the first difference.
    pub context_a: Vec<TableRow>,
    /// Rows of B around the first difference.
    pub context_b: Vec<TableRow>,
}

/// One row of a trace, where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableRow {
    /// The line in the file, from 1.
    pub line: u64,
    /// Its cells, with the cycle as written.
    pub cells: Vec<String>,
}

/// A row that differs; without one side where there is no such row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowDifference {
    /// The cycle, after alignment.
    pub cycle: u64,
    pub a: Option<TableRow>,
    pub b: Option<TableRow>,
}

/// One trace, read cycle by cycle, with what was last read kept for the context.
struct Input {
    reader: TraceReader,
    /// The cycle that is cycle 0 of the comparison.
    offset: u64,
    /// The next cycle, after alignment.
    next: Option<TraceCycle>,
    recent: VecDeque<TableRow>,
    rows: u64,
}

/// The columns of a trace; where they are too many to be shown, the first that another has not.
fn columns(header: &[String], other: &[String]) -> String {
    let all = header.join(",");
    if all.chars().count() <= MAX_COLUMNS {
        return all;
    }
    let same = header.iter().zip(other).take_while(|(a, b)| a == b).count();
    let rest = beginning(&header[same..].join(","));
    format!("{} columns, from number {} on {rest:?}", header.len(), same + 1)
}

pub(super) fn diff_tables(a: &Path, b: &Path, options: &DiffOptions) -> Result<TableDiff, Refusal> {
    let (offset_a, offset_b) = match options.align {
        Align::FirstActiveEdge => (0, 0),
        Align::Cycles { a, b } => (a, b),
    };
    let mut input_a = Input::open(a, offset_a)?;
    let mut input_b = Input::open(b, offset_b)?;
    let header = input_a.reader.header().to_vec();
    let header_b = input_b.reader.header();
    if header != header_b {
        let [header_a, header_b] =
            [(&header[..], header_b), (header_b, &header)].map(|(one, other)| columns(one, other));
        refuse!(
            "the columns differ: {} has {header_a}, {} has {header_b}; give two traces of the same kind",
            a.display(),
            b.display()
        );
    }
    let mut report = TableDiff {
        a: a.display().to_string(),
        b: b.display().to_string(),
        header,
        rows_a: 0,
        rows_b: 0,
        changed: 0,
        only_in_a: 0,
        only_in_b: 0,
        first: None,
        rows: Vec::new(),
        context_a: Vec::new(),
        context_b: Vec::new(),
    };
    let keep = options.context.saturating_mul(ROWS_PER_CYCLE);
    while let Some(cycle) = earliest(input_a.cycle(), input_b.cycle()) {
        let rows_a = input_a.take(cycle, keep)?;
        let rows_b = input_b.take(cycle, keep)?;
        report.merge(cycle, rows_a, rows_b, options.max_differences);
        if report.first.is_some() && report.context_a.is_empty() && report.context_b.is_empty() {
            report.context_a = input_a.recent.iter().cloned().collect();
            report.context_b = input_b.recent.iter().cloned().collect();
        }
    }
    (report.rows_a, report.rows_b) = (input_a.rows, input_b.rows);
    if report.rows_a == 0 && report.rows_b == 0 {
        refuse!(
            "{} line 1: no row follows, nor in {}; give traces of runs with events",
            a.display(),
            b.display()
        );
    }
    Ok(report)
}

fn earliest(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

impl Input {
    fn open(path: &Path, offset: u64) -> Result<Self, Refusal> {
        let reader = TraceReader::open(path)?;
        let mut input = Self { reader, offset, next: None, recent: VecDeque::new(), rows: 0 };
        input.read_next()?;
        Ok(input)
    }

    fn cycle(&self) -> Option<u64> {
        self.next.as_ref().map(|next| next.cycle)
    }

    fn read_next(&mut self) -> Result<(), Refusal> {
        loop {
            self.next = self.reader.next_cycle()?;
            let Some(next) = &mut self.next else { return Ok(()) };
            // Cycles before the aligned one are not compared.
            if let Some(cycle) = next.cycle.checked_sub(self.offset) {
                next.cycle = cycle;
                return Ok(());
            }
        }
    }

    /// The rows of a cycle, sorted; none if the file has none in it.
    fn take(&mut self, cycle: u64, keep: usize) -> Result<Vec<TraceRow>, Refusal> {
        let Some(mut next) = self.next.take_if(|next| next.cycle == cycle) else { return Ok(Vec::new()) };
        self.read_next()?;
        next.rows.sort_by(|a, b| compare_cells(&a.cells[1..], &b.cells[1..]));
        self.rows += next.rows.len() as u64;
        for row in &next.rows {
            self.recent.push_back(TableRow::new(row));
        }
        while self.recent.len() > keep.max(1) {
            self.recent.pop_front();
        }
        Ok(next.rows)
    }
}

impl TableRow {
    fn new(row: &TraceRow) -> Self {
        Self { line: row.line, cells: row.cells.clone() }
    }
}

/// Cells in the order of the columns: numbers by value, anything else by text.
fn compare_cells(a: &[String], b: &[String]) -> Ordering {
    let cell = |(a, b): (&String, &String)| match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(number_a), Ok(number_b)) => number_a.cmp(&number_b).then_with(|| a.cmp(b)),
        // Numbers before words: by their letters 10 is before 1x and 1x before 9, but 9 is before 10.
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    };
    a.iter().zip(b).map(cell).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

impl TableDiff {
    /// Whether nothing differs.
    pub fn same(&self) -> bool {
        self.first.is_none()
    }

    /// Compares the sorted rows of one cycle. Rows belong together if all cells but the last
    /// agree; the cycle's own cell may differ by the alignment.
    fn merge(&mut self, cycle: u64, a: Vec<TraceRow>, b: Vec<TraceRow>, max_differences: usize) {
        let key = |row: &TraceRow| row.cells[1..row.cells.len().max(2) - 1].to_vec();
        let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => compare_cells(&key(a), &key(b)),
            };
            let row_a = if order.is_le() { a.next() } else { None };
            let row_b = if order.is_ge() { b.next() } else { None };
            match (row_a, row_b) {
                (Some(a), Some(b)) if a.cells[1..] == b.cells[1..] => continue,
                (Some(_), Some(_)) => self.changed += 1,
                (Some(_), None) => self.only_in_a += 1,
                _ => self.only_in_b += 1,
            }
            let difference =
                RowDifference { cycle, a: row_a.map(TableRow::new), b: row_b.map(TableRow::new) };
            if self.rows.len() < max_differences {
                self.rows.push(difference.clone());
            }
            self.first.get_or_insert(difference);
        }
    }

    /// The report for people.
    pub fn render_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.render(&mut text);
        text
    }

    fn render(&self, text: &mut String) -> std::fmt::Result {
        let Some(first) = &self.first else {
            return writeln!(text, "same: {} compared", count(self.rows_a as usize, "row"));
        };
        writeln!(
            text,
            "different: {} changed, {} only in A, {} only in B",
            count(self.changed as usize, "row"),
            self.only_in_a,
            self.only_in_b
        )?;
        writeln!(text, "  A: {}, {}", printable(&self.a), count(self.rows_a as usize, "row"))?;
        writeln!(text, "  B: {}, {}", printable(&self.b), count(self.rows_b as usize, "row"))?;
        writeln!(text, "first difference: cycle {} ({})", first.cycle, self.header.join(","))?;
        for (side, row) in [("A", &first.a), ("B", &first.b)] {
            match row {
                Some(row) => writeln!(text, "  {side} line {}: {}", row.line, row.cells.join(","))?,
                None => writeln!(text, "  {side}: no such row")?,
            }
        }
        for (side, rows, row) in [("A", &self.context_a, &first.a), ("B", &self.context_b, &first.b)] {
            writeln!(text, "{side} up to the end of that cycle:")?;
            let mut lines = vec![vec!["line".to_string()]];
            lines[0].extend(self.header.iter().cloned());
            for shown in rows {
                let marker = if row.as_ref() == Some(shown) { ">" } else { "" };
                let mut line = vec![format!("{marker}{}", shown.line)];
                line.extend(shown.cells.iter().cloned());
                lines.push(line);
            }
            render_columns(text, &lines)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_one_order() {
        let cell = |text: &str| vec![text.to_string()];
        let mut cells: Vec<Vec<String>> = ["9", "1x", "10", "x", "09", "2"].map(cell).into();
        cells.sort_by(|a, b| compare_cells(a, b));
        assert_eq!(cells.concat(), ["2", "09", "9", "10", "1x", "x"]);
        for (a, b, c) in [("10", "1x", "9"), ("9", "10", "1x")] {
            let order = [(a, b), (b, c), (a, c)].map(|(a, b)| compare_cells(&cell(a), &cell(b)));
            assert!(!(order[0].is_lt() && order[1].is_lt() && order[2].is_gt()), "{a} {b} {c}");
        }
    }

    #[test]
    fn of_many_columns_those_that_differ_are_shown() {
        let header = |last: &str| [vec!["cycle".into(); 100], vec![last.to_string()]].concat();
        let [a, b] = [header("a"), header("b")];
        assert_eq!(columns(&a, &b), "101 columns, from number 101 on \"a\"");
        assert_eq!(columns(&a[..100], &b), "100 columns, from number 101 on \"\"");
        assert_eq!(columns(&["cycle".into(), "x".into()], &a), "cycle,x");
    }
}
