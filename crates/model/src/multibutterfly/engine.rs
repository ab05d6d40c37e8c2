//! The engine that fits, compiled in this crate: a caller's crate need not be optimised.

use super::{RoutingOutcome, TooManyGhosts, fast, run_ticking};
use frit_router::multibutterfly::{NodeEvent, Problem};

/// Runs a problem in the fast engine, or in the plain one if it cannot or `plain` asks for that. `see` is told all events. The
/// plain engine, which may take long, tells `tick` the number of each stage before it is made.
///
/// # Errors
///
/// The plain engine keeps ghosts, and they need more than `room` buffers of [`BUFFER_BYTES`](super::BUFFER_BYTES).
pub fn simulate(
    problem: &Problem,
    plain: bool,
    room: u64,
    see: Option<&mut dyn FnMut(&NodeEvent)>,
    tick: &mut dyn FnMut(u64),
) -> Result<RoutingOutcome, TooManyGhosts> {
    match (plain || !fast::can_run(problem), see) {
        (false, None) => Ok(fast::run(problem, |_| ())),
        (false, Some(see)) => Ok(fast::run(problem, see)),
        (true, None) => run_ticking(problem, room, |_| (), tick),
        (true, Some(see)) => run_ticking(problem, room, see, tick),
    }
}
