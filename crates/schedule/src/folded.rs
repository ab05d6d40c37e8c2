//! RLS and LLS on a single Butterfly that every message passes twice ("Realizing the right Latin square on the
//! Butterfly–Butterfly", Remark V.1), in three plans.
//!
//! The remark gives 2n + (N - 1) cycles, "because there is no overlapping between stages". That takes two Butterflies: a
//! stage of one carries one round a cycle, and every round needs it twice.

use crate::plan::{CONFLICT, Control, Figures, Labels, Plan};
use crate::rls::{DIRECTION, SOURCE, direction};
use crate::rotation::{Middle, RotationLabels};
use crate::second_pass::SecondPass;
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{Refusal, butterfly, butterfly_planes};

/// The option that says how the second pass fits behind the first.
pub const PLAN: OptionSpec = OptionSpec {
    name: "plan",
    values: Values::Words(&["windowed", "buffered", "two-plane"]),
    help: "windowed: n rounds enter, then their second pass, in turn; buffered: all first passes, then all second passes, with a FIFO at every input; two-plane: a second Butterfly for the second pass",
    compared: true,
};

/// The system in the table.
pub static ROW: Row = Row {
    key: "rls-folded",
    title: "Latin square of rotations on one Butterfly that every message passes twice",
    sizes: "N = 2^n, n >= 2",
    cycles: "windowed 2nG + j - 1 with G = ceil(N/n), j = N - (G - 1)n; buffered 2N + n - 1; two-plane 2n + N - 1",
    drivers: "a label generator per terminal",
    paper: SOURCE,
    options: &[PLAN, DIRECTION, CONFLICT],
    example: 8,
};

/// The plan of RLS or LLS on one Butterfly.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let two_planes = request.options[PLAN.name] == "two-plane";
    let network =
        if two_planes { butterfly_planes(request.terminals)? } else { butterfly(request.terminals)? };
    let n = request.terminals.trailing_zeros();
    let rounds = network.terminals();
    let second_pass = match request.options[PLAN.name].as_str() {
        "windowed" => Some(SecondPass { after: n, wait: 0 }),
        "buffered" => Some(SecondPass { after: n, wait: rounds - n }),
        _ => None,
    };
    let once = Figures::full_outputs(rounds, 2 * n, SOURCE);
    let figures = if two_planes {
        once
    } else {
        let reason = format!(
            "2N + n - 1: stage 0 takes {rounds} rounds twice, one a cycle, and the last passes {} more stages and stands at the outputs a cycle later",
            n - 1
        );
        let bound = 2 * u64::from(rounds) + u64::from(n) - 1;
        // The paper counts as if there were two planes.
        Figures { cycles_paper: once.cycles_paper, ..Figures::tight(bound, reason, SOURCE) }
    };
    let figures = Figures {
        drivers: rounds.into(),
        label_bits: 2 * n,
        buffer_words: second_pass.map_or(0, |second| u64::from(second.wait) * u64::from(rounds)),
        ..figures
    };
    let labels = RotationLabels { n, direction: direction(request), middle: Middle::Whole };
    let control = Control::Labels(Labels::Rotations(labels));
    Ok(Plan { second_pass, ..Plan::new(&ROW, &request.options, network, rounds, control, figures) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_plan;
    use frit_network::RoundIdx;

    fn folded(terminals: u64, plan: &str, direction: &str) -> Plan {
        let request = Request::new("rls-folded", terminals).with("plan", plan);
        crate::plan(&request.with("direction", direction)).unwrap()
    }

    #[test]
    fn every_plan_is_complete_and_takes_its_cycles() {
        for exponent in 2..=7u64 {
            let n = 1u64 << exponent;
            let turns = n.div_ceil(exponent);
            let windowed = 2 * exponent * turns + (n - (turns - 1) * exponent) - 1;
            for (plan, cycles) in [
                ("windowed", windowed),
                ("buffered", 2 * n + exponent - 1),
                ("two-plane", 2 * exponent + n - 1),
            ] {
                for direction in ["right", "left"] {
                    let plan = folded(n, plan, direction);
                    assert_eq!(plan.cycles(), cycles, "{} N={n}", plan.name());
                    assert!(plan.cycles() >= plan.figures.cycles_lower_bound);
                    let report = check_plan(&plan);
                    assert!(report.complete() && report.repeated == 0, "{}: {report:?}", plan.name());
                }
            }
        }
        assert_eq!(["windowed", "buffered"].map(|plan| folded(8, plan, "right").cycles()), [19, 18]);
    }

    #[test]
    fn the_second_plane_begins_straight() {
        // Its first bit is the last of the first plane's, so that stage has nothing left to do.
        let plan = folded(16, "windowed", "right");
        for round in RoundIdx::all(plan.rounds) {
            let routed = crate::check::route_round(&plan, round).unwrap();
            assert!(routed.states[4].iter().all(|state| !state.bit()));
        }
    }
}
