//! The tests of traces and waveforms, one module each, in one program.

mod support;

mod diff;
mod diff_declared;
mod hostile;
mod model_wave;
mod vectors;
mod wave;
