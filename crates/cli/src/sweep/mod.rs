//! A sweep: a file says which points, a store keeps what they came to, a figure shows it. Documented in docs/sweep.md.
//!
//! Modules in reading order: [`mod@file`] (TOML to a [`file::Sweep`]), [`expression`] (sizes that depend on n), [`h_relation`] and
//! [`exchange`] (the two kinds: their points, their rows, their figure), [`store`] (the CSV file), [`plot`].

pub mod exchange;
pub mod expression;
pub mod file;
pub mod h_relation;
pub mod plot;
pub mod store;

use anyhow::Result;
use plot::Figure;
use store::Rows;

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its cells in the key columns; no two points share them.
    pub key: Vec<String>,
    /// How long it takes beside the others, in any unit.
    pub work: u64,
}

/// What is swept.
pub trait Kind: Sync {
    /// The columns of the CSV file.
    fn columns(&self) -> &'static [&'static str];
    /// What decides what a point comes to besides its key, in a text that is the same as long as that is.
    fn configuration(&self) -> String;
    /// All points, in the order of the CSV file.
    fn points(&self) -> &[Point];
    /// Runs one; gives the cells of the columns behind the key.
    fn run(&self, point: usize) -> Result<Vec<String>>;
    /// What is plotted.
    fn figure(&self, rows: &Rows) -> Figure;
}
