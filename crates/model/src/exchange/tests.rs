use super::*;
use frit_network::{Network, RoundIdx, StageIdx};
use frit_schedule::check::route_round;
use frit_schedule::rotation::{Direction, Middle, RotationLabels};
use frit_schedule::timing::Acting;
use frit_schedule::{Control, Labels, Phases, Request};
use frit_traffic::trace::Recorder;
use proptest::prelude::*;

/// Every engine has to pass these tests.
const ENGINES: [Engine; 2] = [exchange, crate::fast::exchange];

fn plan(request: &Request) -> Plan {
    frit_schedule::plan(request).unwrap()
}

fn rls(terminals: u64) -> Plan {
    plan(&Request::new("rls", terminals))
}

/// The plan with the wires from two ports of a link column swapped.
fn swapped(mut plan: Plan, column: usize, a: usize, b: usize) -> Plan {
    let mut links = plan.network.links().to_vec();
    links[column].swap(a, b);
    plan.network = Network::new("miswired", plan.network.terminals(), links).unwrap();
    plan
}

fn runs(plan: &Plan) -> impl Iterator<Item = (Run, Recorder)> {
    ENGINES.iter().map(|engine| {
        let mut trace = Recorder::default();
        (engine(plan, None, &mut trace).run, trace)
    })
}

#[test]
fn the_first_rounds_of_the_smallest_exchange() {
    for (_, trace) in runs(&rls(4)) {
        let states = |cycle, stage| -> String {
            let of = trace.settings.iter().filter(|s| s.cycle == cycle && s.stage == stage);
            of.map(|s| if s.state { 'x' } else { '=' }).collect()
        };
        // Worked out on paper: the labels of round 0 are 000 101 010 111, those of round 1 are 011 100 001 110.
        assert_eq!([states(0, 0), states(1, 1), states(2, 2)], ["==", "==", "=="]);
        assert_eq!([states(1, 0), states(2, 1), states(3, 2)], ["==", "x=", "xx"]);
        assert_eq!(states(1, 2), "");
        let first: Vec<_> = trace.deliveries[..8].iter().map(|d| (d.cycle, d.output, d.source)).collect();
        assert_eq!(
            first,
            [(3, 0, 0), (3, 1, 1), (3, 2, 2), (3, 3, 3), (4, 0, 1), (4, 1, 2), (4, 2, 3), (4, 3, 0)]
        );
        assert_eq!(trace.deliveries.last().unwrap().cycle, 6);
        assert_eq!(trace.settings.len(), 4 * 3 * 2);
    }
}

/// Each as it is alone, a period later than the one before.
#[test]
fn exchanges_without_a_gap_are_as_they_are_alone() {
    for request in [
        Request::new("rls", 4),
        Request::new("rls", 16),
        Request::new("gsen", 10),
        Request::new("obf", 4),
        Request::new("obf", 16),
        Request::new("benes", 4),
        Request::new("rls-folded", 8),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-flattened", 4).with("capacity", "1"),
    ] {
        let alone = plan(&request);
        let ((run, trace), exchanges) = (runs(&alone).next().unwrap(), 3);
        let mut expected = Recorder::default();
        for exchange in 0..exchanges {
            let later = u64::from(exchange) * alone.period();
            expected.settings.extend(trace.settings.iter().map(|s| Setting { cycle: s.cycle + later, ..*s }));
            expected.deliveries.extend(trace.deliveries.iter().map(|d| Delivery {
                cycle: d.cycle + later,
                round: RoundIdx(d.round.0 + exchange * alone.rounds),
                ..d.clone()
            }));
        }
        expected.settings.sort_by_key(|s| (s.cycle, s.stage, s.switch));
        expected.deliveries.sort_by_key(|d| d.cycle);
        let expected_run = Run {
            cycles: 2 * alone.period() + run.cycles,
            cycles_total: 2 * alone.period() + run.cycles_total,
            delivered: 3 * run.delivered,
            duplicates: 3 * run.duplicates,
            ..Run::default()
        };
        for (run, trace) in runs(&alone.repeated(exchanges)) {
            assert_eq!((run, trace), (expected_run.clone(), expected.clone()), "{request:?}");
        }
        // Without reports, too.
        let plan = alone.repeated(exchanges);
        assert!(ENGINES.iter().all(|engine| engine(&plan, None, &mut ()).run == expected_run));
    }
}

