//! Exceptions, which the package declares.

use frit_cli::library::Failure;
use pyo3::PyErr;

pyo3::import_exception!(fritillary._errors, UsageError);
pyo3::import_exception!(fritillary._errors, MissingToolError);

/// The exception of an exit code: `MissingToolError` for 3, else `UsageError`.
pub fn exception(code: u8, text: String) -> PyErr {
    match code {
        3 => MissingToolError::new_err(text),
        _ => UsageError::new_err(text),
    }
}

/// The exception of a command that did nothing.
pub fn failed(failure: Failure) -> PyErr {
    exception(failure.code, failure.text)
}
