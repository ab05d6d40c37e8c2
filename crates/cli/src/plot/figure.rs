//! What is drawn: lines through means, and what is written around them.

use frit_model::Statistics;
use serde::Deserialize;

/// What is drawn.
#[derive(Clone)]
pub struct Figure {
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x: String,
    /// The vertical axis, with its unit.
    pub y: String,
    pub series: Vec<Series>,
    /// A horizontal line and what it is.
    pub limit: Option<(f64, String)>,
    /// What the marks on the lines are.
    pub mark: Option<String>,
    pub bars: String,
    /// Where the legend stands if it hides nothing there: else in another corner, or above the chart.
    pub legend: Corner,
}

impl Figure {
    /// With its title and the names of its axes, and nothing in it.
    pub fn new(title: impl Into<String>, x: impl Into<String>, y: impl Into<String>) -> Self {
        Figure {
            title: title.into(),
            x: x.into(),
            y: y.into(),
            series: vec![],
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::Left,
        }
    }
}

/// A corner, as files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    Left,
    Right,
    /// Where lines rise to the upper right and stay there.
    LowerRight,
    /// Above a panel, never on it.
    #[serde(skip)]
    Above,
}

/// A mean over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub x: f64,
    pub y: f64,
    /// Half of its 95 % confidence interval.
    pub interval: f64,
    /// The share of runs that it is made of; the others did not succeed.
    pub share: f64,
}

impl Mean {
    pub fn single(x: f64, y: f64) -> Self {
        Mean { x, y, interval: 0.0, share: 1.0 }
    }

    /// The mean of runs.
    pub fn of(x: f64, statistics: &Statistics) -> Self {
        Mean { interval: statistics.confidence(), ..Mean::single(x, statistics.mean) }
    }
}

pub const BARS: &str = "bars: 95 % confidence interval of the mean over the seeds";

/// Points that belong together.
#[derive(Clone)]
pub struct Series {
    pub name: String,
    /// In order of x.
    pub means: Vec<Mean>,
    /// An x that is shown with a mark on the line.
    pub mark: Option<f64>,
    /// What its colour says.
    pub ink: Ink,
    /// Lines below its name in the legend.
    pub note: Option<String>,
}

impl Series {
    /// Without a mark and a note.
    pub fn new(name: String, means: Vec<Mean>, ink: Ink) -> Self {
        Series { name, means, mark: None, ink, note: None }
    }
}

/// What the colour of a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The system with this key, whose colour it has in every plot.
    System(&'static str),
    /// A step of a parameter: its colour is one of a ramp.
    Step,
    /// The same, without points, and the line is dashed: what a formula says.
    Formula,
    /// Thin and grey, not in the legend: what the other lines are compared with.
    Context,
}
