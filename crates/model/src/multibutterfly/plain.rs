//! The reference: every buffer has a state and a port of its own, every request and every count stands where the paper
//! puts it. A step is a phase.

use super::invariants;
use super::state::{State, start};
use super::stuck::finish;
use crate::stepper::{Progress, Stepper};
use frit_network::RowIdx;
use frit_network::multibutterfly::{Node, Shape};
use frit_router::multibutterfly::{NodeEvent, Problem};

/// The engine that keeps everything, for the problem given.
#[derive(Clone, Debug)]
pub struct Plain<'a> {
    pub(super) problem: &'a Problem,
    /// The rows in the order in which they are visited.
    order: Vec<u32>,
    /// Buffers that may have something in them, in all.
    pub(super) room: u64,
}

impl<'a> Plain<'a> {
    /// The engine.
    pub fn new(problem: &'a Problem) -> Self {
        Plain::visiting(problem, (0..problem.network().shape().rows()).collect())
    }

    /// An engine that visits the rows in another order, with the same results; events of a phase come in another order.
    pub fn visiting(problem: &'a Problem, order: Vec<u32>) -> Self {
        Plain { problem, order, room: u64::MAX }
    }

    /// The same engine with so many buffers in all: where ghosts need more it stops.
    pub fn within(self, room: u64) -> Self {
        Plain { room, ..self }
    }

    pub(super) fn shape(&self) -> Shape {
        self.problem.network().shape()
    }

    /// The inputs of splitters in a phase, the columns that the wave has reached, from the last column to the first.
    pub(super) fn inputs(&self, phase: u32) -> impl Iterator<Item = Node> {
        self.nodes((0..self.shape().dimensions().min(phase + 1)).rev())
    }

    /// The outputs of splitters in a phase.
    pub(super) fn outputs(&self, phase: u32) -> impl Iterator<Item = Node> {
        self.nodes(1..=self.shape().dimensions().min(phase + 1))
    }

    fn nodes<'b>(&'b self, columns: impl Iterator<Item = u32> + 'b) -> impl Iterator<Item = Node> + 'b {
        columns.flat_map(|column| self.order.iter().map(move |&row| Node { column, row: RowIdx(row) }))
    }
}

impl Stepper for Plain<'_> {
    type State = State;
    type Event = NodeEvent;

    fn start(&self) -> State {
        start(self.problem)
    }

    fn step(&self, step: u64, now: &State, next: &mut State, see: &mut dyn FnMut(NodeEvent)) -> Progress {
        let phase = u32::try_from(step).expect("a run has fewer than 2^32 phases");
        next.clone_from(now);
        self.requests(next, phase, see);
        if next.refused.is_some() {
            return Progress::Stuck;
        }
        let moved = self.moves(next, phase, see);
        next.idle = if moved { 0 } else { next.idle + 1 };
        if let Err(broken) = invariants::check(self.problem, next, phase) {
            panic!("behind phase {phase}: {broken}");
        }
        finish(self.problem, next.delivered, next.idle, phase)
    }
}
