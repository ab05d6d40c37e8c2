//! What a sweep of a routed system draws: a column against a column of the key, a line for each combination of the others, and
//! what formulas say.

use super::success::{Runs, Success};
use super::system::{Across, Case, Swept};
use crate::plot::figure::{BARS, Corner, Figure, Ink, Mean, Series};
use crate::sweep::rows::Rows;
use anyhow::{Result, bail};
use frit_model::Statistics;
use serde::Deserialize;
use std::sync::Arc;

const NO_NUMBER: &str = "digest";

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawingFile {
    x: String,
    y: Option<String>,
    values: Vec<Value>,
    formulas: Vec<String>,
    legend: Corner,
}

impl Default for DrawingFile {
    fn default() -> Self {
        let text = String::from;
        DrawingFile {
            x: text("n"),
            y: None,
            values: vec![Value::Mean],
            formulas: vec![],
            legend: Corner::Left,
        }
    }
}

/// What is drawn of all seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Value {
    Mean,
    Median,
    Least,
    Greatest,
}

/// The formula that every system has: the least squares of y = a x.
type Factor = fn(&[(f64, f64)]) -> f64;

/// Lines y = a x through the points that are drawn, and how each finds a: by the least squares, and as the least that covers all points.
const LINES: [(&str, Factor); 2] = [
    ("fit", |points| {
        let sum = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
        sum(|(x, y)| x * y) / sum(|(x, _)| x * x)
    }),
    ("cover", |points| points.iter().map(|(x, y)| y / x).filter(|a| a.is_finite()).fold(0.0, f64::max)),
];

fn is_line(text: &str) -> bool {
    LINES.iter().any(|(name, _)| *name == text)
}

/// A line: its name, and the cases on it.
struct Line {
    name: String,
    cases: Vec<usize>,
}

/// A checked section.
pub struct Drawing {
    system: &'static Swept,
    x: &'static Across,
    y: Vec<&'static str>,
    values: Vec<Value>,
    formulas: Vec<String>,
    legend: Corner,
    keys: Vec<Vec<String>>,
    lines: Vec<Line>,
}

impl Drawing {
    /// Checks a section and sorts the cases, of which these are the keys, into lines.
    pub fn new(system: &'static Swept, file: &DrawingFile, keys: Vec<Vec<String>>) -> Result<Self> {
        let Some(x) = system.across.iter().find(|across| across.name == file.x) else {
            let names: Vec<&str> = system.across.iter().map(|across| across.name).collect();
            bail!("x = {:?}: give one of {}", file.x, names.join(", "));
        };
        let numbers: Vec<&'static str> = system.facts.split(' ').filter(|name| *name != NO_NUMBER).collect();
        // Every system has steps of its own: the first column is not always the right one.
        let default = if numbers.contains(&"steps") { "steps" } else { "stages" };
        let y = file.y.as_deref().unwrap_or(default);
        let column = |name: &str| match numbers.iter().find(|column| **column == name.trim()) {
            Some(column) => Ok(*column),
            None => {
                bail!("y = {y:?}: give one of {}, or a quotient like \"delivered/total\"", numbers.join(", "))
            }
        };
        let y = y.splitn(2, '/').map(column).collect::<Result<_>>()?;
        if file.values.is_empty() {
            bail!("values needs at least one of mean, median, least, greatest");
        }
        if let Some(text) = file.formulas.iter().find(|text| !is_line(text) && !(system.is_formula)(text)) {
            bail!("formulas = [{text:?}]: give \"fit\", \"cover\", {}", system.formulas);
        }
        let mut drawing = Drawing {
            system,
            x,
            y,
            values: file.values.clone(),
            formulas: file.formulas.clone(),
            legend: file.legend,
            keys,
            lines: vec![],
        };
        drawing.lines = drawing.lines();
        Ok(drawing)
    }

