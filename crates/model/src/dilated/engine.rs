//! Chooses the engine for some packets. It is compiled in this crate, so a caller's crate need not be optimised.

use super::{DilatedOutcome, fast, run_ticking};
use frit_router::dilated::{Packets, Shunt};

/// Runs the packets in the fast engine if it [can](fast::can_run) run them, else in the plain engine.
pub fn simulate(packets: &Packets) -> DilatedOutcome {
    simulate_ticking(packets, false, None, &mut |_| ())
}

/// Does what [`simulate`] does; if `plain` is set, always in the plain engine. `see` is called with each shunt, in their order; `tick`
/// with the number of each step, before the step is made.
pub fn simulate_ticking(
    packets: &Packets,
    plain: bool,
    see: Option<&mut dyn FnMut(&Shunt)>,
    tick: &mut dyn FnMut(u64),
) -> DilatedOutcome {
    match (plain || !fast::can_run(packets), see) {
        (false, None) => fast::run_ticking(packets, |_| (), tick),
        (false, Some(see)) => fast::run_ticking(packets, see, tick),
        (true, None) => run_ticking(packets, |_| (), tick),
        (true, Some(see)) => run_ticking(packets, see, tick),
    }
}
