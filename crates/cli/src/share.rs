//! How far several runs are together, in one bar on a terminal.

use crate::ui::Ui;
use indicatif::ProgressBar;

/// Parts of a run that the bar tells apart.
const PARTS: u64 = 1000;

/// Runs that go on at the same time.
pub struct Runs(ProgressBar);

impl Runs {
    /// So many runs.
    pub fn new(ui: &Ui, runs: usize) -> Self {
        let message = if runs == 1 { "1 run".into() } else { format!("{runs} runs") };
        Runs(ui.progress_share(&message, runs as u64 * PARTS))
    }

    /// Begins one of them; it has ended when what is returned is dropped.
    pub fn begin(&self) -> Run<'_> {
        Run { bar: &self.0, shown: 0 }
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// How far a run is.
pub struct Run<'a> {
    bar: &'a ProgressBar,
    shown: u64,
}

impl Run<'_> {
    /// It has done `done` of about `of` steps. A run that takes more steps than was thought stays at its last part.
    pub fn at(&mut self, done: u64, of: u64) {
        let share = u128::from(done) * u128::from(PARTS) / u128::from(of.max(1));
        self.show(u64::try_from(share).unwrap_or(PARTS).min(PARTS - 1));
    }

    fn show(&mut self, share: u64) {
        if share > self.shown {
            self.bar.inc(share - self.shown);
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
        let runs = Runs(ProgressBar::hidden());
        let (mut one, two) = (runs.begin(), runs.begin());
        let mut seen = vec![];
        for (done, of) in [(0, 4), (1, 4), (3, 4), (2, 4), (9, 4), (1, 0)] {
            one.at(done, of);
            seen.push(runs.0.position());
        }
        drop(two);
        seen.push(runs.0.position());
        drop(one);
        seen.push(runs.0.position());
        assert_eq!(seen, [0, 250, 750, 750, 999, 999, 1999, 2000]);
    }
}
