//! The hardware: cells described in rust-hdl, the netlist that joins them, its simulation and its Verilog.
//!
//! Modules in reading order: [`atoms`] (signals and registers of run-time width), [`cell`], [`describe`] (what a
//! cell says about itself), [`cells`] (all of them), [`printer`] (a cell as Verilog), [`netlist`] (structure as data, simulated and printed),
//! [`registers`] (the map of control and status), [`design`] (the netlist of a plan), [`mod@bench`] (the testbench around the rust-hdl
//! network of an exchange), [`units`] (modules one by one), [`fault`]; the same two for each routed system: [`dilated`],
//! [`multibutterfly`].

pub mod atoms;
pub mod bench;
pub mod cell;
pub mod cells;
pub mod describe;
pub mod design;
pub mod dilated;
pub mod fault;
pub mod handbook;
mod kernel;
pub mod message;
pub mod minimise;
pub mod multibutterfly;
pub mod netlist;
pub mod printer;
pub mod prose;
pub mod registers;
pub mod streams;
mod table;
pub mod units;
