//! The systems side by side.
//!
//! Modules in reading order: [`mod@table`] (rows from plans), [`column`] (their cells, and sorting), [`format`] (text, CSV, JSON,
//! Markdown), [`figure`] (cycles and switches against N).

pub mod column;
pub mod figure;
pub mod format;
pub mod table;
