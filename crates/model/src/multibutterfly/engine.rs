//! Chooses the engine for a problem. It is compiled in this crate, so a caller's crate need not be optimised.

use super::{MultibutterflyOutcome, fast, run_ticking};
use frit_network::Refusal;
use frit_router::multibutterfly::{NodeEvent, Problem};

/// Runs a problem in the fast engine if it [can](fast::can_run) run it, else in the plain engine. Only for the plain engine is
/// `room` asked how many buffers, of [`BUFFER_BYTES`](super::BUFFER_BYTES) each, there may be in all.
///
/// # Errors
///
/// The plain engine keeps ghosts, and they need more buffers than that.
pub fn simulate(problem: &Problem, room: &dyn Fn() -> u64) -> Result<MultibutterflyOutcome, Refusal> {
    simulate_ticking(problem, false, room, None, &mut |_| ())
}

/// Does what [`simulate`] does; if `plain` is set, always in the plain engine. `see` is called with each event, phase by phase;
/// `tick` with the number of each phase, before the phase begins.
///
/// # Errors
///
/// Those of [`simulate`].
pub fn simulate_ticking(
    problem: &Problem,
    plain: bool,
    room: &dyn Fn() -> u64,
    see: Option<&mut dyn FnMut(&NodeEvent)>,
    tick: &mut dyn FnMut(u64),
) -> Result<MultibutterflyOutcome, Refusal> {
    match (plain || !fast::can_run(problem), see) {
        (false, None) => Ok(fast::run_ticking(problem, |_| (), tick)),
        (false, Some(see)) => Ok(fast::run_ticking(problem, see, tick)),
        (true, None) => run_ticking(problem, room(), |_| (), tick),
        (true, Some(see)) => run_ticking(problem, room(), see, tick),
    }
}
