//! A sweep as a grid: its points, each with what runs it, and the lines of its plot. Every kind of sweep makes one of its file.

use super::rows::Rows;
use crate::plot::figure::{Figure, Ink, Mean, Series};
use crate::table::csv_cell;
use anyhow::{Context, Result, bail};
use frit_model::Statistics;
use frit_network::facts::Facts;
use frit_traffic::pace::{self, Pace};
use serde_json::Value;
use std::collections::BTreeSet;

/// Above this a list of points is a mistake.
pub const MAX_POINTS: usize = 1 << 20;

/// Makes a run. What is to be said besides its row is told to the argument.
type Run = Box<dyn Fn(&dyn Fn(&str)) -> Result<Facts> + Send + Sync>;
type Measure = Box<dyn Fn(&Grid, &Rows, usize) -> Option<f64> + Send + Sync>;
type Draw = Box<dyn Fn(&Rows) -> Figure + Send + Sync>;
type Conclude = Box<dyn Fn(&Grid, &Rows) -> Option<Conclusion> + Send + Sync>;

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its cells in the key columns; no two points share them.
    pub key: Vec<String>,
    /// How long it takes beside the others, in any unit.
    pub work: u64,
}

/// What all points together come to.
pub struct Conclusion {
    /// Whether every check passed.
    pub fine: bool,
    /// What is said of it, a line each.
    pub lines: Vec<String>,
}

pub struct Line {
    pub name: String,
    /// What its colour says.
    pub ink: Ink,
    /// An x that is shown with a mark on the line.
    pub mark: Option<f64>,
    /// What its name is made of ([`Series::parts`]).
    pub parts: Vec<String>,
    /// Places, and the points that are there.
    places: Vec<(f64, Vec<usize>)>,
}

/// The points of a sweep, all of which exist.
pub struct Grid {
    columns: Vec<&'static str>,
    keys: usize,
    /// What decides what a point comes to besides its key, in a text that is the same as long as that is.
    pub configuration: String,
    points: Vec<Point>,
    runs: Vec<Run>,
    /// What points are called.
    names: Vec<String>,
    listed: BTreeSet<Vec<String>>,
    /// The pace, and the names of two facts: the words that a run delivers, and the cycles that it takes.
    pace: Option<(Pace, &'static str, &'static str)>,
    /// Why points are too many.
    pub too_many: &'static str,
    pub lines: Vec<Line>,
    /// The first line that [`Grid::line`] goes on with.
    pub group: usize,
    current: usize,
    /// Points at one place of a line are drawn apart, not as their mean.
    pub apart: bool,
    /// What is drawn of a point.
    pub value: Measure,
    /// The figure without its lines.
    pub plot: Figure,
    /// Draws in place of the lines.
    pub draw: Option<Draw>,
    /// Whether all is there that runs need, such as tools: asked before anything runs.
    pub ready: Box<dyn Fn() -> Result<()> + Send + Sync>,
    /// What is said of the sweep as a whole, once all points are known.
    pub conclude: Conclude,
}

impl Grid {
    /// Without points. `keys` and `facts` are the columns of the CSV file, in words: those that name a point, and the facts of its run. `y` is
    /// the one that is drawn.
    pub fn new(
        configuration: impl Into<String>,
        keys: &'static str,
        facts: &'static str,
        y: &'static str,
        plot: Figure,
    ) -> Self {
        Grid {
            columns: words(keys).chain(words(facts)).collect(),
            keys: words(keys).count(),
            configuration: configuration.into(),
            points: vec![],
            runs: vec![],
            names: vec![],
            listed: BTreeSet::new(),
            pace: None,
            too_many: "all combinations of the lists are run",
            lines: vec![],
            group: 0,
            current: 0,
            apart: false,
            value: Box::new(move |grid, rows, at| grid.number(rows, at, y)),
            plot,
            draw: None,
            ready: Box::new(|| Ok(())),
            conclude: Box::new(|_, _| None),
        }
    }

