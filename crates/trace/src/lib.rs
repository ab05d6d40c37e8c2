//! Traces and waveforms: written, read and compared. Nothing here runs a tool.
//!
//! Modules in reading order: [`interrupt`] (what a signal must not leave behind), [`output`] (whole files or none), [`shown`] (text from
//! files, fit for a terminal), [`trace`] (settings and deliveries as CSV), [`wave`] (waveforms, VCD and FST), [`model_wave`] and [`wave_file`]
//! (the model's waveform), [`diff`] (the first cycle in which two files disagree).

pub mod diff;
pub mod interrupt;
pub mod model_wave;
pub mod output;
pub mod shown;
pub mod trace;
pub mod wave;
pub mod wave_file;
