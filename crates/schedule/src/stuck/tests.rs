//! All single faults of small networks, and what their exchanges cost.

use super::*;
use crate::Request;
use crate::check::{check_plan, route_round};
use frit_network::{StageIdx, SwitchIdx};
use frit_traffic::random::SplitMix64;
use std::collections::BTreeMap;

fn plan(system: &str, terminals: u64) -> Plan {
    crate::plan(&Request::new(system, terminals)).unwrap()
}

fn singles(network: &Network) -> Vec<StuckSwitches> {
    let one = |stage, switch, bit| [(stage, switch, SwitchState::from_bit(bit))].into_iter().collect();
    StageIdx::all(network.stages())
        .flat_map(|stage| SwitchIdx::all(network.switches_per_stage()).map(move |switch| (stage, switch)))
        .flat_map(|(stage, switch)| [one(stage, switch, false), one(stage, switch, true)])
        .collect()
}

/// The bare network says what the rounds do, and the settings what the stuck switches do.
fn checked(plan: &Plan, stuck: &StuckSwitches) {
    let report = check_plan(plan);
    assert!(report.complete(), "{} {stuck}: {report:?}", plan.system);
    for round in RoundIdx::all(plan.rounds) {
        assert!(obeys(&route_round(plan, round).unwrap().states, stuck), "{} {stuck} {round}", plan.system);
    }
}

#[test]
fn one_stuck_switch_costs_no_round() {
    for (system, sizes) in [("rls", [8, 16, 32]), ("benes", [8, 16, 32])] {
        for terminals in sizes {
            let healthy = plan(system, terminals);
            for stuck in singles(&healthy.network) {
                let around = around(healthy.clone(), &stuck).unwrap();
                assert_eq!(around.rounds, terminals as u32, "{system} {stuck}");
                assert_eq!(around.cycles(), healthy.cycles());
                assert_eq!(around.self_routing(), healthy.self_routing());
                checked(&around, &stuck);
                // The rotations keep their rounds on the Butterfly-Butterfly.
                if system == "rls" {
                    let goes = |plan: &Plan| plan.destination(RoundIdx(3), frit_network::LaneIdx(5));
                    assert_eq!(goes(&around), goes(&healthy));
                }
            }
        }
    }
}

#[test]
fn the_xor_square_survives_one_stuck_switch_as_well() {
    let healthy = plan("rls", 16);
    let squares = Square::all(&healthy, 1);
    for stuck in singles(&healthy.network) {
        for round in RoundIdx::all(16) {
            assert!(squares[1].around(round, &stuck).is_some(), "{stuck} {round}");
        }
    }
}

#[test]
fn four_terminals_are_searched_whole() {
    for system in ["rls", "benes"] {
        let healthy = plan(system, 4);
        let rounds: Vec<u32> = singles(&healthy.network)
            .iter()
            .map(|stuck| {
                let around = around(healthy.clone(), stuck).unwrap();
                checked(&around, stuck);
                assert_eq!(u64::from(around.rounds - 4), around.cycles() - healthy.cycles());
                around.rounds
            })
            .collect();
        assert_eq!(rounds, [4; 12], "{system}");
    }
}

#[test]
fn drawn_sets_are_gone_round_or_refused() {
    let mut random = SplitMix64(11);
    for (system, terminals) in [("rls", 8), ("benes", 8), ("rls", 16), ("benes", 16)] {
        let healthy = plan(system, terminals);
        let (stages, switches) = (healthy.network.stages(), healthy.network.switches_per_stage());
        for count in [2, 3, 5, 10] {
            for _ in 0..10 {
                let draw = |_| {
                    let (stage, switch) = (random.below(stages), random.below(switches));
                    (StageIdx(stage), SwitchIdx(switch), SwitchState::from_bit(random.next() & 1 == 1))
                };
                let stuck: StuckSwitches = (0..count).map(draw).collect();
                // What is refused has a pair without a path.
                match around(healthy.clone(), &stuck) {
                    Ok(plan) => checked(&plan, &stuck),
                    Err(error) => assert!(error.to_string().starts_with("not possible on "), "{error}"),
                }
            }
        }
    }
}

/// What each permutation leaves a switch: (it can be straight, it can be crossed), a bit for each switch, over all settings of a network
/// of eight terminals.
fn by_trying_all(network: &Network) -> BTreeMap<[u8; 8], (u32, u32)> {
    let mut found = BTreeMap::new();
    let links: Vec<Vec<u8>> =
        network.links().iter().map(|link| link.iter().map(|&port| port as u8).collect()).collect();
    for setting in 0..1u32 << 20 {
        let mut at: [u8; 8] = std::array::from_fn(|lane| lane as u8);
        for (stage, link) in links[..5].iter().enumerate() {
            let row = setting >> (4 * stage) & 15;
            at = at.map(|place| link[place as usize] ^ (row >> (link[place as usize] / 2) & 1) as u8);
        }
        let permutation = at.map(|place| links[5][place as usize]);
        let (straight, crossed) = found.entry(permutation).or_insert((0u32, 0u32));
        *straight |= !setting & ((1 << 20) - 1);
        *crossed |= setting;
    }
    found
}

/// Which permutations are left on each network, as the issue that asked for this found out; the bits of switches are those of stages 0 to 4.
#[test]
fn all_settings_of_eight_terminals_say_what_a_stuck_switch_leaves() {
    let all = (1u32 << 20) - 1;
    let middle = 0xf00;
    let rotation = |k: u8| -> [u8; 8] { std::array::from_fn(|i| (i as u8 + 8 - k) % 8) };
    let xor = |k: u8| -> [u8; 8] { std::array::from_fn(|i| i as u8 ^ k) };
    let rls = by_trying_all(&plan("rls", 8).network);
    for k in 0..8 {
        assert_eq!((rls[&rotation(k)], rls[&xor(k)]), ((all, all), (all, all)), "{k}");
    }
    let benes = by_trying_all(&plan("benes", 8).network);
    assert_eq!(benes.len(), 40320);
    for switch in 0..20u32 {
        for crossed in [false, true] {
            let left = |permutation: &[u8; 8]| {
                let (straight, cross) = benes[permutation];
                (if crossed { cross } else { straight }) >> switch & 1 == 1
            };
            let count = |of: &dyn Fn(u8) -> [u8; 8]| (0..8).filter(|&k| left(&of(k))).count();
            let permutations = benes.keys().filter(|permutation| left(permutation)).count();
            let expected = if middle >> switch & 1 == 1 { (6, 4, 39744) } else { (8, 8, 40320) };
            assert_eq!((count(&rotation), count(&xor), permutations), expected, "{switch} {crossed}");
        }
    }
    // The masks find settings whenever there are some: the rule is complete for one switch.
    for (system, found) in [("rls", &rls), ("benes", &benes)] {
        let healthy = plan(system, 8);
        let square = Square::of_plan(&healthy);
        for stuck in singles(&healthy.network) {
            let (stage, switch, state) = stuck.iter().next().unwrap();
            let bit = stage.0 * 4 + switch.0;
            for round in RoundIdx::all(8) {
                let (straight, crossed) = found[&rotation(round.0 as u8)];
                let possible = (if state.bit() { crossed } else { straight }) >> bit & 1 == 1;
                assert_eq!(square.around(round, &stuck).is_some(), possible, "{system} {stuck} {round}");
            }
        }
    }
}
