//! The extension module `fritillary._native` of the Python package in `python/`.
//!
//! It turns arguments into designs, runs them without the interpreter's lock, and hands over numbers as numpy arrays that own what the
//! model made. Only words of fewer than 64 bits are converted. Shapes, dataclasses and documentation are in the package;
//! `python/fritillary/_native.pyi` has the types of what stands here. Arguments and the texts of errors are those of the command
//! ([`frit_cli`]).
//!
//! Modules in reading order: `failure` (exceptions), `long` (work that Ctrl-C ends), `array` (numbers in and out), `planned`,
//! `streamed`, `design`, `route`, `demand`, `command`.

mod array;
mod command;
mod demand;
mod design;
mod failure;
mod long;
mod planned;
mod route;
mod streamed;

/// The module.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::command::{captured, command};
    #[pymodule_export]
    use crate::demand::{Demand, carry, crossbar, demand, loaded, pace};
    #[pymodule_export]
    use crate::design::design;
    #[pymodule_export]
    use crate::planned::Plan;
    #[pymodule_export]
    use crate::route::route;
    #[pymodule_export]
    use crate::streamed::Stream;
}
