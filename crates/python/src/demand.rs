//! Uneven exchanges.

use crate::array::{Columns, arguments, array, json};
use crate::failure::{exception, failed};
use crate::long::{apart, metered};
use frit_cli::library;
use frit_demand::Exchange;
use frit_demand::crossbar::{Shape, program, sources as named_sources};
use frit_demand::loadable::{Job, Loadable};
use frit_demand::run::Arrival;
use frit_model::loaded::script::{Phase, phase};
use frit_model::loaded::{Event, LoadedRun};
use fritillary::Refusal;
use fritillary::traffic::pace::Pace;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// How many words each terminal has for each other.
#[pyclass(frozen, module = "fritillary._native")]
pub struct Demand(Arc<frit_demand::Demand>);

#[pymethods]
impl Demand {
    /// Of the matrix of words, row = source, row by row.
    #[new]
    fn new(terminals: u32, words: PyReadonlyArray1<u32>) -> PyResult<Self> {
        let words = words.as_slice()?;
        if words.len() as u64 != u64::from(terminals).pow(2) {
            let text = format!(
                "a demand of {terminals} terminals has {terminals} x {terminals} numbers, but {} were given",
                words.len()
            );
            return Err(exception(2, text));
        }
        let demand = frit_demand::Demand::new(terminals, words.to_vec());
        Ok(Demand(Arc::new(demand.map_err(|error| exception(2, error.to_string()))?)))
    }

    /// Number of terminals.
    #[getter]
    fn terminals(&self) -> u32 {
        self.0.terminals()
    }

    /// The matrix of words, row by row.
    fn words<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.0.matrix().to_vec())
    }

    /// What is known of it, as JSON, with the arguments of `frit demand` for the bound on time.
    fn describe(&self, given: Vec<String>) -> PyResult<String> {
        Ok(json(library::describe(arguments(given), &self.0).map_err(failed)?))
    }

    /// The words of its program for banks of so many entries, of the hardware whose schedule is loaded.
    fn program<'py>(&self, py: Python<'py>, entries: Option<u64>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let own = Arc::clone(&self.0);
        let program = apart(py, None, move |_| library::program(&own, entries))?.map_err(failed)?;
        Ok(array(py, program.words()))
    }

    /// As a file of a form: `csv`, `list`, `json`, `npy`.
    fn file(&self, form: &str) -> PyResult<Vec<u8>> {
        use frit_demand::write;
        Ok(match form {
            "csv" => write::csv(&self.0).into(),
            "list" => write::list(&self.0).into(),
            "json" => write::json(&self.0).into(),
            "npy" => write::npy(&self.0),
            other => {
                let text = format!("{other:?} is not a form of a demand; give csv, list, json or npy");
                return Err(exception(2, text));
            }
        })
    }
}

/// The demand that `frit demand` makes or reads with these arguments.
#[pyfunction]
pub fn demand(py: Python, given: Vec<String>) -> PyResult<Demand> {
    let demand = apart(py, None, move |_| library::demand(arguments(given)))?.map_err(failed)?;
    Ok(Demand(Arc::new(demand)))
}

/// What an exchange is: latency in cycles, and of every slot the rounds that it is held and the terminal (of lanes, the lane) that each
/// input is connected to.
fn slots<'py>(py: Python<'py>, exchange: &Exchange) -> PyResult<Bound<'py, PyDict>> {
    let hold: Vec<u32> = exchange.slots.iter().map(|slot| slot.hold).collect();
    let reached = metered(py, 1, None, |meter| {
        let each = (0..exchange.slots.len()).map(|at| {
            meter.check();
            exchange.routed(at).map(|routed| routed.destinations)
        });
        each.collect::<Result<Vec<Vec<u32>>, _>>().map(|each| each.concat())
    })?;
    let reached = reached.map_err(|conflict| exception(2, format!("conflict in {conflict}")))?;
    Ok(Columns::new(py).with("hold", hold)?.with("destination", reached)?.finish())
}

fn arrivals<'py>(py: Python<'py>, told: &[Arrival]) -> PyResult<Bound<'py, PyDict>> {
    let column = |of: fn(&Arrival) -> u32| told.iter().map(of).collect::<Vec<u32>>();
    let columns = Columns::new(py).with("cycle", told.iter().map(|a| a.cycle).collect::<Vec<u64>>())?;
    let columns = columns.with("output", column(|a| a.output))?.with("source", column(|a| a.source))?;
    let columns = columns.with("round", told.iter().map(|a| a.round).collect::<Vec<u64>>())?;
    Ok(columns.with("word", column(|a| a.word))?.finish())
}

