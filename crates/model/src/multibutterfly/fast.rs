//! The fast engine of the word model, held to the reference by the same tests.
//!
//! With the choices of the reference a side is always DEAD* MSG* GHOST* EMPTY*, and buffer k belongs to port k mod R. So a
//! side is three pointers, sent ≤ placed ≤ end, and a list of messages (`column`); sizes being
//! powers of two, all requests at an output are two words, the sizes asked once and those asked twice, and the first of
//! them is g' (`requests`). A round of moves goes over the columns from the last to the first, so that no message moves
//! twice, and leaves out the columns in which nothing can change (`moves`).

mod column;
mod moves;
mod requests;
#[cfg(test)]
mod tests;

use super::figures::Figures;
use super::outcome::MultibutterflyOutcome;
use super::stuck::{StandingRequest, Stuck, finish};
use crate::stepper::Progress;
use column::{Column, Outputs};
use frit_network::RowIdx;
use frit_network::multibutterfly::Shape;
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_traffic::event::SumDigest;

/// Whether this engine can run the problem: in the word model.
pub fn can_run(problem: &Problem) -> bool {
    problem.parameters().payload == 0
}

/// Runs a problem until everything has arrived or nothing moves any more, and tells `see` all events, phase by phase.
///
/// # Panics
///
/// If it [cannot](can_run).
pub fn run(problem: &Problem, see: impl FnMut(&NodeEvent)) -> MultibutterflyOutcome {
    run_ticking(problem, see, &mut |_| ())
}

/// The same as [`run`]; `tick` is told the number of each phase before it begins.
pub fn run_ticking(
    problem: &Problem,
    mut see: impl FnMut(&NodeEvent),
    tick: &mut dyn FnMut(u64),
) -> MultibutterflyOutcome {
    assert!(can_run(problem), "the bit model is run by the reference");
    let mut digest = SumDigest::default();
    let mut engine = Fast::new(problem, |event: &NodeEvent| {
        digest.take(event);
        see(event);
    });
    let limit = problem.parameters().most_phases();
    let phases = (0..limit).find(|&phase| {
        tick(phase.into());
        engine.phase(phase) != Progress::Moves
    });
    engine.outcome(phases.map_or(limit, |last| last + 1)).with_digest(digest.digest())
}

/// A run.
struct Fast<'a, S> {
    problem: &'a Problem,
    shape: Shape,
    see: S,
    /// Columns 0 … n − 1 as inputs.
    columns: Vec<Column>,
    /// Columns 1 … n as outputs.
    outputs: Vec<Outputs>,
    /// The message behind each in its list.
    next: Vec<u32>,
    /// Those that a side sends.
    sent: Vec<u32>,
    /// Messages that have arrived.
    arrived: Vec<bool>,
    delivered: u32,
    idle: u32,
    figures: Figures,
}

impl<'a, S: FnMut(&NodeEvent)> Fast<'a, S> {
    fn new(problem: &'a Problem, see: S) -> Self {
        let shape = problem.network().shape();
        let p = problem.parameters();
        let columns = (0..shape.dimensions()).map(|column| Column::new(shape, p, column)).collect();
        let outputs = (1..=shape.dimensions()).map(|_| Outputs::new(shape)).collect();
        let count = problem.messages().len();
        let mut fast = Fast {
            problem,
            shape,
            see,
            columns,
            outputs,
            next: vec![0; count],
            sent: vec![],
            arrived: vec![false; count],
            delivered: 0,
            idle: 0,
            figures: Figures::default(),
        };
        for (message, to) in (0..).zip(problem.messages()) {
            let side = 2 * to.source + shape.side_to(to.destination, 0);
            fast.columns[0].push(side as usize, message, &mut fast.next);
        }
        for side in &mut fast.columns[0].sides {
            side.end = side.placed;
        }
        fast.columns[0].busy = true;
        fast.set_sizes(0);
        fast.figures.max_raw = fast.figures.max_fill;
        fast
    }

    /// A phase. Gives how the run goes on.
    fn phase(&mut self, phase: u32) -> Progress {
        let p = self.problem.parameters();
        self.requests(phase);
        let before = self.figures.moves;
        for sides in p.passes() {
            for _ in 0..p.moves {
                self.round_of_moves(phase, sides);
            }
        }
        self.figures.word_steps += 3 * u64::from(p.requests) + 1;
        if phase < self.shape.dimensions() {
            self.set_sizes(phase + 1);
        }
        self.idle = if self.figures.moves > before { 0 } else { self.idle + 1 };
        finish(self.problem, self.delivered, self.idle, phase)
    }

    /// Sets the sizes of a column, which becomes an input in the next phase; of the last one only the fill is counted.
    fn set_sizes(&mut self, column: u32) {
        let figures = &mut self.figures;
        let Some(of) = self.columns.get_mut(column as usize) else {
            let outputs = &self.outputs[column as usize - 1];
            let full = outputs.once.iter().zip(&outputs.coming).map(|(once, coming)| once + coming);
            figures.max_fill = figures.max_fill.max(full.max().unwrap_or(0));
            return;
        };
        // Of an empty side W is the least there is.
        figures.max_w = figures.max_w.max(self.problem.parameters().size_of(0));
        for (place, side) in (0..).zip(&mut of.sides).filter(|(_, side)| side.end > 0) {
            of.full.push(place);
            side.size = self.problem.parameters().size_of(side.end);
            figures.max_fill = figures.max_fill.max(side.end);
            figures.max_w = figures.max_w.max(side.size);
        }
    }

    fn outcome(&self, phases: u32) -> MultibutterflyOutcome {
        let mut delivered_to = vec![0; self.shape.rows() as usize];
        for (to, &arrived) in self.problem.messages().iter().zip(&self.arrived) {
            delivered_to[to.destination as usize] += u32::from(arrived);
        }
        let nodes = self.columns.iter().flat_map(|column| column.sides.chunks_exact(2));
        let through = nodes.map(|sides| sides[0].placed + sides[1].placed).chain(delivered_to);
        let figures = Figures { max_through: through.max().unwrap_or(0), ..self.figures };
        let undelivered: Vec<u32> =
            (0..self.arrived.len() as u32).filter(|&message| !self.arrived[message as usize]).collect();
        let stuck = if undelivered.is_empty() { vec![] } else { self.stuck() };
        let total = self.problem.messages().len() as u32;
        MultibutterflyOutcome {
            phases,
            delivered: self.delivered,
            total,
            undelivered,
            stuck,
            figures,
            digest: 0,
        }
    }

    fn stuck(&self) -> Vec<Stuck> {
        let mut stuck = vec![];
        for (column, of) in (0..).zip(&self.columns) {
            for (side, waiting) in self.shape.sides(column).zip(&of.waiting) {
                let requests = waiting.rows.iter().map(|&row| {
                    let of = &of.sides[(2 * row + side.side) as usize];
                    StandingRequest { row: RowIdx(row), size: of.size, messages: of.placed }
                });
                if let Some(since) = waiting.silent.filter(|_| !waiting.rows.is_empty()) {
                    stuck.push(Stuck { side, since, requests: requests.collect() });
                }
            }
        }
        stuck
    }
}
