//! Permanent failure: sides that ask for ever. What stands at a side of a splitter only shrinks, so a round of requests
//! that commits nobody there is the last that could have.

use crate::stepper::Progress;
use frit_network::RowIdx;
use frit_network::multibutterfly::SplitterSide;
use frit_router::multibutterfly::Problem;

/// A request that stands for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StandingRequest {
    /// The row of the input that asks.
    pub row: RowIdx,
    /// W, the size of what it must send.
    pub size: u32,
    /// Messages that wait there.
    pub messages: u32,
}

/// A side of a splitter that is stuck.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stuck {
    /// The side.
    pub side: SplitterSide,
    /// The phase in which some asked in a round of requests and none was committed.
    pub since: u32,
    /// Who asks, by rows.
    pub requests: Vec<StandingRequest>,
}

/// Whether a run ends behind a phase.
pub(super) fn finish(problem: &Problem, delivered: u32, idle: u32, phase: u32) -> Progress {
    if delivered as usize == problem.messages().len() {
        Progress::Complete
    } else if phase >= problem.network().shape().dimensions() && idle > 2 {
        Progress::Stuck
    } else {
        Progress::Moves
    }
}
