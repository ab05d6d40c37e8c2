//! What a sweep of a routed system draws: a column against a column of the key, a line for each combination of the others, and
//! what formulas say.

use super::{COLUMNS, Case, KEY};
use crate::dilated::closed_form;
use crate::plot::figure::{Corner, Figure, Marker, Mean, Series};
use crate::sweep::rows::Rows;
use anyhow::{Result, bail};
use frit_model::Statistics;
use frit_router::dilated::claims;
use serde::Deserialize;

/// What can be across: n is the logarithm of the terminals.
const ACROSS: [&str; 6] = ["n", "terminals", "bundle", "per_input", "payload", "queue"];

/// The columns that are no numbers.
const NO_NUMBER: &str = "digest";

/// The section `[drawing]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawingFile {
    x: String,
    y: String,
    values: Vec<Value>,
    formulas: Vec<String>,
    legend: Side,
}

impl Default for DrawingFile {
    fn default() -> Self {
        let text = String::from;
        DrawingFile {
            x: text("n"),
            y: text("steps"),
            values: vec![Value::Mean],
            formulas: vec![],
            legend: Side::Left,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Side {
    Left,
    Right,
    LowerRight,
}

/// What a formula gives for a case.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Formula {
    /// The steps without waiting.
    ClosedForm,
    /// The edges for this chance of an overload.
    Bound(f64),
    /// The load of bit reversal without intermediate rows.
    BitReversal,
}

impl Formula {
    fn parse(text: &str) -> Result<Self> {
        let chance = text.strip_prefix("bound ").and_then(|chance| chance.trim().parse::<f64>().ok());
        Ok(match (text, chance) {
            ("closed-form", _) => Formula::ClosedForm,
            ("bit-reversal", _) => Formula::BitReversal,
            (_, Some(chance)) if chance > 0.0 && chance <= 1.0 => Formula::Bound(chance),
            _ => bail!(
                "formulas = [{text:?}]: they are \"closed-form\", \"bit-reversal\" and \"bound P\" with a chance P above 0, like \"bound 1e-3\""
            ),
        })
    }

    /// Its name and its value; none where it says nothing.
    fn of(self, case: &Case) -> Option<(String, f64)> {
        let n = case.parameters.rows.ilog2();
        match self {
            Formula::ClosedForm => {
                Some((closed_form(&case.parameters).into(), case.parameters.least_steps() as f64))
            }
            Formula::Bound(chance) => {
                let edges = claims::bundle_for(n, case.per_input, chance);
                let chance = if chance < 0.01 { format!("{chance:e}") } else { chance.to_string() };
                let name = format!("edges for an overload with chance {chance}");
                (!case.parameters.direct).then(|| (name, edges.into()))
            }
            Formula::BitReversal => {
                let load = f64::from(case.per_input) * 2f64.powi(n.div_ceil(2) as i32 - 1);
                let direct = case.parameters.direct && case.traffic == "bit-reversal";
                direct.then(|| ("packets per row x 2^(n/2 - 1)".into(), load))
            }
        }
    }
}

/// A line: its name, and the cases on it.
struct Line {
    name: String,
    cases: Vec<usize>,
}

/// A checked section.
pub struct Drawing {
    x: String,
    y: Vec<&'static str>,
    values: Vec<Value>,
    formulas: Vec<Formula>,
    legend: Corner,
    lines: Vec<Line>,
}

impl Drawing {
    /// Checks a section and sorts the cases into lines.
    pub fn new(file: &DrawingFile, cases: &[Case]) -> Result<Self> {
        if !ACROSS.contains(&file.x.as_str()) {
            bail!("x = {:?}: it is one of {}", file.x, ACROSS.join(", "));
        }
        let column = |name: &str| {
            let numbers = COLUMNS[KEY.len()..].iter().filter(|column| **column != NO_NUMBER);
            let mut numbers = numbers.copied();
            match numbers.clone().find(|column| *column == name.trim()) {
                Some(column) => Ok(column),
                None => bail!(
                    "y = {:?}: it is one of {}, or a quotient like \"delivered/total\"",
                    file.y,
                    numbers.by_ref().collect::<Vec<_>>().join(", ")
                ),
            }
        };
        let y = file.y.splitn(2, '/').map(column).collect::<Result<_>>()?;
        if file.values.is_empty() {
            bail!("values need one at least of mean, median, least, greatest");
        }
        let formulas = file.formulas.iter().map(|text| Formula::parse(text)).collect::<Result<_>>()?;
        let legend = match file.legend {
            Side::Left => Corner::Left,
            Side::Right => Corner::Right,
            Side::LowerRight => Corner::LowerRight,
        };
        let mut drawing =
            Drawing { x: file.x.clone(), y, values: file.values.clone(), formulas, legend, lines: vec![] };
        drawing.lines = drawing.lines(cases);
        Ok(drawing)
    }

    /// Lines of the cases: one for each combination of what varies besides x.
    fn lines(&self, cases: &[Case]) -> Vec<Line> {
        let across = if self.x == "n" { "terminals" } else { &self.x };
        let apart: Vec<usize> =
            (0..KEY.len() - 1).filter(|&at| KEY[at] != across && varies(cases, at)).collect();
        let mut lines: Vec<(Vec<&str>, Line)> = vec![];
        for (number, case) in cases.iter().enumerate() {
            let cells: Vec<&str> = apart.iter().map(|&at| case.key[at].as_str()).collect();
            match lines.iter_mut().find(|line| line.0 == cells) {
                Some(line) => line.1.cases.push(number),
                None => {
                    let words: Vec<String> = apart.iter().map(|&at| word(at, &case.key[at])).collect();
                    lines.push((cells, Line { name: words.join(", "), cases: vec![number] }));
                }
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn across(&self, case: &Case) -> f64 {
        let p = &case.parameters;
        match self.x.as_str() {
            "n" => p.rows.ilog2().into(),
            "terminals" => p.rows as f64,
            "bundle" => p.bundle.into(),
            "per_input" => case.per_input.into(),
            "payload" => p.payload.into(),
            _ => p.queue.into(),
        }
    }

    /// The figure of the rows that are known.
    pub fn figure(&self, cases: &[Case], seeds: &[u64], rows: &Rows) -> Figure {
        let mut series: Vec<Series> = vec![];
        for line in &self.lines {
            for &value in &self.values {
                let mut means: Vec<Mean> =
                    line.cases.iter().filter_map(|&at| self.mean(&cases[at], seeds, rows, value)).collect();
                means.sort_by(|a, b| a.x.total_cmp(&b.x));
                let name = name(&line.name, value, self.values.len() > 1, &self.y);
                series.push(Series { name, means, mark: None, marker: Marker::Dot });
            }
        }
        // A line behind another is seen by its rings.
        for at in 0..series.len() {
            if series[at + 1..].iter().any(|later| later.means == series[at].means) {
                series[at].marker = Marker::Ring(8);
            }
        }
        let mut formulas: Vec<Series> = vec![];
        for (formula, line) in self.formulas.iter().flat_map(|f| self.lines.iter().map(move |l| (f, l))) {
            let mut name = String::new();
            let mut means = vec![];
            for case in line.cases.iter().map(|&at| &cases[at]) {
                if let Some((text, y)) = formula.of(case) {
                    name = text;
                    means.push(Mean { x: self.across(case), y, deviation: 0.0 });
                }
            }
            means.sort_by(|a, b| a.x.total_cmp(&b.x));
            if !means.is_empty() && formulas.iter().all(|known| known.means != means) {
                formulas.push(Series { name, means, mark: None, marker: Marker::Formula });
            }
        }
        series.extend(formulas);
        let of = if seeds.len() == 1 { "one seed".into() } else { format!("{} seeds", seeds.len()) };
        Figure {
            title: format!("Dilated butterfly: {} ({of})", quantity(&self.y)),
            x: axis(&self.x).into(),
            y: quantity(&self.y),
            series,
            limit: None,
            mark: None,
            bars: "bars: one standard deviation over the seeds".into(),
            legend: self.legend,
        }
    }

    fn mean(&self, case: &Case, seeds: &[u64], rows: &Rows, value: Value) -> Option<Mean> {
        let number = |seed: &u64| {
            let key = [case.key.clone(), vec![seed.to_string()]].concat();
            let over = self.y.get(1).map_or(Some(1.0), |column| rows.number(&key, column))?;
            Some(rows.number(&key, self.y[0])? / over)
        };
        let mut numbers: Vec<f64> = seeds.iter().filter_map(number).collect();
        numbers.sort_by(f64::total_cmp);
        let statistics = Statistics::of(&numbers)?;
        let middle = (numbers.len() - 1) / 2;
        let (y, deviation) = match value {
            Value::Mean => (statistics.mean, statistics.deviation),
            Value::Median => ((numbers[middle] + numbers[numbers.len() / 2]) / 2.0, 0.0),
            Value::Least => (statistics.least, 0.0),
            Value::Greatest => (statistics.greatest, 0.0),
        };
        Some(Mean { x: self.across(case), y, deviation })
    }
}

/// Whether a column has several values; for one size if its default is computed from the size.
fn varies(cases: &[Case], at: usize) -> bool {
    let size = KEY.iter().position(|column| *column == "terminals");
    let beside = size.filter(|_| ["bundle", "per_input"].contains(&KEY[at]));
    cases.iter().any(|case| {
        cases
            .iter()
            .filter(|other| beside.is_none_or(|size| other.key[size] == case.key[size]))
            .any(|other| other.key[at] != case.key[at])
    })
}

/// A value of a column of the key, in a legend.
fn word(column: usize, value: &str) -> String {
    let yes = value == "true";
    match KEY[column] {
        "terminals" => format!("n = {}", value.parse::<u64>().map_or(0, u64::ilog2)),
        "bundle" => format!("b = {value}"),
        "per_input" => format!("{value} packets per row"),
        "payload" => format!("M = {value}"),
        "queue" => format!("Q = {value}"),
        "release" => if yes { "edges released" } else { "edges used once" }.into(),
        "direct" => if yes { "direct" } else { "random rows between" }.into(),
        _ => value.into(),
    }
}

fn axis(x: &str) -> &str {
    match x {
        "n" => "n: 2^n rows",
        "terminals" => "rows",
        "bundle" => "b: edges in a bundle",
        "per_input" => "packets per row",
        "payload" => "M: payload bits",
        _ => "Q: bits that can wait at the end of an edge",
    }
}

fn quantity(y: &[&str]) -> String {
    match y {
        ["steps"] => "bit steps".into(),
        ["max_load"] => "largest load of a bundle (packets)".into(),
        ["delivered", "total"] => "share of packets delivered".into(),
        ["waits", "shunts"] => "steps that a head waits at a switch".into(),
        _ => y.join(" / ").replace('_', " "),
    }
}

/// The name of a line: what varies, and which value it shows if there are several.
fn name(line: &str, value: Value, several: bool, y: &[&str]) -> String {
    let value = match value {
        Value::Mean => "mean",
        Value::Median => "median",
        Value::Least => "least",
        Value::Greatest => "greatest",
    };
    match (line.is_empty(), several) {
        (false, false) => line.into(),
        (false, true) => format!("{line}, {value}"),
        (true, true) => value.into(),
        (true, false) => quantity(y),
    }
}
