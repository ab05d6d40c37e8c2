//! Waveform files of the model, with the scopes and names of the emitted testbench.

use crate::model_wave::{ModelWave, WaveSink, declarations};
use crate::wave::error::cannot_write;
use crate::wave::{OpenedWave, WaveFile, WaveWriter};
use frit_model::{ExchangeOutcome, WaveObserver};
use frit_network::Refusal;
use frit_schedule::Plan;
use frit_traffic::Payload;
use frit_traffic::trace::Observer;
use std::path::Path;
use std::thread::Builder;

mod handover;

/// A waveform file that keeps its first error until the end, since observers cannot fail.
pub struct Kept<W> {
    writer: W,
    error: Option<Refusal>,
}

impl<W> Kept<W> {
    /// Nothing has failed yet.
    pub fn new(writer: W) -> Self {
        Kept { writer, error: None }
    }

    fn attempt(&mut self, write: impl FnOnce(&mut W) -> Result<(), Refusal>) {
        if self.error.is_none() {
            self.error = write(&mut self.writer).err();
        }
    }

    /// Ends the file, or gives the first error.
    pub fn finish(self, finish: impl FnOnce(W) -> Result<(), Refusal>) -> Result<(), Refusal> {
        match self.error {
            Some(error) => Err(error),
            None => finish(self.writer),
        }
    }
}

/// For the model, which names only changes.
impl WaveSink for Kept<WaveFile> {
    fn time(&mut self, ticks: u64) {
        self.attempt(|file| file.time(ticks));
    }
    fn change(&mut self, signal: usize, limbs: &[u64]) {
        self.attempt(|file| file.value(signal, limbs));
    }
}

/// For others, whose values may be the last ones: the writer leaves these out.
impl WaveSink for Kept<WaveWriter> {
    fn time(&mut self, ticks: u64) {
        self.attempt(|writer| writer.time(ticks));
    }
    fn change(&mut self, signal: usize, limbs: &[u64]) {
        self.attempt(|writer| writer.change(signal, limbs));
    }
}

/// Writes the waveform of the model.
pub fn write_model_wave(path: &Path, plan: &Plan, payload: &Payload) -> Result<(), Refusal> {
    beside(path, plan, payload.width_bits(), |waves| frit_model::waves(plan, payload, waves))
}

/// The same for a run that an observer sees and that is counted.
pub fn exchange_to_wave(
    path: &Path,
    plan: &Plan,
    payload: &Payload,
    observer: &mut dyn Observer,
) -> Result<ExchangeOutcome, Refusal> {
    beside(path, plan, payload.width_bits(), |waves| {
        frit_model::exchange_with_waves(plan, payload, observer, waves)
    })
}

/// Writes the waveform of a run beside it: a thread takes copies of its snapshots, so that the run and the file take a
/// core each.
fn beside<T>(
    path: &Path,
    plan: &Plan,
    width_bits: u32,
    run: impl FnOnce(&mut dyn WaveObserver) -> T,
) -> Result<T, Refusal> {
    let file = OpenedWave::at(path)?;
    std::thread::scope(|scope| {
        let (mut copies, shown) = handover::pair();
        let write = move || -> Result<ModelWave<Kept<WaveFile>>, Refusal> {
            let file = file.declare("1ns", &declarations(plan, width_bits))?;
            let mut wave = ModelWave::new(plan, width_bits, Kept::new(file));
            shown.each(|snapshot| wave.snapshot(snapshot));
            Ok(wave)
        };
        let thread = Builder::new().name("wave".into()).spawn_scoped(scope, write);
        let thread = thread.map_err(|source| cannot_write(path, source))?;
        let outcome = run(&mut copies);
        copies.finish();
        let wave = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        // Only here, so that a run that panics leaves no file.
        wave.finish().finish(WaveFile::finish)?;
        Ok(outcome)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn a_run_that_panics_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(&Request::new("rls", 8)).unwrap();
        for name in ["w.vcd", "w.fst"] {
            let path = folder.path().join(name);
            let run = || {
                beside(&path, &plan, 8, |waves| {
                    frit_model::waves(&plan, &Payload::zero(8, 8), waves);
                    panic!("on purpose");
                })
            };
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
        }
    }
}
