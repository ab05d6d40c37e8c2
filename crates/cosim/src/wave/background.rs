//! A thread that writes what is handed to it in batches, so that the run and the file take a core each.
//!
//! A batch is an array of numbers: a head (what, and of which signal), then a time or the limbs of a value. Two batches may
//! wait; who hands over a third waits for the file. So memory is bounded whatever the length of the run.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::format::{Failure, Format};

/// Numbers of a batch after which it is handed over: 256 KiB.
const BATCH_LIMBS: usize = 1 << 15;

/// Batches that may wait.
const WAITING: usize = 2;

/// Heads. Others hold the signal in the lower half and the number of limbs in the upper, none for `x`.
const TIME: u64 = u64::MAX;
const FINISH: u64 = u64::MAX - 1;

/// The way to the thread. Dropped without [`Background::finish`], it leaves the file unfinished, and closed.
pub(super) struct Background {
    batch: Vec<u64>,
    /// Batches to be filled again.
    empty: Receiver<Vec<u64>>,
    thread: Option<Thread>,
}

struct Thread {
    full: SyncSender<Vec<u64>>,
    handle: JoinHandle<Result<(), Failure>>,
}

impl Background {
    pub(super) fn start(format: impl Format + 'static) -> Result<Self, Failure> {
        let (full, batches) = sync_channel(WAITING);
        let (written, empty) = sync_channel(WAITING + 2);
        let handle = Builder::new().name("wave".into()).spawn(move || serve(format, &batches, &written))?;
        Ok(Background { batch: Vec::new(), empty, thread: Some(Thread { full, handle }) })
    }

    pub(super) fn time(&mut self, ticks: u64) -> Result<(), Failure> {
        self.batch.extend([TIME, ticks]);
        self.hand_over_if_full()
    }

    pub(super) fn value(&mut self, signal: usize, limbs: &[u64]) -> Result<(), Failure> {
        self.batch.push((limbs.len() as u64) << 32 | signal as u64);
        match limbs {
            &[limb] => self.batch.push(limb),
            _ => self.batch.extend_from_slice(limbs),
        }
        self.hand_over_if_full()
    }

    pub(super) fn unknown(&mut self, signal: usize) -> Result<(), Failure> {
        self.batch.push(signal as u64);
        self.hand_over_if_full()
    }

    /// Waits until everything is written.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.batch.push(FINISH);
        self.hand_over()?;
        self.join()
    }

    fn hand_over_if_full(&mut self) -> Result<(), Failure> {
        if self.batch.len() < BATCH_LIMBS { Ok(()) } else { self.hand_over() }
    }

    fn hand_over(&mut self) -> Result<(), Failure> {
        let next = self.empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(BATCH_LIMBS));
        let batch = std::mem::replace(&mut self.batch, next);
        let thread = self.thread.as_ref().ok_or("writing failed before")?;
        // Nobody takes it: the thread has ended, and says why.
        if thread.full.send(batch).is_err() { self.join() } else { Ok(()) }
    }

    /// Ends the thread.
    fn join(&mut self) -> Result<(), Failure> {
        let Some(Thread { full, handle }) = self.thread.take() else { return Ok(()) };
        drop(full);
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(Thread { full, handle }) = self.thread.take() {
            drop(full);
            // Given up: neither an error nor a panic of the thread changes that.
            let _ = handle.join();
        }
    }
}

fn serve(
    mut format: impl Format,
    batches: &Receiver<Vec<u64>>,
    written: &SyncSender<Vec<u64>>,
) -> Result<(), Failure> {
    for mut batch in batches {
        let mut rest = batch.as_slice();
        while let [head, tail @ ..] = rest {
            rest = match *head {
                FINISH => return format.finish(),
                TIME => {
                    format.time(tail[0])?;
                    &tail[1..]
                }
                head => {
                    let (signal, limbs) = (head as u32 as usize, (head >> 32) as usize);
                    let (value, tail) = tail.split_at(limbs);
                    if value.is_empty() {
                        format.unknown(signal)?
                    } else {
                        format.value(signal, value)?
                    }
                    tail
                }
            };
        }
        batch.clear();
        // Nobody wants it any more when the last batches are written.
        let _ = written.try_send(batch);
    }
    Ok(())
}
