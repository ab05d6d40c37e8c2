//! The text of a CSV file of results: a row per point, and behind its cells the version of `frit`, a hash of the configuration that made
//! it, and a digest of the row, so that a row that was changed is refused.

use super::grid::Grid;
use anyhow::{Context, Result, bail};
use frit_trace::output;
use frit_trace::shown::beginning;
use frit_traffic::fnv::Fnv64;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The columns behind those of the kind.
const STAMP: [&str; 2] = ["frit", "config"];
/// The last one: the digest of what stands before it in the line.
const DIGEST: &str = "row_digest";
/// The column of the key in which all options of a system stand, and how the columns begin in which each stands alone.
const OPTIONS: &str = "options";
const OPTION: &str = "option_";

/// The column behind the key that has words.
const WORDS: &str = "form";

/// Cells in the columns of the key, and in those behind it.
type Cells = BTreeMap<Vec<String>, Vec<String>>;

/// What the rows of a sweep look like.
pub struct Form {
    columns: Vec<&'static str>,
    keys: usize,
    stamp: String,
    /// The place of the column of options, if there is one, and the names of all options.
    options: Option<(usize, Vec<String>)>,
    points: BTreeSet<Vec<String>>,
}

/// What a file of results holds.
#[derive(Default)]
pub struct Held {
    /// Rows of this version and configuration whose points are in the sweep.
    pub cells: Cells,
    /// Keys of rows whose points are not.
    pub others: Vec<String>,
    /// Keys of rows of another version or configuration.
    pub older: Vec<String>,
    /// The last line was left out: its end is missing.
    pub torn: bool,
}

impl Form {
    /// Of the rows of a sweep.
    pub fn of(grid: &Grid) -> Self {
        let points: BTreeSet<Vec<String>> = grid.points().iter().map(|point| point.key.clone()).collect();
        let at = grid.columns().iter().position(|column| *column == OPTIONS);
        let names = |at: usize| {
            let all = points.iter().flat_map(|key| options(&key[at]).map(|(name, _)| name.to_string()));
            (at, all.collect::<BTreeSet<String>>().into_iter().collect())
        };
        Form {
            columns: grid.columns().to_vec(),
            options: at.map(names),
            keys: grid.keys(),
            stamp: format!("{},{:016x}", env!("CARGO_PKG_VERSION"), Fnv64::of_text(&grid.configuration)),
            points,
        }
    }

