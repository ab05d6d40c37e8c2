//! The rust-hdl network of a multibutterfly does what its model does: commit by commit, message by message.

use frit_cells::design::multibutterfly::Hardware;
use frit_cells::multibutterfly as hardware_bench;
use frit_cells::multibutterfly::fault::MULTIBUTTERFLY;
use frit_model::multibutterfly::run;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{NodeEvent, Order, Parameters, Problem};

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

/// Runs both; what the nodes do must be the same in every phase. Gives what rust-hdl did.
fn agrees(parameters: Parameters) -> hardware_bench::Run {
    let problem = problem(parameters);
    let mut events = Vec::new();
    let outcome = run(&problem, |event| events.push(event.clone()));
    let hardware = Hardware::new(&problem, outcome.figures.max_raw).unwrap();
    let cycles = u64::from(outcome.phases) * hardware.phase_cycles();
    let found = hardware_bench::run(&problem, &hardware, &hardware.netlist(), cycles + 100).unwrap();
    assert_eq!(found.complaint, None, "{parameters:?}");
    let sorted = |mut events: Vec<NodeEvent>| {
        events.sort();
        events
    };
    let (got, expected) = (sorted(found.events.clone()), sorted(events));
    let difference = got.iter().zip(&expected).find(|(got, expected)| got != expected);
    assert_eq!(difference, None, "{parameters:?}");
    assert_eq!(got.len(), expected.len(), "{parameters:?}");
    assert_eq!((found.cycles, found.phases), (Some(cycles), outcome.phases.into()), "{parameters:?}");
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
}

#[test]
#[ignore = "long: make test-all"]
fn sixteen_rows_of_four_splitters() {
    let found = agrees(parameters(4, 4, 2, 4, 8, 5));
    assert_eq!((found.cycles, found.left.len()), (Some(1612), 0));
}

/// The phase and the words of the first complaint of rust-hdl's bench about the small design with a fault.
fn complaint(fault: &str) -> Option<(u32, String)> {
    let problem = problem(parameters(3, 2, 1, 2, 2, 3));
    let outcome = run(&problem, |_| ());
    let hardware = Hardware::new(&problem, outcome.figures.max_raw).unwrap();
    let mut netlist = hardware.netlist();
    MULTIBUTTERFLY.plant(&mut netlist, fault).unwrap();
    let cycles = u64::from(outcome.phases) * hardware.phase_cycles();
    let found = hardware_bench::run(&problem, &hardware, &netlist, cycles + 100).unwrap();
    found.complaint.map(|complaint| (complaint.phase, complaint.what))
}

#[test]
fn every_fault_is_found_by_what_it_breaks() {
    for (fault, what) in [
        ("lost-cancel:1", "the request of a committed side stands"),
        ("grant-to-two:1", "a size that another asks for"),
        ("count-one-short:1", "g'' of what is assigned to it"),
    ] {
        // At some in-port it happens.
        let found = (0..4).find_map(|port| complaint(&format!("{fault}:{port}")));
        assert!(found.as_ref().is_some_and(|(_, said)| said.contains(what)), "{fault}: {found:?}");
    }
    let (phase, said) = complaint("ghost-too-many:1").unwrap();
    assert!(phase == 0 && said.contains("ghosts on a side"), "{said}");
}

#[test]
fn a_fault_without_a_place_is_refused() {
    let problem = problem(parameters(3, 2, 1, 2, 2, 3));
    let hardware = Hardware::new(&problem, 20).unwrap();
    for (fault, why) in [
        ("ghost-too-many:0", "neither the first nor the last"),
        ("ghost-too-many:3", "neither the first nor the last"),
        ("lost-cancel:1:4", "nothing is asked for there"),
        ("grant-to-two:1:4", "nothing is asked for there"),
        ("count-one-short:1:4", "no such in-port"),
    ] {
        let error = MULTIBUTTERFLY.plant(&mut hardware.netlist(), fault).unwrap_err();
        assert!(error.to_string().contains(why), "{fault}: {error}");
    }
}

#[test]
fn what_has_no_hardware_is_refused() {
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::new(8, 1);
        change(&mut parameters);
        Hardware::new(&problem(parameters), 8).unwrap_err().to_string()
    };
    assert!(refused(|p| p.payload = 3).contains("pass x=0"));
    assert!(refused(|p| p.force = true).contains("pass force=no"));
    assert!(refused(|p| p.order = Order::Sequential).contains("pass order=parallel"));
    let many = Parameters { degree: 33, ..Parameters::new(128, 1) };
    let text = Hardware::new(&problem(many), 8).unwrap_err().to_string();
    assert!(text.contains("ports of a node on a side = 33"), "{text}");
}
