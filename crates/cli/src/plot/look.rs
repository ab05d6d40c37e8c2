//! How a plot looks, as a file says it.

use serde::Deserialize;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By factors of ten.
    #[default]
    Log,
    /// Evenly.
    Linear,
}

/// How the plot looks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlotFile {
    /// Above it; the sweep's own words if there is none.
    pub title: Option<String>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Of the horizontal axis.
    pub x_scale: Scale,
    /// Of the vertical axis.
    pub y_scale: Scale,
    /// A bar of one standard deviation up and down at every point with several seeds.
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
