//! One corpus for every engine: figures of two independent references, random small problems.

use super::*;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Order, Parameters, Problem};
use frit_traffic::Messages;
use proptest::prelude::*;

/// n, d, R, h, ha, L, Z, strict, traffic, free, seed, force, X -> ok stages delivered/total max_raw max_fill max_W through link late
/// requests ghosts_deleted word_steps digest; of the references.
const VECTORS: &str = "\
4 2 1 2 2 1 1 yes perm 4 18 no 0 -> true 4 32/32 20 10 16 4 3 5 62 368 40 0x5538cecec034440e
4 4 2 4 4 1 1 yes perm 8 5 no 0 -> true 4 64/64 9 6 8 6 4 1 20 272 41 0xed9bc7a0eafb53d8
4 4 2 4 4 1 2 no hcopies 4 1 no 0 -> true 4 64/64 6 4 4 6 3 0 0 192 49 0x2fad8d88e6c05c16
8 8 4 8 8 8 1 yes hcopies 64 1 no 0 -> true 8 256/256 10 8 16 8 5 18 480 7672 79 0xa5c8311742bc8824
8 8 4 8 8 1 2 yes hcopies 64 1 no 0 -> false 9 0/2048 512 512 512 8 0 0 2048 0 90 0xd63d197c75243d00
8 8 4 8 8 1 2 yes hcopies 64 1 yes 0 -> true 8 2048/2048 16 14 16 16 7 0 2864 14336 108 0xc7d227f3f4b03b18
6 8 4 16 8 1 2 yes perm 64 1 no 32 -> true 11 512/512 10 9 16 10 6 0 0 2560 248 0x864ce8b28a2a159e";

/// The outcome of both engines, which is the same.
fn both(problem: &Problem) -> RoutingOutcome {
    let expected = run(problem, |_| ());
    if fast::can_run(problem) {
        assert_eq!(fast::run(problem, |_| ()), expected, "{:?}", problem.parameters());
    }
    expected
}

fn vector(line: &str) -> (Problem, &str) {
    let (given, expected) = line.split_once(" -> ").unwrap();
    let given: Vec<&str> = given.split(' ').collect();
    let number = |at: usize| given[at].parse::<u32>().unwrap();
    let parameters = Parameters {
        degree: number(1),
        committed: number(2),
        threshold: number(3),
        offered: number(4),
        stride: number(5),
        requests: number(6),
        strict: given[7] == "yes",
        free: number(9),
        force: given[11] == "yes",
        payload: number(12),
        ..Parameters::new(1 << number(0), number(10).into())
    };
    let messages = Traffic::named(given[8]).unwrap().messages(&parameters);
    (Problem::new(parameters, &messages).unwrap(), expected)
}

fn text(got: &RoutingOutcome) -> String {
    let f = got.figures;
    format!(
        "{} {} {}/{} {} {} {} {} {} {} {} {} {} {:#x}",
        got.ok(),
        got.stages,
        got.delivered,
        got.total,
        f.max_raw,
        f.max_fill,
        f.max_w,
        f.max_through,
        f.max_link,
        f.late,
        f.requests,
        f.ghosts_deleted,
        f.word_steps,
        got.digest
    )
}

prop_compose! {
    /// Small problems, many of them so tight that they get stuck.
    fn problems()(
        n in 1u32..6, degree in 1u32..6, committed in 0u32..3, over in 0u32..6, offered in 1u32..8, strict: bool,
        requests in 1u32..3, moves in 1u32..4, free in 0u32..12, force: bool, sequential: bool, seed: u64, stride in 0u32..2,
        lists in proptest::collection::vec(proptest::collection::vec(0u32..32, 0..6), 32), rule in 0usize..8,
    ) -> Problem {
        let rows = 1u32 << n;
        let committed = (1 << committed).min(1 << degree.ilog2());
        let stride = (1 << stride).min(rows);
        let parameters = Parameters {
            degree, committed, strict, requests, moves, free, force, seed, stride, offered,
            threshold: offered.max(committed) + over,
            order: if sequential { Order::Sequential } else { Order::Parallel },
            ..Parameters::new(rows.into(), seed)
        };
        match Traffic::ALL.get(rule) {
            Some((_, rule)) => Problem::new(parameters, &rule.messages(&parameters)).unwrap(),
            None => {
                let to = |to: &u32| to % rows / stride * stride;
                let list = |row: u32| lists[row as usize].iter().map(to).collect::<Vec<u32>>();
                let lists = (0..rows).map(|row| if row % stride == 0 { list(row) } else { vec![] });
                let lists: Vec<Vec<u32>> = lists.collect();
                let messages = Messages::from_lists(lists.iter().map(Vec::as_slice));
                let threshold = messages.degree(rows).max(committed) + over;
                Problem::new(Parameters { threshold, offered: 0, ..parameters }, &messages).unwrap()
            }
        }
    }
}

#[test]
fn the_figures_of_the_references_digest_by_digest() {
    let mut wrong = String::new();
    for line in VECTORS.lines() {
        let (problem, expected) = vector(line);
        let got = text(&both(&problem));
        if got != expected {
            wrong += &format!("{line}\n     got {got}\n");
        }
    }
    assert_eq!(wrong, "", "\n{wrong}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Small random problems: both engines agree on everything, and the reference has checked its invariants.
    #[test]
    fn random_runs(problem in problems()) {
        let got = both(&problem);
        prop_assert_eq!(got.ok(), got.undelivered.is_empty());
        prop_assert_eq!(got.delivered as usize + got.undelivered.len(), got.total as usize);
        prop_assert!(got.ok() || !got.stuck.is_empty(), "{:?}", got);
        prop_assert!(!problem.parameters().force || got.ok(), "force strands nobody");
    }
}
