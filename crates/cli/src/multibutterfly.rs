//! Runs of the multibutterfly, as all commands make them.

use frit_model::multibutterfly::{RoutingOutcome, fast, run};
use frit_router::multibutterfly::{NodeEvent, Problem};

/// Runs a problem in the fast engine, or in the plain one if it cannot or that is asked for.
pub fn engine(problem: &Problem, plain: bool, see: impl FnMut(&NodeEvent)) -> RoutingOutcome {
    let plain = plain || !fast::can_run(problem);
    if plain { run(problem, see) } else { fast::run(problem, see) }
}
