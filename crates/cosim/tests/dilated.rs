//! The rust-hdl network of a dilated butterfly does what its model does: shunt by shunt, bit by bit.

use frit_cells::design::dilated::Hardware;
use frit_cells::dilated as hardware_bench;
use frit_cells::dilated::fault::DILATED;
use frit_model::dilated::trace;
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Mode, Packets, Parameters, Switch};

fn packets(n: u32, bundle: u32, switch: Switch, seed: u64) -> Packets {
    let parameters = Parameters { switch, ..Parameters::new(1 << n, bundle, seed) };
    Packets::new(parameters, &permutations(1 << n, n, seed)).unwrap()
}

fn agrees(packets: &Packets) -> hardware_bench::Run {
    let expected = trace(packets);
    let hardware = Hardware::new(packets).unwrap();
    let found =
        hardware_bench::run(packets, &hardware, &hardware.netlist(), expected.last_step() + 64).unwrap();
    let parameters = packets.parameters();
    let difference = found.shunts.iter().zip(&expected.shunts).find(|(a, b)| a != b);
    assert_eq!(difference, None, "{parameters:?}");
    assert_eq!(found.shunts.len(), expected.shunts.len());
    assert_eq!(found.arrivals, expected.arrivals);
    assert_eq!((found.steps, &found.left), (Some(expected.steps), &expected.left));
    assert_eq!(found.second, expected.second);
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

/// One network, passed twice: the bench holds the packets at the barrier.
#[test]
fn a_barrier_between_two_passes() {
    let barrier = |n: u32, bundle, switch, payload| {
        let parameters =
            Parameters { switch, mode: Mode::Barrier, payload, ..Parameters::new(1 << n, bundle, 2) };
        agrees(&Packets::new(parameters, &permutations(1 << n, n, 2)).unwrap())
    };
    let found = barrier(4, 8, Switch::Strong, 32);
    assert_eq!((found.second, found.steps), (Some(3 * 4 + 31), Some(5 * 4 + 2 * 32 - 2)));
    for switch in [Switch::Strong, Switch::Weak] {
        for (n, bundle) in [(1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (3, 6)] {
            barrier(n, bundle, switch, 9);
        }
    }
    // With bundles of one edge packets are blocked in front of the barrier, and behind it.
    let found = barrier(3, 1, Switch::Strong, 9);
    assert!(found.stuck && found.shunts.iter().any(|shunt| shunt.level >= 3));
}

/// An edge is used by worm after worm.
#[test]
fn edges_that_are_released() {
    for switch in [Switch::Strong, Switch::Weak] {
        for (n, bundle, mode) in [
            (1, 1, Mode::Unrolled),
            (2, 1, Mode::Unrolled),
            (3, 2, Mode::Unrolled),
            (3, 3, Mode::Unrolled),
            (3, 6, Mode::Unrolled),
            (3, 1, Mode::Barrier),
            (3, 2, Mode::Barrier),
        ] {
            let parameters =
                Parameters { switch, mode, payload: 9, release: true, ..Parameters::new(1 << n, bundle, 1) };
            let found = agrees(&Packets::new(parameters, &permutations(1 << n, n, 1)).unwrap());
            assert!(switch == Switch::Weak || found.left.is_empty(), "strong switches: everything arrives");
        }
    }
    // A payload of one bit: a worm's last bit follows its routing bits at once.
    let parameters = Parameters { payload: 1, release: true, ..Parameters::new(8, 1, 3) };
    agrees(&Packets::new(parameters, &permutations(8, 3, 3)).unwrap());
}

/// The step in which rust-hdl first differs from the model, and its own complaint.
fn found(packets: &Packets, fault: &str) -> (Option<u32>, Option<(u32, String)>) {
    let expected = trace(packets);
    let hardware = Hardware::new(packets).unwrap();
    let mut netlist = hardware.netlist();
    DILATED.plant(&mut netlist, fault).unwrap();
    let found = hardware_bench::run(packets, &hardware, &netlist, expected.last_step() + 64).unwrap();
    let at = (0..).find(|&at| found.shunts.get(at) != expected.shunts.get(at) || at >= expected.shunts.len());
    let at = at.filter(|&at| at < found.shunts.len().max(expected.shunts.len()));
    let step = at.and_then(|at| {
        let steps = [found.shunts.get(at), expected.shunts.get(at)];
        steps.into_iter().flatten().map(|shunt| shunt.step).min()
    });
    (step, found.complaint.map(|complaint| (complaint.step, complaint.what)))
}

#[test]
fn every_fault_is_found_at_its_step() {
    let packets = packets(3, 6, Switch::Strong, 1);
    // All heads come to level l in step 2l: there a swapped bundle, a wrong rank and a lost routing bit show at once or one
    // level on.
    for (fault, step) in [
        ("swapped-bundle:2:3", 4),
        ("rank-off-by-one:0", 2),
        ("stripped-twice:0", 4),
        ("swapped-bundle:1:6", 2),
    ] {
        assert_eq!(found(&packets, fault).0, Some(step), "{fault}");
    }
    let stuck = (0..8).flat_map(|row| (0..2).map(move |x| format!("stuck-room:1:{row}:{x}")));
    let steps: Vec<_> = stuck.filter_map(|fault| found(&packets, &fault).1).collect();
    // Without room the sender keeps the bit that the queue takes, when the first follows its head.
    let at_once = |(step, what): &(u32, String)| *step == 3 && what.contains("has room, but its bit stays");
    assert!(steps.len() > 8 && steps.iter().all(at_once), "{steps:?}");
    // Where nothing waits nothing overflows.
    assert_eq!(found(&packets, "overflow:1:0:0"), (None, None));
}

#[test]
fn a_queue_overflows_where_a_head_waits() {
    // Bundles of one edge: some head waits at level 1 for ever, and its bits pile up.
    let packets = packets(3, 1, Switch::Strong, 1);
    let complaints: Vec<_> = (0..8)
        .flat_map(|row| (0..2).map(move |x| format!("overflow:0:{row}:{x}")))
        .filter_map(|fault| found(&packets, &fault).1)
        .collect();
    assert!(complaints.iter().all(|(_, what)| what.contains("overflows")), "{complaints:?}");
    // The head comes in step 2, one bit joins it, and the next has no room.
    assert_eq!(complaints.iter().map(|(step, _)| *step).min(), Some(3), "{complaints:?}");
}

/// Two rows, three packets each with a payload of five bits, bundles of one edge: worms that leave edges to each other.
fn released() -> Packets {
    let parameters = Parameters { payload: 5, release: true, ..Parameters::new(2, 1, 1) };
    Packets::new(parameters, &permutations(2, 3, 1)).unwrap()
}

#[test]
fn swapped_edges_are_found_when_their_heads_come() {
    let strong = packets(3, 6, Switch::Strong, 1);
    assert_eq!(found(&strong, "swapped-edges:2:3:1:0").0, Some(4));
    let weak = packets(3, 6, Switch::Weak, 1);
    assert_eq!(found(&weak, "swapped-edges:2:3:0:0").0, Some(5));
}

/// Each check of the bench, with a design in which it must fail: when, and what it says.
#[test]
fn every_check_of_the_bench_can_fail() {
    for (packets, fault, step, says) in [
        // The last of six bits comes to level 1 in step 6 and leaves it in step 7: step 7 is too early, 8 would be right.
        (released(), "early-release:0", 7, "to edge 0 of out bundle 1, which its worm has not left"),
        (packets(3, 2, Switch::Strong, 1), "forgotten-use:0", 7, "to edge 0 of out bundle 0, which is used"),
        (
            packets(3, 3, Switch::Weak, 1),
            "double-shunt",
            3,
            "the weak switch at level 1 row 7 shunts 2 edges",
        ),
        (packets(3, 1, Switch::Strong, 1), "overflow:0:1:0", 3, "edge 0 overflows"),
        (packets(3, 6, Switch::Strong, 1), "stuck-room:1:1:1", 3, "edge 0 has room, but its bit stays"),
    ] {
        let (at, said) = found(&packets, fault).1.unwrap_or_else(|| panic!("{fault}: nothing was said"));
        assert!(said.contains(says), "{fault}: {said}");
        assert_eq!(at, step, "{fault}: {said}");
    }
}

#[test]
fn a_fault_without_a_place_is_refused() {
    let refused = |switch, fault: &str| {
        let hardware = Hardware::new(&packets(3, 2, switch, 1)).unwrap();
        DILATED.plant(&mut hardware.netlist(), fault).unwrap_err().to_string()
    };
    for (fault, why) in [
        ("swapped-bundle:0:0", "no bundles"),
        ("swapped-bundle:6:0", "no such switch"),
        ("stuck-room:5:0:0", "always room"),
        ("overflow:1:8:0", "no such switch"),
        ("rank-off-by-one:4", "no such edge"),
        ("stripped-twice:4", "no such edge"),
        ("swapped-edges:1:0:0:1", "no edge follows"),
        ("swapped-edges:0:0:0:0", "no bundles"),
        ("early-release:0", "not released"),
        ("double-shunt", "strong switches may"),
    ] {
        assert!(refused(Switch::Strong, fault).contains(why), "{fault}");
    }
    assert!(refused(Switch::Weak, "rank-off-by-one:0").contains("no ranks"));
    assert!(refused(Switch::Weak, "forgotten-use:0").contains("no such memory"));
}

#[test]
fn what_has_no_hardware_is_refused() {
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::new(8, 4, 1);
        change(&mut parameters);
        let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
        Hardware::new(&packets).unwrap_err().to_string()
    };
    assert!(refused(|p| p.queue = 3).contains("queue = 3"));
    assert!(refused(|p| p.bundle = 65).contains("bundle = 65"));
}
