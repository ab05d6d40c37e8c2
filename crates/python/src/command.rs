//! The command itself.

use crate::array::arguments;
use crate::failure::exception;
use crate::long::apart;
use pyo3::prelude::*;

/// Runs the command as a process does, on stdout and stderr; the exit code.
#[pyfunction]
pub fn command(py: Python, given: Vec<String>) -> u8 {
    py.detach(|| frit_cli::command(arguments(given)))
}

/// Runs the command in silence: whether its checks passed, and what it printed.
#[pyfunction]
pub fn captured(py: Python, given: Vec<String>) -> PyResult<(bool, String)> {
    let printed = apart(py, None, move |_| frit_cli::captured(arguments(given)))?;
    match printed.code {
        0 | 1 => Ok((printed.code == 0, printed.text)),
        code => Err(exception(code, printed.error)),
    }
}
