//! A run that is small enough to be worked out by hand, from the paper's protocol alone: N = 4, d = 2, R = 1, h = 2, Z = Y = 1, no
//! free splitters, W the smallest power of two above the count.
//!
//! Column 0 is one splitter. Its upper outputs are rows 0 and 1, its lower ones rows 2 and 3; d = m, so port k of row i leads to output
//! (i + k) mod 2 of the side. Column 1 has the splitters {0, 1} and {2, 3}, each with one output a side: one port, to row 2j + side.
//!
//! | message | from | to | side in column 0 | side in column 1 |
//! |---|---|---|---|---|
//! | 0, 1 | 0 | 0, 1 | upper | upper, lower |
//! | 2, 3 | 1 | 2, 3 | lower | upper, lower |
//! | 4, 5 | 2 | 2, 3 | lower | upper, lower |
//! | 6 | 3 | 1 | upper | lower |
//!
//! Before phase 0: W is 4 for two messages (row 0 upper, rows 1 and 2 lower), 2 for one (row 3 upper), 1 for none.
//!
//! Phase 0.
//! - Step 1: W ≤ 2 commits to port 0. Only row 3 upper has something: **commit (row 3, upper, port 0)**, which leads to (3 + 0) mod 2 = 1.
//! - Step 2: row 0 upper asks with 4 at outputs 0 and 1, alone: both grant, it takes the lower, **commit (row 0, upper, port 0)**, to output 0. Rows
//!   1 and 2 lower ask with 4 at outputs 2 and 3: either asks the same of both, nobody grants. 3 sides at 2 ports: 6 requests. The lower
//!   side is silent from here on.
//! - Step 4: g' = 4 at rows 2 and 3 of column 1 (different sizes that stand: only 4), 0 at rows 0 and 1.
//! - Step 5: g'' = 2 at row 0, 1 at row 1. Ghosts on both sides: 2 at row 0, 1 at row 1, 4 at rows 2 and 3.
//! - Moves: 0 and 1 to row 0, 6 to row 1. **Place 0 (row 0, upper, buffer 0), 1 (row 0, lower, buffer 0), 6 (row 1, lower, buffer 0).** Two
//!   messages on one edge. Nothing is left to come, g'' = 0 at rows 0 and 1: one ghost is deleted on either side of row 0, one on the upper side of
//!   row 1: 3. Rows 2 and 3 keep theirs. Word steps 3 + 1 + (2 + 1) = 7.
//! - Sizes of column 1: row 0: 2, 2; row 1: 1, 2; rows 2 and 3: 4 ghosts a side, so 8, 8.
//!
//! Phase 1.
//! - Step 1: **commit (row 0, upper), (row 0, lower), (row 1, lower)**, all to their port 0; row 1 upper has nothing.
//! - Step 2: rows 2 and 3 ask with 8 on both sides, at the one output of each side, both: nobody grants. 4 requests; both sides are silent.
//! - Steps 4, 5: g' = 8 at rows 2 and 3 of column 2: the most buffers, 8.
//! - Moves: **deliver 0 in row 0, 1 and 6 in row 1.** Word steps 4 + (1 + 1) = 6.
//!
//! Phases 2, 3, 4 move nothing: 5 word steps each. Three in a row behind column n: stuck, 5 phases, 7 + 6 + 15 = 28 word steps, 6 moves.

use super::*;
use crate::stepper::{Progress, Stepper};
use frit_network::RowIdx;
use frit_network::multibutterfly::{Node, SplitterSide};
use frit_router::multibutterfly::{NodeEvent, Parameters, Problem};
use frit_traffic::Messages;
use frit_traffic::event::SumDigest;

pub(super) fn problem() -> Problem {
    let parameters = Parameters {
        degree: 2,
        committed: 1,
        threshold: 2,
        offered: 2,
        requests: 1,
        moves: 1,
        free: 0,
        ..Parameters::new(4, 1)
    };
    Problem::new(parameters, &Messages::from_lists([&[0, 1][..], &[2, 3], &[2, 3], &[1]])).unwrap()
}

fn commit(phase: u32, side: u32, row: RowIdx) -> NodeEvent {
    NodeEvent::Commit { phase, column: phase, side, row, ports: vec![0] }
}

fn place(row: RowIdx, side: u32, message: u32) -> NodeEvent {
    NodeEvent::Place { phase: 0, column: 1, row, side, buffer: 0, message }
}

fn deliver(row: RowIdx, message: u32) -> NodeEvent {
    NodeEvent::Deliver { phase: 1, column: 2, row, message }
}

/// All events, phase by phase, those of a phase in the order of their type.
fn events() -> Vec<NodeEvent> {
    vec![
        commit(0, 0, RowIdx(0)),
        commit(0, 0, RowIdx(3)),
        place(RowIdx(0), 0, 0),
        place(RowIdx(0), 1, 1),
        place(RowIdx(1), 1, 6),
        commit(1, 0, RowIdx(0)),
        commit(1, 1, RowIdx(0)),
        commit(1, 1, RowIdx(1)),
        deliver(RowIdx(0), 0),
        deliver(RowIdx(1), 1),
        deliver(RowIdx(1), 6),
    ]
}

