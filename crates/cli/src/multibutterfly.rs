//! Runs of the multibutterfly, as all commands make them.

use crate::memory::{self, estimate};
use frit_model::multibutterfly::{BUFFER_BYTES, MultibutterflyOutcome};
use frit_router::multibutterfly::parameters::BITS_MOVED;
use frit_router::multibutterfly::{Order, Parameters};
use serde_json::{Value, json};

/// How many buffers the plain engine may have in one run. As many runs as there are cores may share the free memory.
pub fn room() -> u64 {
    memory::left() / rayon::current_num_threads() as u64 / BUFFER_BYTES
}

/// Refuses runs of so many messages for which there is no memory.
pub fn need_memory(parameters: &Parameters, messages: u64, seeds: usize, plain: bool) -> anyhow::Result<()> {
    let shape = parameters.shape()?;
    let plain = plain || parameters.payload > 0;
    let bytes = estimate::multibutterfly(parameters, shape, messages, plain);
    let what = format!("multibutterfly -n {}, d = {}, {messages} messages", parameters.rows, shape.degree());
    memory::need_each(&what, seeds, bytes, "use a smaller -n, a smaller --d, or fewer messages")
}

/// The word of the order of sides.
pub fn order(parameters: &Parameters) -> &'static str {
    if parameters.order == Order::Parallel { "parallel" } else { "sequential" }
}

/// What passes the edges of a run of the bit model one behind the other, from above: slots of two bits of a message, and numbers
/// (a size, a count, an answer). None in the word model.
fn slots_and_numbers(parameters: &Parameters, outcome: &MultibutterflyOutcome) -> Option<(u64, u64)> {
    let numbers = u64::from(outcome.stages) * (3 * u64::from(parameters.requests) + 1 + rounds(parameters));
    (parameters.payload > 0).then(|| (outcome.figures.word_steps - numbers, numbers))
}

/// Rounds of moves in a stage.
fn rounds(parameters: &Parameters) -> u64 {
    u64::from(parameters.moves) * parameters.passes().len() as u64
}

/// Bit steps of a run of the bit model, from above; none in the word model. No number has more bits than the largest W.
pub fn bit_steps(parameters: &Parameters, outcome: &MultibutterflyOutcome) -> Option<u64> {
    let (slots, numbers) = slots_and_numbers(parameters, outcome)?;
    let bits = u64::from(outcome.figures.max_w.max(1).ilog2() + 1);
    Some(slots * u64::from(BITS_MOVED) + numbers * bits)
}

/// Word steps of a run of the bit model, from above, the bits of a round being packed into words of log N bits, as in the
/// paper's proof of theorem 1; none in the word model. A number is a word, and a round may end with a word that is not full.
fn packed_steps(parameters: &Parameters, outcome: &MultibutterflyOutcome) -> Option<u64> {
    let (slots, numbers) = slots_and_numbers(parameters, outcome)?;
    let words = (slots * u64::from(BITS_MOVED)).div_ceil(parameters.rows.ilog2().into());
    Some(numbers + words + u64::from(outcome.stages) * rounds(parameters))
}

/// The JSON members of a run that are numbers, and its digest.
pub fn members(parameters: &Parameters, outcome: &MultibutterflyOutcome) -> Vec<(&'static str, Value)> {
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
        ("packed_steps", json!(packed_steps(parameters, outcome))),
        ("moves", json!(f.moves)),
        ("h", json!(parameters.threshold)),
    ]
}
