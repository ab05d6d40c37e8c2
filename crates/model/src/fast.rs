//! The same exchange, tens to hundreds of times as fast as the reference: 512 rounds side by side in the bits of vectors.
//!
//! Rounds of a pipelined schedule never meet: stage s acts on round k in cycle k + s. So a *batch* of rounds can be
//! taken through all stages at once, and cycle numbers follow by arithmetic. A message is held bit by bit: plane j of
//! the message at a port is a vector whose bit r is bit j of the message there in the r-th round of the batch. The
//! planes are the number of the lane that sent it and, under label control, the label bits it still needs. A switch is
//! then, for all rounds of the batch at a time, an exchange of two rows of planes under a mask: the label plane of its
//! upper input, or the control bits of its stage. What a hop costs is what a message is made of, `bits` selects of one
//! bit, and a label bit is dropped behind the stage that reads it.
//!
//! Nothing is taken for granted: every message passes every switch of the network's own link tables, every switch
//! compares the label bits of its two messages (equal bits are a conflict), and every arrival is compared with the
//! destination that the schedule has for its sender in its round. A batch is *clean* if no bit of either comparison is
//! set. Only a clean and complete exchange is reported from here; any other plan is run again by the reference engine,
//! whose report of faults is the exact one.
//!
//! That each pair arrives once needs no table where the round of an arrival is a function of its pair, which the check
//! of the destination then has proved; elsewhere, on networks that a rule was not made for, `pairs` marks every pair.
//!
//! Modules in reading order: `plane` (vectors of rounds), `wiring` (which rows meet at a switch), `order` (which
//! switches are visited when, for the caches), `rotation` (labels by the vector), `arrived` (what is said of arrivals),
//! `shuffle` (those of stage control), `check` (all), `kernel` (the switches), `pairs`, `worker` (a batch through all phases), `run` (batches on all cores),
//! `trace` (settings and deliveries in the order of cycles), `cover` (that parts of an exchange are together the whole of it), `packets`
//! (relations: rounds that repeat, of which some messages are missing).

mod arrived;
mod check;
mod cover;
mod kernel;
mod order;
mod packets;
mod pairs;
mod plane;
mod rotation;
mod run;
mod shuffle;
mod trace;
mod window;
mod wiring;
mod worker;

pub use cover::Cover;
pub(crate) use packets::Repetitions;
pub use run::{Checked, Fast, all_bytes, bytes};

use crate::exchange::ExchangeOutcome;
use frit_schedule::{Demand, Plan};
use frit_traffic::WordMatrix;
use frit_traffic::trace::{Observer, Run};

/// Runs the exchange of a plan: the figures, faults and reports of [`crate::exchange()`], which does the work whenever
/// the plan is not one for this engine or the exchange is not flawless.
///
/// # Panics
///
/// As the reference does.
pub fn exchange(plan: &Plan, payload: Option<&WordMatrix>, observer: &mut dyn Observer) -> ExchangeOutcome {
    exchange_with_progress(plan, payload, observer, &|_| ())
}

/// [`exchange`], telling how many rounds are done: to `rounds_done`, from several threads, a batch at a time.
///
/// # Panics
///
/// As the reference does.
pub fn exchange_with_progress(
    plan: &Plan,
    payload: Option<&WordMatrix>,
    observer: &mut dyn Observer,
    rounds_done: &(dyn Fn(u64) + Sync),
) -> ExchangeOutcome {
    let reference = |observer| crate::exchange(plan, payload, observer);
    let exchanges = u64::from(plan.exchanges);
    let counts_alone = payload.is_none() && !observer.wants_settings() && !observer.wants_deliveries();
    // Exchanges without a gap are equal and never meet (`Plan::period`): one is checked. What each delivers when is told by the
    // reference. So it is of a padded one, some of the messages of a whole one, which are led by their labels as they are among all.
    if (exchanges > 1 || plan.has_spare()) && !counts_alone {
        return reference(observer);
    }
    let whole = plan.has_spare().then(|| Plan { demand: Demand::AllToAll, ..plan.clone() });
    let run_through = whole.as_ref().unwrap_or(plan);
    let Some(fast) = Fast::new(run_through, 0..plan.rounds) else { return reference(observer) };
    let checked = fast.run(rounds_done);
    let terminals = plan.network.terminals() as u64;
    let again = checked.arrived - checked.pairs;
    if !checked.clean() || checked.pairs != terminals * terminals || (plan.has_spare() && again > 0) {
        return reference(observer);
    }
    let received = if counts_alone { None } else { trace::show(&fast, payload, observer) };
    let run = Run {
        cycles: plan.cycles(),
        cycles_total: plan.cycles_in_all(plan.cycles()),
        delivered: exchanges * plan.pairs_due(),
        duplicates: exchanges * again,
        ..Run::default()
    };
    ExchangeOutcome { run, received }
}

#[cfg(test)]
mod tests;
