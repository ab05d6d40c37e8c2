//! The systems side by side.
//!
//! Modules in reading order, behind those of [`frit_design::compare`]: [`synthesis`] (adds the hardware to the rows), [`mod@format`]
//! (text, CSV, JSON, Markdown),
//! [`figure`] (cycles and switches against N); [`area`] (what fabrics take), [`mod@listing`] (rows with columns of their
//! own, printed), [`permutation`] (planned beside routed, by permutations), [`relation`] (by one h-relation),
//! [`demand`] (planners of one demand), [`stream`] (forms of one streamed order).

pub use frit_design::compare::{column, hardware, table};

pub mod area;
pub mod demand;
pub mod figure;
pub mod format;
pub mod listing;
pub mod permutation;
pub mod relation;
pub mod stream;
pub mod synthesis;
