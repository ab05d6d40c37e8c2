//! Runs simulators, reads and writes what they leave behind, and compares it.

pub mod wave;
