//! What is drawn: lines through means, and what is written around them.

use serde::Deserialize;

/// What is drawn.
pub struct Figure {
    /// Above it.
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x: String,
    /// The vertical axis, with its unit.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
    /// A horizontal line and what it is.
    pub limit: Option<(f64, String)>,
    /// What the marks on the lines are.
    pub mark: Option<String>,
    /// What the bars are.
    pub bars: String,
    /// Where the legend hides no line.
    pub legend: Corner,
}

/// A corner, as files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// Where lines rise.
    Left,
    /// Where lines fall.
    Right,
    /// Where lines rise to the upper right and stay there.
    LowerRight,
}

/// A mean over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Where.
    pub x: f64,
    /// The mean.
    pub y: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// Points that belong together.
pub struct Series {
    /// In the legend.
    pub name: String,
    /// In order of x.
    pub means: Vec<Mean>,
    /// An x that is shown with a mark on the line.
    pub mark: Option<f64>,
    /// What its points look like.
    pub marker: Marker,
}

/// What a point looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A dot.
    Dot,
    /// A ring of this radius in pixels: seen around that of another line in the same place, if that is smaller.
    Ring(i32),
    /// None, and the line is dashed: what a formula says.
    Formula,
}
