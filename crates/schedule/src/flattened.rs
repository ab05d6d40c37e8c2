//! RLS and LLS on the flattened butterfly of N/2 routers ("Realizing the right Latin square on the
//! Butterfly–Butterfly", section V-B).
//!
//! A message takes the hops of the Butterfly–Butterfly: at an edge stage it stays in its router or takes the channel of
//! that stage's dimension. Both halves of the path go through every dimension, so a round uses every channel twice,
//! n - 1 cycles apart. A channel of one word a cycle therefore takes n - 1 rounds in as many cycles, then their second
//! halves. No schedule without waiting is shorter: two rounds that began n - 1 cycles apart would meet in a channel, so at
//! most half of all cycles begin a round, and here the first half of every 2(n - 1) do. A channel of two words takes a
//! round every cycle.

use crate::check::route_round;
use crate::plan::{CONFLICT, Control, Figures, Labels, Plan};
use crate::rls::{DIRECTION, direction};
use crate::rotation::{Middle, RotationLabels};
use crate::route::Conflict;
use crate::second_pass::SecondPass;
use frit_network::flattened::{Channel, channel, channels};
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{PortIdx, Refusal, RoundIdx, StageIdx, butterfly, butterfly_butterfly};
use std::collections::BTreeMap;

/// Where this comes from.
pub const SOURCE: &str = "Latin square of rotations on the Butterfly-Butterfly, section V-B";

/// The system's key.
pub const KEY: &str = "rls-flattened";

/// The option that says how many words a channel carries in a cycle.
pub const CAPACITY: OptionSpec = OptionSpec {
    name: "capacity",
    values: Values::Words(&["1", "2"]),
    help: "words that a channel between two routers carries in one cycle",
    compared: true,
};

/// The system in the table.
pub static ROW: Row = Row {
    key: KEY,
    title: "Latin square of rotations on the flattened butterfly of N/2 routers",
    sizes: "N = 2^n, n >= 2",
    cycles: "capacity 2: (2n - 1) + (N - 1); 1: 2dG + j + 2n - 2 with d = n - 1, G = ceil(N/d) - 1, j = N - Gd",
    drivers: "a label generator per terminal",
    paper: SOURCE,
    options: &[CAPACITY, DIRECTION, CONFLICT],
    example: 8,
};

/// The plan of RLS or LLS on the flattened butterfly.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let shared = request.options[CAPACITY.name] == "1";
    let network =
        if shared { butterfly(request.terminals)? } else { butterfly_butterfly(request.terminals)? };
    let n = request.terminals.trailing_zeros();
    let rounds = network.terminals();
    let hops = 2 * n - 1;
    let figures =
        Figures { drivers: rounds.into(), label_bits: hops, ..Figures::full_outputs(rounds, hops, SOURCE) };
    let labels = RotationLabels { n, direction: direction(request), middle: Middle::Shared };
    let mut plan = Plan::new(
        &ROW,
        &request.options,
        network,
        rounds,
        Control::Labels(Labels::Rotations(labels)),
        figures,
    );
    if shared {
        plan.second_pass = Some(SecondPass { after: n - 1, wait: 0 });
        plan.figures.cycles_lower_bound = plan.cycles();
        plan.figures.bound_reason = format!(
            "a round uses every channel twice, {0} cycles apart, so two rounds that began {0} cycles apart would meet",
            n - 1
        );
    }
    Ok(plan)
}

/// One hop of a message: the stage it passes, its router, and the channel that it takes to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The stage of the unrolled network.
    pub stage: u32,
    /// The router.
    pub router: u32,
    /// The channel to the next router; none if the message stays here.
    pub channel: Option<Channel>,
}

/// The path of the message of every source in a round: a row of hops each.
pub fn paths(plan: &Plan, round: RoundIdx) -> Result<Vec<Vec<Hop>>, Conflict> {
    let network = plan.unrolled();
    let states = route_round(plan, round)?.states;
    let path = |source: u32| {
        let mut port = network.link(StageIdx(0))[source as usize];
        let hop = |(stage, row): (usize, &Vec<frit_network::SwitchState>)| {
            let router = port / 2;
            let output = row[router as usize].output_port(PortIdx(port));
            let column = StageIdx(stage as u32 + 1);
            port = network.link(column)[output.idx()];
            Hop { stage: stage as u32, router, channel: channel(&network, column, output) }
        };
        states.iter().enumerate().map(hop).collect()
    };
    Ok((0..network.lanes()).map(path).collect())
}

