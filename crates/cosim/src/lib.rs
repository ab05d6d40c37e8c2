//! Runs engines and simulators and compares what they leave behind (`frit_trace` reads and writes it).
//!
//! Modules in reading order: [`tools`], [`made_from`] (evidence of what a tool was given), [`simulator`] and `yosys` (what others wrote),
//! [`wave_file`] (our engines' waveforms), [`campaign`] (files, a reference, engines, a report), [`verify`] (an exchange), [`routed`] (a
//! routed system), of which there are [`dilated`] and [`multibutterfly`], [`recorded`] (every [`frit_device::Recorded`]), [`optical`] (the device model
//! of the optical butterfly under the simulators), [`synth`] (areas and clock frequencies on FPGAs), [`formal`] (proofs of whole designs), [`prototype`]
//! (bitstreams for boards).

pub mod campaign;
pub mod dilated;
pub mod formal;
pub mod made_from;
pub mod multibutterfly;
pub mod optical;
pub mod prototype;
pub mod recorded;
pub mod routed;
pub mod simulator;
pub mod synth;
pub mod tools;
pub mod verify;
pub mod wave_file;
mod yosys;
