//! The points of a sweep that are open, in parallel.

use super::progress::Progress;
use crate::sweep::kind::Sweep;
use crate::sweep::store::Store;
use crate::ui::Ui;
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

/// Runs these points into the store; `jobs` at a time, or one per core.
pub fn run(
    ui: &Ui,
    name: &str,
    jobs: Option<usize>,
    sweep: &Sweep,
    mut open: Vec<usize>,
    store: &mut Store,
) -> Result<()> {
    if !open.is_empty() {
        (sweep.grid.ready)()?;
    }
    let points = sweep.grid.points();
    // The longest first, so that no core waits for the last one.
    open.sort_by_key(|&at| Reverse(points[at].work));
    let work: Vec<u64> = open.iter().map(|&at| points[at].work).collect();
    let progress = Progress::new(ui, name, &work);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
    let store = Mutex::new(store);
    let lock = || store.lock().unwrap_or_else(PoisonError::into_inner);
    let result = pool.context("no threads")?.install(|| {
        // A queue: halves of the list would give the longest to one thread.
        open.iter().par_bridge().try_for_each(|&at| {
            let cells = sweep.grid.run(at, &|text| progress.aside(|| ui.warn(text)))?;
            lock().add(&points[at], cells)?;
            progress.point(points[at].work);
            anyhow::Ok(())
        })
    });
    drop(progress);
    lock().write()?; // those that ran are kept, whatever has gone wrong
    result
}
