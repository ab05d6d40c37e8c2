//! One corpus for every engine: figures of two independent references, random small problems.

use super::*;
use crate::stepper;
use frit_network::multibutterfly::Node;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Order, Parameters, Problem};
use frit_traffic::Messages;
use frit_traffic::random::SplitMix64;
use proptest::prelude::*;
use std::convert::Infallible;

/// n, d, R, h, ha, L, Z, strict, traffic, free, seed, force, X -> ok phases delivered/total max_raw max_fill max_W through link late
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
fn both(problem: &Problem) -> MultibutterflyOutcome {
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

fn text(got: &MultibutterflyOutcome) -> String {
    let f = got.figures;
    format!(
        "{} {} {}/{} {} {} {} {} {} {} {} {} {} {:#x}",
        got.ok(),
        got.phases,
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

fn small(change: impl Fn(Parameters) -> Parameters) -> Problem {
    let parameters = change(Parameters {
        degree: 2,
        committed: 1,
        threshold: 2,
        offered: 2,
        requests: 1,
        free: 2,
        ..Parameters::new(16, 18)
    });
    Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap()
}

/// Permanent failure of a switch that the hardware is built as, too: who asks, since when, and what is left.
#[test]
fn a_stuck_run_says_who_asks_for_ever() {
    let problem = small(|p| Parameters { rows: 8, seed: 3, ..p });
    let got = both(&problem);
    assert_eq!((got.ok(), got.phases, got.delivered, got.undelivered.len()), (false, 6, 6, 10));
    let first = &got.stuck[0];
    let rows: Vec<(u32, u32)> = first.requests.iter().map(|request| (request.row.0, request.size)).collect();
    assert_eq!((first.side.column, first.side.side, first.since, rows), (0, 0, 1, vec![(4, 4), (7, 4)]));
    // The two ask the same outputs with the same size, so that nobody grants either enough.
    let shape = problem.network().shape();
    for stuck in &got.stuck {
        for request in &stuck.requests {
            let column = stuck.side.column;
            let ends = |row| problem.network().ends(Node { column, row }, stuck.side.side).to_vec();
            let batch = |size| problem.parameters().batch(shape, column, size);
            let alone = |end: &u32| {
                let others = stuck.requests.iter().filter(|other| other.row != request.row);
                !others.into_iter().any(|o| batch(o.size) == batch(request.size) && ends(o.row).contains(end))
            };
            let granted = ends(request.row).iter().filter(|end| alone(end)).count() as u32;
            assert!(granted < problem.parameters().ports_of(shape, column), "{stuck:?}");
        }
    }
    // Everything that does not arrive waits at a side that asks, or behind one.
    let waiting: u32 = got.stuck.iter().flat_map(|stuck| &stuck.requests).map(|r| r.messages).sum();
    assert!(waiting > 0 && waiting as usize <= got.undelivered.len());
}

#[test]
fn a_stuck_run_is_helped_by_a_larger_h_or_by_force() {
    let problem = small(|p| Parameters { rows: 8, seed: 3, ..p });
    let runs = run_again(problem.clone(), |problem| Ok::<_, Infallible>(both(problem))).unwrap();
    let degrees: Vec<u32> = runs.iter().map(|(problem, _)| problem.parameters().threshold).collect();
    assert_eq!(degrees, [2, 4]);
    assert_eq!(runs.iter().map(|(_, outcome)| outcome.ok()).collect::<Vec<_>>(), [false, true]);
    let forced = both(&small(|p| Parameters { rows: 8, seed: 3, force: true, ..p }));
    assert!(forced.ok() && forced.stuck.is_empty() && forced.figures.late == 0);
}

/// In any order of visits the state behind every phase and the events of every phase are the same.
#[test]
fn nodes_can_be_visited_in_any_order() {
    for (payload, order, force) in [
        (0, Order::Parallel, false),
        (0, Order::Sequential, true),
        (9, Order::Parallel, false),
        (5, Order::Sequential, false),
    ] {
        let problem = small(|p| Parameters { payload, order, force, ..p });
        let run = |engine: &Plain| {
            let mut events = Vec::new();
            let end = stepper::run(engine, 100, |event| events.push(event));
            events.sort_unstable();
            (end, events)
        };
        let expected = run(&Plain::new(&problem));
        let mut rows: Vec<u32> = (0..16).collect();
        for seed in 1..=3 {
            SplitMix64(seed).shuffle(&mut rows);
            assert_eq!(run(&Plain::visiting(&problem, rows.clone())), expected);
        }
    }
}

/// One side after the other lets a message that is late go further in a phase: it takes an edge of either side in a round.
#[test]
fn sides_in_turn_let_late_messages_go_further() {
    let moved = |seed, order| both(&small(|p| Parameters { free: 4, moves: 1, seed, order, ..p }));
    let pairs: Vec<_> =
        (1..=40).map(|seed| [Order::Parallel, Order::Sequential].map(|order| moved(seed, order))).collect();
    assert!(pairs.iter().any(|[parallel, sequential]| parallel.digest != sequential.digest));
    for [parallel, sequential] in &pairs {
        assert!(parallel.figures.late > 0 || parallel.digest == sequential.digest);
    }
}

/// Where everybody commits, words follow the wave: n phases. Of X bits two a round leave their source.
#[test]
fn bits_take_two_a_round() {
    let free = |payload| run(&small(|p| Parameters { threshold: 64, payload, moves: 3, ..p }), |_| ());
    assert_eq!(free(0).phases, 4);
    let rounds: Vec<u32> = [1, 8, 80].map(|payload| 3 * free(payload).phases).to_vec();
    // n - 1 + X bits leave each source, two a round at most.
    assert!(rounds[2] >= (4 - 1 + 80) / 2 && rounds[2] <= (4 - 1 + 80) / 2 + 3 * 6, "{rounds:?}");
    assert!(rounds[0] <= rounds[1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// In the bit model the reference checks every bit behind every phase; where everybody commits everything arrives, not sooner
    /// than as words.
    #[test]
    fn bits_arrive_where_words_do(problem in problems(), payload in 1u32..12) {
        let parameters = Parameters { payload, ..*problem.parameters() };
        let lists: Vec<Vec<u32>> = (0..parameters.rows as u32).map(|row| {
            problem.messages().iter().filter(|m| m.source == row).map(|m| m.destination).collect()
        }).collect();
        let messages = Messages::from_lists(lists.iter().map(Vec::as_slice));
        let bits = run(&Problem::new(parameters, &messages).unwrap(), |_| ());
        prop_assert!(bits.ok() || !bits.stuck.is_empty());
        let free = Parameters { free: 64, ..parameters };
        let [words, bits] = [0, payload].map(|payload| {
            let problem = Problem::new(Parameters { payload, ..free }, &messages).unwrap();
            run(&problem, |_| ())
        });
        prop_assert!(words.ok() && bits.ok());
        prop_assert!(words.phases <= bits.phases);
    }
}

#[test]
fn nothing_to_send() {
    let parameters = Parameters { offered: 0, ..Parameters::new(8, 1) };
    let problem = Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap();
    let got = both(&problem);
    assert_eq!((got.ok(), got.phases, got.total, got.figures.moves), (true, 1, 0, 0));
}

/// Every run of the random ones would be worth little if none of them were tight.
#[test]
fn tight_sets_have_late_sides_ghosts_and_failures() {
    let outcomes: Vec<MultibutterflyOutcome> =
        (1..=40).map(|seed| both(&small(|p| Parameters { free: 4, seed, ..p }))).collect();
    assert!(outcomes.iter().any(|outcome| outcome.ok() && outcome.figures.late > 0));
    assert!(outcomes.iter().any(|outcome| !outcome.ok() && outcome.delivered > 0));
    assert!(outcomes.iter().all(|outcome| outcome.figures.ghosts_deleted > 0));
}
