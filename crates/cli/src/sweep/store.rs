//! The CSV file of a sweep while it runs: a row per point, in the order of the points. It is replaced as a whole again and
//! again, so it always can be read, and a sweep that was stopped goes on from what it holds.

use super::grid::{Grid, Point};
use super::results::{Form, Held};
use super::rows::Rows;
use crate::lock::Lock;
use anyhow::{Result, bail};
use frit_network::Refusal;
use frit_trace::output::write_file;
use frit_trace::shown::beginning;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A row waits in memory until that many times as long has passed as writing the file took: so writing takes little of the
/// time, and a point that ran for long is on the disk as soon as it is known.
const PATIENCE: u32 = 20;

/// What becomes of rows that the file holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    /// The points are run though they are known.
    pub again: bool,
    /// Rows that the sweep cannot use are lost; else that is an error.
    pub drop: bool,
}

/// The CSV file.
pub struct Store {
    path: PathBuf,
    form: Form,
    rows: Rows,
    order: Vec<Vec<String>>,
    written: Instant,
    /// How long that took.
    writing: Duration,
    dirty: bool,
    torn: bool,
    _lock: Option<Lock>,
}

impl Store {
    /// Locks the file and reads what it holds for the points of this sweep; some of them are run into it. A file that no sweep of this kind has written is
    /// an error, for it would be overwritten, and so are rows that would be lost.
    pub fn open(path: &Path, grid: &Grid, run: &[usize], before: Before) -> Result<Self> {
        let form = Form::of(grid);
        let lock = Lock::take(path)?;
        let held = if path.is_file() { form.read(path)? } else { Held::default() };
        if !before.drop {
            // Those that run anyway are not lost.
            let runs = run.iter().filter(|_| before.again).map(|&at| grid.points()[at].key.join(","));
            refuse(path, &held, &runs.collect())?;
        }
        let mut cells = held.cells;
        if before.again {
            run.iter().for_each(|&at| _ = cells.remove(&grid.points()[at].key));
        }
        Ok(Store {
            path: path.into(),
            rows: Rows { columns: form.columns().to_vec(), cells },
            form,
            order: grid.points().iter().map(|point| point.key.clone()).collect(),
            written: Instant::now(),
            writing: Duration::ZERO,
            dirty: true,
            torn: held.torn,
            _lock: lock,
        })
    }

    /// Whether the end of the last line was missing, so that its point is not known.
    pub fn torn(&self) -> bool {
        self.torn
    }

    /// Adds a row that is known from elsewhere.
    pub fn hold(&mut self, point: &Point, cells: Vec<String>) {
        self.rows.cells.insert(point.key.clone(), cells);
        self.dirty = true;
    }

    /// Adds a row; writes the file if that was long ago.
    pub fn add(&mut self, point: &Point, cells: Vec<String>) -> Result<(), Refusal> {
        self.hold(point, cells);
        if self.written.elapsed() >= PATIENCE * self.writing { self.write() } else { Ok(()) }
    }

    /// Writes the file if it does not hold all rows.
    pub fn write(&mut self) -> Result<(), Refusal> {
        if self.dirty {
            let begin = Instant::now();
            let mut text = self.form.header() + "\n";
            for key in &self.order {
                if let Some(cells) = self.rows.cells.get(key) {
                    text += &self.form.row(key, cells);
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

/// Refuses to lose rows.
fn refuse(path: &Path, held: &Held, runs: &BTreeSet<String>) -> Result<()> {
    let count = |keys: &[&String], what: &str| {
        let rows = if keys.len() == 1 { "1 row".into() } else { format!("{} rows", keys.len()) };
        keys.first().map(|first| format!("{rows} {what} (the first: {})", beginning(first)))
    };
    let others =
        count(&held.others.iter().collect::<Vec<_>>(), "for points that this sweep does not ask for");
    let older: Vec<&String> = held.older.iter().filter(|key| !runs.contains(*key)).collect();
    let older = count(&older, "of another version of frit or another configuration");
    let lost: Vec<String> = others.into_iter().chain(older).collect();
    if lost.is_empty() {
        return Ok(());
    }
    bail!("{} holds {}: name another csv file; --drop drops them", path.display(), lost.join(" and "))
}
