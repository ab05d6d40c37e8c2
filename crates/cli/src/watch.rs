//! How far a command is, for a program that calls it, and whether the command is to end.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Parts of a piece of work that are told apart.
pub(crate) const PARTS: u64 = 1000;

/// What work unwinds with when it is to end. It is no panic: nobody prints it.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

/// Work tells this how far it is, and asks it whether to go on; a program in another thread reads it, and ends the work.
#[derive(Debug, Default)]
pub struct Watch {
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
}

impl Watch {
    /// Of work that is `total` long, in any unit; 0 until the work says it.
    pub fn new(total: u64) -> Self {
        Watch { total: total.into(), ..Watch::default() }
    }

    /// What is done, and what there is in all.
    pub fn progress(&self) -> (u64, u64) {
        let total = self.total.load(Ordering::Relaxed);
        (self.done.load(Ordering::Relaxed).min(total), total)
    }

    /// The work is to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// So much more is done. Unwinds with [`Stopped`] if the work is to end.
    pub fn add(&self, done: u64) {
        self.count(done);
        self.check();
    }

    /// So much more is done.
    pub(crate) fn count(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }

    /// Unwinds with [`Stopped`] if the work is to end.
    pub fn check(&self) {
        if self.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }

    /// So long is the work.
    pub(crate) fn of(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Piece `piece` of the work, each of [`PARTS`], has done `done` of `of` steps. Unwinds with [`Stopped`] if the work is to end.
    pub(crate) fn at(&self, piece: u64, done: u64, of: u64) {
        let share = u128::from(done.min(of)) * u128::from(PARTS) / u128::from(of.max(1));
        let parts = piece * PARTS + u64::try_from(share).unwrap_or(PARTS);
        self.done.fetch_max(parts, Ordering::Relaxed);
        self.check();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn pieces_of_work_stand_one_behind_the_other() {
        let watch = Watch::default();
        assert_eq!(watch.progress(), (0, 0));
        watch.of(2 * PARTS);
        for (piece, done, of, due) in [(0, 1, 4, 250), (0, 9, 4, 1000), (1, 0, 0, 1000), (1, 1, 2, 1500)] {
            watch.at(piece, done, of);
            assert_eq!(watch.progress(), (due, 2000));
        }
        watch.stop();
        let stopped = catch_unwind(AssertUnwindSafe(|| watch.at(1, 2, 2))).unwrap_err();
        assert!(stopped.is::<Stopped>());
    }
}
