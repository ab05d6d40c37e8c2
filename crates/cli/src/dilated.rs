//! Runs of the dilated butterfly as `frit route` and sweeps of it report them: which traffic there is, which engine runs it,
//! and the members of a run.

use frit_model::dilated::{self, Blocked, WaitsFor, WormsOutcome};
use frit_router::dilated::packets::{bit_reversal, permutations, transpose};
use frit_router::dilated::{Mode, Packets, Parameters, Shunt, Switch, claims, loads};
use frit_traffic::Messages;
use serde_json::{Value, json};

/// Traffic by rule; the first is the default.
pub const KINDS: [&str; 3] = ["permutation", "bit-reversal", "transpose"];

/// Traffic of a kind of [`KINDS`].
pub fn messages(kind: &str, rows: u32, per_input: u32, seed: u64) -> Messages {
    match kind {
        "bit-reversal" => bit_reversal(rows, per_input),
        "transpose" => transpose(rows, per_input),
        _ => permutations(rows, per_input, seed),
    }
}

/// Runs the packets in the fast engine, or in the plain one if it cannot or that is asked for.
pub fn run(packets: &Packets, plain: bool, see: impl FnMut(&Shunt)) -> WormsOutcome {
    let plain = plain || !dilated::fast::can_run(packets);
    if plain { dilated::run(packets, see) } else { dilated::fast::run(packets, see) }
}

/// The words of switch and mode.
pub fn words(parameters: &Parameters) -> [&'static str; 2] {
    let switch = if parameters.switch == Switch::Strong { "strong" } else { "weak" };
    [switch, if parameters.mode == Mode::Unrolled { "unrolled" } else { "barrier" }]
}

/// The closed form of the steps without waiting.
pub fn closed_form(parameters: &Parameters) -> &'static str {
    match (parameters.direct, parameters.mode) {
        (true, _) => "2n + M - 1",
        (false, Mode::Unrolled) => "4n + M - 1",
        (false, Mode::Barrier) => "5n + 2M - 2",
    }
}

/// What a run came to.
pub struct Figures {
    /// The largest load of a bundle in each pass.
    pub passes: Vec<u32>,
    /// The steps, where there is a closed form for them.
    pub exact: Option<u64>,
    /// No run takes fewer.
    pub least: u64,
}

impl Figures {
    /// Those of these packets.
    pub fn of(packets: &Packets) -> Self {
        let passes = loads::largest(packets);
        let exact = claims::exact_steps(packets, passes.iter().copied().max().unwrap_or(0));
        Figures { passes, exact, least: packets.parameters().least_steps() }
    }

    /// The largest load of both passes.
    pub fn load(&self) -> u32 {
        self.passes.iter().copied().max().unwrap_or(0)
    }
}

/// The JSON members of a run.
pub fn members(packets: &Packets, outcome: &WormsOutcome, figures: &Figures) -> Vec<(&'static str, Value)> {
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
        ("blocked_heads", outcome.blocked.iter().map(blocked).collect()),
    ]
}

fn blocked(head: &Blocked) -> Value {
    let Blocked { packet, at, waits_for } = head;
    let (what, number) = match waits_for {
        WaitsFor::Bundle(x) => ("bundle", x),
        WaitsFor::Turn(edge) => ("turn", edge),
    };
    json!({
        "packet": packet, "level": at.node.level, "row": at.node.row, "y": at.y, "e": at.e,
        "waits_for": { what: number },
    })
}
