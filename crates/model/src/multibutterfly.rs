//! The multibutterfly, phase by phase.
//!
//! Modules in reading order: [`figures`] (what a run counts), [`state`] (buffers, sides, outputs), `requests` and `moves` (the two halves of a phase), [`plain`] (the
//! reference: every buffer has a state and a port of its own), [`invariants`] (what must hold behind every phase), [`stuck`]
//! (who asks for ever), [`outcome`] (what a run gives),
//! [`fast`] (the same by pointers and lists), [`engine`] (chooses between the two engines).

#[cfg(test)]
mod by_hand;
pub mod engine;
pub mod fast;
pub mod figures;
pub mod invariants;
mod moves;
pub mod outcome;
pub mod plain;
mod requests;
pub mod state;
pub mod stuck;
#[cfg(test)]
mod tests;

pub use engine::{simulate, simulate_ticking};
pub use figures::Figures;
pub use outcome::{MultibutterflyOutcome, run, run_again, run_ticking, run_within};
pub use plain::Plain;
pub use state::BUFFER_BYTES;
pub use stuck::{StandingRequest, Stuck};
