//! Work that takes long: it runs in a thread of its own without the interpreter's lock, while the caller waits for signals and tells
//! how far it is.

use frit_cli::watch::{Stopped, Watch};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often signals are looked at, and progress is told.
const TICK: Duration = Duration::from_millis(50);

/// Becomes true once, when the work has ended.
#[derive(Default)]
struct Ended(Mutex<bool>, Condvar);

impl Ended {
    fn set(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.1.notify_all();
    }

    fn wait(&self) -> bool {
        let ended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.1.wait_timeout_while(ended, TICK, |ended| !*ended);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Waits for the end, or for the first exception, of a signal or of `tell`.
fn wait(py: Python, ended: &Ended, mut tell: impl FnMut() -> PyResult<()>) -> PyResult<()> {
    while !py.detach(|| ended.wait()) {
        py.check_signals()?;
        tell()?;
    }
    Ok(())
}

/// Calls `progress` with what is done and what there is in all, each time that it changed.
struct ProgressCall<'a, 'py> {
    progress: Option<&'a Bound<'py, PyAny>>,
    last: Option<(u64, u64)>,
}

impl ProgressCall<'_, '_> {
    fn tell(&mut self, now: (u64, u64)) -> PyResult<()> {
        if let Some(progress) = self.progress.filter(|_| now.1 > 0 && self.last != Some(now)) {
            self.last = Some(now);
            progress.call1(now)?;
        }
        Ok(())
    }
}

/// Runs `work` in this thread, without the interpreter's lock: for what takes a fraction of a second, where a thread would cost more.
/// `progress` is called once, at the end.
pub fn brief<T: Send>(
    py: Python,
    total: u64,
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let value = py.detach(|| work(&Watch::default()));
    py.check_signals()?;
    ProgressCall { progress, last: None }.tell((total, total))?;
    Ok(value)
}

/// Runs `work`, which tells a [`Watch`] how far it is and so can be ended. `progress` is called with what is done and with `total`.
pub fn metered<T: Send>(
    py: Python,
    total: u64,
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let (watch, ended) = (Watch::new(total), Ended::default());
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let result = catch_unwind(AssertUnwindSafe(|| work(&watch)));
            ended.set();
            result
        });
        let mut told = ProgressCall { progress, last: None };
        let waited = wait(py, &ended, || told.tell(watch.progress()));
        if waited.is_err() {
            watch.stop();
        }
        let result = py.detach(|| thread.join());
        match result.and_then(|result| result) {
            Ok(value) => {
                waited?;
                told.tell((total, total))?;
                Ok(value)
            }
            Err(payload) if payload.is::<Stopped>() => Err(waited.expect_err("stopped by an exception")),
            Err(payload) => resume_unwind(payload),
        }
    })
}

/// Runs `work`, which owns what it needs. After an exception nobody waits for it: it ends where it next tells its [`Watch`] how far it is.
/// `progress` is called with what is done and what there is in all, as the work says.
pub fn apart<T: Send + 'static>(
    py: Python,
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce(&Arc<Watch>) -> T + Send + 'static,
) -> PyResult<T> {
    let (watch, ended) = (Arc::new(Watch::default()), Arc::new(Ended::default()));
    let inside = (Arc::clone(&watch), Arc::clone(&ended));
    let thread = std::thread::spawn(move || {
        let (watch, ended) = inside;
        let result = catch_unwind(AssertUnwindSafe(|| work(&watch)));
        ended.set();
        result
    });
    let mut told = ProgressCall { progress, last: None };
    wait(py, &ended, || told.tell(watch.progress())).inspect_err(|_| watch.stop())?;
    match py.detach(|| thread.join()).and_then(|result| result) {
        Ok(value) => {
            let (_, total) = watch.progress();
            told.tell((total, total))?;
            Ok(value)
        }
        Err(payload) => resume_unwind(payload),
    }
}