    /// The columns of the kind, those of the key first.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    pub fn keys(&self) -> usize {
        self.keys
    }

    /// The first line.
    pub fn header(&self) -> String {
        let mut cells: Vec<String> = self.columns.iter().map(|column| column.to_string()).collect();
        if let Some((at, names)) = &self.options {
            cells.splice(at + 1..at + 1, names.iter().map(|name| format!("{OPTION}{name}")));
        }
        [&cells.join(","), STAMP[0], STAMP[1], DIGEST].join(",")
    }

    /// The line of a point.
    pub fn row(&self, key: &[String], cells: &[String]) -> String {
        let mut key = key.to_vec();
        if let Some((at, names)) = &self.options {
            let given = key[*at].clone();
            let value = |name: &String| options(&given).find(|(known, _)| known == name);
            let values: Vec<String> = names
                .iter()
                .map(|name| value(name).map_or(String::new(), |(_, value)| value.into()))
                .collect();
            key.splice(at + 1..at + 1, values);
        }
        let text = format!("{},{},{}", key.join(","), cells.join(","), self.stamp);
        format!("{text},{:016x}\n", Fnv64::of_text(&text))
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If no sweep of this kind has written it.
    pub fn read(&self, path: &Path) -> Result<Held> {
        let text = output::read_text(path)?;
        self.parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(&self, text: &str) -> Result<Held> {
        let header = self.header();
        let (whole, last) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
        // An end of line of Windows may be cut in two.
        let last = last.strip_suffix('\r').unwrap_or(last);
        let first = text.lines().next().unwrap_or_default();
        let alone: Vec<bool> = first.split(',').map(|column| column.starts_with(OPTION)).collect();
        let mut held = Held::default();
        if whole.is_empty() && header.starts_with(last) {
            held.torn = !last.is_empty() && last != header;
            return Ok(held);
        }
        if without(first, &alone) == [&self.columns[..], &STAMP].concat() {
            bail!(
                "its rows have no digest (the column {DIGEST}), as an earlier version of frit wrote them; name another csv file or remove it"
            );
        }
        if without(first, &alone) != [&self.columns[..], &STAMP, &[DIGEST]].concat() {
            bail!(
                "this file was not written by this kind of sweep; name another csv file or remove it: its first line is not {header}"
            );
        }
        for (at, line) in whole.lines().enumerate().skip(1) {
            self.line(line, &alone, &mut held).with_context(|| {
                format!("line {} was not written by a sweep; without it its point is run again", at + 1)
            })?;
        }
        if is_whole(last, alone.len()) {
            self.line(last, &alone, &mut held).context("the last line")?;
        } else {
            held.torn = !last.is_empty();
        }
        Ok(held)
    }

    /// Takes a line; in the columns marked an option stands alone.
    fn line(&self, line: &str, alone: &[bool], held: &mut Held) -> Result<()> {
        let (count, expected) = (line.split(',').count(), alone.len());
        if count != expected {
            bail!("it has {count} cells, not {expected}");
        }
        let (text, digest) = line.rsplit_once(',').unwrap_or_default();
        if digest != format!("{:016x}", Fnv64::of_text(text)) {
            bail!(
                "its last cell ({DIGEST}) is {:?}, but a row with these cells has {:016x}: some cell was changed",
                beginning(digest),
                Fnv64::of_text(text)
            );
        }
        let row = without(text, alone);
        let (row, stamp) = row.split_at(self.columns.len());
        let (key, cells) = row.split_at(self.keys);
        for (cell, column) in cells.iter().zip(&self.columns[self.keys..]) {
            if *column != WORDS && !is_figure(cell) {
                bail!("{:?} in column {column} is no number", beginning(cell));
            }
        }
        let own = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
        let (point, cells) = (own(key), own(cells));
        if !self.points.contains(&point) {
            held.others.push(key.join(","));
        } else if stamp.join(",") != self.stamp {
            held.older.push(key.join(","));
        } else if held.cells.get(&point).is_some_and(|other| *other != cells) {
            bail!("an earlier line has other figures for {}", key.join(","));
        } else {
            held.cells.insert(point, cells);
        }
        Ok(())
    }
}

/// Whether a run can have left this in a column: a number, a digest in hexadecimal, or nothing where there is no such figure.
fn is_figure(cell: &str) -> bool {
    let hexadecimal = cell.strip_prefix("0x").is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok());
    cell.is_empty() || hexadecimal || cell.parse().is_ok_and(f64::is_finite)
}

/// The options in a cell, `name=value` with a space between.
fn options(cell: &str) -> impl Iterator<Item = (&str, &str)> {
    cell.split(' ').filter_map(|option| option.split_once('='))
}

/// The cells of a line but those marked.
fn without<'a>(line: &'a str, marked: &[bool]) -> Vec<&'a str> {
    let cells = line.split(',').zip(marked.iter().chain(std::iter::repeat(&false)));
    cells.filter(|(_, marked)| !**marked).map(|(cell, _)| cell).collect()
}

/// Whether nothing but its end of line is missing: the digest at its end has a length.
fn is_whole(line: &str, cells: usize) -> bool {
    line.rsplit(',').next().is_some_and(|digest| digest.len() == 16) && line.split(',').count() == cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a sweep over two points.
    fn form() -> Form {
        let points = ["4", "8"].map(|terminals| vec![terminals.to_string()]);
        Form {
            columns: vec!["terminals", "cycles"],
            keys: 1,
            stamp: format!("0.2.0,{:016x}", 17),
            options: None,
            points: points.into(),
        }
    }

    #[test]
    fn ends_of_lines_of_windows_are_those_of_others() {
        let form = form();
        let rows = ["4", "8"].map(|terminals| form.row(&[terminals.into()], &["6".into()]));
        let text = format!("{}\n{}", form.header(), rows.concat());
        let expected = form.parse(&text).unwrap().cells;
        assert_eq!(expected.len(), 2);
        let windows = text.replace('\n', "\r\n");
        // All of it; without the end of the last line; that end cut in two.
        for end in [0, 2, 1] {
            let held = form.parse(&windows[..windows.len() - end]).unwrap();
            assert_eq!(
                (held.cells, held.older, held.torn),
                (expected.clone(), vec![], false),
                "{end} bytes less"
            );
        }
        let header = form.header() + "\r";
        assert!(!form.parse(&header).unwrap().torn && form.parse(&header[..9]).unwrap().torn);
    }
}
