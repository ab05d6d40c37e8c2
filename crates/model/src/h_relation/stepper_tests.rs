//! That the engine is a stepper: any order, saved and gone on with; and that it keeps every plan's timing.

use super::*;
use crate::stepper::{End, Stepper, Visit, go_on, run};
use engine::Arrival;
use frit_schedule::{Request, SYSTEMS, plan};
use frit_traffic::random::SplitMix64;
use std::cell::RefCell;

/// Another order at every visit.
struct Shuffled(RefCell<SplitMix64>);

impl Visit for Shuffled {
    fn each(&self, count: usize, visit: impl FnMut(usize)) {
        let mut order: Vec<usize> = (0..count).collect();
        self.0.borrow_mut().shuffle(&mut order);
        order.into_iter().for_each(visit);
    }
}

/// Plans of every kind of control and timing.
fn plans() -> Vec<Plan> {
    [
        Request::new("rls", 8),
        Request::new("rls-folded", 8).with("plan", "windowed"),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-flattened", 8).with("capacity", "1"),
        Request::new("gsen", 10),
        Request::new("obf", 8),
        Request::new("benes", 8),
    ]
    .into_iter()
    .map(|request| plan(&request).unwrap())
    .collect()
}

#[test]
fn the_order_in_which_switches_are_visited_does_not_matter() {
    for mut plan in plans() {
        for miswired in [false, true] {
            if miswired {
                let mut links = plan.network.links().to_vec();
                links[1].swap(0, 5);
                let terminals = plan.network.terminals();
                plan.network = frit_network::Network::new("miswired", terminals, links).unwrap();
            }
            let relation = Relation::random(plan.network.terminals(), 20, 1);
            let engine = || Engine::<u8>::new(&plan, &relation);
            let shuffled = engine().visiting(Shuffled(RefCell::new(SplitMix64(7))));
            let engine = engine();
            let (mut now, mut next) = (engine.start(), engine.start());
            let mut other_next = next.clone();
            for step in 0.. {
                let (mut seen, mut other_seen) = (Vec::new(), Vec::new());
                let progress = engine.step(step, &now, &mut next, &mut |event| seen.push(event));
                let other = shuffled.step(step, &now, &mut other_next, &mut |event| other_seen.push(event));
                assert_eq!((progress, &seen), (other, &other_seen), "{}, step {step}", plan.name());
                assert_eq!(next, other_next, "{}, step {step}", plan.name());
                std::mem::swap(&mut now, &mut next);
                if progress != stepper::Progress::Moves {
                    break;
                }
            }
            assert_eq!(engine.outcome(&now), simulate(&plan, &relation));
            assert_eq!(engine.outcome(&now), simulate_plainly(&plan, &relation));
            // Where a prepare phase tells the sources what is reached, it tells them that of the wrong wires too.
            let told = plan.phases == frit_schedule::Phases::PrepareAndSend;
            assert_eq!(engine.outcome(&now).ok(), !miswired || told, "{}", plan.name());
        }
    }
}

#[test]
fn a_step_writes_all_of_the_next_state() {
    // The state that is written over is once the one of two steps ago, once that of the end of another run.
    for plan in plans() {
        let terminals = plan.network.terminals();
        let other = Engine::<u8>::new(&plan, &Relation::random(terminals, 3, 9));
        let (_, _, foreign) = run(&other, 11, |_| ());
        let relation = Relation::random(terminals, 20, 1);
        let engine = Engine::<u8>::new(&plan, &relation);
        let (mut now, mut next) = (engine.start(), engine.start());
        for step in 0..50 {
            let mut over = foreign.clone();
            engine.step(step, &now, &mut over, &mut |_| ());
            engine.step(step, &now, &mut next, &mut |_| ());
            assert_eq!(next, over, "{}, step {step}", plan.name());
            std::mem::swap(&mut now, &mut next);
        }
    }
}

