use super::*;
use crate::check::check_plan;
use frit_network::{LaneIdx, Refusal, RoundIdx, SwitchState};
use frit_network::{StageIdx, SwitchIdx};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn obf(terminals: u64, sequence: &str) -> Plan {
    crate::plan(&Request::new("obf", terminals).with("sequence", sequence)).unwrap()
}

fn systolic(plan: &Plan) -> &Systolic {
    plan.systolic().unwrap()
}

#[test]
fn every_sequence_is_a_complete_exchange_in_two_packets_a_step() {
    for sequence in SEQUENCES {
        for r in 2..=8 {
            let plan = obf(1 << r, sequence);
            let report = check_plan(&plan);
            assert!(report.complete() && report.repeated == 0, "{sequence}, r = {r}: {report:?}");
            assert_eq!(plan.cycles(), (1 << (r - 1)) + r - 1);
            assert_eq!(
                (plan.cycles(), plan.cycles()),
                (plan.figures.cycles_paper, plan.figures.cycles_lower_bound)
            );
            assert_eq!((plan.latency(), plan.network.stages()), (r as u32, r as u32 - 1));
        }
    }
    assert_eq!([4, 8, 16, 32, 64].map(|n| obf(n, "prefer-one").cycles()), [3, 6, 11, 20, 37]);
}

#[test]
fn the_smallest_network() {
    // r = 2: one level of routers, ξ = 01. In slot 0 the routers are in invert a step later: a = 01 on out_up.
    let plan = obf(4, "prefer-one");
    assert_eq!(systolic(&plan).sequence().to_string(), "01");
    let destinations =
        |round| LaneIdx::all(8).map(|lane| plan.destination(RoundIdx(round), lane).0).collect::<Vec<_>>();
    assert_eq!(destinations(0), [3, 4, 1, 6, 7, 0, 5, 2]);
    assert_eq!(destinations(1), [0, 7, 2, 5, 4, 3, 6, 1]);
}

#[test]
fn every_router_follows_the_one_bit_of_its_cycle() {
    for sequence in SEQUENCES {
        let plan = obf(32, sequence);
        let systolic = systolic(&plan);
        for round in 0..plan.rounds {
            for stage in (0..plan.network.stages()).map(StageIdx) {
                for switch in (0..plan.network.switches_per_stage()).map(SwitchIdx) {
                    let state = plan.stage_state(RoundIdx(round), stage, switch).unwrap();
                    let cycle = round as u64 + 1 + stage.0 as u64;
                    assert_eq!(state.bit(), systolic.sequence().bit(cycle % 16));
                }
            }
        }
    }
}

#[test]
fn packets_follow_the_paper_without_the_networks_tables() {
    // Nodes <row, level> and edges as section 2.2 defines them, Table 1 for the states, no two packets on one link.
    for r in 2..=8u32 {
        let plan = obf(1 << r, "prefer-one");
        let xi = systolic(&plan).sequence();
        let mut links = BTreeSet::new();
        let mut pairs = BTreeSet::new();
        for slot in 0..plan.rounds {
            for lane in 0..2u32 << r {
                let (source, mut row, mut cross) = (lane / 2, lane / 2, lane % 2 == 1);
                for level in 0..r {
                    let step = slot as u64 + level as u64;
                    if level > 0 && xi.bit(step) {
                        cross = !cross; // invert: from up to down and back
                    }
                    assert!(links.insert((step, level, row, cross)), "two packets on one link");
                    if cross {
                        row ^= 1 << (r - 1 - level);
                    }
                }
                assert_eq!(plan.destination(RoundIdx(slot), LaneIdx(lane)), LaneIdx(2 * row + cross as u32));
                assert!(pairs.insert((source, row)));
            }
        }
        assert_eq!(pairs.len(), 1 << (2 * r));
        // Every link of the network carries a packet in each of the T steps in which its level is busy.
        assert_eq!(links.len(), (plan.rounds as usize * r as usize) << (r + 1));
    }
}

#[test]
fn the_routing_table_is_that_of_the_definition() {
    for sequence in SEQUENCES {
        let plan = obf(64, sequence);
        let systolic = systolic(&plan);
        let xi = systolic.sequence();
        for slot in 0..2 * plan.rounds as u64 {
            let word = systolic.routing_word(slot);
            let bit = |j: u64| word >> (5 - j) & 1 == 1; // a_j
            assert!(!bit(0));
            for j in 0..5 {
                assert_eq!(bit(j) != bit(j + 1), xi.bit((slot + j + 1) % 32));
            }
            for source in 0..64 {
                let [up, down] = [0, 1].map(|side| systolic.destination(slot, LaneIdx(2 * source + side)).0);
                assert_eq!(up / 2, source ^ word);
                assert_eq!(up ^ down, 127, "the destinations are complements, and so are the sides");
            }
        }
        let slots = systolic.slots();
        for slot in 0..32u64 {
            let word = systolic.routing_word(slot) as usize;
            assert_eq!((slots[word] as u64, slots[63 ^ word] as u64), (slot, slot));
        }
    }
}

