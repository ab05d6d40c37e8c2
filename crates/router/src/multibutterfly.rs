//! The multibutterfly: h-relations in phases ("Deterministic routing of h-relations on the multibutterfly";
//! A. Pietracaprina).
//!
//! A node keeps the messages for either side of its splitter in buffers, and commits a side to R of its d ports when at
//! least R outputs have no other request of the same size. Until then *ghosts* at the outputs keep buffers for what may
//! come.
//!
//! Modules in reading order: [`parameters`], [`wiring`] (from a seed), [`traffic`] (by rule), [`problem`] (what a run is given), [`event`],
//! [`row`] (in the table of systems).

pub mod event;
pub mod parameters;
pub mod problem;
pub mod row;
pub mod traffic;
pub mod wiring;

pub use event::NodeEvent;
pub use parameters::{Order, Parameters};
pub use problem::{Message, Problem};
pub use row::{Multibutterfly, multibutterfly};
