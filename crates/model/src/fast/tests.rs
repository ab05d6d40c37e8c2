use super::check::Expected;
use super::*;
use crate::exchange::tests::requests;
use frit_network::{LaneIdx, Network, RoundIdx};
use frit_schedule::check::route_round;
use frit_schedule::rotation::{Direction, Middle, RotationLabels};
use frit_schedule::{Control, Labels, Phases, Request};
use frit_traffic::Payload;
use frit_traffic::trace::Recorder;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn plan(request: &Request) -> Plan {
    frit_schedule::plan(request).unwrap()
}

fn run(plan: &Plan) -> Checked {
    Fast::new(plan, 0..plan.rounds).unwrap().run(&|_| ())
}

fn swapped(mut plan: Plan, column: usize, a: usize, b: usize) -> Plan {
    let mut links = plan.network.links().to_vec();
    links[column].swap(a, b);
    plan.network = Network::new("miswired", plan.network.terminals(), links).unwrap();
    plan
}

/// In how many rounds the bare network has a conflict, and in how many it misroutes without one.
fn faulty_rounds(plan: &Plan) -> (u64, u64) {
    let mut counts = (0, 0);
    for round in RoundIdx::all(plan.rounds) {
        match route_round(plan, round) {
            Err(_) => counts.0 += 1,
            Ok(routed) => {
                let at_home = (0..)
                    .zip(&routed.destinations)
                    .all(|(lane, &to)| to == plan.destination(round, LaneIdx(lane)).0);
                counts.1 += u64::from(!at_home);
            }
        }
    }
    counts
}

#[test]
fn many_batches_are_one_exchange() {
    for request in [
        Request::new("rls", 512).with("direction", "left"),
        Request::new("rls", 256).with("pipeline", "3"),
        Request::new("gsen", 300),
        Request::new("gsen", 258).with("algorithm", "ata2"),
        Request::new("gsen", 302).with("algorithm", "latin"),
        Request::new("obf", 512),
        Request::new("obf", 256).with("pipeline", "2"),
    ] {
        let plan = plan(&request);
        let mut expected = Recorder::default();
        let reference = crate::exchange(&plan, None, &mut expected);
        for words in [1, 2, 4, 8] {
            let mut got = Recorder::default();
            let fast = Fast::with_words(&plan, Expected::of(&plan), 0..plan.rounds, words).unwrap();
            let done = AtomicU64::new(0);
            let checked = fast.run(&|rounds| {
                done.fetch_add(rounds, Ordering::Relaxed);
            });
            assert!(checked.clean() && done.into_inner() == plan.rounds as u64, "{checked:?}");
            assert_eq!(
                (checked.pairs, checked.arrived - checked.pairs),
                (reference.run.delivered, reference.run.duplicates)
            );
            assert_eq!(checked.hops, plan.rounds as u64 * plan.network.switches() * 2 * plan.phases.count());
            trace::show(&fast, None, &mut got);
            assert!(got == expected, "{request:?}, {words} words");
        }
        assert_eq!(exchange(&plan, None, &mut ()), reference);
    }
}

#[test]
fn faults_are_seen_in_every_round_that_has_one() {
    for (column, a, b) in [(0, 3, 77), (1, 0, 3), (4, 10, 90), (7, 5, 6), (13, 2, 66)] {
        let plan = swapped(plan(&Request::new("rls", 128)), column, a, b);
        let (conflicts, misroutes) = faulty_rounds(&plan);
        assert!(conflicts + misroutes > 0);
        let checked = run(&plan);
        assert!(!checked.clean());
        assert_eq!(checked.rounds_with_conflict, conflicts, "column {column}");
        // In a round with a conflict, both messages of a switch may go astray as well.
        assert!(checked.rounds_with_misroute >= misroutes, "column {column}");
        assert!(conflicts > 0 || checked.rounds_with_misroute == misroutes, "column {column}");
    }
    // No conflict is possible here, so that the rounds must be the same.
    for (column, a, b) in [(0, 3, 77), (1, 0, 3), (5, 10, 90)] {
        let plan = swapped(plan(&Request::new("obf", 64)), column, a, b);
        assert_eq!((0, run(&plan).rounds_with_misroute), faulty_rounds(&plan), "column {column}");
    }
}

#[test]
fn one_wrong_message_is_not_overlooked() {
    // Two outputs swapped: two messages a round are astray, and the others counted.
    let checked = run(&swapped(plan(&Request::new("rls", 256)), 15, 2, 5));
    assert_eq!((checked.rounds_with_conflict, checked.rounds_with_misroute), (0, 256));
    assert_eq!(checked.sent - checked.arrived, 512);
    // A stage-controlled network finds its own destinations; what it does not reach shows as pairs too few.
    let checked = run(&swapped(plan(&Request::new("gsen", 258).with("algorithm", "ata2")), 2, 1, 8));
    assert!(checked.clean() && checked.pairs < 258 * 258);
}

