//! Everything around the cells' Verilog that makes a design complete, as a set of named files: no IO here.
//!
//! [`testbench::render`] gives the self-checking testbench of a plan with its tables, file lists and Makefile. The
//! templates hold structure only: what is checked is Verilog to be read as it stands, and every number in it comes
//! from the plan and its [`Timeline`](frit_schedule::Timeline).
//!
//! ```
//! use frit_schedule::{Request, plan};
//! use frit_traffic::Payload;
//! let plan = plan(&Request::new("rls", 8))?;
//! let rtl = ["rls_n8_w8_fabric.v".into(), "rls_n8_w8_exchange.v".into()];
//! let files = frit_rtl::testbench::render(&plan, 8, &Payload::random(8, 8, 1), &rtl)?;
//! let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
//! assert_eq!(names[0], "tb_rls_n8_w8.sv");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules in reading order: [`mod@testbench`], [`memh`], [`optical`] (the optical butterfly
//! in picoseconds), [`dilated`] (the testbench of a dilated butterfly, and its packages), [`multibutterfly`], [`streams`] (the testbench of `D_axis`), [`mod@reset`] (that of an exchange with another reset), [`registers`] (SystemRDL and a header for C), [`mod@selftest`] (the testbench of the self-test),
//! [`loaded`] (the testbench of a schedule in memories), [`crossbar`], [`mod@board`] (pins, clocks and tops of boards), [`harness`] (a module between shift registers, for timing),
//! [`mod@library`] (the cells that designs share), [`mod@top`] (what a user instantiates), [`datasheet`], [`timing_diagram`], [`package`] (these, and files for FuseSoC,
//! Bender, LiteX and Vivado).

pub mod axis_contract;
pub mod board;
pub mod contract;
pub mod crossbar;
pub mod crossbar_contract;
mod crossbar_registers;
pub mod datasheet;
pub mod dilated;
mod groups;
pub mod harness;
mod integrate;
mod ip_xact;
pub mod library;
pub mod loaded;
pub mod loaded_contract;
pub mod memh;
pub mod messages;
pub mod multibutterfly;
pub mod optical;
pub mod package;
pub mod permute;
pub mod permute_contract;
pub mod phases;
pub mod ports_contract;
mod probes;
pub mod registers;
pub mod reset;
mod routed;
pub mod selftest;
pub mod streams;
pub mod template;
pub mod testbench;
pub mod timing_diagram;
pub mod top;
mod trials;
pub mod units;
mod vhdl;

/// Named files in the order in which they are written: (name, contents).
pub type Files = Vec<(String, String)>;
