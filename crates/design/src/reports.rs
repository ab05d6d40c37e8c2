//! What the JSON reports of `frit route` and `frit simulate` say of a run on a routed system, and of the plan of a stream.

use frit_model::dilated::DilatedOutcome;
use frit_model::multibutterfly::MultibutterflyOutcome;
use frit_permute::{Form, Streamed};
use frit_router::dilated::{Mode, Packets, Parameters as Dilated, claims, loads};
use frit_router::multibutterfly::parameters::BITS_MOVED;
use frit_router::multibutterfly::{Order, Parameters};
use serde_json::{Map, Value, json};

/// The closed form of the steps of a dilated butterfly without waiting.
pub fn closed_form(parameters: &Dilated) -> &'static str {
    match (parameters.direct, parameters.mode) {
        (true, _) => "2n + M - 1",
        (false, Mode::Unrolled) => "4n + M - 1",
        (false, Mode::Barrier) => "5n + 2M - 2",
    }
}

/// What a run of the dilated butterfly came to.
pub struct DilatedFigures {
    /// The largest load of a bundle in each pass.
    pub passes: Vec<u32>,
    /// The steps, where there is a closed form for them.
    pub exact: Option<u64>,
    /// No run takes fewer.
    pub least: u64,
}

impl DilatedFigures {
    pub fn of(packets: &Packets) -> Self {
        let passes = loads::largest(packets);
        let exact = claims::exact_steps(packets, passes.iter().copied().max().unwrap_or(0));
        DilatedFigures { passes, exact, least: packets.parameters().least_steps() }
    }

    /// The largest load of both passes.
    pub fn load(&self) -> u32 {
        self.passes.iter().copied().max().unwrap_or(0)
    }
}

/// The JSON members of a run of the dilated butterfly.
pub fn dilated(
    packets: &Packets,
    outcome: &DilatedOutcome,
    figures: &DilatedFigures,
) -> Vec<(&'static str, Value)> {
    vec![
        ("steps", json!(outcome.steps)),
        ("delivered", json!(outcome.delivered)),
        ("blocked", json!(outcome.blocked.len())),
        ("max_load", json!(figures.load())),
        ("shunts", json!(outcome.shunts)),
        ("digest", json!(format!("{:#018x}", outcome.digest))),
        ("total", json!(packets.packets().len())),
        ("waits", json!(outcome.waits)),
        ("least_steps", json!(figures.least)),
        ("closed_form", json!(figures.exact)),
        ("loads", json!(figures.passes)),
        ("wrong", json!(outcome.wrong.len())),
    ]
}

/// The word of the order of sides of a multibutterfly.
pub fn order(parameters: &Parameters) -> &'static str {
    if parameters.order == Order::Parallel { "parallel" } else { "sequential" }
}

/// What passes the edges of a run of the bit model one behind the other, from above: slots of two bits of a message, and numbers
/// (a size, a count, an answer). None in the word model.
fn slots_and_numbers(parameters: &Parameters, outcome: &MultibutterflyOutcome) -> Option<(u64, u64)> {
    let numbers = u64::from(outcome.phases) * (3 * u64::from(parameters.requests) + 1 + rounds(parameters));
    (parameters.payload > 0).then(|| (outcome.figures.word_steps - numbers, numbers))
}

/// Rounds of moves in a phase.
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
    Some(numbers + words + u64::from(outcome.phases) * rounds(parameters))
}

/// The JSON members of a run of the multibutterfly that are numbers, and its digest.
pub fn multibutterfly(
    parameters: &Parameters,
    outcome: &MultibutterflyOutcome,
) -> Vec<(&'static str, Value)> {
    let f = &outcome.figures;
    vec![
        ("ok", json!(outcome.ok())),
        ("stages", json!(outcome.phases)),
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

/// The members of JSON that say what the plan of a stream is (docs/formats.md).
pub fn streamed(plan: &Streamed) -> Map<String, Value> {
    let bounds = plan.bounds();
    let value = json!({
        "system": plan.row.key,
        "options": plan.options,
        "lanes": plan.lanes,
        "words": plan.order.words(),
        "cycles": plan.cycles,
        "form": form(plan.form),
        "columns": plan.columns(),
        "switches": plan.switches(),
        "columns_one_bank": bounds.map(|[one, _]| one),
        "columns_two_banks": bounds.map(|[_, two]| two),
        "wait": plan.wait,
        "registers": plan.registers(),
        "latency": plan.latency(),
        "pages": plan.pages(),
        "address_orders": plan.memories().map(|memory| memory.orders.len()).collect::<Vec<_>>(),
        "memory_words": plan.memory_words(),
    });
    match value {
        Value::Object(members) => members,
        _ => unreachable!("json! was given an object"),
    }
}

/// How a stream's core is built, in words.
pub fn form(form: Form) -> &'static str {
    match form {
        Form::OneBank => "one bank of memories between two networks",
        Form::TwoBanks => "one network between two banks of memories",
        Form::Skewed => "skewed storage",
        Form::Loaded => "skewed storage, sizes loaded at run time",
        Form::Coloured => "edge colouring, two Benes networks with stored settings",
    }
}
