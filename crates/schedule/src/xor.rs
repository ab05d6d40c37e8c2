//! Massini's XOR method: round k sets every switch of stage s to bit n - 1 - s of k, a driver per stage and no labels.
//!
//! Source: A. Massini, "All-to-all personalized communication on multistage interconnection networks", Discrete
//! Applied Mathematics 128 (2003). On the Butterfly round k sends i to σ(i) XOR k, with σ the rotation of the n bits of i to
//! the right by one; on the shuffle-exchange network it sends i to i XOR k.

use crate::pipeline::PIPELINE;
use crate::plan::{Control, Figures, Plan};
use crate::stage_control::{Rule, StageControl};
use crate::stuck::STUCK;
use frit_network::butterfly::bits;
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{Refusal, butterfly, shuffle_exchange};

/// Where this comes from.
pub const SOURCE: &str =
    "A. Massini, All-to-all personalized communication on multistage interconnection networks (2003)";

/// The networks, the first the default.
pub const NETWORKS: &[&str] = &["butterfly", "shuffle"];

/// The system in the table.
pub static ROW: Row = Row {
    key: "xor",
    title: "XOR method on a banyan network, every stage set as a whole",
    sizes: "N = 2^n, n >= 2",
    cycles: "N + n - 1",
    drivers: "one driver per stage",
    paper: SOURCE,
    options: &[
        OptionSpec {
            name: "network",
            values: Values::Words(NETWORKS),
            help: "network to use: the Butterfly or the shuffle-exchange network",
            compared: true,
        },
        PIPELINE,
        STUCK,
    ],
    example: 16,
};

/// The plan of the XOR method.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    // The size is refused in the name of the method: both networks need N = 2^n, and the shuffle-exchange network has n stages then.
    bits("the XOR method", request.terminals)?;
    let (mut network, mut rotation) = (butterfly(request.terminals)?, 1);
    if request.options["network"] == NETWORKS[1] {
        (network, rotation) = (shuffle_exchange(request.terminals)?, 0);
    }
    let (rounds, stages) = (network.terminals(), network.stages());
    let control = Control::Stages(StageControl { n: stages - 1, rule: Rule::Xor { rotation } });
    let figures = Figures { drivers: stages.into(), ..Figures::full_outputs(rounds, stages, SOURCE) };
    Ok(Plan::new(&ROW, &request.options, network, rounds, control, figures))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{check_plan, route_round};
    use frit_network::{LaneIdx, RoundIdx};

    fn xor(terminals: u64, network: &str) -> Plan {
        crate::plan(&Request::new("xor", terminals).with("network", network)).unwrap()
    }

    #[test]
    fn round_k_is_an_xor_with_k_on_the_bare_network() {
        for n in 2..=8u32 {
            for (network, rotation) in [("butterfly", 1), ("shuffle", 0)] {
                let plan = xor(1 << n, network);
                assert_eq!((plan.rounds, plan.network.stages()), (1 << n, n));
                for round in 0..plan.rounds {
                    let routed = route_round(&plan, RoundIdx(round)).unwrap();
                    for (i, &destination) in (0..).zip(&routed.destinations) {
                        let turned = if rotation == 1 { i >> 1 | (i & 1) << (n - 1) } else { i };
                        assert_eq!(destination, turned ^ round, "{network} N={} round {round}", 1 << n);
                        assert_eq!(plan.destination(RoundIdx(round), LaneIdx(i)), LaneIdx(destination));
                    }
                }
            }
        }
    }

    #[test]
    fn a_complete_exchange_in_n_plus_log_n_minus_one_cycles() {
        for network in NETWORKS {
            for (terminals, cycles) in [(4, 5), (8, 10), (16, 19), (32, 36), (256, 263)] {
                let plan = xor(terminals, network);
                assert_eq!((plan.cycles(), plan.figures.cycles_paper), (cycles, cycles));
                let report = check_plan(&plan);
                assert!(report.complete() && report.repeated == 0, "{network} N={terminals}: {report:?}");
            }
        }
    }

    #[test]
    fn the_formula_of_one_network_is_misrouted_on_the_other() {
        let mut plan = xor(8, "butterfly");
        plan.network = shuffle_exchange(8).unwrap();
        assert!(check_plan(&plan).misrouted > 0);
    }

    #[test]
    fn sizes_are_refused_by_name() {
        for network in NETWORKS {
            let request = Request::new("xor", 6).with("network", network);
            let text = crate::plan(&request).unwrap_err().to_string();
            assert!(text.starts_with("the XOR method does not exist with 6 terminals"), "{text}");
        }
    }
}
