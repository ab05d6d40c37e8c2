//! What the engine takes for granted is told when it is broken.

use super::super::by_hand::problem;
use super::Fast;

#[test]
#[should_panic(expected = "phase 0, column 1, row 0, side 0: no ghost for message 0")]
fn a_message_without_a_ghost_is_told() {
    let problem = problem();
    let mut fast = Fast::new(&problem, |_| ());
    fast.requests(0);
    fast.columns[1].sides[0].end = 0;
    fast.round_of_moves(0, &[0, 1]);
}

#[test]
#[should_panic(expected = "column 1: fewer ghosts than are needed")]
fn a_ghost_that_was_lost_is_told() {
    let problem = problem();
    let mut fast = Fast::new(&problem, |_| ());
    fast.requests(0);
    // Row 2 keeps four for the sides that ask.
    fast.columns[1].sides[4].end -= 1;
    fast.round_of_moves(0, &[0, 1]);
}
