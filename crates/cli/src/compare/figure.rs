//! The plot of a comparison: cycles and switches against N.

use super::table::{Entry, Measured, Row, Subject};
use crate::plot::figure::{Corner, Figure, Marker, Mean, Series};

/// The sizes that are plotted unless others are given: powers of two, and those between that some systems have, too
/// (2^n + 2 for ATA-2, 3·2^n for the general shuffle-exchange network).
pub const SIZES: [u64; 18] = [4, 6, 8, 10, 12, 16, 18, 24, 32, 34, 48, 64, 66, 96, 128, 130, 192, 256];

/// Two panels. The rows are those of each subject in order of N. A size that a system has not is no point of its line,
/// and so is an exchange that was not run in the panel of cycles.
pub fn figures(subjects: &[Subject], rows: &[Row]) -> [Figure; 2] {
    let panel = |title: &str, y: &str, value: fn(&Entry) -> Option<u64>| {
        let mut before = vec![];
        Figure {
            title: title.into(),
            x: "N: terminals".into(),
            y: y.into(),
            series: subjects.iter().map(|subject| series(&mut before, subject, rows, value)).collect(),
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::Left,
        }
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

fn series(
    before: &mut Vec<Vec<Mean>>,
    subject: &Subject,
    rows: &[Row],
    value: fn(&Entry) -> Option<u64>,
) -> Series {
    let name = subject.name();
    let own = rows.iter().filter(|row| row.refusal.is_none() && row.subject.name() == name);
    let mean =
        |entry: &Entry| Some(Mean { x: entry.terminals as f64, y: value(entry)? as f64, deviation: 0.0 });
    let means: Vec<Mean> = own.filter_map(|row| row.entry.as_ref()).filter_map(mean).collect();
    // A line that lies on others has its rings around theirs.
    let under = before.iter().filter(|other| **other == means).count();
    before.push(means.clone());
    Series { name, means, mark: None, marker: Marker::Ring(2 + 3 * under as i32) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::table::{rows, subjects};

    #[test]
    fn lines_in_one_place_have_rings_around_one_another() {
        let subjects = subjects(&["rls".into(), "rls-flattened".into(), "xor".into()]).unwrap();
        let [cycles, switches] = figures(&subjects, &rows(&subjects, &[4, 6, 8], |_| ()));
        let rings = |figure: &Figure| figure.series.iter().map(|series| series.marker).collect::<Vec<_>>();
        // rls, capacity 1 and 2, xor on two networks.
        assert_eq!(rings(&cycles), [2, 2, 5, 2, 5].map(Marker::Ring));
        assert_eq!(rings(&switches), [2, 2, 5, 5, 8].map(Marker::Ring));
        // 6 is no size of theirs.
        assert!(cycles.series.iter().all(|series| series.means.len() == 2));
    }

    #[test]
    fn what_was_not_run_is_no_point_of_the_cycles() {
        let subjects = subjects(&["xor".into()]).unwrap();
        let mut rows = rows(&subjects, &[8], |_| ());
        rows[0].entry.as_mut().unwrap().measured = Measured::NotRun;
        let [cycles, switches] = figures(&subjects, &rows);
        assert_eq!([&cycles, &switches].map(|figure| figure.series[0].means.len()), [0, 1]);
    }
}
