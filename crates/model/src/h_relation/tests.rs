use super::*;
use frit_network::{LaneIdx, Network, RoundIdx};
use frit_schedule::Request;
use frit_schedule::obf::SEQUENCES;
use proptest::prelude::*;

fn obf(terminals: u64, sequence: &str) -> Plan {
    frit_schedule::plan(&Request::new("obf", terminals).with("sequence", sequence)).unwrap()
}

fn all_pairs(terminals: u32) -> Vec<(u32, u32)> {
    (0..terminals * terminals).map(|pair| (pair / terminals, pair % terminals)).collect()
}

#[test]
fn one_packet_for_everybody_is_the_complete_exchange() {
    for (terminals, steps) in [(4, 3), (8, 6), (16, 11), (32, 20), (64, 37)] {
        let plan = obf(terminals as u64, "prefer-one");
        let relation = Relation::from_pairs(terminals, &all_pairs(terminals)).unwrap();
        let routed = simulate(&plan, &relation);
        assert!(routed.ok());
        let n = terminals as u64;
        // Two packets of each source leave in each slot.
        let waits = u128::from((0..n / 2).sum::<u64>() * 2 * n);
        let expected =
            Cost { packets: n * n, most_sent: n, most_received: n, largest_buffer: 1, steps, waits };
        assert_eq!(expected.h(), n);
        assert_eq!((routed.cost, routed.delivered), (expected, n * n));
        assert_eq!(cost(plan.systolic().unwrap(), &relation), expected);
    }
}

#[test]
fn a_permutation_waits_a_period_for_each_packet() {
    let plan = obf(16, "prefer-one");
    let relation = Relation::permutation(16, 10, 1);
    let routed = simulate(&plan, &relation);
    assert!(routed.ok());
    assert_eq!(routed.cost.h(), 10);
    // One buffer per source: nine periods of eight slots, the slot within the period, four edges.
    assert!((9 * 8 + 4..10 * 8 + 4).contains(&routed.cost.steps), "{}", routed.cost.steps);
}

#[test]
fn one_packet_takes_its_slot_and_r_edges() {
    let plan = obf(8, "prefer-one");
    for (slot, lane) in (0..4).flat_map(|slot| (0..16).map(move |lane| (slot, lane))) {
        let (source, destination) = (lane / 2, plan.destination(RoundIdx(slot), LaneIdx(lane)).0 / 2);
        let relation = Relation::from_pairs(8, &[(source, destination)]).unwrap();
        assert_eq!(simulate(&plan, &relation).cost.steps, slot as u64 + 3);
    }
}

#[test]
fn nothing_to_send() {
    let plan = obf(8, "prefer-one");
    let relation = Relation::random(8, 0, 1);
    let routed = simulate(&plan, &relation);
    assert!(routed.ok());
    assert_eq!(routed.cost, Cost::default());
    assert_eq!(cost(plan.systolic().unwrap(), &relation), Cost::default());
}

#[test]
fn a_hot_spot_is_no_bottleneck_beyond_its_buffers() {
    // All to one: every source has its slot for it, and no two of them meet.
    let plan = obf(16, "prefer-one");
    let relation = Relation::hot_spot(16, 3, 1, 5, 100).unwrap();
    let routed = simulate(&plan, &relation);
    assert!(routed.ok());
    let cost = routed.cost;
    assert_eq!((cost.most_sent, cost.h(), cost.largest_buffer), (3, 48, 3));
    assert_eq!(routed.cost.steps, 2 * 8 + 7 + 4);
}

#[test]
fn buffers_of_any_size_are_counted() {
    let plan = obf(8, "prefer-one");
    for packets in [1, 255, 256, 70_000] {
        let pairs: Vec<(u32, u32)> = (0..packets).map(|_| (3, 6)).collect();
        let relation = Relation::from_pairs(8, &pairs).unwrap();
        let routed = simulate(&plan, &relation);
        assert!(routed.ok());
        assert_eq!((routed.delivered, routed.cost.largest_buffer), (packets as u64, packets));
        assert_eq!(routed.cost, cost(plan.systolic().unwrap(), &relation));
    }
}

#[test]
fn self_routed_rotations_route_relations_too() {
    let plan = frit_schedule::plan(&Request::new("rls", 8)).unwrap();
    for seed in 0..10 {
        let routed = simulate(&plan, &Relation::random(8, 20, seed));
        assert!(routed.ok());
        assert_eq!(routed.delivered, 160);
    }
}

#[test]
fn packets_that_go_astray_are_counted_and_named() {
    let mut plan = obf(8, "prefer-one");
    let mut links = plan.network.links().to_vec();
    links[3 - 1].swap(0, 5);
    plan.network = Network::new("miswired", 8, links).unwrap();
    let relation = Relation::random(8, 40, 1);
    assert_eq!(fast_alone(&plan, &relation), None);
    let routed = simulate(&plan, &relation);
    assert!(routed.misrouted > 0 && routed.lost == 0 && !routed.ok());
    assert_eq!(routed.delivered + routed.misrouted, routed.cost.packets);
    assert!(routed.first_undelivered.is_some());
    assert!(
        matches!(routed.first_fault, Some(FirstFault::Misrouted { cycle: 3, .. })),
        "{:?}",
        routed.first_fault
    );
}