/// Carries a demand with the arguments of `frit simulate`: whether all went well, the report as JSON, the slots of the exchange (or of
/// both), and the arrivals as columns.
#[pyfunction]
#[pyo3(signature = (given, demand, with_arrivals, progress))]
#[allow(clippy::type_complexity)] // a tuple that one Python function takes apart
pub fn carry<'py>(
    py: Python<'py>,
    given: Vec<String>,
    demand: &Demand,
    with_arrivals: bool,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(bool, String, Vec<Bound<'py, PyDict>>, Bound<'py, PyDict>)> {
    let own = Arc::clone(&demand.0);
    let carried = apart(py, progress.as_ref(), move |watch| {
        library::carry(arguments(given), &own, with_arrivals, watch)
    })?;
    let carried = carried.map_err(failed)?;
    let exchanges = carried.exchanges.iter().map(|exchange| slots(py, exchange)).collect::<PyResult<_>>()?;
    Ok((carried.fine, json(carried.summary), exchanges, arrivals(py, &carried.arrivals)?))
}

/// Loads the programs of several demands one after the other into banks of so many entries, and runs them. Of 256 cycles, a word of a
/// program is offered in `offering`, and an exchange starts in `starting` of those in which it can. Gives the words of the programs, the cycles that all
/// takes, and what is seen at the ports as columns; `what` is the place of an event's kind in [`frit_model::loaded::LoadedMark`].
#[pyfunction]
#[allow(clippy::type_complexity)] // a tuple that one Python function takes apart
pub fn loaded<'py>(
    py: Python<'py>,
    demands: Vec<Bound<'py, Demand>>,
    entries: u64,
    offering: u32,
    starting: u32,
) -> PyResult<(Vec<Bound<'py, PyArray1<u32>>>, u64, Bound<'py, PyDict>)> {
    let own: Vec<_> = demands.iter().map(|demand| Arc::clone(&demand.get().0)).collect();
    let ran = apart(py, None, move |_| {
        let job = |demand: &Arc<frit_demand::Demand>| {
            let program = library::program(demand, Some(entries))?;
            Ok(Job { program, words: demand.matrix().to_vec() })
        };
        let jobs: Vec<Job> = own.iter().map(job).collect::<Result<_, library::Failure>>()?;
        let given: Vec<&Job> = jobs.iter().collect();
        let phase = Phase { offering, starting, ..phase("exchanges", &given) };
        let ran = jobs.first().and_then(|first| {
            frit_model::loaded::run(&Loadable::benes(first.program.shape), 1, &[phase]).pop()
        });
        Ok((jobs, ran.unwrap_or(LoadedRun { events: vec![], cycles: 0 })))
    })?;
    let (jobs, ran) = ran.map_err(failed)?;
    let column = |of: fn(&Event) -> u32| ran.events.iter().map(of).collect::<Vec<u32>>();
    let columns = Columns::new(py).with("cycle", ran.events.iter().map(|event| event.cycle).collect())?;
    let columns = columns.with("what", column(|event| event.what as u32))?;
    let columns = columns.with("terminal", column(|event| event.place))?;
    let columns = columns.with("source", column(|event| event.source))?;
    let programs = jobs.iter().map(|job| array(py, job.program.words())).collect();
    Ok((programs, ran.cycles, columns.finish()))
}

/// What a host writes so that the outputs of a crossbar have these sources (-1: off): addresses in bytes, and words.
#[pyfunction]
#[allow(clippy::type_complexity)] // a tuple that one Python function takes apart
pub fn crossbar<'py>(
    py: Python<'py>,
    terminals: u64,
    sources: Vec<i64>,
) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>)> {
    let refused = |error: Refusal| exception(2, error.to_string());
    let shape = Shape::new(terminals).map_err(refused)?;
    let name = |&source: &i64| if source == -1 { "off".into() } else { source.to_string() };
    let named: Vec<String> = sources.iter().map(name).collect();
    let (addresses, words) =
        program(shape, &named_sources(shape, &named.join(",")).map_err(refused)?).into_iter().unzip();
    Ok((array(py, addresses), array(py, words)))
}

/// Microseconds of so many cycles, and 10^9 bytes a second of so many words in them.
#[pyfunction]
pub fn pace(
    word_bytes: u32,
    link: Option<&str>,
    clock: Option<&str>,
    words: u64,
    cycles: f64,
) -> PyResult<(f64, Option<f64>)> {
    let pace = Pace::parse(Some(word_bytes), link, clock).map_err(|error| exception(2, error.to_string()))?;
    Ok(pace.map_or((0.0, None), |pace| (pace.time_us(cycles), pace.gb_per_s(words, cycles))))
}