    /// The columns of the CSV file, those of the key first.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    /// How many of them name a point.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// All points, in the order of the CSV file.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    pub fn name(&self, point: usize) -> &str {
        &self.names[point]
    }

    /// Refuses what was listed before.
    pub fn once(&mut self, key: &[String], name: &str) -> Result<()> {
        match self.listed.insert(key.to_vec()) {
            true => Ok(()),
            false => bail!("{name} is listed twice"),
        }
    }

    /// Refuses more points than a list has.
    pub fn room(&self, more: usize) -> Result<()> {
        match self.points.len().saturating_add(more) > MAX_POINTS {
            true => bail!("more than {MAX_POINTS} points: {}", self.too_many),
            false => Ok(()),
        }
    }

    /// Begins a line, for the points that are added next.
    pub fn begin(&mut self, name: impl Into<String>, ink: Ink) -> &mut Line {
        self.current = self.lines.len();
        self.lines.push(Line { name: name.into(), ink, mark: None, parts: vec![], places: vec![] });
        &mut self.lines[self.current]
    }

    /// Goes on with the line of a name in the group, or begins it.
    pub fn line(&mut self, name: impl Into<String>, ink: Ink) -> &mut Line {
        let name = name.into();
        match self.lines[self.group..].iter().position(|line| line.name == name) {
            Some(at) => self.current = self.group + at,
            None => _ = self.begin(name, ink),
        }
        &mut self.lines[self.current]
    }

    /// Adds a point, in the line at `x` if that is a number.
    pub fn add(
        &mut self,
        x: f64,
        (key, work): (Vec<String>, u64),
        name: impl Into<String>,
        run: impl Fn(&dyn Fn(&str)) -> Result<Facts> + Send + Sync + 'static,
    ) -> Result<()> {
        self.room(1)?;
        let point = self.points.len();
        self.points.push(Point { key, work });
        self.names.push(name.into());
        self.runs.push(Box::new(run));
        if !x.is_nan() {
            let places = &mut self.lines[self.current].places;
            match places.iter_mut().rfind(|(other, _)| *other == x && !self.apart) {
                Some((_, points)) => points.push(point),
                None => places.push((x, vec![point])),
            }
        }
        Ok(())
    }

    /// Adds the columns for time and throughput. A run delivers the words of the fact `words` in the cycles of the fact `cycles`.
    pub fn paced(mut self, pace: Option<Pace>, words: &'static str, cycles: &'static str) -> Self {
        if let Some(pace) = pace {
            self.columns.extend(pace::FACTS);
            self.configuration += &format!(" {pace:?}");
            self.pace = Some((pace, words, cycles));
        }
        self
    }

    /// The sweep, if it has points; else what it needs.
    pub fn filled(self, need: &str) -> Result<Self> {
        if self.points.is_empty() { bail!("{need}") } else { Ok(self) }
    }

    /// Runs a point; gives the cells of the columns behind the key.
    pub fn run(&self, point: usize, say: &dyn Fn(&str)) -> Result<Vec<String>> {
        let mut facts = (self.runs[point])(say)?;
        if let Some((pace, words, cycles)) = self.pace {
            pace.add_of(&mut facts, words, cycles);
        }
        let cell = |name: &&str| match facts.get(*name)? {
            Value::Null => Some(String::new()),
            Value::String(text) => Some(csv_cell(text)),
            Value::Bool(yes) => Some(u8::from(*yes).to_string()),
            Value::Number(number) if number.is_f64() => number.as_f64().map(|number| number.to_string()),
            other => Some(other.to_string()),
        };
        let cells = self.columns[self.keys..].iter();
        cells.map(|name| cell(name).with_context(|| format!("a run has no fact {name}"))).collect()
    }

    /// A cell of a point behind its key.
    pub fn number(&self, rows: &Rows, point: usize, column: &str) -> Option<f64> {
        rows.number(&self.points[point].key, column)
    }

    /// What is drawn of the rows that are known.
    pub fn figure(&self, rows: &Rows) -> Figure {
        if let Some(draw) = &self.draw {
            return draw(rows);
        }
        let mean = |(x, points): &(f64, Vec<usize>)| {
            let values: Vec<f64> = points.iter().filter_map(|&at| (self.value)(self, rows, at)).collect();
            let mean = Mean::of(*x, &Statistics::of(&values)?);
            Some(if self.plot.bars.is_empty() { Mean::single(*x, mean.y) } else { mean })
        };
        let series = self.lines.iter().map(|line| {
            let mut means: Vec<Mean> = line.places.iter().filter_map(mean).collect();
            means.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series {
                mark: line.mark,
                parts: line.parts.clone(),
                ..Series::new(line.name.clone(), means, line.ink)
            }
        });
        Figure { series: series.collect(), ..self.plot.clone() }
    }
}

fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split_whitespace()
}
