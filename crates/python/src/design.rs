//! From arguments to designs.

use crate::failure::failed;
use crate::planned::Plan;
use crate::streamed::Stream;
use frit_cli::library::{self, Design};
use frit_permute::Streamed;
use pyo3::prelude::*;

/// The design of a system, a size and options (each `key=value`): a `Plan`, a `Stream`, or None for a routed system. Checked as the
/// command does.
#[pyfunction]
#[pyo3(signature = (system, terminals, options))]
pub fn design<'py>(
    py: Python<'py>,
    system: String,
    terminals: Option<String>,
    options: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = py.detach(|| library::design(&system, terminals.as_deref(), options));
    let (design, width) = asked.map_err(failed)?;
    Ok(match design {
        Design::Planned(plan) => Bound::new(py, Plan::new(*plan, width))?.into_any(),
        Design::Streamed(core) => {
            let stream = core.of::<Streamed>().expect("every streamed system is a permutation");
            Bound::new(py, Stream::new(stream.clone()))?.into_any()
        }
        Design::Routed(_) => py.None().into_bound(py),
    })
}
