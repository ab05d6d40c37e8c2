//! The rotator, the baseline of electronics: n columns of N multiplexers, of which each either lets all lanes pass or turns all of them
//! by a power of two. Round k turns by k, so it sends i to i + k: the left rotations of [`rls`](crate::rls).
//!
//! A multiplexer has one output, a 2×2 switch is two of them: so N/2 pairs of multiplexers of a column stand for its switches
//! wherever switches are counted or numbered.

use crate::pipeline::PIPELINE;
use crate::plan::{Control, Figures, Plan};
use crate::stage_control::{Rule, StageControl};
use frit_network::butterfly::bits;
use frit_network::options::{Request, Row};
use frit_network::{Network, Refusal, butterfly};

/// Where this comes from.
pub const SOURCE: &str = "a barrel shifter in log N columns of multiplexers, common knowledge of electronics";

/// How it describes itself.
pub static ROW: Row = Row {
    key: "rotator",
    title: "the baseline of electronics: log N columns of N multiplexers, each of which turns all lanes or none",
    sizes: "N = 2^n, n >= 2",
    cycles: "N + n - 1",
    drivers: "one driver per column",
    paper: SOURCE,
    options: &[PIPELINE],
    example: 16,
};

/// The plan of the rotator.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    // The sizes of a Butterfly; the lanes stay in their places between the columns.
    bits("the rotator", request.terminals)?;
    let network = butterfly(request.terminals)?;
    let (lanes, stages) = (network.lanes(), network.stages());
    let network = Network::new("rotator", lanes, vec![(0..lanes).collect(); stages as usize + 1])?;
    let control = Control::Stages(StageControl { n: stages - 1, rule: Rule::Turn });
    let figures = Figures { drivers: stages.into(), ..Figures::full_outputs(lanes, stages, SOURCE) };
    Ok(Plan::new(&ROW, &request.options, network, lanes, control, figures))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{check_plan, route_round};
    use frit_network::{LaneIdx, RoundIdx, StageIdx};

    fn rotator(terminals: u64) -> Plan {
        crate::plan(&Request::new("rotator", terminals)).unwrap()
    }

    #[test]
    fn round_k_turns_all_lanes_by_k_on_the_bare_columns() {
        for n in 2..=8u32 {
            let plan = rotator(1 << n);
            assert_eq!(u64::from(plan.rounds) + u64::from(n) - 1, plan.cycles());
            assert_eq!((plan.network.switches(), plan.figures.drivers), (u64::from(n) << (n - 1), n.into()));
            let turns: Vec<u32> = (0..n).map(|stage| plan.turn(StageIdx(stage)).unwrap()).collect();
            assert!(turns.iter().rev().enumerate().all(|(i, &turn)| turn == 1 << i), "{turns:?}");
            for round in 0..plan.rounds {
                let routed = route_round(&plan, RoundIdx(round)).unwrap();
                for (i, &destination) in (0..).zip(&routed.destinations) {
                    assert_eq!(destination, (i + round) % (1 << n), "N = {} round {round}", 1 << n);
                    assert_eq!(plan.destination(RoundIdx(round), LaneIdx(i)), LaneIdx(destination));
                }
            }
            let report = check_plan(&plan);
            assert!(report.complete() && report.repeated == 0, "{report:?}");
        }
    }

    #[test]
    fn a_column_of_switches_in_its_place_misroutes() {
        let mut plan = rotator(8);
        plan.control = Control::Stages(StageControl { n: 2, rule: Rule::Xor { rotation: 0 } });
        assert!(check_plan(&plan).misrouted > 0);
    }

    #[test]
    fn sizes_are_refused_by_name() {
        let text = crate::plan(&Request::new("rotator", 6)).unwrap_err().to_string();
        assert!(text.starts_with("the rotator does not exist with 6 terminals"), "{text}");
    }
}
