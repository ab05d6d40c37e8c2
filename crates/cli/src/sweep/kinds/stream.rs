//! Sweeps of streamed permutations: switches, latency and memory of every size and form, each run through its bare parts.

use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};
use crate::streamed::need;
use crate::sweep::designs::MAX_POINTS;
use crate::sweep::kind::{Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::{OneOrMore, Options, combinations};
use crate::sweep::rows::Rows;
use anyhow::{Context, Result, bail};
use frit_design::reports::form;
use frit_network::options::Request;
use frit_permute::{Streamed, check, streamed};
use serde::Deserialize;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "stream", read };

/// The columns of the CSV file, and how many of them are the key.
const COLUMNS: [&str; 14] = [
    "system",
    "options",
    "terminals",
    "words",
    "form",
    "columns",
    "switches",
    "columns_one_bank",
    "columns_two_banks",
    "wait",
    "registers",
    "latency",
    "pages",
    "memory_words",
];
const KEYS: usize = 3;

/// Options whose values stand in the name of a line.
const NAMED: [&str; 4] = ["kind", "stride", "banks", "pages"];

sweep_file! {
    /// The members of a file with `kind = "stream"`.
    struct StreamFile of Streams {
        systems: Vec<SystemFile>,
        #[serde(default)]
        drawing: DrawingFile,
    }
}

/// A system with its sizes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemFile {
    system: String,
    terminals: OneOrMore<u64>,
    #[serde(default)]
    options: Options,
}

/// The section `[drawing]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DrawingFile {
    x: String,
    y: String,
}

impl Default for DrawingFile {
    fn default() -> Self {
        DrawingFile { x: "words".into(), y: "latency".into() }
    }
}

/// A checked sweep.
struct Streams {
    plans: Vec<Streamed>,
    points: Vec<Point>,
    x: &'static str,
    y: &'static str,
}

impl Streams {
    /// Checks a file and lists its points.
    fn new(file: &StreamFile) -> Result<Self> {
        let numbers: Vec<&'static str> =
            COLUMNS[KEYS..].iter().copied().filter(|name| *name != "form").collect();
        let y = numbers.iter().find(|name| **name == file.drawing.y);
        let y = *y.with_context(|| {
            format!("[drawing] y = {:?}: it is one of {}", file.drawing.y, numbers.join(", "))
        })?;
        let x = match file.drawing.x.as_str() {
            "words" => "words",
            "terminals" => "terminals",
            other => bail!("[drawing] x = {other:?}: it is words or terminals"),
        };
        let mut sweep = Streams { plans: vec![], points: vec![], x, y };
        for entry in &file.systems {
            for options in combinations(&entry.options) {
                for &terminals in entry.terminals.list() {
                    sweep.add(streamed(&Request {
                        system: entry.system.clone(),
                        terminals,
                        options: options.clone(),
                    })?)?;
                }
            }
        }
        if sweep.points.is_empty() {
            bail!("no [[systems]]: each has a system, terminals, and options if it should");
        }
        Ok(sweep)
    }

    fn add(&mut self, plan: Streamed) -> Result<()> {
        let words = plan.order.words();
        need(&format!("a run of {}", plan.name()), words)?;
        let options: Vec<String> = plan.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let key = vec![plan.row.key.to_string(), options.join(" "), plan.lanes.to_string()];
        if self.points.iter().any(|point| point.key == key) {
            bail!("{} is listed twice", plan.name());
        }
        if self.points.len() == MAX_POINTS {
            bail!("more than {MAX_POINTS} points: all combinations of the lists are run");
        }
        self.points.push(Point { key, work: words });
        self.plans.push(plan);
        Ok(())
    }

    /// The name of the line to which a point belongs.
    fn line(&self, plan: &Streamed) -> String {
        let option = |name: &&str| {
            let values = |plan: &Streamed| plan.options.get(*name).cloned();
            let own = values(plan)?;
            let varies = self.plans.iter().any(|other| values(other).as_ref() != Some(&own));
            varies.then(|| format!(" {name}={own}"))
        };
        let options: String = NAMED.iter().filter_map(option).collect();
        let lanes = if self.x == "words" { format!(", N = {}", plan.lanes) } else { String::new() };
        format!("{}{options}{lanes}", plan.row.key)
    }
}

impl Kind for Streams {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn configuration(&self) -> String {
        "stream".into()
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let plan = &self.plans[point];
        check(plan).with_context(|| plan.name())?;
        let bound = |at: usize| plan.bounds().map_or(String::new(), |bounds| bounds[at].to_string());
        Ok(vec![
            plan.order.words().to_string(),
            form(plan.form).to_string(),
            plan.columns().to_string(),
            plan.switches().to_string(),
            bound(0),
            bound(1),
            plan.wait.to_string(),
            plan.registers().to_string(),
            plan.latency().to_string(),
            plan.pages().to_string(),
            plan.memory_words().to_string(),
        ])
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let mut series: Vec<Series> = vec![];
        for (point, plan) in self.points.iter().zip(&self.plans) {
            let Some(y) = rows.number(&point.key, self.y) else { continue };
            let x = if self.x == "words" { plan.order.words() as f64 } else { f64::from(plan.lanes) };
            let name = self.line(plan);
            match series.iter_mut().find(|line| line.name == name) {
                Some(line) => line.means.push(Mean::single(x, y)),
                None => series.push(Series::new(name, vec![Mean::single(x, y)], Ink::Step)),
            }
        }
        series.iter_mut().for_each(|line| line.means.sort_by(|a, b| a.x.total_cmp(&b.x)));
        Figure {
            title: "Streamed permutations".into(),
            x: if self.x == "words" { "words of a data set" } else { "N: words a cycle" }.into(),
            y: self.y.replace('_', " "),
            series,
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::Left,
        }
    }
}
