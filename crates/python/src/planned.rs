//! Plans, and the model that runs them.

use crate::array::{Columns, array, json};
use crate::failure::{exception, failed};
use crate::long::{brief, metered};
use frit_cli::library;
use frit_cli::watch::Watch;
use fritillary::model::fast::exchange_with_progress;
use fritillary::network::export::to_json;
use fritillary::network::{LaneIdx, RoundIdx};
use fritillary::schedule::check::states;
use fritillary::traffic::payload::{from_bin, to_bin};
use fritillary::traffic::trace::{Delivery, Observer, Setting};
use fritillary::{Payload, WordMatrix};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::time::Instant;

/// A run of so many messages takes a fraction of a second, with words, settings and deliveries about a second.
const FEW_MESSAGES: u64 = 1 << 20;

/// The plan of a planned system.
#[pyclass(frozen, module = "fritillary._native")]
pub struct Plan {
    plan: fritillary::Plan,
    width: u32,
}

impl Plan {
    /// Of a plan, and the bits of a word that hold when nobody says.
    pub fn new(plan: fritillary::Plan, width: u32) -> Self {
        Plan { plan, width }
    }

    /// The rounds of which something is asked.
    fn rounds_from(&self, first: u32, last: u32) -> PyResult<std::ops::Range<u32>> {
        if first > last || last > self.plan.rounds {
            let text = format!(
                "rounds {first} to {last} are out of range; {} has {} rounds, give a part of 0..{}",
                self.plan.name(),
                self.plan.rounds,
                self.plan.rounds
            );
            return Err(exception(2, text));
        }
        Ok(first..last)
    }
}

/// Settings as columns.
#[derive(Default)]
struct Settings {
    cycle: Vec<u64>,
    stage: Vec<u32>,
    switch: Vec<u32>,
    state: Vec<u8>,
}

/// Deliveries as columns.
#[derive(Default)]
struct Deliveries {
    cycle: Vec<u64>,
    output: Vec<u32>,
    source: Vec<u32>,
    round: Vec<u32>,
    first: Vec<u8>,
    /// Bytes of the words, least significant first.
    payload: Vec<u8>,
}

/// Keeps what is asked for, and ends the run when it is to end.
struct Kept<'a> {
    meter: &'a Watch,
    bytes: usize,
    settings: Option<Settings>,
    deliveries: Option<Deliveries>,
}

impl Observer for Kept<'_> {
    fn setting(&mut self, Setting { cycle, stage, switch, state }: Setting) {
        self.meter.check();
        if let Some(settings) = &mut self.settings {
            settings.cycle.push(cycle);
            settings.stage.push(stage);
            settings.switch.push(switch);
            settings.state.push(state.into());
        }
    }
    fn delivery(&mut self, delivery: &Delivery) {
        self.meter.check();
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.cycle.push(delivery.cycle);
            deliveries.output.push(delivery.output);
            deliveries.source.push(delivery.source);
            deliveries.round.push(delivery.round.0);
            deliveries.first.push(delivery.first.into());
            if let Some(limbs) = &delivery.payload {
                let bytes = limbs.iter().flat_map(|limb| limb.to_le_bytes());
                deliveries.payload.extend(bytes.take(self.bytes));
            }
        }
    }
    fn wants_settings(&self) -> bool {
        self.settings.is_some()
    }
    fn wants_deliveries(&self) -> bool {
        self.deliveries.is_some()
    }
}

impl Settings {
    fn columns<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = Columns::new(py).with("cycle", self.cycle)?.with("stage", self.stage)?;
        Ok(columns.with("switch", self.switch)?.with("state", self.state)?.finish())
    }
}

impl Deliveries {
    fn columns<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = Columns::new(py).with("cycle", self.cycle)?.with("output", self.output)?;
        let columns = columns.with("source", self.source)?.with("round", self.round)?;
        Ok(columns.with("first", self.first)?.with("payload", self.payload)?.finish())
    }
}

