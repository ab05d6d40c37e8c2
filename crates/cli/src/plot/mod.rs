//! Plots of sweeps and comparisons, the same bytes on every machine.
//!
//! Modules in reading order: [`figure`] (what is drawn), [`look`] (sizes and scales), [`axis`] (ranges and labels), [`draw`]
//! (SVG and PNG).

mod axis;
mod draw;
pub mod figure;
pub mod look;

pub use draw::{png, svg};
