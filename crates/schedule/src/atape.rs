//! Yang and Wang's method for banyan networks: an N × N Latin square built off line, whose rows the terminals read.
//!
//! Source: Y. Yang and J. Wang, "Optimal all-to-all personalized exchange in self-routable multistage networks", IEEE
//! Transactions on Parallel and Distributed Systems 11 (2000). A banyan network admits N permutations that together are a
//! Latin square, those of settings that are the same in each stage. Terminal i stores where it goes in each of them;
//! in round k it sends the message for that destination, whose n bits route it through the switches.

use crate::pipeline::PIPELINE;
use crate::plan::{CONFLICT, Control, Figures, Plan};
use crate::route::route_states;
use crate::tables::{Tables, check_size};
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{LaneIdx, Network, Refusal, RoundIdx, SwitchState, baseline, butterfly, generalized_cube};

/// Where this comes from.
pub const SOURCE: &str = "Y. Yang and J. Wang, Optimal all-to-all personalized exchange in self-routable multistage networks (2000)";

/// The option that says on which banyan network.
pub const NETWORK: OptionSpec = OptionSpec {
    name: "network",
    values: Values::Words(&["butterfly", "baseline", "cube"]),
    help: "banyan network to use: the Butterfly, the baseline network, or the generalized cube",
    compared: true,
};

/// The system in the table.
pub static ROW: Row = Row {
    key: "atape",
    title: "Latin-square method on a banyan network, destinations stored",
    sizes: "N = 2^n, n >= 2, up to 4096",
    cycles: "N + n - 1",
    drivers: "a table of destinations per terminal",
    paper: SOURCE,
    options: &[NETWORK, CONFLICT, PIPELINE],
    example: 16,
};

/// The plan: the tags of the Latin square, stored.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let network = match request.options[NETWORK.name].as_str() {
        "baseline" => baseline(request.terminals)?,
        "cube" => generalized_cube(request.terminals)?,
        _ => butterfly(request.terminals)?,
    };
    check_size(request.terminals, request.terminals)?;
    let square = latin_square(&network);
    let terminals = network.terminals();
    // On these networks the number of a destination is the label that leads there.
    let tag = |round: RoundIdx, lane: LaneIdx| u64::from(square[round.idx()][lane.idx()]);
    let tables = Tables::labels(&network, terminals, tag)?;
    let stages = network.stages();
    let figures = Figures {
        drivers: terminals.into(),
        stored_bits: tables.stored_bits().total(),
        label_bits: stages,
        ..Figures::full_outputs(terminals, stages, SOURCE)
    };
    Ok(Plan::new(&ROW, &request.options, network, terminals, Control::Table(tables), figures))
}

/// The destinations `[round][source]` of the N settings in which all switches of a stage are set alike: in round k those
/// of stage s cross if bit n - 1 - s of k is 1.
pub fn latin_square(network: &Network) -> Vec<Vec<u32>> {
    let stages = network.stages();
    (0..network.lanes())
        .map(|round| {
            let state = |stage: u32| SwitchState::from_bit(round >> (stages - 1 - stage) & 1 == 1);
            route_states(network, |stage, _| state(stage.0)).destinations
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{check_plan, route_round};
    use crate::latin;
    use frit_network::{LaneIdx, RoundIdx};

    fn atape(terminals: u64) -> Plan {
        crate::plan(&Request::new("atape", terminals)).unwrap()
    }

    fn on(network: &str, terminals: u64) -> Plan {
        crate::plan(&Request::new("atape", terminals).with("network", network)).unwrap()
    }

    #[test]
    fn the_square_is_latin_and_the_tags_follow_it() {
        for (n, network) in
            (2..=7u32).flat_map(|n| NETWORK.values.words().iter().map(move |network| (n, network)))
        {
            let plan = on(network, 1 << n);
            let square = latin_square(&plan.network);
            latin::check(1 << n, |round, lane| square[round as usize][lane as usize]).unwrap();
            for round in RoundIdx::all(plan.rounds) {
                let routed = route_round(&plan, round).unwrap();
                assert_eq!(routed.destinations, square[round.idx()]);
                for (lane, &destination) in (0..).zip(&routed.destinations) {
                    assert_eq!(plan.label(round, LaneIdx(lane)), Some(destination.into()));
                }
            }
        }
    }

    #[test]
    fn a_complete_exchange_in_n_plus_log_n_minus_one_cycles() {
        for (terminals, cycles) in [(4, 5), (8, 10), (16, 19), (32, 36), (256, 263)] {
            assert!(check_plan(&on("baseline", terminals)).complete());
            let plan = atape(terminals);
            assert_eq!((plan.cycles(), plan.figures.cycles_paper), (cycles, cycles));
            let report = check_plan(&plan);
            assert!(report.complete() && report.repeated == 0, "N={terminals}: {report:?}");
        }
    }

    #[test]
    fn the_bits_of_the_square_and_of_the_receivers_are_counted() {
        // N = 8: the square has 8 x 8 entries of 3 bits; the receivers store as many for the sources.
        assert_eq!(atape(8).figures.stored_bits, 192 + 192);
        assert_eq!(atape(16).figures.stored_bits, 2 * 16 * 16 * 4);
    }
}
