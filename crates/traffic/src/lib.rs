//! What is to be sent, and what engines report of it.
//!
//! Planned systems and routed ones are given the same traffic and leave the same kinds of report, so that one can be
//! held against the other.
//!
//! ```
//! use frit_traffic::{Payload, relation::Relation};
//! let words = Payload::random(8, 32, 1); // row = source, column = destination
//! assert_eq!(words.transposed().word(3, 5), words.word(5, 3));
//! assert_eq!(Relation::permutation(8, 4, 1).h(), 4); // each terminal has four packets for one other
//! ```
//!
//! Modules in reading order: [`random`] (seeded numbers), [`drawn`] (numbers that testbenches draw as well), what is sent: [`payload`] (a word per pair of terminals),
//! [`permutation`], [`relation`] (how many packets per pair), [`messages`] (a list per source); what is reported:
//! [`trace`] (settings, deliveries, counts) and [`event`] (rows of numbers of any system); [`fnv`]
//! (short names for what was given and what happened); [`npy`] (arrays of NumPy), [`gzip`] (packed files), [`pace`] (seconds and bytes).

#![warn(missing_docs)]

pub mod drawn;
pub mod event;
pub mod fnv;
pub mod gzip;
pub mod messages;
pub mod npy;
pub mod pace;
pub mod payload;
pub mod permutation;
pub mod random;
pub mod relation;
pub mod trace;

pub use messages::Messages;
pub use payload::{Payload, WordMatrix};
