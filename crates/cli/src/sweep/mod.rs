//! A sweep: a file says which points, a store keeps what they came to, a figure shows it. Documented in docs/sweep.md.
//!
//! Modules in reading order: [`rows`] (what is known), [`mod@kind`] (what every kind of sweep is), [`expression`] (sizes that
//! depend on n), [`seeds`], [`kinds`] (the kinds: their points, their rows, their figure), [`mod@file`] (TOML to a sweep), [`store`] (the
//! CSV file).

pub mod expression;
pub mod file;
pub mod kind;
pub mod kinds;
pub mod rows;
pub mod seeds;
pub mod store;
