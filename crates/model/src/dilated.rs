//! The dilated butterfly, bit step by bit step.
//!
//! Modules in reading order: [`state`] (queues, switches, sinks), [`plain`] (the reference: every switch is visited in every
//! step), [`outcome`] (what a run gives), [`fast`] (the same by whole worms),
//! [`trace`] (everything that hardware shows, for comparison).

pub mod fast;
pub mod outcome;
pub mod plain;
pub mod state;
#[cfg(test)]
mod tests;
pub mod trace;

pub use outcome::{Blocked, Outcome, WaitsFor};
pub use plain::{Plain, run};
pub use trace::{Trace, trace};