fn outcome() -> MultibutterflyOutcome {
    let asks = |rows: [u32; 2], size, messages| {
        rows.map(|row| StandingRequest { row: RowIdx(row), size, messages }).to_vec()
    };
    let stuck = |column, number, side, requests| Stuck {
        side: SplitterSide { column, number, side },
        since: column,
        requests,
    };
    let mut digest = SumDigest::default();
    events().iter().for_each(|event| digest.take(event));
    MultibutterflyOutcome {
        phases: 5,
        delivered: 3,
        total: 7,
        undelivered: vec![2, 3, 4, 5],
        stuck: vec![
            stuck(0, 0, 1, asks([1, 2], 4, 2)),
            stuck(1, 1, 0, asks([2, 3], 8, 0)),
            stuck(1, 1, 1, asks([2, 3], 8, 0)),
        ],
        figures: Figures {
            max_raw: 8,
            max_fill: 8,
            max_w: 8,
            max_through: 2,
            max_link: 2,
            late: 0,
            requests: 10,
            ghosts_deleted: 3,
            word_steps: 28,
            moves: 6,
        },
        digest: digest.digest(),
    }
}

/// The events of a run, phase by phase, and its outcome.
fn told(
    run: impl FnOnce(&mut dyn FnMut(&NodeEvent)) -> MultibutterflyOutcome,
) -> (Vec<NodeEvent>, MultibutterflyOutcome) {
    let mut seen: Vec<NodeEvent> = Vec::new();
    let outcome = run(&mut |event| seen.push(event.clone()));
    seen.sort_by(|a, b| (a.phase(), a).cmp(&(b.phase(), b)));
    (seen, outcome)
}

#[test]
fn both_engines_do_what_was_worked_out() {
    let problem = problem();
    assert_eq!(told(|see| run(&problem, see)), (events(), outcome()), "plain");
    assert_eq!(told(|see| fast::run(&problem, see)), (events(), outcome()), "fast");
}

/// What stands between the phases: requests, g', g'', ghosts, sizes.
#[test]
fn the_reference_keeps_what_was_worked_out() {
    let problem = problem();
    let engine = Plain::new(&problem);
    let (start, mut one, mut two) = (engine.start(), engine.start(), engine.start());
    assert_eq!(engine.step(0, &start, &mut one, &mut |_| ()), Progress::Moves);
    assert_eq!(engine.step(1, &one, &mut two, &mut |_| ()), Progress::Moves);
    let node = |column, row| Node { column, row };
    // Of rows 1 and 2 of column 0, at outputs 2 and 3 of column 1; in-ports are in the order of rows.
    let standing = |row| one.output(node(1, RowIdx(row))).standing.clone();
    assert_eq!([0, 1, 2, 3].map(standing), [[0, 0, 0, 0], [0, 0, 0, 0], [0, 4, 4, 0], [0, 4, 4, 0]]);
    let of = |state: &super::state::State, column| {
        [0, 1, 2, 3].map(|row| {
            let output = state.output(node(column, RowIdx(row)));
            (output.uncommitted, output.committed)
        })
    };
    assert_eq!(of(&one, 1), [(0, 0), (0, 0), (4, 0), (4, 0)]);
    assert_eq!(of(&two, 2), [(0, 0), (0, 0), (8, 0), (8, 0)]);
    let ghosts = |row| [0, 1].map(|side| one.side(node(1, RowIdx(row)), side).ghosts());
    assert_eq!([0, 1, 2, 3].map(ghosts), [[0, 0], [0, 0], [4, 4], [4, 4]]);
    let sizes = |row| [0, 1].map(|side| one.side(node(1, RowIdx(row)), side).size);
    assert_eq!([0, 1, 2, 3].map(sizes), [[2, 2], [1, 2], [8, 8], [8, 8]]);
}

/// A message for which no ghost was kept is told, whoever lost the ghost.
#[test]
#[should_panic(expected = "phase 0, column 1, row 0, side 0: no ghost for message 0")]
fn a_message_without_a_ghost_is_told() {
    let problem = problem();
    let engine = Plain::new(&problem);
    let mut state = engine.start();
    engine.requests(&mut state, 0, &mut |_| ());
    state.side_mut(Node { column: 1, row: RowIdx(0) }, 0).buffers.clear();
    engine.moves(&mut state, 0, &mut |_| ());
}

/// 7 messages, and 22 ghosts in phase 0: 29 buffers, of which one is missing.
#[test]
fn ghosts_beyond_the_room_end_the_run() {
    let problem = problem();
    let told = run_within(&problem, 28, |_| ()).unwrap_err();
    let text = "phase 0: with column 1 the ghosts fill 29 buffers, but there is room for 28; ";
    assert!(told.to_string().starts_with(text), "{told}");
    assert_eq!(run_within(&problem, 29, |_| ()), Ok(outcome()));
}
