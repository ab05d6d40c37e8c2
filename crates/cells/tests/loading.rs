//! `D_loaded` under rust-hdl does in each cycle what its model says: for many demands, with damaged programs, and not with a fault.

use frit_cells::design::loaded::Hardware;
use frit_cells::loading::{LoadedFault, plant, run};
use frit_demand::loaded::{Event, Trial};
use frit_demand::peel::permutations;
use frit_demand::program::{Shape, needed};
use frit_demand::{Kind, generate};

/// The first event that differs, if one does.
fn difference(
    kind: &Kind,
    terminals: u32,
    width: u32,
    seed: u64,
    fault: Option<LoadedFault>,
) -> Option<String> {
    let demand = generate(kind, terminals.into(), seed).unwrap();
    let held = permutations(&demand);
    let shape = Shape::holding(terminals.into(), needed(&held)).unwrap();
    let trial = Trial::new(shape, width, &demand, &held).unwrap();
    let expected: Vec<Event> = trial.events().cloned().collect();
    let mut netlist = Hardware::new(shape, width).netlist();
    if let Some(fault) = fault {
        plant(&mut netlist, shape, fault).unwrap();
    }
    let got = run(&trial, &netlist).unwrap();
    let line = |event: Option<&Event>| event.map_or("nothing".into(), Event::line);
    (0..expected.len().max(got.len()))
        .find(|&at| expected.get(at) != got.get(at))
        .map(|at| format!("{}, expected {}", line(got.get(at)), line(expected.get(at))))
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
    let others = [LoadedFault::Bank, LoadedFault::Run, LoadedFault::Entry, LoadedFault::Label];
    for fault in (0..3).map(LoadedFault::Setting).chain(others) {
        assert!(difference(&kind, 4, 16, 1, Some(fault)).is_some(), "{fault:?}");
    }
}

#[test]
fn what_is_no_fault_is_explained() {
    let text = |fault: &str| fault.parse::<LoadedFault>().unwrap_err().to_string();
    assert!(text("settings").ends_with("give setting:STAGE, bank, run, entry or label"));
    assert!(text("setting:x").starts_with("--fault \"setting:x\" is not a fault"));
    let shape = Shape::new(4, 2).unwrap();
    let error = plant(&mut Hardware::new(shape, 8).netlist(), shape, LoadedFault::Setting(3)).unwrap_err();
    assert_eq!(error.to_string(), "--fault setting:3 has no place; the stages are 0 to 2");
}