/// Words as Python gives them: an array of bytes, which is copied, or of 64-bit numbers, of which the model reads the original.
#[derive(FromPyObject)]
enum Given<'py> {
    Bytes(PyReadonlyArray1<'py, u8>),
    Limbs(PyReadonlyArray1<'py, u64>),
}

/// The numbers of such an array.
#[derive(Clone, Copy)]
enum Parts<'a> {
    Bytes(&'a [u8]),
    Limbs(&'a [u64]),
}

impl Given<'_> {
    fn parts(&self) -> PyResult<Parts<'_>> {
        Ok(match self {
            Given::Bytes(bytes) => Parts::Bytes(bytes.as_slice()?),
            Given::Limbs(limbs) => Parts::Limbs(limbs.as_slice()?),
        })
    }
}

/// Words that arrived: whole limbs, which are not copied, or numbers of as many bytes as a word has, or bytes.
enum Received {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Limbs(Vec<u64>),
}

impl Received {
    fn of(words: Payload) -> Self {
        let bytes = words.width_bits().div_ceil(8);
        match bytes {
            _ if cfg!(target_endian = "big") => Received::One(to_bin(&words)),
            1 => Received::One(words.into_limbs().iter().map(|&limb| limb as u8).collect()),
            2 => Received::Two(words.into_limbs().iter().map(|&limb| limb as u16).collect()),
            4 => Received::Four(words.into_limbs().iter().map(|&limb| limb as u32).collect()),
            _ if bytes.is_multiple_of(8) => Received::Limbs(words.into_limbs()),
            _ => Received::One(to_bin(&words)),
        }
    }

    fn array(self, py: Python) -> Bound<PyAny> {
        match self {
            Received::One(numbers) => array(py, numbers).into_any(),
            Received::Two(numbers) => array(py, numbers).into_any(),
            Received::Four(numbers) => array(py, numbers).into_any(),
            Received::Limbs(numbers) => array(py, numbers).into_any(),
        }
    }
}

#[pymethods]
impl Plan {
    /// Its facts as JSON, with the bits of a word that hold when nobody says.
    fn facts(&self) -> String {
        json(self.plan.facts(Some(self.width)))
    }

