//! Traffic on any system.

use crate::array::{Columns, arguments};
use crate::failure::failed;
use crate::long::apart;
use frit_cli::library;
use fritillary::traffic::event::EventColumns;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The text of a file of packets with these messages, in their order.
fn text(source: &[u32], destination: &[u32]) -> String {
    source.iter().zip(destination).map(|(source, destination)| format!("{source} {destination}\n")).collect()
}

fn columns<'py>(py: Python<'py>, events: EventColumns) -> PyResult<(&'static str, Bound<'py, PyDict>)> {
    let EventColumns { kind, order, columns, ends } = events;
    let mut named = Columns::new(py).with("order", order)?;
    for (name, numbers) in kind.columns.iter().zip(columns) {
        named = named.with(name, numbers)?;
    }
    if kind.list {
        named = named.with("ends", ends)?;
    }
    Ok((kind.name, named.finish()))
}

/// Routes: whether all went well, the report as JSON, and the events of each kind as columns.
#[pyfunction]
#[pyo3(signature = (given, messages, events, progress))]
#[allow(clippy::type_complexity)] // a tuple that one Python function takes apart
pub fn route<'py>(
    py: Python<'py>,
    given: Vec<String>,
    messages: Option<(PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>)>,
    events: bool,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(bool, String, Vec<(&'static str, Bound<'py, PyDict>)>)> {
    let packets = match &messages {
        Some((source, destination)) => Some(text(source.as_slice()?, destination.as_slice()?)),
        None => None,
    };
    let routed = apart(py, progress.as_ref(), move |watch| {
        library::route(arguments(given), packets, events, Arc::clone(watch))
    })?;
    let routed = routed.map_err(failed)?;
    let events = routed.events.into_iter().map(|events| columns(py, events)).collect::<PyResult<_>>()?;
    Ok((routed.fine, routed.json, events))
}