#[test]
fn what_is_wrong_in_one_exchange_is_wrong_in_each() {
    let wrong = swapped(rls(8), 2, 0, 5);
    let (alone, _) = runs(&wrong).next().unwrap();
    assert!(alone.conflicts > 0 && alone.missing > 0);
    for (run, _) in runs(&wrong.repeated(2)) {
        assert_eq!((run.conflicts, run.missing), (2 * alone.conflicts, 2 * alone.missing));
        assert_eq!((run.misrouted, &run.first_fault), (2 * alone.misrouted, &alone.first_fault));
    }
}

#[test]
fn two_swapped_outputs_misroute_from_the_first_delivery_on() {
    for (run, _) in runs(&swapped(rls(8), 5, 2, 5)) {
        let fault = FirstFault::Misrouted { cycle: 5, output: 2, source: 5, destination: 5 };
        assert_eq!(run.first_fault, Some(fault));
        assert_eq!((run.misrouted, run.missing, run.delivered), (16, 16, 48));
        assert_eq!((run.conflicts, run.duplicates, run.cycles), (0, 0, 12));
        assert!(!run.ok());
    }
}

#[test]
fn two_swapped_wires_conflict_where_the_bare_network_says() {
    let plan = swapped(rls(8), 1, 0, 3);
    for (run, trace) in runs(&plan) {
        let clash = (0..plan.rounds)
            .filter_map(|round| route_round(&plan, RoundIdx(round)).err())
            .min_by_key(|c| (plan.acts_at(c.stage.0, c.round), c.stage))
            .unwrap();
        assert_eq!(
            run.first_fault,
            Some(FirstFault::Conflict {
                cycle: plan.acts_at(clash.stage.0, clash.round),
                stage: clash.stage.0,
                switch: clash.switch.0,
                sources: clash.inputs.map(|lane| lane.0),
            })
        );
        assert_eq!(run.delivered + run.missing, 64);
        // The loser of every conflict is gone, and the run went on to its end.
        assert_eq!(trace.deliveries.len() as u64, 64 - run.conflicts);
        assert_eq!(trace.deliveries.iter().map(|d| d.cycle).max(), Some(12));
        assert_eq!(trace.settings.len(), 8 * 5 * 4);
    }
}

#[test]
fn a_round_too_few_leaves_pairs_missing() {
    let mut plan = rls(8);
    plan.rounds = 7;
    for (run, _) in runs(&plan) {
        assert_eq!((run.missing, run.delivered, run.cycles), (8, 56, 11));
        assert_eq!(run.first_fault, Some(FirstFault::Missing { source: 0, destination: 1, cycle: 11 }));
    }
    plan.rounds = 0;
    for (run, trace) in runs(&plan) {
        assert_eq!((run.missing, run.delivered, run.cycles), (64, 0, 0));
        assert_eq!(trace, Recorder::default());
    }
}

#[test]
fn a_label_rule_for_another_size_is_reported() {
    for n in [1, 2, 4, 7] {
        let mut plan = rls(8);
        plan.control = Control::Labels(Labels::Rotations(RotationLabels {
            n,
            direction: Direction::Right,
            middle: Middle::Shared,
        }));
        for (run, _) in runs(&plan) {
            assert!(!run.ok() && run.first_fault.is_some(), "n = {n}");
        }
        let payload = Payload::random(8, 8, 1);
        assert_ne!(exchange(&plan, Some(&payload), &mut ()).received, Some(payload.transposed()));
    }
}

#[test]
fn a_miswired_stage_controlled_network_learns_its_own_destinations() {
    // Swapped outputs: every message still arrives, because the prepare phase finds where the labels really go.
    for (run, _) in runs(&swapped(plan(&Request::new("gsen", 10)), 4, 1, 8)) {
        assert!(run.ok());
    }
    // Swapped wires inside: no conflict and no misroute is possible, but pairs are missing.
    let inside = swapped(plan(&Request::new("gsen", 10).with("algorithm", "ata2")), 2, 1, 8);
    for (run, _) in runs(&inside) {
        assert_eq!((run.conflicts, run.misrouted), (0, 0));
        assert_eq!(run.missing, run.duplicates);
        assert!(run.missing > 0);
        assert!(matches!(run.first_fault, Some(FirstFault::Missing { cycle: 13, .. })));
    }
}

