//! The tests of the cells, one module each. They are one program, since linking one takes as long as running many of them.

mod common;

mod assertions;
mod compact_equivalence;
mod constant_inputs;
mod controllers;
mod docs;
mod faults;
mod formal;
mod gate_paths;
mod golden;
mod parameters;
mod registers;
mod rust_hdl;
mod selftest;
mod simulators;
mod stock_equivalence;
mod streams;
