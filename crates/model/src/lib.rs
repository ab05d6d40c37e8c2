//! Advances a plan cycle by cycle in plain Rust.
//!
//! This is the reference: it shares the network and the schedule with the hardware and nothing else. Messages move
//! from register to register; every switch decides from what stands in front of it (the label bits of its messages,
//! or the control word of the round that has reached its stage). Conflicts, misroutes and missing messages are
//! results, with their place and cycle; the run goes on after them.
//!
//! ```
//! use frit_model::exchange;
//! use frit_schedule::{Request, plan};
//! use frit_traffic::Payload;
//! let plan = plan(&Request::new("rls", 16))?;
//! let payload = Payload::random(16, 32, 1);
//! let outcome = exchange(&plan, Some(&payload), &mut ());
//! assert!(outcome.run.ok());
//! assert_eq!(outcome.run.cycles, 22);
//! assert_eq!(outcome.received, Some(payload.transposed()));
//! # Ok::<(), frit_network::Refusal>(())
//! ```
//!
//! The interface is a function of the type [`Engine`]; [`fast`] has a faster engine of that type, and the same tests run
//! on both. The destination of a lane in a plan is a lane; terminal `t` owns the lanes `t * k .. (t + 1) * k` with
//! `k = lanes / terminals`, and everything reported names terminals.
//!
//! Modules in reading order: `fabric` (registers and switches, one cycle), `phase` (one run through the rounds),
//! [`mod@exchange`] (both phases and the tally), [`fast`] (the same by the vector), [`wave`] (what a waveform shows,
//! period by period), [`h_relation`] (any number of packets for any destination), [`figure4`] and [`statistics`] (its
//! points for a sweep), [`device`] (the optical butterfly in picoseconds), [`stepper`] (what an engine of a routed system is), [`dilated`]
//! (the dilated butterfly in bit steps), [`multibutterfly`] (h-relations in phases), [`permute`] (streamed permutations).

#![warn(missing_docs)]

pub mod crossbar;
pub mod device;
pub mod dilated;
pub mod event;
pub mod exchange;
mod fabric;
pub mod fast;
pub mod figure4;
pub mod h_relation;
pub mod loaded;
pub mod messages;
pub mod multibutterfly;
pub mod permute;
mod phase;
pub mod statistics;
pub mod stepper;
pub mod wave;

pub use exchange::{Engine, ExchangeOutcome, exchange};
pub use figure4::figure4_point;
pub use h_relation::Cost;
pub use statistics::Statistics;
pub use wave::{ControlSignal, Lanes, Snapshot, WaveObserver, exchange_with_waves, waves};
