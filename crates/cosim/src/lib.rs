//! Runs engines and simulators, reads and writes what they leave behind, and compares it. Apart from the command line
//! this is the only crate that touches files.
//!
//! Modules in reading order: [`trace`] (settings and deliveries as CSV), [`wave`] (waveforms, VCD and FST),
//! [`model_wave`] (the model's waveform), [`diff`] (the first cycle in which two files disagree).

pub mod diff;
pub mod model_wave;
pub mod trace;
pub mod wave;
