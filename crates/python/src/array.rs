//! Numbers in and out.

use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use std::ffi::OsString;

/// Columns under their names, each of one dimension.
pub struct Columns<'py>(Bound<'py, PyDict>);

impl<'py> Columns<'py> {
    /// None yet.
    pub fn new(py: Python<'py>) -> Self {
        Columns(PyDict::new(py))
    }

    /// With one more. The array has the numbers of the vector, not a copy.
    pub fn with<T: Element>(self, name: &str, numbers: Vec<T>) -> PyResult<Self> {
        self.0.set_item(name, numbers.into_pyarray(self.0.py()))?;
        Ok(self)
    }

    /// All of them.
    pub fn finish(self) -> Bound<'py, PyDict> {
        self.0
    }
}

/// An array of one dimension that has the numbers of the vector, not a copy.
pub fn array<T: Element>(py: Python, numbers: Vec<T>) -> Bound<PyArray1<T>> {
    numbers.into_pyarray(py)
}

/// A report as text.
pub fn json(members: Map<String, Value>) -> String {
    Value::Object(members).to_string()
}

/// Arguments with the name of the program in front.
pub fn arguments(given: Vec<String>) -> Vec<OsString> {
    std::iter::once("frit".to_string()).chain(given).map(OsString::from).collect()
}
