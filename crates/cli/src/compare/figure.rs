//! The plot of a comparison: cycles and switches against N.

use super::table::{Entry, Measured, Row, Subject};
use crate::sweep::plot::{Corner, Figure, Marker, Mean, Series};

/// The sizes that are plotted unless others are given: powers of two, and those between that some systems have, too
/// (2^n + 2 for ATA-2, 3·2^n for the general shuffle-exchange network).
pub const SIZES: [u64; 18] = [4, 6, 8, 10, 12, 16, 18, 24, 32, 34, 48, 64, 66, 96, 128, 130, 192, 256];

/// Two panels. The rows are those of each subject in order of N. A size that a system has not is no point of its line,
/// and so is an exchange that was not run in the panel of cycles.
pub fn figures(subjects: &[Subject], rows: &[Row]) -> [Figure; 2] {
    let panel = |title: &str, y: &str, value: fn(&Entry) -> Option<u64>| Figure {
        title: title.into(),
        x: "N: terminals".into(),
        y: y.into(),
        series: subjects.iter().enumerate().map(|(at, subject)| series(at, subject, rows, value)).collect(),
        limit: None,
        mark: None,
        bars: String::new(),
        legend: Corner::Left,
    };
    [
        panel("Cycles of a complete exchange", "cycles, all phases, as measured", |entry| {
            match entry.measured {
                Measured::Complete { total, .. } => Some(total),
                Measured::Incomplete(_) | Measured::NotRun => None,
            }
        }),
        panel("Switches", "2x2 switches", |entry| Some(entry.switches)),
    ]
}

fn series(at: usize, subject: &Subject, rows: &[Row], value: fn(&Entry) -> Option<u64>) -> Series {
    let name = subject.name();
    let own = rows.iter().filter(|row| row.refusal.is_none() && row.subject.name() == name);
    let mean =
        |entry: &Entry| Some(Mean { x: entry.terminals as f64, y: value(entry)? as f64, deviation: 0.0 });
    let means = own.filter_map(|row| row.entry.as_ref()).filter_map(mean).collect();
    // Lines that lie on each other are told apart by rings around one another.
    Series { name, means, mark: None, marker: Marker::Ring(2 + 2 * (at % 4) as i32) }
}