#[test]
fn labels_lost_in_the_prepare_phase_are_missing_messages() {
    let mut lossy = swapped(rls(8), 1, 0, 3);
    lossy.phases = Phases::PrepareAndSend;
    for (run, _) in runs(&lossy) {
        assert!(run.missing > 0 && run.first_fault.is_some());
        assert_eq!(run.cycles_total, 2 * run.cycles);
    }
}

#[test]
fn a_terminal_may_own_two_lanes() {
    let mut plan = rls(8);
    plan.network = Network::new("two-lanes", 4, plan.network.links().to_vec()).unwrap();
    let payload = Payload::random(4, 70, 5);
    for engine in ENGINES {
        let mut trace = Recorder::default();
        let outcome = engine(&plan, Some(&payload), &mut trace);
        assert!(outcome.run.ok(), "{:?}", outcome.run);
        assert_eq!((outcome.run.delivered, outcome.run.duplicates), (16, 48));
        assert_eq!(outcome.received, Some(payload.transposed()));
        assert!(trace.deliveries.is_sorted_by_key(|d| (d.cycle, d.output, d.source)));
    }
}

#[test]
fn entry_registers_delay_everything() {
    let mut late = rls(8);
    late.entry_delay = 3;
    for ((run, trace), (in_time, reference)) in runs(&late).zip(runs(&rls(8))) {
        assert_eq!(run, Run { cycles: 15, cycles_total: 15, ..in_time });
        for (a, b) in trace.settings.iter().zip(&reference.settings) {
            assert_eq!(*a, Setting { cycle: b.cycle + 3, ..*b });
        }
        for (a, b) in trace.deliveries.iter().zip(&reference.deliveries) {
            assert_eq!(*a, Delivery { cycle: b.cycle + 3, ..b.clone() });
        }
    }
}

#[test]
fn a_systolic_exchange_takes_and_brings_two_messages_a_step() {
    for (terminals, cycles) in [(4, 3), (8, 6), (16, 11), (32, 20), (64, 37)] {
        let plan = plan(&Request::new("obf", terminals));
        for (run, trace) in runs(&plan) {
            assert!(run.ok());
            assert_eq!((run.cycles, run.delivered, run.duplicates), (cycles, terminals * terminals, 0));
            for arrived in trace.deliveries.chunks(2) {
                assert_eq!((arrived[0].cycle, arrived[0].output), (arrived[1].cycle, arrived[1].output));
            }
            // One bit for all routers at a time.
            for setting in &trace.settings {
                let first = trace.settings.iter().find(|s| s.cycle == setting.cycle).unwrap();
                assert_eq!(setting.state, first.state);
            }
        }
    }
}

#[test]
fn a_controller_one_step_out_of_time_misroutes_from_the_first_delivery_on() {
    let mut late = plan(&Request::new("obf", 8));
    late.entry_delay = 2;
    for (run, _) in runs(&late) {
        // ξ = 0011: the packets of slot 0 meet bits 1, 1 in the place of 0, 1.
        let Some(FirstFault::Misrouted { cycle, .. }) = run.first_fault else { panic!("{run:?}") };
        assert_eq!(cycle, 4);
        assert!(!run.ok() && run.conflicts == 0);
    }
}

#[test]
#[should_panic(expected = "a payload for 4 terminals, but the plan has 8")]
fn a_payload_of_another_size_is_a_broken_promise() {
    exchange(&rls(8), Some(&Payload::zero(4, 8)), &mut ());
}

