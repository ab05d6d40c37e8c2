//! Runs simulators, reads and writes what they leave behind, and compares it. This is the only
//! library crate that touches files: [`wave`] writes and reads waveforms (VCD, FST) and CSV
//! traces, [`diff`] finds the first cycle in which two of them disagree.

pub mod diff;
pub mod wave;