#[test]
fn a_saved_state_goes_on_to_the_same_end() {
    for plan in plans() {
        let relation = Relation::random(plan.network.terminals(), 20, 2);
        let engine = Engine::<u32>::new(&plan, &relation);
        let mut whole: Vec<Arrival> = Vec::new();
        let (steps, end, last) = run(&engine, u64::MAX, |event| whole.push(event));
        assert_eq!(end, End::Complete);
        for stop in [1, steps / 2, steps - 1] {
            let mut seen = Vec::new();
            let (_, limit, saved) = run(&engine, stop, |event| seen.push(event));
            assert_eq!(limit, End::Limit);
            let kept = saved.clone();
            assert_ne!(kept, last);
            let again = go_on(&engine, stop, saved, u64::MAX, |event| seen.push(event));
            assert_eq!(again, (steps, end, last.clone()), "{} from step {stop}", plan.name());
            assert_eq!(seen, whole);
            // Going on has not changed what was saved, though the two share rows.
            assert_eq!(kept, run(&engine, stop, |_| ()).2);
        }
    }
}

#[test]
fn what_no_round_serves_is_stuck() {
    let mut plan = plan(&Request::new("rls", 8)).unwrap();
    plan.rounds = 7;
    let engine = |pairs| Engine::<u8>::new(&plan, &Relation::from_pairs(8, pairs).unwrap());
    assert_eq!(run(&engine(&[(0, 1)]), u64::MAX, |_| ()).1, End::Stuck);
    assert_eq!(run(&engine(&[(0, 2)]), u64::MAX, |_| ()).1, End::Complete);
    let relation = Relation::from_pairs(8, &[(0, 1), (0, 2)]).unwrap();
    assert_eq!(simulate(&plan, &relation), simulate_plainly(&plan, &relation));
}

/// Every planned system, in every variant and size to 32 that exists.
fn all_plans() -> impl Iterator<Item = Plan> {
    let requests = SYSTEMS.iter().flat_map(|system| {
        (4..=32).flat_map(move |terminals| {
            system.row.variants().into_iter().map(move |variant| {
                let request = Request::new(system.row.key, terminals);
                variant.into_iter().fold(request, |request, (option, value)| request.with(option, value))
            })
        })
    });
    requests.filter_map(|request| plan(&request).ok())
}

#[test]
fn every_system_delivers_whatever_a_complete_exchange_can_deliver() {
    let mut count = 0;
    for plan in all_plans() {
        let n = plan.network.terminals();
        let all: Vec<(u32, u32)> = (0..3 * n * n).map(|k| (k % n, k / n % n)).collect();
        let two_of_one = [(0, n - 1), (n - 1, 0), (0, n - 1)];
        for relation in [
            Relation::from_pairs(n, &all).unwrap(),
            Relation::from_pairs(n, &two_of_one).unwrap(),
            Relation::random(n, 2 * n, 1),
            Relation::permutation(n, 5, 2),
            Relation::hot_spot(n, 7, 3, 1, 50).unwrap(),
        ] {
            let routed = simulate(&plan, &relation);
            let name = plan.name();
            assert!(routed.ok(), "{name}: {routed:?}");
            assert_eq!(routed.delivered, routed.cost.packets, "{name}");
            assert_eq!(routed, simulate_plainly(&plan, &relation), "{name}");
            assert_eq!(Some(routed.cost), closed_form(&plan, &relation), "{name}");
            count += 1;
        }
    }
    assert!(count >= 330, "{count}");
}

#[test]
fn one_packet_for_everybody_takes_the_cycles_of_the_exchange() {
    for plan in all_plans() {
        let n = plan.network.terminals();
        let pairs: Vec<(u32, u32)> = (0..n * n).map(|k| (k % n, k / n)).collect();
        let steps = simulate(&plan, &Relation::from_pairs(n, &pairs).unwrap()).cost.steps;
        // Where a round repeats what others have brought, the last packet may be there before the last round.
        if plan.phases == frit_schedule::Phases::One {
            assert_eq!(steps, plan.cycles(), "{}", plan.name());
        } else {
            assert!(steps <= plan.cycles(), "{}", plan.name());
        }
    }
}
