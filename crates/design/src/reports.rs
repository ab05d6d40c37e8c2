//! What the JSON reports of `frit route` and `frit simulate` say of a run on a routed system.

use crate::packets::words;
use frit_model::dilated::DilatedOutcome;
use frit_model::h_relation::Cost;
use frit_model::multibutterfly::MultibutterflyOutcome;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_router::dilated::{Mode, Packets, Parameters as Dilated, claims, loads};
use frit_router::multibutterfly::parameters::BITS_MOVED;
use frit_router::multibutterfly::{Multibutterfly, Order, Parameters};

/// The JSON members of what an h-relation costs.
pub fn relation(c: &Cost) -> Facts {
    facts! {
        "packets": c.packets, "most_sent": c.most_sent, "most_received": c.most_received, "h": c.h(),
        "largest_buffer": c.largest_buffer, "mean_wait": c.mean_wait(), "steps": c.steps, "cost": c.cost(),
        "cost_per_source": c.cost_per_source(),
    }
}

/// The closed form of the steps of a dilated butterfly without waiting.
pub fn closed_form(parameters: &Dilated) -> &'static str {
    match (parameters.direct, parameters.mode) {
        (true, _) => "2n + M - 1",
        (false, Mode::Unrolled) => "4n + M - 1",
        (false, Mode::Barrier) => "5n + 2M - 2",
    }
}

/// The JSON members of a dilated butterfly and its traffic, of which each row sends `per_input` packets unless a file says it.
pub fn dilated_traffic(parameters: &Dilated, traffic: &str, per_input: Option<u32>) -> Facts {
    let [switch, mode] = words(parameters);
    facts! {
        "system": "dilated", "terminals": parameters.rows, "bundle": parameters.bundle,
        "per_input": per_input, "payload": parameters.payload, "queue": parameters.queue, "switch": switch,
        "mode": mode, "release": parameters.release, "direct": parameters.direct, "traffic": traffic,
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
pub fn dilated(packets: &Packets, outcome: &DilatedOutcome, figures: &DilatedFigures) -> Facts {
    facts! {
        "steps": outcome.steps, "delivered": outcome.delivered, "blocked": outcome.blocked.len(),
        "max_load": figures.load(), "shunts": outcome.shunts, "digest": format!("{:#018x}", outcome.digest),
        "total": packets.packets().len(), "waits": outcome.waits, "least_steps": figures.least,
        "closed_form": figures.exact, "loads": figures.passes, "wrong": outcome.wrong.len(),
    }
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

/// The JSON members of a multibutterfly and its traffic; `drawn`: by rule, not from a file.
pub fn multibutterfly_traffic(system: &Multibutterfly, p: &Parameters, traffic: &str, drawn: bool) -> Facts {
    facts! {
        "system": "multibutterfly", "terminals": p.rows, "d": p.degree, "r": p.committed,
        "declared_h": p.threshold, "ha": drawn.then_some(p.offered), "l": p.stride, "z": p.requests,
        "y": p.moves, "strict": p.strict, "free": p.free, "x": p.payload, "force": p.force,
        "order": order(p), "rerun": system.rerun,
        "wiring": if system.wiring.is_some() { "file" } else { "random" }, "paper_bound": p.paper_bound(),
        "traffic": traffic,
    }
}

/// The JSON members of a run of the multibutterfly that are numbers, and its digest.
pub fn multibutterfly(parameters: &Parameters, outcome: &MultibutterflyOutcome) -> Facts {
    let f = &outcome.figures;
    facts! {
        "ok": outcome.ok(), "stages": outcome.phases, "delivered": outcome.delivered, "total": outcome.total,
        "max_raw": f.max_raw, "max_fill": f.max_fill, "max_w": f.max_w, "max_through": f.max_through,
        "max_link": f.max_link, "late": f.late, "requests": f.requests, "ghosts_deleted": f.ghosts_deleted,
        "word_steps": f.word_steps, "digest": format!("{:#018x}", outcome.digest),
        "bit_steps": bit_steps(parameters, outcome), "packed_steps": packed_steps(parameters, outcome),
        "moves": f.moves, "h": parameters.threshold,
    }
}
