//! How far several runs are together, in one bar on a terminal, and for who watches them.

use crate::ui::Ui;
use crate::watch::{PARTS, Watch};
use indicatif::ProgressBar;
use std::sync::Arc;

/// Runs that go on at the same time.
pub struct Runs {
    bar: ProgressBar,
    watch: Option<Arc<Watch>>,
}

impl Runs {
    pub fn new(ui: &Ui, runs: usize) -> Self {
        let message = if runs == 1 { "1 run".into() } else { format!("{runs} runs") };
        let (parts, watch) = (runs as u64 * PARTS, ui.watch());
        if let Some(watch) = &watch {
            watch.of(parts);
        }
        Runs { bar: ui.progress_share(&message, parts), watch }
    }

    /// Begins one of them; it has ended when what is returned is dropped. Unwinds if the work is to end.
    pub fn begin(&self) -> Run<'_> {
        self.check();
        Run { runs: self, shown: 0 }
    }

    fn check(&self) {
        if let Some(watch) = &self.watch {
            watch.check();
        }
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How far a run is.
pub struct Run<'a> {
    runs: &'a Runs,
    shown: u64,
}

impl Run<'_> {
    /// It has done `done` of about `of` steps. A run that takes more steps than was thought stays at its last part. Unwinds if the work is
    /// to end.
    pub fn at(&mut self, done: u64, of: u64) {
        let share = u128::from(done) * u128::from(PARTS) / u128::from(of.max(1));
        self.show(u64::try_from(share).unwrap_or(PARTS).min(PARTS - 1));
        self.runs.check();
    }

    fn show(&mut self, share: u64) {
        if share > self.shown {
            let more = share - self.shown;
            self.runs.bar.inc(more);
            if let Some(watch) = &self.runs.watch {
                watch.count(more);
            }
            self.shown = share;
        }
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.show(PARTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_far_as_its_runs_together() {
        let watch = Arc::new(Watch::new(2 * PARTS));
        let runs = Runs { bar: ProgressBar::hidden(), watch: Some(Arc::clone(&watch)) };
        let (mut one, two) = (runs.begin(), runs.begin());
        let mut seen = vec![];
        for (done, of) in [(0, 4), (1, 4), (3, 4), (2, 4), (9, 4), (1, 0)] {
            one.at(done, of);
            seen.push(runs.bar.position());
        }
        drop(two);
        seen.push(runs.bar.position());
        drop(one);
        seen.push(runs.bar.position());
        assert_eq!(seen, [0, 250, 750, 750, 999, 999, 1999, 2000]);
        assert_eq!(watch.progress(), (2000, 2000));
    }
}