    /// Of the network: name, terminals, lanes, stages, and the link columns one behind the other.
    fn network<'py>(&self, py: Python<'py>) -> (String, u32, u32, u32, Bound<'py, PyArray1<u32>>) {
        let network = &self.plan.network;
        let name = network.name().to_string();
        let links = array(py, network.links().concat());
        (name, network.terminals(), network.lanes(), network.stages(), links)
    }

    /// The tables of the network, as `frit network --format json`.
    fn network_json(&self) -> String {
        to_json(&self.plan.network)
    }

    /// The destination of each lane in these rounds, round by round.
    fn destinations<'py>(
        &self,
        py: Python<'py>,
        first: u32,
        last: u32,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let (plan, lanes) = (&self.plan, self.plan.network.lanes());
        let rounds = self.rounds_from(first, last)?;
        let all = metered(py, rounds.len() as u64, None, |meter| {
            let mut all = Vec::with_capacity(rounds.len() * lanes as usize);
            for round in rounds.map(RoundIdx) {
                all.extend(LaneIdx::all(lanes).map(|lane| plan.destination(round, lane).0));
                meter.add(1);
            }
            all
        })?;
        Ok(array(py, all))
    }

    /// The label of each lane in these rounds, round by round; none if messages carry no labels.
    fn labels<'py>(
        &self,
        py: Python<'py>,
        first: u32,
        last: u32,
    ) -> PyResult<Option<Bound<'py, PyArray1<u64>>>> {
        let (plan, lanes) = (&self.plan, self.plan.network.lanes());
        let rounds = self.rounds_from(first, last)?;
        let all = metered(py, rounds.len() as u64, None, |meter| {
            let mut all = Some(Vec::with_capacity(rounds.len() * lanes as usize));
            for round in rounds.map(RoundIdx) {
                let row: Option<Vec<u64>> = LaneIdx::all(lanes).map(|lane| plan.label(round, lane)).collect();
                all = all.zip(row).map(|(mut all, row)| {
                    all.extend(row);
                    all
                });
                meter.add(1);
            }
            all
        })?;
        Ok(all.map(|all| array(py, all)))
    }

    /// The control word of a round.
    fn control_word(&self, round: u32) -> PyResult<Option<String>> {
        self.rounds_from(round, round.saturating_add(1))?;
        Ok(self.plan.control_word(RoundIdx(round)))
    }

    /// The states of the switches in a round, hop by hop: 0 straight, 1 cross.
    fn states<'py>(&self, py: Python<'py>, round: u32) -> PyResult<Bound<'py, PyArray1<u8>>> {
        self.rounds_from(round, round.saturating_add(1))?;
        let states = metered(py, 1, None, |_| states(&self.plan, RoundIdx(round)))?;
        let states =
            states.map_err(|conflict| exception(2, format!("the schedule has a conflict: {conflict}")))?;
        Ok(array(py, states.iter().flatten().map(|state| state.bit().into()).collect()))
    }

    /// Runs the model: whether all arrived, the seconds that the model took, the report as JSON, what was received (words as numbers or bytes, row = receiver), settings and
    /// deliveries as columns.
    #[pyo3(signature = (payload, width, exchanges, settings, deliveries, progress))]
    #[allow(clippy::type_complexity, clippy::too_many_arguments)] // what one Python function gives, and takes apart
    fn run<'py>(
        &self,
        py: Python<'py>,
        payload: Option<Given<'py>>,
        width: u32,
        exchanges: u32,
        settings: bool,
        deliveries: bool,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(
        bool,
        f64,
        String,
        Option<Bound<'py, PyAny>>,
        Option<Bound<'py, PyDict>>,
        Option<Bound<'py, PyDict>>,
    )> {
        let plan = match exchanges == self.plan.exchanges {
            true => Cow::Borrowed(&self.plan),
            false => Cow::Owned(fritillary::Plan { exchanges, ..self.plan.clone() }),
        };
        library::check_exchange(&plan, width, payload.is_some(), settings || deliveries).map_err(failed)?;
        let given = payload.as_ref().map(Given::parts).transpose()?;
        let rounds = u64::from(plan.rounds_in_all());
        let messages = rounds * u64::from(plan.network.lanes());
        let work = |meter: &Watch| {
            let words = given.map(|given| {
                let words = match given {
                    Parts::Bytes(bytes) => from_bin(bytes, plan.served(), width)?,
                    Parts::Limbs(limbs) => WordMatrix::of_limbs(plan.served(), width, limbs)?,
                };
                Ok(if plan.has_spare() { words.resized(plan.network.terminals()) } else { words })
            });
            let words =
                words.transpose().map_err(|error: fritillary::Refusal| exception(2, error.to_string()))?;
            let mut kept = Kept {
                meter,
                bytes: width.div_ceil(8) as usize,
                settings: settings.then(Settings::default),
                deliveries: deliveries.then(Deliveries::default),
            };
            let done = |rounds| meter.add(rounds);
            let begun = Instant::now();
            let outcome = exchange_with_progress(&plan, words.as_ref(), &mut kept, &done);
            let seconds = begun.elapsed().as_secs_f64();
            let received = outcome.received.map(|received| match plan.has_spare() {
                true => Received::of(received.resized(plan.served())),
                false => Received::of(received),
            });
            Ok((outcome.run, seconds, received, kept.settings, kept.deliveries))
        };
        let outcome = match messages <= FEW_MESSAGES {
            true => brief(py, rounds, progress.as_ref(), work),
            false => metered(py, rounds, progress.as_ref(), work),
        }?;
        let (run, seconds, received, settings, deliveries): (fritillary::traffic::trace::Run, _, _, _, _) =
            outcome.map_err(|error: PyErr| error)?;
        Ok((
            run.ok(),
            seconds,
            json(library::summary(&plan, width, &run)),
            received.map(|received| received.array(py)),
            settings.map(|settings| settings.columns(py)).transpose()?,
            deliveries.map(|deliveries| deliveries.columns(py)).transpose()?,
        ))
    }
}