#[test]
fn a_sequence_of_the_users() {
    let sequence = DeBruijn::parse("1110 1000", 3).unwrap();
    let plan = plan_with_sequence(&Request::new("obf", 16), sequence.clone()).unwrap();
    assert_eq!((plan.name().as_str(), plan.cycles()), ("obf_custom_n16", 11));
    assert_eq!(plan.figures.stored_bits, 8);
    assert!(check_plan(&plan).complete());
    let text = |result: Result<Plan, Refusal>| result.unwrap_err().to_string();
    assert_eq!(
        text(plan_with_sequence(&Request::new("obf", 8), sequence.clone())),
        "obf with 8 terminals needs a de Bruijn sequence of order 2 (2^2 bits), not of order 3"
    );
    assert!(text(plan_with_sequence(&Request::new("obf", 12), sequence)).contains("nearest size is 16"));
    assert_eq!(
        text(crate::plan(&plan.request())),
        "obf: sequence cannot be \"custom\"; give one of prefer-one, prefer-same, granddaddy"
    );
}

#[test]
fn the_other_options_hold_with_a_sequence_of_the_users() {
    let sequence = || DeBruijn::parse("1110 1000", 3).unwrap();
    let asked = |key: &str, value: &str| {
        plan_with_sequence(&Request::new("obf", 16).with("sequence", "mine.txt").with(key, value), sequence())
    };
    let shared = asked("controller", "table").unwrap();
    assert_eq!((shared.options["controller"].as_str(), shared.figures.drivers), ("table", 1));
    let per_level = asked("fanout", "per-level").unwrap();
    assert_eq!((per_level.control_per_level(), per_level.figures.drivers), (true, 3));
    assert_eq!(per_level.name(), "obf_custom_per_level_n16");
    assert_eq!(per_level.arguments(), "obf -n 16 --sequence FILE --set fanout=per-level");
    let error = |key, value| asked(key, value).unwrap_err().to_string();
    assert_eq!(
        error("controller", "successor"),
        "controller=successor: there is a successor rule for prefer-one, not for a sequence from a file; controller=table always exists, and auto chooses"
    );
    assert!(error("fanout", "wide").starts_with("obf: fanout cannot be \"wide\""));
}

#[test]
fn a_controller_one_step_late_is_found() {
    let mut plan = obf(16, "prefer-one");
    plan.entry_delay = 2;
    let report = check_plan(&plan);
    assert!(!report.complete() && report.misrouted > 0 && report.first_misrouted.is_some());
}

#[test]
fn the_largest_network() {
    let plan = obf(1 << 20, "prefer-one");
    assert_eq!((plan.network.lanes(), plan.cycles()), (1 << 21, (1 << 19) + 19));
    // All of it would be 10^12 pairs; one round of it must be a permutation of the lanes.
    let routed = crate::check::route_round(&plan, RoundIdx(123_456)).unwrap();
    for lane in (0..1 << 21).step_by(1013) {
        assert_eq!(routed.destinations[lane as usize], plan.destination(RoundIdx(123_456), LaneIdx(lane)).0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_rotation_reversal_or_complement_of_a_sequence_will_do(
        r in 2u32..7, which in 0usize..3, turn in 0u64..64, reversed in any::<bool>(), inverted in any::<bool>()
    ) {
        let plan = obf(1 << r, SEQUENCES[which]);
        let xi = systolic(&plan).sequence();
        let mut bits: Vec<bool> = (0..xi.len() as u64).map(|at| xi.bit(at + turn) != inverted).collect();
        if reversed {
            bits.reverse();
        }
        let plan = plan_with_sequence(&Request::new("obf", 1 << r), DeBruijn::from_bits(r - 1, &bits).unwrap()).unwrap();
        let report = check_plan(&plan);
        prop_assert!(report.complete() && report.repeated == 0);
    }

    #[test]
    fn a_flipped_bit_leaves_pairs_missing(r in 3u32..7, at in any::<prop::sample::Index>()) {
        // Not a de Bruijn sequence, so it is put together without the check: the routing follows the true sequence,
        // the routers the wrong one.
        let right = obf(1 << r, "prefer-one");
        let mut bits: Vec<bool> = (0..systolic(&right).sequence().len() as u64).map(|at| systolic(&right).sequence().bit(at)).collect();
        let at = at.index(bits.len());
        bits[at] ^= true;
        let network = right.network.clone();
        let report = crate::route::route_states(&network, |stage, _| {
            SwitchState::from_bit(bits[(right.acts_at(stage.0, RoundIdx(0)) as usize) % bits.len()])
        });
        let wrong = LaneIdx::all(network.lanes()).any(|lane| report.destinations[lane.idx()] != right.destination(RoundIdx(0), lane).0);
        // Round 0 passes bits 1 … r - 1.
        prop_assert_eq!(wrong, (1..r as usize).contains(&at));
    }
}
