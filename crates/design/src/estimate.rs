//! How much takes how much: bytes at the peak, from above, within a factor of about two. The factors are measured (the peak of the
//! process less what it has before, 64-bit, x86; docs/performance.md has the table) and rounded up.

use frit_model::dilated::fast;
use frit_network::multibutterfly::Shape;
use frit_network::{MAX_TERMINALS, Network};
use frit_router::dilated::Parameters as Dilated;
use frit_router::dilated::packets;
use frit_router::multibutterfly::Parameters as Multibutterfly;
use frit_schedule::tables::MAX_ENTRIES;
use frit_schedule::{Control, Plan};
use frit_traffic::payload::limbs_of;
use std::ops::Range;

/// A wire of a link column.
const WIRE: u64 = 4;
/// The run of an exchange on a core, for a terminal, and of any that a comparison makes.
const RUN_OF_TERMINAL: u64 = 32 << 10;
const RUN: u64 = 64 << 20;
/// A setting that is kept, and a delivery with its word.
const SETTING: u64 = 48;
const DELIVERY: u64 = 128;
/// A switch in a drawing, and more if the messages at it are drawn, too.
const DRAWN_SWITCH: u64 = 560;
const DRAWN_MESSAGES: u64 = 850;
/// An entry of a stored table in the files of a design.
const STORED_ENTRY: u64 = 200;
/// A line of a file of packets that has been read.
const LINE_OF_PACKETS: u64 = 12;
/// A blocked head as an object of JSON, and as text.
const BLOCKED_HEAD: u64 = 6 << 10;
/// A round of a demand where each round is stored (the window, its bit, its slot), and the same of two exchanges.
const STORED_ROUND: u64 = 44;
const STORED_ROUNDS: u64 = 72;
/// A word that arrives.
const ARRIVAL: u64 = 72;
/// A lane and stage while a round is routed.
const ROUTED_HOP: u64 = 6;

/// A plan with its network, before it is made; 0 for what has none, and for sizes that are refused anyway.
pub fn plan(system: &str, terminals: u64) -> u64 {
    if !(2..=MAX_TERMINALS).contains(&terminals)
        || frit_schedule::system(system).or(frit_schedule::baseline(system)).is_none()
    {
        return 0;
    }
    let n = u64::from(terminals.ilog2());
    // What is larger has no plan; a comparison then shows the largest there is.
    let table = (terminals * terminals).min(MAX_ENTRIES);
    // Lanes, link columns, and tables that are stored.
    let (lanes, columns, stored) = match system {
        "obf" => (2 * terminals, n + 1, 0),
        "gsen" => (terminals, n + 2, 0),
        "xor" | "rotator" => (terminals, n + 1, 0),
        // Destinations four times while the table is made.
        "atape" => (terminals, n + 1, 16 * table),
        // A bit for each switch and round, and the destinations.
        "benes" => (terminals, 2 * n, 6 * table),
        _ => (terminals, 2 * n + 1, 0),
    };
    // The check of a column marks all its ports.
    WIRE * lanes * (columns + 3) + stored
}

/// The network of a plan with a stage for each hop, where that is another than the one that is built.
pub fn unrolled(plan: &Plan) -> u64 {
    if plan.hops() == plan.network.stages() {
        return 0;
    }
    WIRE * u64::from(plan.network.lanes()) * u64::from(plan.hops() + 3)
}

/// A round that is routed on the network.
pub fn routed_round(plan: &Plan) -> u64 {
    ROUTED_HOP * u64::from(plan.network.lanes()) * u64::from(plan.hops())
}

/// A drawing, with or without messages.
pub fn drawing(network: &Network, messages: bool) -> u64 {
    (DRAWN_SWITCH + if messages { DRAWN_MESSAGES } else { 0 }) * network.switches()
}

pub fn words(terminals: u32, width: u32) -> u64 {
    u64::from(terminals).pow(2) * limbs_of(width) as u64 * 8
}

/// The words of an exchange in a file.
pub fn words_in_file(terminals: u32, width: u32, binary: bool) -> u64 {
    let word = if binary { width.div_ceil(8) } else { width.div_ceil(3) + 1 };
    u64::from(terminals).pow(2) * u64::from(word)
}

/// Some rounds of an exchange in the model, without words.
pub fn run(plan: &Plan, rounds: Range<u32>) -> u64 {
    frit_model::fast::all_bytes(plan, rounds)
}

/// A row of a comparison: a plan, and the run of its exchange.
pub fn compared(system: &str, terminals: u64) -> u64 {
    plan(system, terminals) + RUN.min(RUN_OF_TERMINAL * terminals)
}

/// What an engine does in an exchange: every setting and delivery, in lists that have grown.
pub fn trace(plan: &Plan) -> u64 {
    let rounds = u64::from(plan.rounds) * (plan.phases.count() - 1) + u64::from(plan.rounds_in_all());
    let lanes = u64::from(plan.network.lanes());
    rounds * lanes * u64::from(plan.hops()) / 2 * SETTING + rounds * lanes * DELIVERY
}

