//! Waveform files of our own engines, with the scopes and names of the emitted testbench.

use crate::model_wave::{ModelWave, Packer, WaveSink, declarations};
use crate::wave::{OpenedWave, SignalDecl, WaveError, WaveFile, WaveWriter};
use frit_cells::bench::PeriodObserver;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_cells::netlist::{Kind, Netlist};
use frit_model::{ExchangeOutcome, WaveObserver};
use frit_schedule::Plan;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use frit_traffic::Payload;
use frit_traffic::trace::Observer;
use std::path::Path;
use std::sync::Arc;
use std::thread::Builder;

mod dilated;
mod handover;

pub(crate) use dilated::scope_of;
pub use dilated::write_dilated_wave;

/// A waveform file that keeps its first error until the end, since observers cannot fail.
struct Kept<W> {
    writer: W,
    error: Option<WaveError>,
}

impl<W> Kept<W> {
    fn new(writer: W) -> Self {
        Kept { writer, error: None }
    }

    fn attempt(&mut self, write: impl FnOnce(&mut W) -> Result<(), WaveError>) {
        if self.error.is_none() {
            self.error = write(&mut self.writer).err();
        }
    }

    fn finish(self, finish: impl FnOnce(W) -> Result<(), WaveError>) -> Result<(), WaveError> {
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
pub fn write_model_wave(path: &Path, plan: &Plan, payload: &Payload) -> Result<(), WaveError> {
    beside(path, plan, payload.width_bits(), |waves| frit_model::waves(plan, payload, waves))
}

/// The same for a run that an observer sees and that is counted.
pub fn exchange_to_wave(
    path: &Path,
    plan: &Plan,
    payload: &Payload,
    observer: &mut dyn Observer,
) -> Result<ExchangeOutcome, WaveError> {
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
) -> Result<T, WaveError> {
    let file = OpenedWave::at(path)?;
    std::thread::scope(|scope| {
        let (mut copies, shown) = handover::pair();
        let write = move || -> Result<ModelWave<Kept<WaveFile>>, WaveError> {
            let file = file.declare("1ns", &declarations(plan, width_bits))?;
            let mut wave = ModelWave::new(plan, width_bits, Kept::new(file));
            shown.each(|snapshot| wave.snapshot(snapshot));
            Ok(wave)
        };
        let thread = Builder::new().name("wave".into()).spawn_scoped(scope, write);
        let thread = thread.map_err(|source| WaveError::write(path, source))?;
        let outcome = run(&mut copies);
        copies.finish();
        let wave = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        // Only here, so that a run that panics leaves no file.
        wave.finish().finish(WaveFile::finish)?;
        Ok(outcome)
    })
}

/// The waveform of the rust-hdl network: every net of the netlist.
pub struct RustHdlWave {
    file: Kept<WaveWriter>,
    nets: Vec<NamedNet>,
    clocks: Vec<usize>,
    periods: u64,
}

impl RustHdlWave {
    /// Starts the file of an exchange.
    pub fn create(path: &Path, netlist: &Netlist, design: &Simulated) -> Result<Self, WaveError> {
        let top = netlist.top();
        let tb = format!("tb_{}", top.name.trim_end_matches("_exchange"));
        Self::create_in(path, &[tb, "u_exchange".to_string()], design)
    }

    /// Starts the file of a design whose top stands in the scopes `around`.
    pub fn create_in(path: &Path, around: &[String], design: &Simulated) -> Result<Self, WaveError> {
        let mut signals = Vec::new();
        let mut clocks = Vec::new();
        for net in design.nets() {
            let mut scope = around.to_vec();
            scope.extend(net.scope.iter().cloned());
            let scope: Arc<[String]> = scope.into();
            let mut declare = |name: String, width_bits: u32| {
                if net.name == "clk_i" {
                    clocks.push(signals.len());
                }
                signals.push(SignalDecl { scope: scope.clone(), name, width_bits });
            };
            match net.kind {
                Kind::Wires if net.lanes() > 1 => {
                    (0..net.lanes()).for_each(|lane| declare(format!("{}_{lane}", net.name), net.width));
                }
                _ => declare(net.name.clone(), net.width * net.lanes() as u32),
            }
        }
        let file = Kept::new(WaveWriter::create(path, "1ns", signals)?);
        Ok(RustHdlWave { file, nets: design.nets().to_vec(), clocks, periods: 0 })
    }

    /// Writes the clock edge after the last period and finishes the file.
    pub fn finish(mut self) -> Result<(), WaveError> {
        self.clock(FIRST_EDGE_NS + self.periods.saturating_sub(1) * PERIOD_NS, true);
        self.file.finish(WaveWriter::finish)
    }

    fn clock(&mut self, ticks: u64, high: bool) {
        self.file.time(ticks);
        for &signal in &self.clocks {
            self.file.change(signal, &[high as u64]);
        }
    }
}

impl PeriodObserver for RustHdlWave {
    fn period(&mut self, period: u64, design: &Simulated) {
        self.periods = period + 1;
        // Values change with the rising edge that starts the period; the writer leaves out what did not.
        if period == 0 {
            self.file.time(0);
        } else {
            self.clock(FIRST_EDGE_NS + (period - 1) * PERIOD_NS, true);
        }
        let mut signal = 0;
        for net in &self.nets {
            let lanes = net.lanes();
            if net.kind == Kind::Wires && lanes > 1 {
                for lane in 0..lanes {
                    self.file.change(signal, &[design.get(net, lane)]);
                    signal += 1;
                }
                continue;
            }
            if net.name != "clk_i" || period == 0 {
                self.file.change(signal, &pack(net, design));
            }
            signal += 1;
        }
        if period > 0 {
            self.clock(period * PERIOD_NS, false);
        }
    }
}

/// The lanes of a net side by side, lane 0 in the least significant bits.
fn pack(net: &NamedNet, design: &Simulated) -> Vec<u64> {
    let mut limbs = Vec::new();
    let mut packer = Packer::into(&mut limbs);
    (0..net.lanes()).for_each(|lane| packer.put(design.get(net, lane), net.width));
    packer.finish();
    limbs
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
