//! The film of an exchange, alone or beside the model; and of an exchange with a fault, as rust-hdl simulates it. [`routed`] has the films of routed systems, [`uneven`] those of uneven exchanges.

pub mod routed;
mod seen;
pub mod timeline;
pub mod uneven;

use frit_cells::bench::{self, Complaint, PeriodObserver};
use frit_cells::fault::EXCHANGE;
use frit_network::Refusal;
use frit_schedule::{Plan, Timeline};
use frit_trace::trace::{TraceDifference, first_difference};
use frit_traffic::Payload;
use frit_traffic::trace::Recorder;
use frit_view::Film;
use frit_view::film::Ways;
use frit_view::planned::{Beside, film};
use seen::MessageTracker;

/// Above this a page has tens of megabytes and no browser plays it well.
pub const MAX_TERMINALS: u32 = 2048;
/// Above this rust-hdl, which runs the designs with a fault, takes minutes.
pub const MAX_FAULTY: u32 = 512;
/// The seed of the words of a design with a fault.
const SEED: u64 = 1;

/// Bytes that the film of a plan takes: what is reported, also by the model if that ran `beside` something else; then as text, twice.
pub fn bytes(plan: &Plan, beside: bool) -> u64 {
    let (rounds, lanes) = (u64::from(plan.rounds), u64::from(plan.network.lanes()));
    let settings = rounds * lanes / 2 * u64::from(plan.hops());
    let reports = 1 + u64::from(beside);
    reports * (settings * 48 + rounds * lanes * 128) + 4 * rounds * lanes * 16
}

/// What did the exchange, if it was not the model.
pub struct FilmRun {
    pub name: String,
    /// The arguments of `frit view` that ask for it, each with a space before.
    pub given: String,
    pub recorder: Recorder,
    /// Where its words were, if they tell messages apart.
    pub ways: Option<Ways>,
    /// What its ports said that the plan does not.
    pub complaint: Option<Complaint>,
    /// The words that were sent, if it carried words.
    pub payload: Option<Payload>,
    pub compared: String,
}

pub fn of_model(plan: &Plan) -> Film {
    film(plan, &modelled(plan, None), None)
}

/// The film of what ran beside the model, words being `width` bits wide.
pub fn beside(plan: &Plan, width: u32, ran: &FilmRun) -> Film {
    let model = modelled(plan, ran.payload.as_ref());
    let timeline = Timeline::new(plan, width);
    let traces = first_difference(&model, &ran.recorder).map(|difference| {
        (timeline.period(timeline.prepare_runs, difference.cycle), in_words(plan, &difference))
    });
    let ports = ran.complaint.as_ref().map(|complaint| {
        (timeline.period(complaint.run, complaint.cycle), complained(complaint, timeline.prepare_runs))
    });
    let first = traces.into_iter().chain(ports).min_by_key(|(period, _)| *period);
    let difference = first.map(|(_, words)| words);
    let beside = Beside {
        name: &ran.name,
        arguments: &ran.given,
        expected: &model,
        compared: &ran.compared,
        difference: difference.as_deref(),
        ways: ran.ways.as_ref(),
    };
    film(plan, &ran.recorder, Some(beside))
}

/// What the model reports, with words if there is a payload.
fn modelled(plan: &Plan, payload: Option<&Payload>) -> Recorder {
    let mut model = Recorder::default();
    frit_model::exchange(plan, payload, &mut model);
    model
}

/// What was compared with the model, of each delivery and besides.
pub fn compared(word: &str, more: &str) -> String {
    format!("the state of every switch; of every delivery its cycle, output, source, round{word}{more}")
}

/// The rust-hdl description with a fault: what it reports, and where its words were, if they tell messages apart.
///
/// # Errors
/// If the fault has no place, or rust-hdl cannot simulate the design.
pub fn with_fault(plan: &Plan, fault: &str, width: u32) -> Result<FilmRun, Refusal> {
    let payload = Payload::random(plan.network.terminals(), width, SEED);
    let planted = EXCHANGE.find(fault)?;
    let mut netlist = frit_cells::design::build(plan, payload.width_bits());
    planted.plant(&mut netlist)?;
    let mut recorder = Recorder::default();
    let mut seen = MessageTracker::new(plan, &payload);
    let mut nobody = ();
    let periods: &mut dyn PeriodObserver = seen.as_mut().map_or(&mut nobody, |seen| seen);
    let outcome = bench::run(plan, &netlist, &payload, &mut recorder, periods)?;
    let ways = seen.map(MessageTracker::ways);
    let mut name = format!("the rust-hdl description with the fault {planted}");
    if ways.is_none() {
        name += &format!(", two of whose messages have the same word of {width} bits");
    }
    Ok(FilmRun {
        name,
        given: format!(" --fault {planted}"),
        recorder,
        ways,
        complaint: outcome.complaint,
        payload: Some(payload),
        compared: compared(" and its word", ", and every port"),
    })
}

/// A difference, the model's side first.
fn in_words(plan: &Plan, difference: &TraceDifference) -> String {
    let TraceDifference { cycle, signal, expected, got } = difference;
    let round = plan.injecting(*cycle).map_or(String::new(), |round| format!(" (round {round} enters)"));
    format!("cycle {cycle}{round}: {signal} is {got}, expected {expected} (the model)")
}

/// What the ports said that the plan does not.
fn complained(complaint: &Complaint, prepare_runs: u32) -> String {
    let Complaint { run, cycle, signal, expected, got } = complaint;
    let run = if *run < prepare_runs { "the run before, " } else { "" };
    format!("{run}cycle {cycle}: {signal} is {got}, expected {expected} (the plan)")
}
