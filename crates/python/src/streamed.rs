//! Streamed permutations.

use crate::array::{array, json};
use crate::failure::failed;
use crate::long::metered;
use frit_cli::library;
use frit_permute::Streamed;
use numpy::PyArray1;
use pyo3::prelude::*;

/// A streamed permutation.
#[pyclass(frozen, module = "fritillary._native")]
pub struct Stream(Streamed);

impl Stream {
    /// Of a plan.
    pub fn new(plan: Streamed) -> Self {
        Stream(plan)
    }
}

#[pymethods]
impl Stream {
    /// Its facts as JSON.
    fn facts(&self) -> String {
        json(self.0.facts(None))
    }

    /// Rows and columns of the matrix that is transposed, if it is one.
    #[getter]
    fn matrix(&self) -> Option<(u32, u32)> {
        self.0.matrix()
    }

    /// Which word of the data set leaves at each place.
    fn sources<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, py.detach(|| self.0.order.sources()))
    }

    /// Runs data sets through the bare switches and memories: the report as JSON.
    fn check(&self, py: Python) -> PyResult<String> {
        let report = metered(py, 1, None, |_| library::stream(&self.0))?;
        Ok(json(report.map_err(failed)?))
    }
}
