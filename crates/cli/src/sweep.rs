//! A sweep: a file says which points, a store keeps what they came to, a figure shows it. Documented in docs/sweep.md.
//!
//! Modules in reading order: [`rows`] (what is known), [`grid`] (points, what runs them, lines of the plot), [`expression`] (sizes that
//! depend on n), [`seeds`], [`lists`] (whose combinations are run), [`designs`] (planned systems), [`trial`] (one of them under
//! several engines), [`mod@kind`] (what the files of all kinds have), [`kinds`] (what those of each kind have, and the grid that is made of
//! it), [`results`] (the text of the CSV file), [`crate::lock`] (one run at a time), [`store`] (the file while the sweep runs), [`shard`] (parts
//! that run apart), [`gather`] (what they know together), [`batch`] (as a job array).

pub mod batch;
pub mod designs;
pub mod expression;
pub mod gather;
pub mod grid;
pub mod kind;
pub mod kinds;
pub mod lists;
pub mod results;
pub mod rows;
pub mod seeds;
pub mod shard;
pub mod store;
pub mod trial;
