#![doc = include_str!("../README.md")]
//!
//! # Where things are
//!
//! | module | what it knows |
//! |---|---|
//! | [`network`] | which switches and wires exist |
//! | [`traffic`] | what is to be sent, and what engines report |
//! | [`schedule`] | how every switch is set in each round of a planned system |
//! | [`router`] | what a routed system is |
//! | [`permute`] | what a streamed permutation is |
//! | [`model`] | runs either, cycle by cycle, in plain Rust |
//! | [`cells`] | the rust-hdl description, its simulation, its Verilog |
//! | [`rtl`] | testbenches and packages around that Verilog |
//!
//! What most programs need stands at the top: a [`Request`] becomes a [`Plan`] by [`plan()`], which [`exchange()`] runs and
//! [`design::build`] turns into a netlist that [`verilog`] prints.

#![warn(missing_docs)]

pub use frit_cells as cells;
pub use frit_model as model;
pub use frit_network as network;
pub use frit_permute as permute;
pub use frit_router as router;
pub use frit_rtl as rtl;
pub use frit_schedule as schedule;
pub use frit_traffic as traffic;

pub use frit_cells::design;
pub use frit_cells::netlist::print::{Style, files as verilog};
pub use frit_model::exchange;
pub use frit_network::{Network, Refusal};
pub use frit_schedule::{Plan, Request, SYSTEMS, plan};
pub use frit_traffic::{Payload, WordMatrix};
