//! How a plot looks, as a file says it.

use frit_trace::shown::{beginning, printable};
use serde::Deserialize;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By factors of ten.
    #[default]
    Log,
    Linear,
}

/// Text above a plot: one line, which the drawing escapes.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Title(pub String);

/// The most characters of a title.
const MAX_TITLE: usize = 120;

impl TryFrom<String> for Title {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.chars().count() <= MAX_TITLE && printable(&text) == text {
            return Ok(Title(text));
        }
        Err(format!(
            "the title {:?} is not allowed: it is one line of at most {MAX_TITLE} characters",
            beginning(&text)
        ))
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlotFile {
    /// Above it; the sweep's own words if there is none.
    pub title: Option<Title>,
    pub width: u32,
    pub height: u32,
    /// Of the horizontal axis.
    pub x_scale: Scale,
    /// Of the vertical axis.
    pub y_scale: Scale,
    /// A bar at every point with several seeds: the 95 % confidence interval of the mean.
    pub error_bars: bool,
    /// The line that the costs fall to, or the lower bound.
    pub limit: bool,
    /// h-relations: a mark where h = n log2 n.
    pub n_log_n: bool,
}

impl Default for PlotFile {
    fn default() -> Self {
        PlotFile {
            title: None,
            width: 960,
            height: 640,
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            error_bars: true,
            limit: true,
            n_log_n: true,
        }
    }
}
