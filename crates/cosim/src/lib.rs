//! Runs engines and simulators, reads and writes what they leave behind, and compares it. Apart from the command line
//! this is the only crate that touches files.
//!
//! Modules in reading order: [`interrupt`] (what a signal must not leave behind), [`output`] (whole files or none), [`shown`] (text from files, fit for a terminal), [`trace`] (settings and deliveries as CSV), [`wave`]
//! (waveforms, VCD and FST), [`model_wave`] and [`wave_file`] (our engines' waveforms), [`diff`] (the first cycle in
//! which two files disagree), [`tools`], [`made_from`] (evidence of what a tool was given), [`simulator`] and `yosys` (what others wrote), [`campaign`] (files, a reference, engines, a report), [`verify`] (an exchange), [`routed`] (a routed system), of which there are [`dilated`] and [`multibutterfly`], [`optical`] (the
//! device model of the optical butterfly under the simulators), [`synth`] (areas and clock frequencies on FPGAs), [`formal`] (proofs of whole designs), [`prototype`]
//! (bitstreams for boards).

pub mod campaign;
pub mod diff;
pub mod dilated;
pub mod formal;
pub mod interrupt;
pub mod made_from;
pub mod model_wave;
pub mod multibutterfly;
pub mod optical;
pub mod output;
pub mod permute;
pub mod prototype;
pub mod routed;
pub mod shown;
pub mod simulator;
pub mod synth;
pub mod tools;
pub mod trace;
pub mod verify;
pub mod wave;
pub mod wave_file;
mod yosys;
