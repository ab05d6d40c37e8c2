//! To be written.

pub mod model_wave;
pub mod trace;
