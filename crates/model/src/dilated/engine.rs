//! The engine that fits, compiled in this crate: a caller's crate need not be optimised.

use super::{WormsOutcome, fast, run_ticking};
use frit_router::dilated::{Packets, Shunt};

/// Runs the packets in the fast engine, or in the plain one if it cannot or `plain` asks for that. `see` is told every shunt in
/// its order. The plain engine, which may take long, tells `tick` the number of each step before it is made.
pub fn simulate(
    packets: &Packets,
    plain: bool,
    see: Option<&mut dyn FnMut(&Shunt)>,
    tick: &mut dyn FnMut(u64),
) -> WormsOutcome {
    match (plain || !fast::can_run(packets), see) {
        (false, None) => fast::run(packets, |_| ()),
        (false, Some(see)) => fast::run(packets, see),
        (true, None) => run_ticking(packets, |_| (), tick),
        (true, Some(see)) => run_ticking(packets, see, tick),
    }
}
