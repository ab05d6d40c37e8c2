//! To be written.

pub mod trace;