/// The files of a design, its words and netlist included: payload and what is expected in hexadecimal.
pub fn files(plan: &Plan, width: u32) -> u64 {
    let terminals = plan.network.terminals();
    let pairs = u64::from(terminals).pow(2);
    // A table that is stored is a `case` with a line for each entry, in text and as a netlist.
    let stored = match plan.control {
        Control::Table(_) => u64::from(plan.rounds) * u64::from(plan.network.lanes()) * STORED_ENTRY,
        _ => 0,
    };
    words(terminals, width) + pairs * u64::from(width.div_ceil(4) + 1 + 36) + stored
}

/// The lines of a file of packets of so many bytes, with its text: a line has four bytes or more, and a list that grows has
/// room for twice as much while it is copied.
pub fn lines_of_packets(bytes: u64) -> u64 {
    2 * bytes + LINE_OF_PACKETS * 3 * (bytes / 4)
}

/// Messages in the lists of their sources, which grow, and then one behind the other.
pub fn messages(count: u64) -> u64 {
    16 * count
}

/// Blocked heads in a report in JSON.
pub fn blocked_heads(heads: u64) -> u64 {
    BLOCKED_HEAD * heads
}

/// A run of a relation step by step on a planned system, in the engine of single steps, which takes more than the fast one. Counters
/// have a byte, or four where more than 255 packets may wait for one pair.
pub fn relation_in_steps(terminals: u32, many_for_one: bool) -> u64 {
    u64::from(terminals).pow(2) * if many_for_one { 12 } else { 4 }
}

/// The wires of a multibutterfly, both ways.
pub fn wires(shape: Shape) -> u64 {
    16 * shape.edges()
}

/// A run on the multibutterfly, its wires included. The plain engine's ghosts are not: it counts them while it runs.
pub fn multibutterfly(parameters: &Multibutterfly, shape: Shape, messages: u64, plain: bool) -> u64 {
    let sides = 2 * shape.nodes();
    let state = match plain {
        // Two states: a request and a count an edge, a list a side, a buffer a message in each column that it has passed.
        true => 16 * shape.edges() + 400 * sides + 96 * messages * u64::from(shape.dimensions()),
        // Pointers, the rows to which a side commits in a list that grows, counts of an output.
        false => (34 + 8 * u64::from(parameters.committed)) * sides,
    };
    wires(shape) + state + 48 * messages
}

/// A run on the dilated butterfly, its packets included. `plain`: in the engine that keeps every edge, whatever passes it.
pub fn dilated(parameters: &Dilated, count: u64, plain: bool) -> u64 {
    let Ok(network) = parameters.network() else { return 0 };
    match plain || !fast::takes(parameters, &network) {
        true => packets::bytes(parameters, &network, count),
        false => packets::bytes_of_packets(parameters, &network, count),
    }
}

/// A round of the plan of a demand on a system that stores each of its rounds, in one exchange or in two hops.
pub fn stored_round(two_hop: bool) -> u64 {
    if two_hop { STORED_ROUNDS } else { STORED_ROUND }
}

/// Words of a demand that arrive, each kept and then in columns.
pub fn arrivals(words: u64) -> u64 {
    ARRIVAL.saturating_mul(words)
}

/// The states of a network, each with the place that every lane leads to: one by one, and side by side.
pub fn led(states: u64, lanes: u64) -> u64 {
    states.saturating_mul(32 + 8 * lanes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, SYSTEMS, plan as make};

    /// Every system's network, in each of its forms, is at most what is estimated, and not below a half of it.
    #[test]
    fn networks_are_estimated_from_above_and_not_too_far() {
        for system in SYSTEMS {
            for variant in system.row.variants() {
                let request = Request::new(system.row.key, 1024);
                let request = variant.iter().fold(request, |request, (key, value)| request.with(key, value));
                let terminals = make(&request).err().and_then(|error| error.nearest()).unwrap_or(1024);
                let made = make(&Request { terminals, ..request }).unwrap();
                let links: usize = made.network.links().iter().map(|column| 4 * column.len()).sum();
                let stored = match made.control {
                    Control::Table(_) => 4 * terminals * terminals,
                    _ => 0,
                };
                let given = plan(system.row.key, terminals);
                let least = links as u64 + stored;
                assert!(given >= least && given <= 5 * least, "{}: {given} for {least}", made.name());
            }
        }
    }

    #[test]
    fn sizes_that_do_not_exist_are_left_to_who_refuses_them() {
        assert_eq!(["rls", "atape", "gsen"].map(|key| plan(key, 1_000_000_000)), [0; 3]);
        assert_eq!((plan("rls", 0), plan("dilated", 1 << 20)), (0, 0));
    }
}