#[test]
fn a_padded_exchange_moves_the_words_of_those_that_it_serves_and_no_others() {
    for served in 2..=40u32 {
        let request = Request::new("gsen", served.into()).with("algorithm", "latin").with("pad", "yes");
        let plan = plan(&request);
        let all = plan.network.terminals();
        let payload = Payload::random(all, 9, served.into());
        for engine in ENGINES {
            let mut trace = Recorder::default();
            let outcome = engine(&plan, Some(&payload), &mut trace);
            assert!(outcome.run.ok(), "{request:?}: {:?}", outcome.run);
            assert_eq!(outcome.run.delivered, u64::from(served).pow(2));
            assert_eq!((outcome.run.duplicates, outcome.run.cycles), (0, plan.cycles()));
            let received = outcome.received.unwrap();
            assert_eq!(received.resized(served), payload.transposed().resized(served));
            assert_eq!(received, received.resized(served).resized(all), "nothing for the spare ones");
            assert!(trace.deliveries.iter().all(|d| d.source < served && d.output < served));
            // The switches that nobody passes are as the tables of the testbench have them.
            let states: Vec<_> = RoundIdx::all(plan.rounds)
                .map(|round| frit_schedule::check::states(&plan, round).unwrap())
                .collect();
            for setting in &trace.settings {
                let round = (setting.cycle - u64::from(setting.stage)) as usize;
                let state = states[round][setting.stage as usize][setting.switch as usize];
                assert_eq!(setting.state, state.bit(), "{served} terminals: {setting:?}");
            }
            assert_eq!(trace.settings.len() as u64, u64::from(all) * plan.network.switches());
        }
    }
}

/// Any system at any small size with any option.
pub(crate) fn requests() -> impl Strategy<Value = Request> {
    (shallow(), 1u32..5).prop_map(|(request, registers)| {
        let system = frit_schedule::system(&request.system).unwrap();
        match system.row.options.iter().any(|spec| spec.name == "pipeline") {
            true => request.with("pipeline", &registers.to_string()),
            false => request,
        }
    })
}

