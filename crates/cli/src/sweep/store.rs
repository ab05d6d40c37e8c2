//! The CSV file of a sweep: a row per point, in the order of the points, with the version of `frit` and a hash of the
//! configuration that made it. It is replaced as a whole while the sweep runs, so it always can be read, and a sweep that
//! was stopped goes on from what it holds.

use super::kind::{Kind, Point};
use super::rows::Rows;
use anyhow::{Context, Result, bail};
use frit_cosim::output::{self, FileError, write_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The columns behind those of the kind.
const STAMP: [&str; 2] = ["frit", "config"];
/// A row waits in memory until that many times as long has passed as writing the file took: so writing takes little of the
/// time, and a point that ran for long is on the disk as soon as it is known.
const PATIENCE: u32 = 20;

/// The CSV file.
pub struct Store {
    path: PathBuf,
    stamp: String,
    rows: Rows,
    order: Vec<Vec<String>>,
    written: Instant,
    /// How long that took.
    writing: Duration,
    dirty: bool,
}

impl Store {
    /// Reads what the file holds for the points of this sweep; `again` leaves it out. A file that no sweep of this kind
    /// has written is an error, for it would be overwritten.
    pub fn open(path: &Path, kind: &dyn Kind, again: bool) -> Result<Self> {
        let columns = kind.columns();
        let stamp = format!("{},{:016x}", env!("CARGO_PKG_VERSION"), hash(&kind.configuration()));
        let order: Vec<Vec<String>> = kind.points().iter().map(|point| point.key.clone()).collect();
        let rows = Rows { columns, cells: BTreeMap::new() };
        let mut store = Store {
            path: path.into(),
            stamp,
            rows,
            order,
            written: Instant::now(),
            writing: Duration::ZERO,
            dirty: true,
        };
        if path.exists() {
            let text = output::read_text(path)?;
            let known = store.parse(&text).with_context(|| {
                format!(
                    "{} was not written by this kind of sweep; name another csv file or remove it",
                    path.display()
                )
            })?;
            if !again {
                store.rows.cells = known;
            }
        }
        Ok(store)
    }

    fn header(&self) -> String {
        [self.rows.columns, &STAMP].concat().join(",")
    }

    /// The rows of this version and configuration whose points are in this sweep.
    fn parse(&self, text: &str) -> Result<BTreeMap<Vec<String>, Vec<String>>> {
        let mut lines = text.lines();
        let header = self.header();
        if lines.next() != Some(&header) {
            bail!("its first line is not {header}");
        }
        let keys = self.order.first().map_or(0, Vec::len);
        let points: std::collections::BTreeSet<&Vec<String>> = self.order.iter().collect();
        let mut cells = BTreeMap::new();
        for (at, line) in lines.enumerate() {
            let row: Vec<&str> = line.split(',').collect();
            if row.len() != self.rows.columns.len() + STAMP.len() {
                bail!("line {} has {} cells", at + 2, row.len());
            }
            let (row, stamp) = row.split_at(self.rows.columns.len());
            for (cell, column) in row[keys..].iter().zip(&self.rows.columns[keys..]) {
                if !is_figure(cell) {
                    bail!(
                        "line {}: {cell:?} in column {column} is no number; without the line it is run again",
                        at + 2
                    );
                }
            }
            let own = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
            let key = own(&row[..keys]);
            if stamp.join(",") == self.stamp && points.contains(&key) {
                cells.insert(key, own(&row[keys..]));
            }
        }
        Ok(cells)
    }

    /// Adds a row; writes the file if that was long ago.
    pub fn add(&mut self, point: &Point, cells: Vec<String>) -> Result<(), FileError> {
        self.rows.cells.insert(point.key.clone(), cells);
        self.dirty = true;
        if self.written.elapsed() >= PATIENCE * self.writing { self.write() } else { Ok(()) }
    }

    /// Writes the file if it does not hold all rows.
    pub fn write(&mut self) -> Result<(), FileError> {
        if self.dirty {
            let begin = Instant::now();
            let mut text = self.header() + "\n";
            for key in &self.order {
                if let Some(cells) = self.rows.cells.get(key) {
                    text += &format!("{},{},{}\n", key.join(","), cells.join(","), self.stamp);
                }
            }
            write_file(&self.path, text)?;
            self.dirty = false;
            self.written = Instant::now();
            self.writing = begin.elapsed();
        }
        Ok(())
    }

    /// The rows that are known.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }
}

/// Whether a run can have left this in a column: a number, a digest in hexadecimal, or nothing where there is no such figure.
fn is_figure(cell: &str) -> bool {
    let hexadecimal = cell.strip_prefix("0x").is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok());
    cell.is_empty() || hexadecimal || cell.parse().is_ok_and(f64::is_finite)
}

/// FNV-1a: a short name for a text, the same everywhere.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ byte as u64).wrapping_mul(0x100_0000_01b3))
}
