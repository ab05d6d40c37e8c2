//! RLS and LLS on the Butterfly–Butterfly: the Latin squares of all right (left) rotations, self-routed by labels.

use crate::light::CHOOSE;
use crate::pipeline::PIPELINE;
use crate::plan::{CONFLICT, Control, Figures, Labels, Plan};
use crate::rotation::{Direction, Middle, RotationLabels};
use crate::stuck::STUCK;
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{Refusal, butterfly_butterfly};

/// Where this comes from.
pub const SOURCE: &str = "Latin square of rotations on the Butterfly-Butterfly, Algorithm 1 and Remark V.1";

/// The option that says which way the rotations turn.
pub const DIRECTION: OptionSpec = OptionSpec {
    name: "direction",
    values: Values::Words(&["right", "left"]),
    help: "order of the rotations: the right (RLS) or the left (LLS) Latin square",
    compared: false,
};

/// The value of [`DIRECTION`] in a request.
pub(crate) fn direction(request: &Request) -> Direction {
    if request.options[DIRECTION.name] == "left" { Direction::Left } else { Direction::Right }
}

/// The system in the table.
pub static ROW: Row = Row {
    key: "rls",
    title: "Latin square of rotations on the Butterfly-Butterfly, self-routing labels",
    sizes: "N = 2^n, n >= 2",
    cycles: "(2n - 1) + (N - 1)",
    drivers: "a label generator per terminal",
    paper: SOURCE,
    options: &[DIRECTION, CONFLICT, PIPELINE, STUCK, CHOOSE],
    example: 16,
};

/// The plan of RLS or LLS.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let network = butterfly_butterfly(request.terminals)?;
    let n = request.terminals.trailing_zeros();
    let direction = direction(request);
    let (rounds, stages) = (network.terminals(), network.stages());
    let figures = Figures {
        drivers: rounds.into(),
        label_bits: stages,
        ..Figures::full_outputs(rounds, stages, SOURCE)
    };
    let labels = RotationLabels { n, direction, middle: Middle::Shared };
    Ok(Plan::new(
        &ROW,
        &request.options,
        network,
        rounds,
        Control::Labels(Labels::Rotations(labels)),
        figures,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::route_round;
    use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchState};

    fn rls(n: u64) -> Plan {
        crate::plan(&Request::new("rls", n)).unwrap()
    }

    #[test]
    fn every_rotation_is_routed_without_conflict_and_the_second_butterfly_hardly_changes() {
        for n in [4, 8, 16, 32, 64] {
            let plan = rls(n);
            let middle = n.trailing_zeros() as usize;
            let identity = route_round(&plan, RoundIdx(0)).unwrap();
            assert!(identity.states[0].iter().all(|&s| s == SwitchState::Straight));
            for round in 0..plan.rounds {
                let routed = route_round(&plan, RoundIdx(round)).unwrap();
                for (source, &destination) in routed.destinations.iter().enumerate() {
                    assert_eq!(destination as u64, (source as u64 + n - round as u64) % n);
                }
                for stage in middle..plan.network.stages() as usize {
                    let complemented = round % 2 == 1 && stage == middle;
                    for (a, b) in routed.states[stage].iter().zip(&identity.states[stage]) {
                        assert_eq!((a != b), complemented, "N={n} round {round} {}", StageIdx(stage as u32));
                    }
                }
            }
        }
    }

    #[test]
    fn left_rotations_are_the_right_ones_in_reverse() {
        let left = crate::plan(&Request::new("rls", 16).with("direction", "left")).unwrap();
        let right = rls(16);
        for round in 0..16 {
            for lane in LaneIdx::all(16) {
                assert_eq!(left.destination(RoundIdx(round), lane), LaneIdx((lane.0 + round) % 16));
                assert_eq!(left.label(RoundIdx(round), lane), right.label(RoundIdx((16 - round) % 16), lane));
            }
        }
    }

    #[test]
    fn cycles() {
        assert_eq!([4, 8, 16, 32, 64].map(|n| rls(n).cycles()), [6, 12, 22, 40, 74]);
    }
}
