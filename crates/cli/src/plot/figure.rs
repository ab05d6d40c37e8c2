//! What is drawn: lines through means, and what is written around them.

use frit_model::Statistics;
use serde::Deserialize;

/// So many lines are told apart in one chart.
const MOST: usize = 8;

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

    /// The figure; of more lines than are told apart in one chart a small panel for each value of the first part of their names that varies,
    /// with the lines of the other panels in grey.
    pub fn panels(self) -> Vec<Figure> {
        let parts = self.series.iter().map(|series| series.parts.len()).min().unwrap_or(0);
        let varies = |part: &usize| self.series.iter().any(|s| s.parts[*part] != self.series[0].parts[*part]);
        let varying: Vec<usize> = (0..parts).filter(varies).collect();
        let Some((&first, rest)) = varying.split_first().filter(|_| self.series.len() > MOST) else {
            return vec![self];
        };
        let mut values: Vec<&String> = vec![];
        self.series.iter().map(|series| &series.parts[first]).for_each(|value| {
            if !values.contains(&value) {
                values.push(value);
            }
        });
        let panel = |value: &&String| {
            let (own, others): (Vec<_>, Vec<_>) =
                self.series.iter().partition(|series| series.parts[first] == **value);
            let bare =
                |series: &Series| series.means.iter().map(|mean| Mean::single(mean.x, mean.y)).collect();
            let grey = others.into_iter().map(|s| Series::new(String::new(), bare(s), Ink::Context));
            let named = own.into_iter().map(|series| {
                let words: Vec<&str> = rest.iter().map(|&part| series.parts[part].as_str()).collect();
                Series { name: words.join(", "), ..series.clone() }
            });
            Figure {
                title: value.to_string(),
                series: grey.chain(named).collect(),
                legend: Corner::Above,
                ..self.clone()
            }
        };
        values.iter().map(panel).collect()
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
    /// What its name is made of: the parts by which many lines go into panels, what goes first before the others.
    pub parts: Vec<String>,
}

impl Series {
    /// Without a mark and a note.
    pub fn new(name: String, means: Vec<Mean>, ink: Ink) -> Self {
        Series { name, means, mark: None, ink, note: None, parts: vec![] }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(lines: usize) -> Figure {
        let series = (0..lines).map(|at| {
            let parts = [format!("demand {}", at % 3), "N = 16".into(), format!("planner {}", at / 3)];
            Series {
                parts: parts.into(),
                ..Series::new(at.to_string(), vec![Mean::single(1.0, 2.0)], Ink::Step)
            }
        });
        Figure { series: series.collect(), ..Figure::new("title", "x", "y") }
    }

    #[test]
    fn many_lines_are_drawn_in_small_panels() {
        let panels = figure(12).panels();
        let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["demand 0", "demand 1", "demand 2"]);
        for panel in &panels {
            let own: Vec<&str> =
                panel.series.iter().filter(|s| s.ink == Ink::Step).map(|s| s.name.as_str()).collect();
            assert_eq!(own, ["planner 0", "planner 1", "planner 2", "planner 3"]);
            assert_eq!((panel.series.len(), panel.legend), (12, Corner::Above));
        }
        // Few lines, or lines whose names have no parts, are one chart.
        assert_eq!(figure(8).panels().len(), 1);
        let mut nameless = figure(12);
        nameless.series[3].parts.clear();
        assert_eq!(nameless.panels().len(), 1);
    }
}
