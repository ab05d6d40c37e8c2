//! The rust-hdl network of a dilated butterfly does what its model does: shunt by shunt, bit by bit.

use frit_cells::design::dilated::Hardware;
use frit_cells::worms;
use frit_model::dilated::trace;
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Packets, Parameters, Switch};

fn packets(n: u32, bundle: u32, switch: Switch, seed: u64) -> Packets {
    let parameters = Parameters { switch, ..Parameters::new(1 << n, bundle, seed) };
    Packets::new(parameters, &permutations(1 << n, n, seed)).unwrap()
}

fn agrees(packets: &Packets) -> worms::Worms {
    let expected = trace(packets);
    let hardware = Hardware::new(packets).unwrap();
    let found = worms::run(packets, &hardware, &hardware.netlist(), expected.steps + 64).unwrap();
    let parameters = packets.parameters();
    let difference = found.shunts.iter().zip(&expected.shunts).find(|(a, b)| a != b);
    assert_eq!(difference, None, "{parameters:?}");
    assert_eq!(found.shunts.len(), expected.shunts.len());
    assert_eq!(found.arrivals, expected.arrivals);
    assert_eq!((found.steps, &found.left), (Some(expected.steps), &expected.left));
    assert_eq!(found.complaint, None);
    found
}

#[test]
fn strong_switches() {
    let found = agrees(&packets(3, 6, Switch::Strong, 1));
    assert_eq!((found.steps, found.shunts.len()), (Some(43), 24 * 6));
    // Bundles of one edge, and of more than a row has packets; one row bit.
    for (n, bundle) in [(1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (3, 3), (2, 9)] {
        agrees(&packets(n, bundle, Switch::Strong, 1));
    }
}

#[test]
fn weak_switches() {
    for (n, bundle) in [(1, 1), (2, 1), (3, 1), (3, 2), (3, 6), (2, 9)] {
        agrees(&packets(n, bundle, Switch::Weak, 1));
    }
}

#[test]
fn sixteen_rows_with_and_without_blocking() {
    for switch in [Switch::Strong, Switch::Weak] {
        assert!(agrees(&packets(4, 8, switch, 2)).left.is_empty());
    }
    let found = agrees(&packets(4, 4, Switch::Strong, 1));
    assert_eq!((found.left.len(), found.shunts.len(), found.stuck), (4, 494, true));
    assert!(!agrees(&packets(4, 4, Switch::Weak, 1)).left.is_empty());
}
