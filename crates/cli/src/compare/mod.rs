//! The systems side by side.
//!
//! Modules in reading order: [`mod@table`] (rows from plans), [`mod@column`] (their cells, and sorting), [`hardware`] (what they take on an FPGA), [`mod@format`] (text, CSV, JSON,
//! Markdown), [`figure`] (cycles and switches against N).

pub mod column;
pub mod figure;
pub mod format;
pub mod hardware;
pub mod table;
