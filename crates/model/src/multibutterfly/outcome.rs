//! What a run gives.

use super::figures::Figures;
use super::plain::Plain;
use super::state::{Fill, State};
use super::stuck::{StandingRequest, Stuck};
use crate::stepper;
use frit_network::multibutterfly::Node;
use frit_network::{Refusal, RowIdx};
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_traffic::event::SumDigest;

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultibutterflyOutcome {
    /// Phases made.
    pub phases: u32,
    /// Messages that arrived as a whole.
    pub delivered: u32,
    /// Messages in all.
    pub total: u32,
    /// Messages that did not arrive.
    pub undelivered: Vec<u32>,
    /// The sides of splitters that ask for ever, if not everything arrived.
    pub stuck: Vec<Stuck>,
    /// Counts and maxima.
    pub figures: Figures,
    /// The digest of all events, in any order.
    pub digest: u64,
}

impl MultibutterflyOutcome {
    /// The same with the digest of its events.
    pub(super) fn with_digest(self, digest: u64) -> Self {
        MultibutterflyOutcome { digest, ..self }
    }

    /// Everything arrived.
    pub fn ok(&self) -> bool {
        self.delivered == self.total
    }
}

/// Runs a problem in the reference until everything has arrived or nothing moves any more.
pub fn run(problem: &Problem, see: impl FnMut(&NodeEvent)) -> MultibutterflyOutcome {
    run_within(problem, u64::MAX, see).expect("there is room for any number of ghosts")
}

/// The same with so many buffers in all, of [`BUFFER_BYTES`](super::BUFFER_BYTES) each.
///
/// # Errors
///
/// Ghosts need more. Nothing has been allocated for them.
pub fn run_within(
    problem: &Problem,
    room: u64,
    see: impl FnMut(&NodeEvent),
) -> Result<MultibutterflyOutcome, Refusal> {
    run_ticking(problem, room, see, |_| ())
}

/// The same as [`run_within`]; `tick` is told the number of each phase before it is made.
///
/// # Errors
///
/// The same.
pub fn run_ticking(
    problem: &Problem,
    room: u64,
    mut see: impl FnMut(&NodeEvent),
    tick: impl FnMut(u64),
) -> Result<MultibutterflyOutcome, Refusal> {
    let mut digest = SumDigest::default();
    let limit = problem.parameters().most_phases();
    let see = |event| {
        digest.take(&event);
        see(&event);
    };
    let engine = Plain::new(problem).within(room);
    let (phases, _, state) = stepper::run_ticking(&engine, limit.into(), see, tick);
    match state.refused {
        Some(refused) => Err(refused),
        None => Ok(outcome(problem, &state, phases as u32, digest.digest())),
    }
}

/// Runs a problem, and while not everything arrives once more with twice the declared degree, as long as one so large can be
/// declared. Gives every problem with its outcome. `run` is an engine.
///
/// # Errors
///
/// Those of the engine.
pub fn run_again<E>(
    problem: Problem,
    mut run: impl FnMut(&Problem) -> Result<MultibutterflyOutcome, E>,
) -> Result<Vec<(Problem, MultibutterflyOutcome)>, E> {
    let mut runs = vec![];
    let mut next = Some(problem);
    while let Some(problem) = next {
        let outcome = run(&problem)?;
        next = if outcome.ok() { None } else { problem.doubled().ok() };
        runs.push((problem, outcome));
    }
    Ok(runs)
}

/// The outcome of a run of the reference that ended in `state`.
pub(super) fn outcome(problem: &Problem, state: &State, phases: u32, digest: u64) -> MultibutterflyOutcome {
    let last = problem.network().shape().dimensions();
    let whole = problem.parameters().payload.max(1);
    let missing = |&message: &u32| state.arrived[message as usize] < whole;
    let undelivered: Vec<u32> = (0..problem.messages().len() as u32).filter(missing).collect();
    let mut figures = state.figures;
    let placed = state.sides.iter().map(|sides| sides[0].placed() + sides[1].placed());
    let mut delivered_to = vec![0; problem.network().shape().rows() as usize];
    for (message, to) in (0..).zip(problem.messages()) {
        delivered_to[to.destination as usize] += u32::from(!missing(&message));
    }
    figures.max_through = placed.chain(delivered_to).max().unwrap_or(0);
    let stuck = if undelivered.is_empty() { vec![] } else { stuck(problem, state, last) };
    MultibutterflyOutcome {
        phases,
        delivered: state.delivered,
        total: problem.messages().len() as u32,
        undelivered,
        stuck,
        figures,
        digest,
    }
}

/// The sides of splitters where requests stand and a round has committed nobody.
fn stuck(problem: &Problem, state: &State, columns: u32) -> Vec<Stuck> {
    let shape = problem.network().shape();
    let sides = (0..columns).flat_map(|column| shape.sides(column));
    let stuck = sides.filter_map(|side| {
        let number = 2 * ((1 << side.column) + side.number) + side.side;
        let since = state.silent[number as usize]?;
        let asking = shape.input_rows(side).filter_map(|row| {
            let of = state.side(Node { column: side.column, row: RowIdx(row) }, side.side);
            let messages = of.buffers.iter().filter(|held| held.fill == Fill::Message).count() as u32;
            of.committed.is_none().then_some(StandingRequest { row: RowIdx(row), size: of.size, messages })
        });
        Some(Stuck { side, since, requests: asking.collect() })
    });
    // Where it was forced, nobody asks any more.
    stuck.filter(|stuck| !stuck.requests.is_empty()).collect()
}
