//! Runs of the multibutterfly, as all commands make them.

use frit_model::multibutterfly::{RoutingOutcome, fast, run};
use frit_router::multibutterfly::parameters::BITS_MOVED;
use frit_router::multibutterfly::{NodeEvent, Order, Parameters, Problem};
use serde_json::{Value, json};

/// Runs a problem in the fast engine, or in the plain one if it cannot or that is asked for.
pub fn engine(problem: &Problem, plain: bool, see: impl FnMut(&NodeEvent)) -> RoutingOutcome {
    let plain = plain || !fast::can_run(problem);
    if plain { run(problem, see) } else { fast::run(problem, see) }
}

/// The word of the order of sides.
pub fn order(parameters: &Parameters) -> &'static str {
    if parameters.order == Order::Parallel { "parallel" } else { "sequential" }
}

/// Bit steps of a run of the bit model, from above; none in the word model. A step of [`word_steps`] moves two bits of a message
/// over an edge, or a number (a size, a count, an answer), which has no more bits than the largest W.
///
/// [`word_steps`]: frit_model::multibutterfly::Figures::word_steps
pub fn bit_steps(parameters: &Parameters, outcome: &RoutingOutcome) -> Option<u64> {
    if parameters.payload == 0 {
        return None;
    }
    let rounds = u64::from(parameters.moves) * parameters.passes().len() as u64;
    let numbers = u64::from(outcome.stages) * (3 * u64::from(parameters.requests) + 1 + rounds);
    let bits = u64::from(outcome.figures.max_w.max(1).ilog2() + 1);
    let slots = outcome.figures.word_steps - numbers;
    Some(slots * u64::from(BITS_MOVED) + numbers * bits)
}

/// The JSON members of a run that are numbers, and its digest.
pub fn members(parameters: &Parameters, outcome: &RoutingOutcome) -> Vec<(&'static str, Value)> {
    let f = &outcome.figures;
    vec![
        ("ok", json!(outcome.ok())),
        ("stages", json!(outcome.stages)),
        ("delivered", json!(outcome.delivered)),
        ("total", json!(outcome.total)),
        ("max_raw", json!(f.max_raw)),
        ("max_fill", json!(f.max_fill)),
        ("max_w", json!(f.max_w)),
        ("max_through", json!(f.max_through)),
        ("max_link", json!(f.max_link)),
        ("late", json!(f.late)),
        ("requests", json!(f.requests)),
        ("ghosts_deleted", json!(f.ghosts_deleted)),
        ("word_steps", json!(f.word_steps)),
        ("digest", json!(format!("{:#018x}", outcome.digest))),
        ("bit_steps", json!(bit_steps(parameters, outcome))),
        ("moves", json!(f.moves)),
        ("h", json!(parameters.threshold)),
    ]
}