#[test]
fn stage_control_without_a_prepare_phase_is_held_to_the_schedule() {
    for request in [Request::new("gsen", 70), Request::new("gsen", 66).with("algorithm", "ata2")] {
        let mut plan = plan(&request);
        plan.phases = Phases::One;
        let checked = run(&plan);
        assert!(
            checked.clean()
                && checked.pairs == plan.network.terminals() as u64 * plan.network.terminals() as u64
        );
        assert_eq!(exchange(&plan, None, &mut ()), crate::exchange(&plan, None, &mut ()));
    }
    // The routing of a systolic rule that is a step late.
    let mut late = plan(&Request::new("obf", 32));
    late.entry_delay = 2;
    assert_eq!((0, run(&late).rounds_with_misroute), faulty_rounds(&late));
}

#[test]
fn chosen_rounds_of_a_million_terminals_could_be_any() {
    let plan = plan(&Request::new("rls", 1 << 12));
    let whole = 5..9;
    let checked = Fast::new(&plan, whole.clone()).unwrap().run(&|_| ());
    assert!(checked.clean());
    assert_eq!((checked.rounds, checked.sent, checked.pairs), (whole, 4 << 12, 4 << 12));
    assert_eq!(checked.hops, (4 << 12) * 23);
    // Rounds of stage control that bring a pair twice: the pairs are listed, not marked in a table.
    let plan = frit_schedule::plan(&Request::new("gsen", 1030)).unwrap();
    let bits =
        |round| LaneIdx::all(1030).map(|lane| (lane, plan.destination(round, lane))).collect::<Vec<_>>();
    let mut pairs: Vec<_> = [100, 101].map(RoundIdx).into_iter().flat_map(bits).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let checked = Fast::new(&plan, 100..102).unwrap().run(&|_| ());
    assert_eq!((checked.arrived, checked.pairs), (2060, pairs.len() as u64));
}

/// Some of the messages of a whole exchange, whose last round has one of them, too.
#[test]
fn what_a_padded_exchange_delivers_is_counted_as_by_the_reference() {
    for (served, exchanges) in (2..=64).map(|served| (served, 1)).chain([(5, 3), (1000, 2)]) {
        let request = Request::new("gsen", served).with("algorithm", "latin").with("pad", "yes");
        let plan = Plan { exchanges, ..plan(&request) };
        let fast = exchange(&plan, None, &mut ());
        assert_eq!(fast, crate::exchange(&plan, None, &mut ()), "{served}");
        assert_eq!((fast.run.delivered, fast.run.ok()), (u64::from(exchanges) * served * served, true));
        let wrong = Plan { rounds: plan.rounds - 1, ..plan };
        assert_eq!(exchange(&wrong, None, &mut ()), crate::exchange(&wrong, None, &mut ()), "{served}");
    }
}

/// The proof of docs/latin.md by enumeration: every round of every size.
#[test]
#[ignore = "minutes: make latin"]
fn latin_exchanges_of_every_size_to_4098_are_complete() {
    for terminals in (6..=4098).step_by(4) {
        let plan = plan(&Request::new("gsen", terminals).with("algorithm", "latin"));
        let run = exchange(&plan, None, &mut ()).run;
        assert!(run.ok(), "N = {terminals}");
        let lower = terminals + u64::from(plan.network.stages()) - 1;
        assert_eq!((run.cycles, run.delivered), (lower, terminals * terminals), "N = {terminals}");
    }
}

#[test]
fn plans_for_the_reference_are_left_to_it() {
    let rls = plan(&Request::new("rls", 8));
    assert!(Fast::new(&rls, 0..8).is_some());
    assert!(Fast::new(&rls, 3..3).is_none());
    for n in [1, 2, 4, 7] {
        let control = Control::Labels(Labels::Rotations(RotationLabels {
            n,
            direction: Direction::Right,
            middle: Middle::Shared,
        }));
        assert!(Fast::new(&Plan { control, ..rls.clone() }, 0..8).is_none(), "n = {n}");
    }
    assert!(Fast::new(&Plan { phases: Phases::PrepareAndSend, ..rls.clone() }, 0..8).is_none());
}

#[test]
#[should_panic(expected = "rounds 4..9, but the plan has 8")]
fn rounds_that_a_plan_has_not_are_a_broken_promise() {
    Fast::new(&plan(&Request::new("rls", 8)), 4..9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn engines_agree_on_any_plan_sound_or_not(
        request in requests(), column in any::<prop::sample::Index>(), a in any::<prop::sample::Index>(),
        b in any::<prop::sample::Index>(), rounds_less in 0u32..2, seed in any::<u64>()
    ) {
        let mut plan = plan(&request);
        let lanes = plan.network.lanes() as usize;
        plan = swapped(plan.clone(), column.index(plan.network.links().len()), a.index(lanes), b.index(lanes));
        plan.rounds -= rounds_less;
        let payload = Payload::random(plan.network.terminals(), 40, seed);
        let (mut expected, mut got) = (Recorder::default(), Recorder::default());
        let reference = crate::exchange(&plan, Some(&payload), &mut expected);
        prop_assert_eq!(exchange(&plan, Some(&payload), &mut got), reference);
        prop_assert!(got == expected);
    }
}
