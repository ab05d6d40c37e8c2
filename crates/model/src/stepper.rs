//! What every engine of a routed system is: a specification that does not change, a state that is plain data, and a step
//! from one state to the next. The caller owns the states, so that a run can be saved, compared and gone on with.
//!
//! A step reads only the state of now and writes only the one after, so that the nodes can be visited in any order.

use std::fmt::Debug;

/// How a run goes on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Something moved, or will.
    Moves,
    /// Nothing is left to do: the step after this one would change nothing, and nothing is waiting.
    Complete,
    /// Something waits, and nothing will ever move again.
    Stuck,
}

/// An engine of a routed system, its traffic given.
pub trait Stepper {
    /// All that changes, pointers of arbiters included.
    type State: Clone + PartialEq + Debug;
    /// What it reports.
    type Event;

    /// The state before the first step.
    fn start(&self) -> Self::State;

    /// One step, number `step` (from 0), from `now` to `next`, whose old contents mean nothing but may be reused. `see`
    /// is told what happens.
    fn step(
        &self,
        step: u64,
        now: &Self::State,
        next: &mut Self::State,
        see: &mut dyn FnMut(Self::Event),
    ) -> Progress;
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing was left to do.
    Complete,
    /// What is left can never move.
    Stuck,
    /// The most steps that were allowed.
    Limit,
}

/// Runs an engine from its start until nothing moves any more, at most `limit` steps. Gives the steps made, how it ended, and
/// the last state.
pub fn run<S: Stepper>(engine: &S, limit: u64, see: impl FnMut(S::Event)) -> (u64, End, S::State) {
    go_on(engine, 0, engine.start(), limit, see)
}

/// Does what [`run`] does; `tick` is told the number of each step before it is made.
pub fn run_ticking<S: Stepper>(
    engine: &S,
    limit: u64,
    see: impl FnMut(S::Event),
    tick: impl FnMut(u64),
) -> (u64, End, S::State) {
    go_on_ticking(engine, 0, engine.start(), limit, see, tick)
}

/// Goes on from the state before step `first` as [`run`] does, to step `limit` at most.
pub fn go_on<S: Stepper>(
    engine: &S,
    first: u64,
    state: S::State,
    limit: u64,
    see: impl FnMut(S::Event),
) -> (u64, End, S::State) {
    go_on_ticking(engine, first, state, limit, see, |_| ())
}

fn go_on_ticking<S: Stepper>(
    engine: &S,
    first: u64,
    state: S::State,
    limit: u64,
    mut see: impl FnMut(S::Event),
    mut tick: impl FnMut(u64),
) -> (u64, End, S::State) {
    let mut now = state;
    let mut next = now.clone();
    for step in first..limit {
        tick(step);
        let progress = engine.step(step, &now, &mut next, &mut see);
        std::mem::swap(&mut now, &mut next);
        match progress {
            Progress::Moves => {}
            Progress::Complete => return (step + 1, End::Complete, now),
            Progress::Stuck => return (step + 1, End::Stuck, now),
        }
    }
    (limit, End::Limit, now)
}

/// In which order a step visits nodes: it must not matter, and tests shuffle it.
pub trait Visit {
    /// Visits 0 … `count` − 1, each once.
    fn each(&self, count: usize, visit: impl FnMut(usize));
}

/// From the first to the last.
#[derive(Clone, Copy, Debug)]
pub struct InOrder;

impl Visit for InOrder {
    #[inline(always)]
    fn each(&self, count: usize, visit: impl FnMut(usize)) {
        (0..count).for_each(visit);
    }
}
