//! `D_crossbar` under rust-hdl does in each cycle what its model says: for many sources, under back pressure, and not with a fault.

use frit_cells::design::crossbar::Hardware;
use frit_cells::fault::CROSSBAR;
use frit_demand::crossbar::Shape;
use frit_demand::crossbar::drawn;
use frit_model::crossbar::{Event, Trial};
use frit_trial::crossbar::run;

/// The first event that differs, if one does.
fn difference(terminals: u64, width: u32, seed: u64, fault: Option<&str>) -> Option<String> {
    let shape = Shape::new(terminals).unwrap();
    let trial = Trial::new(shape, width, drawn(shape, seed, 220));
    let expected: Vec<Event> = trial.events().cloned().collect();
    let mut netlist = Hardware::new(shape, width).netlist();
    if let Some(fault) = fault {
        CROSSBAR.plant(&mut netlist, fault).unwrap();
    }
    let got = run(&trial, &netlist).unwrap();
    let line = |event: Option<&Event>| event.map_or("nothing".into(), Event::line);
    (0..expected.len().max(got.len()))
        .find(|&at| expected.get(at) != got.get(at))
        .map(|at| format!("{}, expected {}", line(got.get(at)), line(expected.get(at))))
}

#[test]
fn words_cross_as_the_model_says() {
    for (terminals, width, seed) in [(4, 1, 1), (4, 40, 2), (8, 9, 3), (8, 31, 4)] {
        assert_eq!(difference(terminals, width, seed, None), None, "{terminals} {width} {seed}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn words_cross_in_all_sizes() {
    for terminals in [16, 32, 64, 128] {
        assert_eq!(difference(terminals, 13, terminals, None), None, "{terminals}");
    }
    for seed in 0..20 {
        assert_eq!(difference(4 << (seed % 2), 5, seed, None), None, "{seed}");
    }
}

#[test]
fn every_fault_is_found() {
    let netlist = Hardware::new(Shape::new(4).unwrap(), 8).netlist();
    for fault in CROSSBAR.words().flat_map(|word| CROSSBAR.all(word, &netlist, |_| 3)) {
        assert_ne!(difference(4, 8, 5, Some(&fault)), None, "{fault}");
    }
}

#[test]
fn what_is_no_fault_is_explained() {
    let shape = Shape::new(4).unwrap();
    let text =
        |fault: &str| CROSSBAR.plant(&mut Hardware::new(shape, 8).netlist(), fault).unwrap_err().to_string();
    assert!(text("setting:x").starts_with("--fault \"setting:x\" is not a fault"));
    assert!(
        text("setting:3").starts_with("--fault setting:3 has no place in this design: the stages are 0 to 2")
    );
}
