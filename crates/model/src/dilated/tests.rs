//! One corpus for every engine: figures of two independent references, the paper's closed forms, random small networks.

use super::*;
use crate::stepper;
use frit_router::dilated::packets::{bit_reversal, permutations, transpose};
use frit_router::dilated::{Mode, Packets, Parameters, Shunt, Switch, claims, loads};
use frit_traffic::random::SplitMix64;
use proptest::prelude::*;

/// What an engine reports of a run.
fn both(packets: &Packets) -> Outcome {
    let (mut plain, mut fast) = (Vec::new(), Vec::new());
    let expected = run(packets, |shunt| plain.push(*shunt));
    if fast::can_run(packets) {
        let got = fast::run(packets, |shunt| fast.push(*shunt));
        let parameters = packets.parameters();
        let differ = plain.iter().zip(&fast).position(|(a, b)| a != b);
        if let Some(at) = differ {
            panic!("{parameters:?}: shunt {at} is {:?}, fast {:?}", plain[at], fast[at]);
        }
        assert_eq!(plain.len(), fast.len(), "{parameters:?}");
        assert_eq!(got, expected, "{parameters:?}");
    }
    expected
}

fn packets(n: u32, parameters: Parameters) -> Packets {
    Packets::new(parameters, &permutations(1 << n, n, parameters.seed)).unwrap()
}

fn largest(packets: &Packets) -> u32 {
    loads::largest(packets).into_iter().max().unwrap()
}

/// n, b, switch, mode, seed, M -> steps, delivered, blocked, largest load, shunts, digest of the trace; of the references.
const VECTORS: &str = "\
3 6 strong unrolled 1 32 -> 43 24 0 4 144 0x2e35a9b62e7f66a8
3 6 weak unrolled 1 32 -> 49 24 0 4 144 0x9a678aa1a0a86e3a
4 4 strong unrolled 1 32 -> 47 60 4 5 494 0x834aa6104c86d084
4 4 weak unrolled 1 32 -> 54 62 2 5 501 0x1266cc99ba2ef2ce
4 8 strong unrolled 2 32 -> 47 64 0 6 512 0x6cf3f6dc69a09e5
4 8 strong barrier 2 32 -> 82 64 0 6 512 0x328ca26703a79e0
6 14 strong unrolled 1 32 -> 55 384 0 10 4608 0xd4245b76f556ef27
8 8 weak unrolled 3 32 -> 82 1921 127 13 31660 0x6aeb5abc4abb8e6f";

fn vector(line: &str) -> (u32, Parameters, String) {
    let (given, expected) = line.split_once(" -> ").unwrap();
    let given: Vec<&str> = given.split(' ').collect();
    let number = |at: usize| given[at].parse::<u32>().unwrap();
    let mut parameters = Parameters::new(1 << number(0), number(1), number(4).into());
    parameters.payload = number(5);
    if given[2] == "weak" {
        parameters.switch = Switch::Weak;
    }
    if given[3] == "barrier" {
        parameters.mode = Mode::Barrier;
    }
    (number(0), parameters, expected.into())
}

#[test]
fn the_figures_of_the_references_digest_by_digest() {
    let mut wrong = String::new();
    for line in VECTORS.lines() {
        let (n, parameters, expected) = vector(line);
        let packets = packets(n, parameters);
        let got = both(&packets);
        let load = largest(&packets);
        let (steps, delivered, blocked) = (got.steps, got.delivered, got.blocked.len());
        let text = format!("{steps} {delivered} {blocked} {load} {} {:#x}", got.shunts, got.digest);
        assert!(got.wrong.is_empty(), "{line}");
        if text != expected {
            wrong += &format!("{line}: {text}\n");
        }
    }
    assert_eq!(wrong, "");
}

/// (n, seed, largest load of the first pass, of the second), of the references.
#[test]
fn the_congestion_of_the_references() {
    let table = [
        (3, 1, 4, 3),
        (3, 2, 4, 4),
        (4, 1, 5, 5),
        (4, 2, 5, 6),
        (6, 1, 9, 10),
        (6, 2, 8, 10),
        (8, 1, 14, 12),
        (8, 2, 11, 14),
        (10, 1, 16, 14),
        (10, 2, 15, 15),
    ];
    for (n, seed, first, second) in table {
        let packets = packets(n, Parameters::new(1 << n, 1, seed));
        assert_eq!(loads::largest(&packets), [first, second], "n = {n}, seed {seed}");
    }
}

/// The references' figures are means over seeds 1 and 2, rounded.
#[test]
fn released_edges_let_everything_arrive_in_the_time_of_the_references() {
    for (bundle, expected) in [(1, 1335), (2, 538), (4, 234), (8, 131), (14, 63)] {
        let steps = [1, 2].map(|seed| {
            let packets = packets(8, Parameters { release: true, ..Parameters::new(256, bundle, seed) });
            let got = both(&packets);
            assert_eq!((got.delivered, got.blocked.len()), (2048, 0));
            got.steps
        });
        assert_eq!(steps.iter().sum::<u64>().div_ceil(2), expected, "b = {bundle}: {steps:?}");
    }
}
