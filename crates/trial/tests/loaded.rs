//! `D_loaded` under rust-hdl does in each cycle what its model says: for many demands, with damaged programs, and not with a fault.

use frit_cells::design::loaded::Hardware;
use frit_cells::fault::LOADED;
use frit_demand::loadable::{Job, Loadable, states};
use frit_demand::peel::permutations;
use frit_demand::program::{Shape, bank, needed, needed_for};
use frit_demand::{Demand, Kind, cyclic, generate};
use frit_model::loaded::{Event, Trial};
use frit_network::{LaneIdx, Network, RoundIdx};
use frit_schedule::{Plan, user};
use frit_traffic::random::SplitMix64;
use frit_trial::loaded::run;
use std::collections::BTreeSet;

/// The first event that differs, if one does.
fn difference(kind: &Kind, terminals: u32, width: u32, seed: u64, fault: Option<&str>) -> Option<String> {
    let demand = generate(kind, terminals.into(), seed).unwrap();
    let held = permutations(&demand);
    let shape = Shape::holding(terminals.into(), needed(&held)).unwrap();
    let jobs = Job::permutations(shape, &demand, &held).unwrap();
    let trial = Trial::new(Loadable::benes(shape), width, jobs).unwrap();
    compared(&trial, fault)
}

/// The same of a trial.
fn compared(trial: &Trial, fault: Option<&str>) -> Option<String> {
    let expected: Vec<Event> = trial.events().cloned().collect();
    let mut netlist = Hardware::new(trial.on.clone(), trial.width).netlist();
    if let Some(fault) = fault {
        LOADED.plant(&mut netlist, fault).unwrap();
    }
    let got = run(trial, &netlist).unwrap();
    let line = |event: Option<&Event>| event.map_or("nothing".into(), Event::line);
    (0..expected.len().max(got.len()))
        .find(|&at| expected.get(at) != got.get(at))
        .map(|at| format!("{}, expected {}", line(got.get(at)), line(expected.get(at))))
}

/// A network with drawn wires and a schedule of drawn settings.
fn users(terminals: u32, stages: usize, rounds: usize, seed: u64) -> Plan {
    let mut random = SplitMix64(seed);
    let links = (0..=stages).map(|_| random.permutation(terminals)).collect();
    let network = Network::new("drawn", terminals, links).unwrap();
    let mut row = || {
        let row: String = (0..terminals / 2).map(|_| char::from(b'0' + random.below(2) as u8)).collect();
        format!("\"{row}\"")
    };
    let mut round =
        || format!("{{\"states\": [{}]}}", (0..stages).map(|_| row()).collect::<Vec<_>>().join(","));
    let rounds: Vec<String> = (0..rounds).map(|_| round()).collect();
    user::plan(network, &format!("{{\"format\": \"{}\", \"rounds\": [{}]}}", user::FORMAT, rounds.join(",")))
        .unwrap()
}

/// The first difference of a user's schedule, or with `most` of a demand of 0 to `most` words for each pair that the schedule joins.
fn of_user(plan: &Plan, most: Option<u32>, fault: Option<&str>) -> Option<String> {
    let demand = most.map(|most| {
        let mut random = SplitMix64(9);
        let n = plan.served();
        let pairs: BTreeSet<(LaneIdx, LaneIdx)> = RoundIdx::all(plan.rounds)
            .flat_map(|round| LaneIdx::all(n).map(move |source| (source, plan.destination(round, source))))
            .collect();
        let words =
            |(from, to): (LaneIdx, LaneIdx)| (from.0.into(), to.0.into(), random.below(most + 1).into());
        Demand::from_list(n.into(), pairs.into_iter().map(words)).unwrap()
    });
    let exchange = demand.as_ref().map(|demand| cyclic::plan(demand, plan.clone()).unwrap());
    let states = states(plan, exchange.as_ref());
    let on = Loadable::user(plan, bank(needed_for(states.iter().map(|state| state.run)))).unwrap();
    let jobs = Job::states(on.shape(), &states, demand.as_ref()).unwrap();
    compared(&Trial::new(on, 7, jobs).unwrap(), fault)
}

fn kinds(terminals: u32) -> Vec<Kind> {
    vec![
        Kind::Uniform { words: 12 },
        Kind::Zipf { words: 15, exponent: 1.0 },
        Kind::LogNormal { words: 12, sigma: 1.0 },
        Kind::HotSpot { words: 8, hot: 1, percent: 50 },
        Kind::BlockDiagonal { words: 10, block: 2 },
        Kind::Sparse { pairs: 3, words: 9 },
        Kind::Experts(frit_demand::experts::Experts {
            tokens: 8,
            experts: 2,
            top_k: 2.min(terminals),
            sigma: 1.0,
            capacity: 1.25,
            placement: frit_demand::experts::Placement::Blocks,
            workload: None,
        }),
    ]
}

#[test]
fn every_kind_of_demand() {
    for kind in kinds(4) {
        assert_eq!(difference(&kind, 4, 9, 1, None), None, "{kind:?}");
    }
    assert_eq!(difference(&Kind::Zipf { words: 9, exponent: 1.0 }, 8, 32, 2, None), None);
}

#[test]
#[ignore = "long: make test-all"]
fn twenty_demands_of_every_kind() {
    for terminals in [4, 8, 16] {
        for kind in kinds(terminals) {
            for seed in 1..=20 {
                assert_eq!(difference(&kind, terminals, 8, seed, None), None, "{terminals} {kind:?} {seed}");
            }
        }
    }
}

#[test]
fn every_fault_is_a_difference() {
    let kind = Kind::Zipf { words: 10, exponent: 1.0 };
    let netlist = Hardware::new(Loadable::benes(Shape::new(4, 2).unwrap()), 16).netlist();
    let numbers = |argument: &str| if argument == "STAGE" { 3 } else { 2 };
    for fault in LOADED.words().flat_map(|word| LOADED.all(word, &netlist, numbers)) {
        assert!(difference(&kind, 4, 16, 1, Some(&fault)).is_some(), "{fault}");
    }
}

#[test]
fn schedules_of_a_users_network() {
    let plan = users(6, 2, 5, 1);
    assert_eq!(of_user(&plan, None, None), None);
    assert_eq!(of_user(&plan, Some(7), None), None);
    for fault in ["setting:1", "entry"] {
        assert!(of_user(&plan, None, Some(fault)).is_some(), "{fault:?}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn schedules_of_many_networks_of_users() {
    for (terminals, stages, rounds) in
        [(4, 1, 1), (4, 9, 20), (8, 3, 8), (10, 4, 9), (12, 6, 30), (16, 2, 4), (22, 5, 7)]
    {
        for seed in 1..=5 {
            let plan = users(terminals, stages, rounds, seed);
            for most in [None, Some(1), Some(12)] {
                assert_eq!(of_user(&plan, most, None), None, "{terminals} {stages} {rounds} {seed} {most:?}");
            }
        }
    }
}

#[test]
fn what_is_no_fault_is_explained() {
    let shape = Shape::new(4, 2).unwrap();
    let text = |fault: &str| {
        let mut netlist = Hardware::new(Loadable::benes(shape), 8).netlist();
        LOADED.plant(&mut netlist, fault).unwrap_err().to_string()
    };
    assert!(text("setting:x").starts_with("--fault \"setting:x\" is not a fault"));
    assert!(
        text("setting:3").starts_with("--fault setting:3 has no place in this design: the stages are 0 to 2")
    );
}
