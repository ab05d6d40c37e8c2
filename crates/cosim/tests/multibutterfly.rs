//! The rust-hdl network of a multibutterfly does what its model does: commit by commit, message by message.

use frit_cells::design::multibutterfly::Hardware;
use frit_cells::stages;
use frit_model::multibutterfly::run;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{NodeEvent, Parameters, Problem};

fn parameters(n: u32, degree: u32, committed: u32, threshold: u32, free: u32, seed: u64) -> Parameters {
    Parameters {
        degree,
        committed,
        threshold,
        offered: threshold,
        requests: 1,
        free,
        ..Parameters::new(1 << n, seed)
    }
}

fn problem(parameters: Parameters) -> Problem {
    Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap()
}

/// Runs both; what the nodes do must be the same in every stage. Gives what rust-hdl did.
fn agrees(parameters: Parameters) -> stages::Run {
    let problem = problem(parameters);
    let mut events = Vec::new();
    let outcome = run(&problem, |event| events.push(event.clone()));
    let hardware = Hardware::new(&problem, outcome.figures.max_raw).unwrap();
    let cycles = u64::from(outcome.stages) * hardware.stage_cycles();
    let found = stages::run(&problem, &hardware, &hardware.netlist(), cycles + 100).unwrap();
    assert_eq!(found.complaint, None, "{parameters:?}");
    let sorted = |mut events: Vec<NodeEvent>| {
        events.sort();
        events
    };
    let (got, expected) = (sorted(found.events.clone()), sorted(events));
    let difference = got.iter().zip(&expected).find(|(got, expected)| got != expected);
    assert_eq!(difference, None, "{parameters:?}");
    assert_eq!(got.len(), expected.len(), "{parameters:?}");
    assert_eq!((found.cycles, found.stages), (Some(cycles), outcome.stages.into()), "{parameters:?}");
    assert_eq!((found.stuck, &found.left), (!outcome.ok(), &outcome.undelivered), "{parameters:?}");
    found
}

#[test]
fn small_networks() {
    for (n, degree, committed, threshold, free) in [
        (1, 1, 1, 1, 2),
        (1, 1, 1, 1, 0),
        (2, 1, 1, 1, 2),
        (2, 2, 1, 2, 2),
        (2, 2, 2, 2, 4),
        (3, 2, 2, 4, 4),
        (3, 3, 2, 2, 4),
    ] {
        agrees(parameters(n, degree, committed, threshold, free, 1));
    }
}

#[test]
fn eight_rows_that_stay_stuck() {
    let found = agrees(parameters(3, 2, 1, 2, 2, 3));
    assert!(found.stuck && !found.left.is_empty());
}

#[test]
fn sixteen_rows() {
    let found = agrees(parameters(4, 2, 1, 2, 4, 18));
    assert_eq!((found.cycles, found.left.len()), (Some(1612), 0));
    let found = agrees(parameters(4, 4, 2, 4, 8, 5));
    assert_eq!((found.cycles, found.left.len()), (Some(1612), 0));
}
