//! How far a sweep is: a bar on a terminal, elsewhere (a log, a job of a cluster) a line a minute on stderr.

use crate::progress::Ticker;
use crate::ui::Ui;
use indicatif::ProgressBar;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// Points and work that are done, of those to do.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    points: usize,
    of_points: usize,
    work: u64,
    of_work: u64,
}

impl Done {
    /// As a line says it; the rest is as fast as what is done.
    fn line(&self, name: &str, elapsed: Duration) -> String {
        let share = self.work as f64 / self.of_work.max(1) as f64;
        let left = elapsed.as_secs_f64() * (1.0 - share) / share;
        let left = if left.is_finite() {
            format!(", about {} min left", (left / 60.0).ceil())
        } else {
            String::new()
        };
        format!(
            "{name}: {} of {} points, {:.0} % of the work, {} min{left}",
            self.points,
            self.of_points,
            (100.0 * share).floor(),
            elapsed.as_secs() / 60
        )
    }
}

/// How far a sweep is.
pub struct Progress {
    bar: ProgressBar,
    done: Arc<Mutex<Done>>,
    _lines: Option<Ticker>,
}

impl Progress {
    /// Of a sweep with this name and these works.
    pub fn new(ui: &Ui, name: &str, work: &[u64]) -> Self {
        let of_work = work.iter().sum();
        let done = Done { of_points: work.len(), of_work, ..Done::default() };
        let done = Arc::new(Mutex::new(done));
        let (begin, name, shared) = (Instant::now(), name.to_string(), done.clone());
        let line = move || {
            let done = *shared.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(anstream::stderr(), "{}", done.line(&name, begin.elapsed()));
        };
        let lines = ui.wants_lines().then(|| Ticker::new(MINUTE, line)).flatten();
        Progress { bar: ui.progress_share(&format!("{} points", work.len()), of_work), done, _lines: lines }
    }

    /// Says something else on stderr, beside the bar.
    pub fn aside(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    pub fn point(&self, work: u64) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.points += 1;
        done.work += work;
        self.bar.inc(work);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_what_is_left() {
        let mut done = Done { points: 3, of_points: 10, work: 25, of_work: 100 };
        let line = done.line("s.toml", Duration::from_secs(120));
        assert_eq!(line, "s.toml: 3 of 10 points, 25 % of the work, 2 min, about 6 min left");
        done = Done { points: 0, work: 0, ..done };
        assert_eq!(done.line("s", Duration::from_secs(60)), "s: 0 of 10 points, 0 % of the work, 1 min");
    }
}
