//! Plots of sweeps and comparisons, the same bytes on every machine.
//!
//! Modules in reading order: [`figure`] (what is drawn), [`look`] (sizes and scales), [`axis`] (ranges and labels), [`palette`]
//! (colours, held by `vision` to what eyes tell apart), [`lines`] (lines in one place), [`style`] (shapes and dashes), [`panel`] (a figure in
//! its axes), [`legend`] (where nothing is drawn), [`draw`] (SVG and PNG).

mod axis;
mod draw;
pub mod figure;
#[cfg(test)]
mod handbook;
mod legend;
mod lines;
pub mod look;
mod palette;
mod panel;
mod style;
#[cfg(test)]
mod vision;

pub use draw::{png, svg};
