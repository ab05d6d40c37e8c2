//! The systems side by side.
//!
//! Modules in reading order: [`hardware`] (what a design takes on an FPGA), [`mod@table`] (rows from plans), [`mod@column`] (their
//! cells, and sorting); [`demand`] (the planners of an uneven demand).

pub mod column;
pub mod demand;
pub mod hardware;
pub mod table;
