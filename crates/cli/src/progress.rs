//! How far long work in one piece is: a bar on a terminal, elsewhere (a log) a line now and then on stderr.

use crate::ui::Ui;
use indicatif::ProgressBar;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_secs(10);

/// Parts of the work that are told apart.
const PARTS: u64 = 1000;

/// How far work is, until this is dropped.
pub struct Share {
    bar: ProgressBar,
    parts: Arc<AtomicU64>,
    _lines: Option<Ticker>,
}

impl Share {
    /// Of work with this name.
    pub fn new(ui: &Ui, name: &str) -> Self {
        let say = |line: String| drop(writeln!(anstream::stderr(), "{line}"));
        Share::every(ui, name, ui.wants_lines().then_some(PAUSE), say)
    }

    /// The same with a line after each pause, if there is one.
    fn every(ui: &Ui, name: &str, pause: Option<Duration>, say: impl Fn(String) + Send + 'static) -> Self {
        let parts = Arc::new(AtomicU64::new(0));
        let (begin, shared, named) = (Instant::now(), Arc::clone(&parts), name.to_string());
        let line = move || {
            let percent = shared.load(Ordering::Relaxed) * 100 / PARTS;
            say(format!("{named}: {percent} %, {} s", begin.elapsed().as_secs()));
        };
        let lines = pause.and_then(|pause| Ticker::new(pause, line));
        Share { bar: ui.progress_share(name, PARTS), parts, _lines: lines }
    }

    /// So much is done, of so much.
    pub fn at(&self, done: u64, of: u64) {
        let parts = done.min(of).saturating_mul(PARTS) / of.max(1);
        // A bar is drawn only when it changes.
        if self.parts.swap(parts, Ordering::Relaxed) != parts {
            self.bar.set_position(parts);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Calls something again and again, in a thread of its own, until this is dropped.
pub struct Ticker(Option<(Sender<()>, JoinHandle<()>)>);

impl Ticker {
    /// None where there is no thread for it.
    pub fn new(pause: Duration, mut call: impl FnMut() + Send + 'static) -> Option<Ticker> {
        let (stop, stopped) = channel();
        let tick = move || {
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                call();
            }
        };
        let thread = std::thread::Builder::new().name("progress".into()).spawn(tick).ok()?;
        Some(Ticker(Some((stop, thread))))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::Results;

    #[test]
    fn lines_come_until_the_end() {
        let (send, lines) = channel();
        let ticker = Ticker::new(Duration::from_millis(1), move || send.send(()).unwrap()).unwrap();
        lines.recv().unwrap();
        lines.recv().unwrap();
        drop(ticker);
        assert!(lines.iter().count() < 100_000); // the sender is gone
    }

    #[test]
    fn a_line_says_how_much_is_done() {
        let ui = Ui::captured(&Results::default());
        let (send, lines) = channel();
        let share =
            Share::every(&ui, "sending", Some(Duration::from_millis(1)), move |line| drop(send.send(line)));
        let next = || lines.recv().unwrap();
        assert!(next().starts_with("sending: 0 %, "));
        share.at(3, 8);
        while !next().starts_with("sending: 37 %, ") {}
        share.at(u64::MAX, u64::MAX);
        while !next().starts_with("sending: ") {}
        drop(share);
        assert!(lines.iter().count() < 100_000);
    }
}
