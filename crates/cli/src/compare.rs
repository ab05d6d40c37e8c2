//! The systems side by side.
//!
//! Modules in reading order: [`hardware`] (what a design takes on an FPGA), [`mod@table`] (rows from plans), [`mod@column`]
//! (their cells, and sorting), [`synthesis`] (adds the hardware to the rows), [`mod@format`] (text, CSV, JSON, Markdown),
//! [`figure`] (cycles and switches against N); [`area`] (what fabrics take), [`mod@listing`] (rows with columns of their
//! own, printed), [`permutation`] (planned beside routed, by permutations), [`relation`] (by one h-relation),
//! [`demand`] (planners of one demand).

pub mod area;
pub mod column;
pub mod demand;
pub mod figure;
pub mod format;
pub mod hardware;
pub mod listing;
pub mod permutation;
pub mod relation;
pub mod synthesis;
pub mod table;
