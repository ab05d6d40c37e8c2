//! What a routed system is: parameters that are checked once, what its paper claims of it (closed forms, bounds), and
//! the events that its engines report. Data, no steps.
//!
//! A planned system (`frit-schedule`) knows before it starts what happens in each cycle. A routed one is given traffic
//! and finds out: it arbitrates, blocks and waits. How it does so, step by step, is written in `frit-model` and, once
//! more and independently, in `frit-cells`.
//!
//! The systems: [`dilated`], [`multibutterfly`]; the table of them: [`systems`].

#![warn(missing_docs)]

pub mod dilated;
pub mod multibutterfly;
pub mod systems;

pub use systems::{ROUTED, RoutedSystem, Router, routed, router};
