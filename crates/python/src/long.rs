//! Work that takes long: it runs in a thread of its own without the interpreter's lock, while the caller waits for signals and tells
//! how far it is.

use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often signals are looked at, and progress is told.
const TICK: Duration = Duration::from_millis(50);

/// What the work unwinds with when it is to end. It is no panic: nobody prints it.
struct Stopped;

/// How far the work is, and whether it is to end.
#[derive(Default)]
pub struct Meter {
    done: AtomicU64,
    stop: AtomicBool,
}

impl Meter {
    /// So much more is done. Does not return if the work is to end.
    pub fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
        self.check();
    }

    /// Does not return if the work is to end.
    pub fn check(&self) {
        if self.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }
}

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

/// Runs `work` in this thread, without the interpreter's lock: for what takes a fraction of a second, where a thread would cost more.
/// `progress` is called once, at the end.
pub fn brief<T: Send>(
    py: Python,
    total: u64,
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce(&Meter) -> T + Send,
) -> PyResult<T> {
    let value = py.detach(|| work(&Meter::default()));
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1((total, total))?;
    }
    Ok(value)
}

/// Runs `work`, which tells a [`Meter`] how far it is and so can be ended. `progress` is called with what is done and with `total`.
pub fn metered<T: Send>(
    py: Python,
    total: u64,
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce(&Meter) -> T + Send,
) -> PyResult<T> {
    let (meter, ended) = (Meter::default(), Ended::default());
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let result = catch_unwind(AssertUnwindSafe(|| work(&meter)));
            ended.set();
            result
        });
        let mut told = None;
        let waited = wait(py, &ended, || {
            let done = meter.done.load(Ordering::Relaxed).min(total);
            if let Some(progress) = progress.filter(|_| told != Some(done)) {
                told = Some(done);
                progress.call1((done, total))?;
            }
            Ok(())
        });
        if waited.is_err() {
            meter.stop.store(true, Ordering::Relaxed);
        }
        let result = py.detach(|| thread.join());
        match result.and_then(|result| result) {
            Ok(value) => {
                waited?;
                if let Some(progress) = progress.filter(|_| told != Some(total)) {
                    progress.call1((total, total))?;
                }
                Ok(value)
            }
            Err(payload) if payload.is::<Stopped>() => Err(waited.expect_err("stopped by an exception")),
            Err(payload) => resume_unwind(payload),
        }
    })
}

/// Runs `work`, which cannot be ended: after an exception nobody waits for it, and it goes on by itself.
pub fn apart<T: Send + 'static>(py: Python, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let ended = Arc::new(Ended::default());
    let inside = Arc::clone(&ended);
    let thread = std::thread::spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        inside.set();
        result
    });
    wait(py, &ended, || Ok(()))?;
    match py.detach(|| thread.join()).and_then(|result| result) {
        Ok(value) => Ok(value),
        Err(payload) => resume_unwind(payload),
    }
}
