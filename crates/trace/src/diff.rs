//! The first difference between two waveforms, or two traces: the core of `frit diff A B`.
//!
//! [`diff_files`] reads both files, matches signals by name, samples them on clock edges, aligns
//! the cycles and compares. `docs/diff.md` describes the rules for users.

mod clock;
mod compare;
mod names;
mod options;
mod report;
mod table;

use frit_network::{Refusal, refusal, refuse};
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use options::{Align, DiffOptions, NameMap};
pub use report::{
    Context, ContextRow, FirstDifference, NameList, SignalDifference, WaveDiff, WaveSide, WidthMismatch,
};
pub use table::{RowDifference, TableDiff, TableRow};

use crate::wave::{TraceReader, UnknownFormat, Wave, guarded};

/// What a comparison found.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DiffReport {
    Waves(Box<WaveDiff>),
    Tables(Box<TableDiff>),
}

/// What a comparison says; the numbers are the exit codes of `frit diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiffOutcome {
    /// Everything that was compared is equal.
    Same = 0,
    Different = 1,
    /// The files cannot be compared, and the error says why.
    Unusable = 2,
}

impl DiffOutcome {
    /// What the result of [`diff_files`] says.
    pub fn of(result: &Result<DiffReport, Refusal>) -> Self {
        match result {
            Ok(report) if report.same() => Self::Same,
            Ok(_) => Self::Different,
            Err(_) => Self::Unusable,
        }
    }

    /// The exit code of `frit diff`.
    pub fn exit_code(self) -> u8 {
        self as u8
    }
}

impl DiffReport {
    /// Whether nothing differs.
    pub fn same(&self) -> bool {
        match self {
            Self::Waves(report) => report.same(),
            Self::Tables(report) => report.same(),
        }
    }

    /// The report for people; serialize the report itself for machines.
    pub fn render_text(&self) -> String {
        match self {
            Self::Waves(report) => report.render_text(),
            Self::Tables(report) => report.render_text(),
        }
    }
}

/// A file that is one of the two kinds.
enum Input {
    Wave(Box<Wave>),
    Table,
}

/// Compares two waveforms (VCD or FST, also one of each) or two CSV traces.
///
/// ```no_run
/// use frit_trace::diff::{DiffOptions, diff_files};
///
/// let report = diff_files("model.fst".as_ref(), "verilator.vcd".as_ref(), &DiffOptions::default())?;
/// print!("{}", report.render_text());
/// # Ok::<(), frit_network::Refusal>(())
/// ```
pub fn diff_files(a: &Path, b: &Path, options: &DiffOptions) -> Result<DiffReport, Refusal> {
    match (open(a)?, open(b)?) {
        (Input::Wave(wave_a), Input::Wave(wave_b)) => {
            // The values are unpacked when they are looked at, which is the last chance to find a broken file.
            let either = PathBuf::from(format!("{} or {}", a.display(), b.display()));
            guarded(&either, || compare::diff_waves(*wave_a, *wave_b, options))
                .map(|report| DiffReport::Waves(Box::new(report)))
        }
        (Input::Table, Input::Table) => {
            table::diff_tables(a, b, options).map(|report| DiffReport::Tables(Box::new(report)))
        }
        (Input::Wave(_), Input::Table) => Err(two_kinds(a, b)),
        (Input::Table, Input::Wave(_)) => Err(two_kinds(b, a)),
    }
}

fn two_kinds(wave: &Path, trace: &Path) -> Refusal {
    refusal!(
        "{} is a waveform and {} is a CSV trace; give two waveforms or two traces",
        wave.display(),
        trace.display()
    )
}

/// What a file is shows in its content, not in its name.
fn open(path: &Path) -> Result<Input, Refusal> {
    // What is missing or a folder has an error of its own.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        refuse!(
            "{} is not a regular file, but frit reads its input more than once; write it to a file first",
            path.display()
        );
    }
    match Wave::open(path) {
        Ok(wave) => Ok(Input::Wave(Box::new(wave))),
        // Its header line decides; a file that is no text at all stays of unknown format.
        Err(error) if error.detail::<UnknownFormat>().is_some() => {
            TraceReader::open(path).map(|_| Input::Table).map_err(|_| error)
        }
        Err(error) => Err(error),
    }
}