    /// Lines of the cases: one for each combination of what varies besides x.
    fn lines(&self) -> Vec<Line> {
        let columns = self.system.columns();
        let apart: Vec<usize> =
            (0..columns.len()).filter(|&at| !self.x.of.contains(&columns[at]) && self.varies(at)).collect();
        let mut lines: Vec<(Vec<&str>, Line)> = vec![];
        for (number, key) in self.keys.iter().enumerate() {
            let cells: Vec<&str> = apart.iter().map(|&at| key[at].as_str()).collect();
            match lines.iter_mut().find(|line| line.0 == cells) {
                Some(line) => line.1.cases.push(number),
                None => {
                    let words: Vec<String> =
                        apart.iter().map(|&at| (self.system.word)(columns[at], &key[at])).collect();
                    lines.push((cells, Line { name: words.join(", "), cases: vec![number] }));
                }
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Whether a column has several values; if its default is computed from another column, for one value of that.
    fn varies(&self, at: usize) -> bool {
        let columns = self.system.columns();
        let from = self.system.computed.iter().find(|(column, _)| *column == columns[at]);
        let from = from.and_then(|(_, from)| columns.iter().position(|column| column == from));
        self.keys.iter().any(|key| {
            let beside = |other: &&Vec<String>| from.is_none_or(|from| other[from] == key[from]);
            self.keys.iter().filter(beside).any(|other| other[at] != key[at])
        })
    }

    fn across(&self, cases: &[Arc<dyn Case>], case: usize) -> f64 {
        let cell = |name: &str| {
            let at = self.system.columns().iter().position(|column| *column == name)?;
            self.keys[case][at].parse::<f64>().ok()
        };
        let place = match self.x.name {
            "n" => cell("terminals").map(f64::log2),
            name => cell(name).or_else(|| cases[case].computed(name)),
        };
        place.unwrap_or_else(|| panic!("{} is neither a number of the key nor computed", self.x.name))
    }

    /// The figure of the rows that are known.
    pub fn figure(&self, cases: &[Arc<dyn Case>], seeds: &[u64], rows: &Rows) -> Figure {
        let mut series: Vec<Series> = vec![];
        for line in &self.lines {
            for &value in &self.values {
                let mut success = Success::default();
                let mut means: Vec<Mean> = vec![];
                for &at in &line.cases {
                    let runs = self.runs(&self.keys[at], seeds, rows, value);
                    success.add(&runs);
                    means.extend(mean(self.across(cases, at), &runs, value));
                }
                means.sort_by(|a, b| a.x.total_cmp(&b.x));
                let name = self.name(&line.name, value);
                series.push(Series { note: success.note(), ..Series::new(name, means, Ink::Step) });
            }
        }
        let mut formulas = self.formulas(cases);
        let points: Vec<(f64, f64)> =
            series.iter().flat_map(|series| &series.means).map(|mean| (mean.x, mean.y)).collect();
        for (name, line) in
            LINES.into_iter().filter(|(name, _)| self.formulas.iter().any(|text| text == name))
        {
            formulas.extend(through_origin(&points, self.x.label, name, line));
        }
        series.extend(formulas);
        let of = if seeds.len() == 1 { "one seed".into() } else { format!("{} seeds", seeds.len()) };
        let title = format!("{}: {} ({of})", self.system.title, self.quantity());
        let empty = Figure::new(title, self.x.label, self.quantity());
        Figure { series, bars: BARS.into(), legend: self.legend, ..empty }
    }

    /// What the system's formulas say, each once.
    fn formulas(&self, cases: &[Arc<dyn Case>]) -> Vec<Series> {
        let mut formulas: Vec<Series> = vec![];
        for (formula, line) in self.formulas.iter().flat_map(|f| self.lines.iter().map(move |l| (f, l))) {
            let mut name = String::new();
            let mut means = vec![];
            for &at in &line.cases {
                if let Some((text, y)) = cases[at].formula(formula) {
                    name = text;
                    means.push(Mean::single(self.across(cases, at), y));
                }
            }
            means.sort_by(|a, b| a.x.total_cmp(&b.x));
            if !means.is_empty() && formulas.iter().all(|known| known.means != means) {
                formulas.push(Series::new(name, means, Ink::Formula));
            }
        }
        formulas
    }

    /// The runs of a case that are known, and what is drawn of those that count.
    fn runs(&self, key: &[String], seeds: &[u64], rows: &Rows, value: Value) -> Runs {
        let of_all = |column: &&str| {
            let bounded = value == Value::Greatest && self.system.bounded.contains(column);
            bounded || self.system.of_all.contains(column)
        };
        let all = self.y.iter().all(of_all);
        let mut runs = Runs::default();
        for seed in seeds {
            let key = [key, &[seed.to_string()]].concat();
            let cell = |column: &str| rows.number(&key, column);
            let over = self.y.get(1).map_or(Some(1.0), |column| cell(column));
            let number = cell(self.y[0]).zip(over).map(|(y, over)| y / over);
            let counts = if all { rows.has(&key).then_some(true) } else { (self.system.succeeded)(&cell) };
            runs.add(counts, number);
        }
        runs
    }

    fn quantity(&self) -> String {
        let own = (self.system.quantity)(&self.y);
        own.map_or_else(|| self.y.join(" / ").replace('_', " "), String::from)
    }

    /// The name of a line: what varies, and which value it shows if there are several.
    fn name(&self, line: &str, value: Value) -> String {
        let value = match value {
            Value::Mean => "mean",
            Value::Median => "median",
            Value::Least => "least",
            Value::Greatest => "greatest",
        };
        match (line.is_empty(), self.values.len() > 1) {
            (false, false) => line.into(),
            (false, true) => format!("{line}, {value}"),
            (true, true) => value.into(),
            (true, false) => self.quantity(),
        }
    }
}

/// What is drawn of the runs that count.
fn mean(x: f64, runs: &Runs, value: Value) -> Option<Mean> {
    let mut numbers = runs.numbers.clone();
    numbers.sort_by(f64::total_cmp);
    let statistics = Statistics::of(&numbers)?;
    let middle = (numbers.len() - 1) / 2;
    let mean = match value {
        Value::Mean => Mean::of(x, &statistics),
        Value::Median => Mean::single(x, (numbers[middle] + numbers[numbers.len() / 2]) / 2.0),
        Value::Least => Mean::single(x, statistics.least),
        Value::Greatest => Mean::single(x, statistics.greatest),
    };
    Some(Mean { share: runs.share(), ..mean })
}

/// The line y = a x through points on which a formula of this name draws, named with a and with how far points are from it; none without points.
fn through_origin(points: &[(f64, f64)], label: &str, name: &str, factor: Factor) -> Option<Series> {
    let factor = factor(points);
    let ratios = points.iter().map(|(x, y)| y / (factor * x)).filter(|ratio| ratio.is_finite());
    let (least, most) =
        ratios.fold((f64::INFINITY, 0f64), |(least, most), ratio| (least.min(ratio), most.max(ratio)));
    if least > most {
        return None;
    }
    let mut across: Vec<f64> = points.iter().map(|point| point.0).collect();
    across.sort_by(f64::total_cmp);
    across.dedup();
    let means = across.into_iter().map(|x| Mean::single(x, factor * x));
    let short = label.split(':').next().unwrap_or(label);
    let name = match name {
        "fit" => format!("{factor:.2} {short}: least squares, points at {least:.2} to {most:.2} of it"),
        _ => format!("{factor:.2} {short}: least line above all points, the lowest at {least:.2} of it"),
    };
    Some(Series::new(name, means.collect(), Ink::Formula))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_through_the_origin_are_the_least_squares_and_the_least_above_all_points() {
        let line = |at: usize, points: &[(f64, f64)]| {
            let (name, factor) = LINES[at];
            through_origin(points, "h: messages", name, factor)
        };
        let points = [(1.0, 2.0), (2.0, 4.0), (2.0, 3.0)];
        let series = line(0, &points).unwrap();
        // (2 + 8 + 6) / (1 + 4 + 4) = 16 / 9; the points are at 9/8, 9/8 and 27/32 of it, 1.125 rounded to the even digit.
        assert_eq!(series.name, "1.78 h: least squares, points at 0.84 to 1.12 of it");
        assert_eq!(series.means.iter().map(|mean| mean.x).collect::<Vec<_>>(), [1.0, 2.0]);
        assert!((series.means[1].y - 32.0 / 9.0).abs() < 1e-12);
        let cover = line(1, &points).unwrap();
        assert_eq!(cover.name, "2.00 h: least line above all points, the lowest at 0.75 of it");
        assert!(points.iter().all(|(x, y)| *y <= 2.0 * x) && cover.means[1].y == 4.0);
        assert!(line(0, &[]).is_none() && line(1, &[]).is_none());
    }
}
