//! Runs as moving pictures. A [`Film`] is what an engine reported, cycle by cycle, with the places of switches and wires on a
//! drawing; [`page`](page()) makes a self-contained HTML page that plays it, [`still`] draws one cycle or one round of it in SVG.
//!
//! Nothing is simulated here or in the page: switches are set as the engine said, messages follow the wires through them, and
//! where they end is compared with the deliveries that the engine reported.

pub mod dilated;
pub mod film;
pub mod multibutterfly;
mod page;
pub mod planned;
pub mod routed;
pub mod still;
pub mod streamed;

pub use film::Film;
pub use page::page;