/// The same with one register in each stage.
fn shallow() -> impl Strategy<Value = Request> {
    prop_oneof![
        (2u32..6, any::<bool>()).prop_map(|(n, left)| {
            Request::new("rls", 1 << n).with("direction", if left { "left" } else { "right" })
        }),
        (2u64..20).prop_map(|half| Request::new("gsen", 2 * half)),
        (2u32..6).prop_map(|n| Request::new("gsen", (1 << n) + 2).with("algorithm", "ata2")),
        (1u64..12).prop_map(|k| Request::new("gsen", 4 * k + 2).with("algorithm", "latin")),
        (2u32..6, prop::sample::select(frit_schedule::obf::SEQUENCES))
            .prop_map(|(r, sequence)| Request::new("obf", 1 << r).with("sequence", sequence)),
        (2u32..6, prop::sample::select(frit_schedule::xor::NETWORKS)).prop_map(|(n, network)| Request::new(
            "xor",
            1 << n
        )
        .with("network", network)),
        (2u32..6, any::<bool>())
            .prop_map(|(n, tags)| Request::new(if tags { "atape" } else { "benes" }, 1 << n)),
        (2u32..6, prop::sample::select(vec!["windowed", "buffered", "two-plane"]))
            .prop_map(|(n, plan)| Request::new("rls-folded", 1 << n).with("plan", plan)),
        (2u32..6, prop::sample::select(vec!["1", "2"])).prop_map(|(n, words)| Request::new(
            "rls-flattened",
            1 << n
        )
        .with("capacity", words)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_complete_exchange_transposes(request in requests(), width in 1u32..200, seed in any::<u64>()) {
        let plan = plan(&request);
        let n = plan.network.terminals() as u64;
        let payload = Payload::random(n as u32, width, seed);
        for engine in ENGINES {
            let mut trace = Recorder::default();
            let outcome = engine(&plan, Some(&payload), &mut trace);
            prop_assert_eq!(
                outcome.run,
                Run {
                    cycles: plan.cycles(),
                    cycles_total: plan.cycles() * plan.phases.count(),
                    delivered: n * n,
                    duplicates: plan.rounds as u64 * plan.network.lanes() as u64 - n * n,
                    ..Run::default()
                }
            );
            prop_assert_eq!(outcome.received, Some(payload.transposed()));
            for delivery in &trace.deliveries {
                let sent = payload.word(delivery.source, delivery.output);
                prop_assert_eq!(delivery.payload.as_deref(), Some(sent));
            }
            let firsts = trace.deliveries.iter().filter(|d| d.first).count();
            prop_assert_eq!(firsts as u64, n * n);
        }
    }

    #[test]
    fn every_round_is_what_the_bare_network_routes(request in requests()) {
        let plan = plan(&request);
        let routed: Vec<_> = RoundIdx::all(plan.rounds).map(|round| route_round(&plan, round).unwrap()).collect();
        for (_, trace) in runs(&plan) {
            prop_assert!(trace.settings.is_sorted() && trace.deliveries.is_sorted());
            let switches = plan.hops() as u64 * plan.network.switches_per_stage() as u64;
            prop_assert_eq!(trace.settings.len() as u64, plan.rounds as u64 * switches);
            for s in &trace.settings {
                let Acting { round, hop } = plan.acting(StageIdx(s.stage), s.cycle).unwrap();
                prop_assert_eq!(s.cycle, plan.acts_at(hop, round));
                let state = routed[round.idx()].states[hop as usize][s.switch as usize];
                prop_assert_eq!(s.state, state.bit());
            }
            let lanes = plan.network.lanes();
            let owned = lanes / plan.network.terminals();
            prop_assert_eq!(trace.deliveries.len() as u64, plan.rounds as u64 * lanes as u64);
            for d in &trace.deliveries {
                let mut from = d.source * owned..(d.source + 1) * owned;
                let reached = |lane: u32| routed[d.round.idx()].destinations[lane as usize] / owned;
                prop_assert!(from.any(|lane| reached(lane) == d.output));
                prop_assert_eq!(d.cycle, plan.arrives_at(d.round));
                prop_assert_eq!(&d.payload, &None);
            }
        }
    }

    #[test]
    fn swapped_wires_never_panic_and_are_found(
        request in requests(), column in any::<prop::sample::Index>(), a in any::<prop::sample::Index>(),
        b in any::<prop::sample::Index>()
    ) {
        let plan = plan(&request);
        let lanes = plan.network.lanes() as usize;
        let (column, a, b) = (column.index(plan.network.links().len()), a.index(lanes), b.index(lanes));
        let plan = swapped(plan, column, a, b);
        let complete = frit_schedule::check::check_plan(&plan).complete();
        for (run, trace) in runs(&plan) {
            let n = plan.network.terminals() as u64;
            // The checker holds messages to their lane, the model to the terminal that owns it.
            prop_assert!(run.ok() || !complete);
            prop_assert!(complete || !run.ok() || lanes as u64 > n);
            prop_assert_eq!(run.first_fault.is_none(), run.ok());
            prop_assert_eq!(run.delivered + run.missing, n * n);
            let arrived = run.delivered + run.duplicates + run.misrouted;
            prop_assert_eq!(trace.deliveries.len() as u64, arrived);
            if plan.phases == Phases::One {
                prop_assert_eq!(arrived + run.conflicts, plan.rounds as u64 * lanes as u64);
            }
        }
    }
}

#[test]
fn only_pairs_that_a_round_names_can_be_missing() {
    let permutation = [3, 7, 4, 0, 2, 6, 1, 5];
    let plan = frit_schedule::benes::plan_with_permutation(&permutation).unwrap();
    for (run, trace) in runs(&plan) {
        assert!(run.ok() && run.first_fault.is_none(), "{run:?}");
        assert_eq!((run.cycles, run.delivered, run.missing), (5, 8, 0));
        let arrived: Vec<(u32, u32)> = trace.deliveries.iter().map(|d| (d.source, d.output)).collect();
        assert!(arrived.iter().all(|&(source, output)| permutation[source as usize] == output));
    }
    // Two messages go astray: these two pairs are missing, not the 56 without a message.
    for (run, _) in runs(&swapped(plan, 5, 2, 5)) {
        assert_eq!((run.delivered, run.missing, run.misrouted), (6, 2, 2), "{run:?}");
    }
}

#[test]
fn stored_labels_conflict_on_another_network() {
    for (run, _) in runs(&swapped(plan(&Request::new("atape", 8)), 1, 0, 3)) {
        assert!(run.conflicts > 0 && !run.ok(), "{run:?}");
    }
}