#[test]
fn destinations_that_no_round_serves_are_lost() {
    let mut plan = frit_schedule::plan(&Request::new("rls", 8)).unwrap();
    plan.rounds = 7; // round 7 would send i to i + 1
    let routed = simulate(&plan, &Relation::from_pairs(8, &[(0, 1), (0, 2), (3, 4)]).unwrap());
    assert_eq!((routed.delivered, routed.lost, routed.misrouted), (1, 2, 0));
    assert_eq!(routed.first_undelivered, Some((0, 1)));
    assert_eq!(closed_form(&plan, &Relation::from_pairs(8, &[(0, 1)]).unwrap()), None);
    assert!(matches!(routed.first_fault, Some(FirstFault::Missing { source: 0, destination: 1, .. })));
    let routed = simulate(&plan, &Relation::from_pairs(8, &[(3, 4)]).unwrap());
    assert_eq!((routed.delivered, routed.lost), (0, 1));
}

fn fast_alone(plan: &Plan, relation: &Relation) -> Option<Routed> {
    fast(plan, relation, figures(relation, |_, _, _| ()), &mut |_| ())
}

#[test]
fn one_packet_that_goes_astray_is_seen_in_the_vectors() {
    // Two wires behind the last stage are crossed: what comes to lanes 0 and 5 is at the wrong terminal, all else is not.
    let mut plan = obf(8, "prefer-one");
    let mut links = plan.network.links().to_vec();
    links[2].swap(0, 5);
    plan.network = Network::new("miswired", 8, links).unwrap();
    let (mut seen, pairs) = (0, all_pairs(8));
    for pair in pairs {
        let relation = Relation::from_pairs(8, &[pair, pair]).unwrap();
        let routed = simulate_plainly(&plan, &relation);
        assert_eq!(fast_alone(&plan, &relation), Some(routed.clone()).filter(Routed::ok), "{pair:?}");
        seen += routed.misrouted;
    }
    // In each of four slots two of the packets go astray, both times.
    assert_eq!(seen, 2 * 4 * 2);
}

#[test]
fn vectors_of_every_length_bring_what_the_closed_form_says() {
    for (system, terminals) in
        [("obf", 256), ("obf", 512), ("obf", 2048), ("rls", 128), ("rls", 256), ("rls", 1024)]
    {
        let plan = frit_schedule::plan(&Request::new(system, terminals)).unwrap();
        let n = terminals as u32;
        let hot = Relation::hot_spot(n, 70, 3, n - 1, 50).unwrap();
        for relation in [Relation::random(n, 70, 1), hot, Relation::permutation(n, 9, 2)] {
            let routed = fast_alone(&plan, &relation).unwrap();
            assert_eq!(
                (Some(routed.cost), routed.ok()),
                (closed_form(&plan, &relation), true),
                "{system} {n}"
            );
        }
    }
}

#[test]
fn messages_that_want_one_output_are_left_to_the_reference() {
    let mut plan = frit_schedule::plan(&Request::new("rls", 8)).unwrap();
    let relation = Relation::random(8, 20, 1);
    assert!(fast_alone(&plan, &relation).is_some());
    let mut links = plan.network.links().to_vec();
    links[1].swap(0, 5);
    plan.network = Network::new("miswired", 8, links).unwrap();
    assert_eq!(fast_alone(&plan, &relation), None);
    assert!(!simulate(&plan, &relation).ok());
}

fn relations(terminals: u32) -> impl Strategy<Value = Relation> {
    let terminal = 0..terminals;
    prop_oneof![
        (0u32..80, any::<u64>()).prop_map(move |(h, seed)| Relation::random(terminals, h, seed)),
        (0u32..6, any::<u64>()).prop_map(move |(h, seed)| Relation::permutation(terminals, h, seed)),
        (0u32..40, any::<u64>(), terminal, 0u32..=100).prop_map(move |(h, seed, hot, percent)| {
            Relation::hot_spot(terminals, h, seed, hot, percent).unwrap()
        }),
        prop::collection::vec((0..terminals, 0..terminals), 0..60)
            .prop_map(move |pairs| Relation::from_pairs(terminals, &pairs).unwrap()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_closed_form_is_what_the_steps_come_to(
        (plan, relation) in (2u32..8, prop::sample::select(SEQUENCES)).prop_flat_map(|(r, sequence)| {
            (Just(obf(1 << r, sequence)), relations(1 << r))
        })
    ) {
        let routed = simulate(&plan, &relation);
        prop_assert!(routed.ok() && routed.first_fault.is_none());
        prop_assert_eq!(routed.delivered, routed.cost.packets);
        let closed = cost(plan.systolic().unwrap(), &relation);
        prop_assert_eq!(routed.cost, closed);
        prop_assert_eq!(closed_form(&plan, &relation), Some(closed));
        prop_assert_eq!(&fast_alone(&plan, &relation), &Some(simulate_plainly(&plan, &relation)));
        // Two packets a step leave and arrive, after r edges at the earliest.
        prop_assert!(closed.packets == 0 || closed.steps >= closed.h().div_ceil(2) - 1 + plan.latency() as u64);
    }
}