/// How many words every channel carries in an exchange: all channels, also unused ones.
pub fn channel_loads(plan: &Plan) -> Result<BTreeMap<Channel, u64>, Conflict> {
    let mut loads: BTreeMap<Channel, u64> =
        channels(plan.network.terminals() / 2).map(|channel| (channel, 0)).collect();
    for round in RoundIdx::all(plan.rounds) {
        for hop in paths(plan, round)?.into_iter().flatten() {
            if let Some(channel) = hop.channel {
                *loads.entry(channel).or_default() += 1;
            }
        }
    }
    Ok(loads)
}

/// The most words that a channel carries in one cycle of the plan.
pub fn busiest_channel(plan: &Plan) -> Result<u64, Conflict> {
    let mut words: BTreeMap<(u64, Channel), u64> = BTreeMap::new();
    for round in RoundIdx::all(plan.rounds) {
        for hop in paths(plan, round)?.into_iter().flatten() {
            if let Some(channel) = hop.channel {
                *words.entry((plan.acts_at(hop.stage, round), channel)).or_default() += 1;
            }
        }
    }
    Ok(words.into_values().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_plan;
    use frit_network::LaneIdx;

    fn flattened(terminals: u64, capacity: &str) -> Plan {
        crate::plan(&Request::new("rls-flattened", terminals).with("capacity", capacity)).unwrap()
    }

    #[test]
    fn both_capacities_are_complete_and_keep_to_their_channels() {
        for n in [4, 8, 16, 32] {
            for (capacity, words) in [("1", 1), ("2", 2)] {
                let plan = flattened(n, capacity);
                assert!(check_plan(&plan).complete());
                assert_eq!(busiest_channel(&plan).unwrap(), words, "N={n}");
                let loads = channel_loads(&plan).unwrap();
                assert_eq!(loads.len() as u64, n / 2 * (n.ilog2() as u64 - 1));
                assert!(loads.values().all(|&load| load == 2 * n), "N={n}: every channel twice a round");
            }
        }
        assert_eq!([4, 8, 16, 32].map(|n| flattened(n, "2").cycles()), [6, 12, 22, 40]);
    }

    #[test]
    fn no_shorter_schedule_keeps_to_one_word_a_channel() {
        // Two rounds n - 1 cycles apart would meet in every channel: the longest rows of free cycles, by search.
        for n in [4u64, 8, 16, 32] {
            let plan = flattened(n, "1");
            let apart = n.ilog2() as usize - 1;
            // The most rounds that begin in the first c cycles: every residue class of cycles is a path of neighbours.
            let most = |cycles: usize| -> usize {
                (0..apart.min(cycles)).map(|first| (cycles - first).div_ceil(apart).div_ceil(2)).sum()
            };
            let last = (1..).find(|&cycles| most(cycles) >= n as usize).unwrap() as u64 - 1;
            assert_eq!(plan.injected_at(RoundIdx(plan.rounds - 1)), last);
            assert_eq!(plan.cycles(), last + 2 * n.ilog2() as u64 - 1);
        }
        assert_eq!([4, 8, 16, 32].map(|n| flattened(n, "1").cycles()), [9, 18, 37, 68]);
    }

    #[test]
    fn a_schedule_with_a_round_every_cycle_overloads_single_channels() {
        let mut plan = flattened(16, "1");
        plan.network = butterfly_butterfly(16).unwrap();
        plan.second_pass = None;
        assert_eq!(busiest_channel(&plan).unwrap(), 2);
    }

    #[test]
    fn paths_lead_to_the_destination() {
        let plan = flattened(16, "1");
        for round in RoundIdx::all(plan.rounds) {
            for (source, path) in paths(&plan, round).unwrap().into_iter().enumerate() {
                assert_eq!((path.len(), path[0].router), (7, source as u32 / 2));
                let destination = plan.destination(round, LaneIdx(source as u32));
                assert_eq!(path.last().unwrap().router, destination.0 / 2);
                for pair in path.windows(2) {
                    assert_eq!(pair[0].channel.map_or(pair[0].router, Channel::to), pair[1].router);
                }
            }
        }
    }
}
