//! The plot of a comparison: cycles and switches against N, a small panel for each system with all others in grey.

use super::table::{CompareRow, Subject};
use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};

/// The sizes that are plotted unless others are given: powers of two, and those between that some systems have, too
/// (2^n + 2 for ATA-2, 3·2^n for the general shuffle-exchange network).
pub const SIZES: [u64; 18] = [4, 6, 8, 10, 12, 16, 18, 24, 32, 34, 48, 64, 66, 96, 128, 130, 192, 256];

/// The points of each subject: what its panel shows, and what the others are compared with.
type Lines<'a> = Vec<(&'a Subject, Vec<Mean>)>;

/// Panels of cycles and of switches, of each system one. The rows are those of each subject in order of N. A size that a system
/// has not is no point of its line, and so is an exchange that was not run in the panels of cycles.
pub fn figures(subjects: &[Subject], rows: &[CompareRow]) -> [Vec<Figure>; 2] {
    let panels = |title: &str, y: &str, fact: &str| {
        let lines: Lines = subjects.iter().map(|subject| (subject, means(subject, rows, fact))).collect();
        let mut keys: Vec<&'static str> = subjects.iter().map(|subject| subject.system.row.key).collect();
        keys.dedup();
        let panel = |key: &&'static str| panel(key, format!("{key}: {title}"), y, &lines);
        keys.iter().map(panel).collect()
    };
    [
        panels("cycles of a complete exchange", "cycles, all phases", "cycles_total"),
        panels("switches", "2x2 switches", "switches"),
    ]
}

fn means(subject: &Subject, rows: &[CompareRow], fact: &str) -> Vec<Mean> {
    let own = rows.iter().filter(|row| row.refusal.is_none() && row.subject.name() == subject.name());
    let number = |row: &CompareRow, fact: &str| row.entry.as_ref()?.facts[fact].as_f64();
    own.filter_map(|row| Some(Mean::single(number(row, "terminals")?, number(row, fact)?))).collect()
}

/// The panel of a system: the others' lines first, behind its own.
fn panel(key: &'static str, title: String, y: &str, lines: &Lines) -> Figure {
    let (own, others): (Vec<_>, Vec<_>) =
        lines.iter().partition(|(subject, _)| subject.system.row.key == key);
    let grey = others.iter().map(|(_, means)| Series::new(String::new(), means.clone(), Ink::Context));
    let coloured = own.iter().enumerate().map(|(at, (subject, means))| {
        let options = subject.options();
        let name = if options.is_empty() { key.into() } else { options };
        // Once for those that lie on one another.
        let last = own[at + 1..].iter().all(|(_, later)| later != means);
        let note = if last { same(means, &others) } else { None };
        Series { note, ..Series::new(name, means.clone(), Ink::System(key)) }
    });
    let series = grey.chain(coloured).collect();
    Figure { series, legend: Corner::Above, ..Figure::new(title, "N: terminals", y) }
}

/// Characters of a line of a note: as many as fit over a panel.
const NOTE: usize = 40;

/// Which other lines are in the same place: the system if all of its lines are. In lines that fit.
fn same(means: &[Mean], others: &[&(&Subject, Vec<Mean>)]) -> Option<String> {
    let here = |line: &&&(&Subject, Vec<Mean>)| line.1 == means && !means.is_empty();
    let mut names: Vec<String> = vec![];
    let mut before = "";
    for (subject, _) in others.iter().filter(here) {
        let key = subject.system.row.key;
        let all = others.iter().filter(|line| line.0.system.row.key == key).all(|line| line.1 == means);
        match (all, before == key) {
            (true, true) => {}
            (true, false) => names.push(key.into()),
            (false, true) => names.push(subject.options()),
            (false, false) => names.push(subject.name()),
        }
        before = key;
    }
    let (first, rest) = names.split_first()?;
    let mut note = format!("as {first}");
    for name in rest {
        let last = note.lines().last().map_or(0, str::len);
        note += if last + name.len() + 2 > NOTE { ",\n" } else { ", " };
        note += name;
    }
    Some(note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::table::{rows, subjects};

    #[test]
    fn lines_in_one_place_are_named_in_each_panel() {
        let subjects = subjects(&["rls".into(), "rls-flattened".into(), "xor".into()]).unwrap();
        let [cycles, switches] = figures(&subjects, &rows(&subjects, &[4, 6, 8], |_| ()));
        let notes = |figures: &[Figure]| {
            let coloured = figures.iter().flat_map(|figure| &figure.series).filter(|s| s.ink != Ink::Context);
            coloured.map(|series| series.note.clone().unwrap_or_default()).collect::<Vec<_>>()
        };
        // rls, capacity 1 and 2, xor on two networks.
        assert_eq!(notes(&cycles), ["as rls-flattened capacity=2", "", "as rls", "", ""]);
        assert_eq!(
            notes(&switches),
            ["as rls-flattened capacity=2", "as xor", "as rls", "", "as rls-flattened capacity=1"]
        );
        // Every panel has all five lines, the others' in grey; 6 is no size of theirs.
        for figure in cycles.iter().chain(&switches) {
            assert_eq!(figure.series.len(), 5, "{}", figure.title);
            assert!(figure.series.iter().all(|series| series.means.len() == 2));
        }
    }

    #[test]
    fn what_was_not_run_is_no_point_of_the_cycles() {
        let subjects = subjects(&["xor".into()]).unwrap();
        let mut rows = rows(&subjects, &[8], |_| ());
        rows[0].entry.as_mut().unwrap().facts["cycles_total"] = serde_json::Value::Null;
        let [cycles, switches] = figures(&subjects, &rows);
        assert_eq!([&cycles, &switches].map(|figures| figures[0].series[0].means.len()), [0, 1]);
    }
}
