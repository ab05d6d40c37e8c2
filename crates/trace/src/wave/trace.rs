//! Reading CSV traces, such as `settings.csv` and `deliveries.csv`.

use frit_network::{Refusal, refusal};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::error::unknown_format;
use super::given::Source;
use super::guard::open_file;
use crate::shown::{beginning, printable};

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceRow {
    /// The line in the file, from 1; the header is line 1.
    pub line: u64,
    /// Its cells, `cycle` first; what is not printed is escaped.
    pub cells: Vec<String>,
}

/// All lines of one cycle, in the file's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceCycle {
    pub cycle: u64,
    /// At least one row.
    pub rows: Vec<TraceRow>,
}

/// Reads a CSV whose first column is `cycle`, ascending, one cycle at a time: the memory is that
/// of one cycle, whatever the length of the run.
pub struct TraceReader {
    path: PathBuf,
    header: Vec<String>,
    reader: csv::Reader<BufReader<Source>>,
    /// The first row of the next cycle, already read.
    ahead: Option<(u64, TraceRow)>,
    last_cycle: u64,
}

impl TraceReader {
    /// Opens a trace and reads its header line.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        let mut reader = csv::ReaderBuilder::new().from_reader(open_file(path)?);
        let header = reader.headers().map_err(|error| line_error(path, 1, &error))?;
        let header: Vec<String> = header.iter().map(|name| printable(name.trim())).collect();
        if header.first().is_none_or(|name| name != "cycle") {
            return Err(unknown_format(path));
        }
        Ok(Self { path: path.to_path_buf(), header, reader, ahead: None, last_cycle: 0 })
    }

    /// The names of the columns, `cycle` first.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The rows of the next cycle that has any; `None` at the end.
    pub fn next_cycle(&mut self) -> Result<Option<TraceCycle>, Refusal> {
        let Some((cycle, row)) = (match self.ahead.take() {
            Some(ahead) => Some(ahead),
            None => self.next_row()?,
        }) else {
            return Ok(None);
        };
        let mut rows = vec![row];
        while let Some((next_cycle, row)) = self.next_row()? {
            if next_cycle != cycle {
                self.ahead = Some((next_cycle, row));
                break;
            }
            rows.push(row);
        }
        Ok(Some(TraceCycle { cycle, rows }))
    }

    fn next_row(&mut self) -> Result<Option<(u64, TraceRow)>, Refusal> {
        let mut record = csv::StringRecord::new();
        let found = self.reader.read_record(&mut record);
        let line = self.reader.position().line().max(2);
        let line = record.position().map_or(line, csv::Position::line);
        if !found.map_err(|error| line_error(&self.path, line, &error))? {
            return Ok(None);
        }
        let reject = |reason: String| refusal!("{} line {line}: {reason}", self.path.display());
        let cells: Vec<String> = record.iter().map(|cell| printable(cell.trim())).collect();
        let cycle: u64 = cells[0].parse().map_err(|_| {
            reject(format!("the cycle is {:?}; write it as a decimal number", beginning(&cells[0])))
        })?;
        if cycle < self.last_cycle {
            return Err(reject(format!(
                "cycle {cycle} comes after cycle {}; sort the lines by cycle",
                self.last_cycle
            )));
        }
        self.last_cycle = cycle;
        Ok(Some((cycle, TraceRow { line, cells })))
    }
}

fn line_error(path: &Path, line: u64, error: &csv::Error) -> Refusal {
    let reason = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("it has {len} cells; the header names {expected_len}, give one for each")
        }
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8 text; write the trace as text".to_string(),
        _ => format!("it cannot be read ({error}); write the trace again"),
    };
    refusal!("{} line {line}: {reason}", path.display())
}
