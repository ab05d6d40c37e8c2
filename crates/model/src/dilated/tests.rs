//! One corpus for every engine: figures of two independent references, the paper's closed forms, random small networks.

use super::*;
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Mode, Packets, Parameters, Shunt, Switch, loads};

fn packets(n: u32, parameters: Parameters) -> Packets {
    Packets::new(parameters, &permutations(1 << n, n, parameters.seed)).unwrap()
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
    for line in VECTORS.lines() {
        let (n, parameters, expected) = vector(line);
        let packets = packets(n, parameters);
        let load = loads::largest(&packets).into_iter().max().unwrap();
        let got = run(&packets, |_| ());
        let text = format!(
            "{} {} {} {load} {} {:#x}",
            got.steps,
            got.delivered,
            got.blocked.len(),
            got.shunts,
            got.digest
        );
        assert_eq!(text, expected, "{line}");
        assert!(got.wrong.is_empty());
    }
}

#[test]
fn released_figures() {
    for b in [1, 2, 4, 8, 14] {
        let mut parameters = Parameters::new(256, b, 1);
        parameters.release = true;
        let packets = packets(8, parameters);
        let got = run(&packets, |_| ());
        println!("{b} {} {}", got.steps, got.delivered);
    }
}
#[test]
fn scratch_barrier() {
    use frit_traffic::event::ChainDigest;
    let mut parameters = Parameters::new(16, 8, 2);
    parameters.mode = Mode::Barrier;
    let packets = packets(4, parameters);
    let mut shunts: Vec<Shunt> = vec![];
    run(&packets, |s| shunts.push(*s));
    println!("{:?}", shunts.iter().find(|s| s.level == 4));
    let second: Vec<Shunt> = shunts.iter().filter(|s| s.level >= 4).copied().collect();
    let first: Vec<Shunt> = shunts.iter().filter(|s| s.level < 4).copied().collect();
    let dig = |v: &[Shunt]| { let mut d = ChainDigest::default(); v.iter().for_each(|s| d.take(s)); d.digest() };
    println!("first {:#x} second {:#x}", dig(&first), dig(&second));
    for dt in 0..100 { for dl in [0, 4] {
        let mut s2 = second.clone();
        for s in &mut s2 { s.step = s.step - 43 + dt; s.level -= dl; }
        let mut all: Vec<Shunt> = first.iter().chain(&s2).copied().collect();
        let a = dig(&all);
        all.sort();
        let b = dig(&all);
        all.sort_by_key(|s| (s.step, s.level, s.row, s.y, s.e));
        let c = dig(&all);
        let d = dig(&s2);
        for (k, v) in [a, b, c, d, dig(&first) ^ d, dig(&first).wrapping_add(d)].into_iter().enumerate() { if v == 0x328ca26703a79e0 { println!("FOUND {dt} {dl} {k}"); } }
    }}
}
