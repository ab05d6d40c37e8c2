//! The checker of a plan: routes a round, or every round, on the bare network and counts what arrives where.

use crate::plan::Plan;
use crate::route::{Conflict, Routed, route_labels, route_turns};
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchState};

/// What the checker found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Rounds routed.
    pub rounds: u32,
    /// Rounds in which two inputs of a switch wanted the same output.
    pub conflicts: u64,
    /// The first of them.
    pub first_conflict: Option<Conflict>,
    /// Messages that reached another lane than the plan claims: (round, lane, claimed, reached).
    pub first_misrouted: Option<(u32, u32, u32, u32)>,
    /// How many did.
    pub misrouted: u64,
    /// Pairs of terminals (source, destination) reached more than once, each further time counted.
    pub repeated: u64,
    /// Pairs never reached, of those that the plan serves ([`Demand`](crate::Demand)).
    pub missing: u64,
    /// The first of them.
    pub first_missing: Option<(u32, u32)>,
}

impl CheckReport {
    /// Every pair of terminals that is due is reached, every message on the lane that the plan says, without conflict.
    pub fn complete(&self) -> bool {
        self.conflicts == 0 && self.misrouted == 0 && self.missing == 0
    }
}

/// Routes one round of a plan and reports the first conflict, if any. Where the exchange is padded, the switches are set as if the
/// spare terminals sent, too: [`states`] are those that they have without.
pub fn route_round(plan: &Plan, round: RoundIdx) -> Result<Routed, Conflict> {
    let network = plan.unrolled();
    match plan.label(round, LaneIdx(0)) {
        Some(_) => {
            let stages = network.stages();
            route_labels(&network, round, |lane, stage| {
                // Labels exist for every lane when they exist for one.
                plan.label(round, lane).unwrap_or(0) >> (stages - 1 - stage.0) & 1 == 1
            })
        }
        None => {
            let state = |stage, switch| plan.stage_state(round, stage, switch).unwrap_or_default();
            Ok(route_turns(&network, |stage| plan.turn(stage), state))
        }
    }
}

/// The state of every switch in a round, by stage: a switch with one message follows it, one without is straight if labels
/// set it.
pub fn states(plan: &Plan, round: RoundIdx) -> Result<Vec<Vec<SwitchState>>, Conflict> {
    let routed = route_round(plan, round)?;
    if !plan.has_spare() || !plan.self_routing() {
        return Ok(routed.states);
    }
    let network = plan.unrolled();
    let mut sends: Vec<bool> = LaneIdx::all(network.lanes()).map(|lane| plan.sends(round, lane)).collect();
    let mut states = routed.states;
    for (stage, row) in (0..).map(StageIdx).zip(&mut states) {
        sends = network.sources(stage).iter().map(|&source| sends[source as usize]).collect();
        for (pair, state) in sends.chunks_exact_mut(2).zip(row) {
            if !pair[0] && !pair[1] {
                *state = SwitchState::Straight;
            }
            if *state == SwitchState::Cross {
                pair.swap(0, 1);
            }
        }
    }
    Ok(states)
}

/// Routes every round. Memory: one bit per pair of terminals, two for a plan that serves only some. Terminal `t` owns the lanes `t * k .. (t + 1) * k` with
/// `k = lanes / terminals`. That no two messages share a wire needs no count: a switch that does not conflict sends
/// its two inputs to different outputs, and no two wires end at one port.
///
/// # Panics
///
/// If the lanes of the network do not divide evenly among its terminals.
pub fn check_plan(plan: &Plan) -> CheckReport {
    let (lanes, terminals) = (plan.network.lanes() as usize, plan.network.terminals() as usize);
    assert!(
        terminals > 0 && lanes.is_multiple_of(terminals),
        "a network of {lanes} lanes cannot serve {terminals} terminals with as many lanes each"
    );
    let owned = lanes / terminals;
    let mut report = CheckReport { rounds: plan.rounds, ..CheckReport::default() };
    let mut reached = plan.due();
    for round in RoundIdx::all(plan.rounds) {
        let routed = match route_round(plan, round) {
            Ok(routed) => routed,
            Err(conflict) => {
                report.conflicts += 1;
                report.first_conflict.get_or_insert(conflict);
                continue;
            }
        };
        for (lane, &output) in routed.destinations.iter().enumerate() {
            let claimed = plan.destination(round, LaneIdx(lane as u32));
            if !plan.sends(round, LaneIdx(lane as u32)) {
                continue;
            }
            if claimed != LaneIdx(output) {
                report.misrouted += 1;
                report.first_misrouted.get_or_insert((round.0, lane as u32, claimed.0, output));
            }
            let first = reached.insert((lane / owned) as u32, output / owned as u32);
            report.repeated += u64::from(!first);
        }
    }
    report.missing = reached.missing_count();
    report.first_missing = reached.missing().next();
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;

    #[test]
    fn a_plan_cut_short_misses_pairs() {
        let mut plan = crate::plan(&Request::new("rls", 8)).unwrap();
        assert!(check_plan(&plan).complete());
        plan.rounds = 7;
        let report = check_plan(&plan);
        assert_eq!((report.missing, report.first_missing), (8, Some((0, 1))));
    }

    #[test]
    fn a_label_rule_on_the_wrong_network_conflicts() {
        let mut plan = crate::plan(&Request::new("rls", 8)).unwrap();
        let mut links = plan.network.links().to_vec();
        links[1].swap(0, 3);
        plan.network = frit_network::Network::new("miswired", 8, links).unwrap();
        let report = check_plan(&plan);
        assert!(report.conflicts > 0 || report.misrouted > 0);
        assert!(!report.complete());
    }
}
