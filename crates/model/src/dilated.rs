//! The dilated butterfly, bit step by bit step.
//!
//! Modules in reading order: [`blocked`] (what waits for ever), [`state`] (queues, switches, sinks), [`plain`] (the reference: every switch is visited in every
//! step), [`outcome`] (what a run gives), [`fast`] (the same by whole worms), [`mod@snapshot`] (the worms after so many steps),
//! [`mod@trace`] (everything that hardware does, for comparison), [`mod@wave`] (everything that a waveform of it shows),
//! [`engine`] (chooses between the two engines).

pub mod blocked;
pub mod engine;
pub mod fast;
pub mod outcome;
pub mod plain;
pub mod snapshot;
pub mod state;
#[cfg(test)]
mod tests;
pub mod trace;
pub mod wave;

pub use blocked::{Blocked, WaitsFor};
pub use engine::{simulate, simulate_ticking};
pub use outcome::DilatedOutcome;
pub use plain::{Plain, run, run_ticking};
pub use snapshot::{Snapshot, snapshot, snapshots};
pub use trace::{Trace, trace};
pub use wave::{DilatedSnapshot, wave};
