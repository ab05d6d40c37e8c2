//! Waveform files of our own engines, with the scopes and names of the emitted testbench.

use crate::model_wave::{ModelWave, WaveSink, declarations};
use crate::wave::{SignalDecl, WaveError, WaveWriter};
use frit_cells::bench::PeriodObserver;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_cells::netlist::{Kind, Netlist};
use frit_model::Outcome;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use frit_schedule::trace::Observer;
use frit_schedule::{Payload, Plan};
use std::path::Path;

/// A waveform file that keeps its first error until the end, since observers cannot fail.
struct WaveFile {
    writer: WaveWriter,
    error: Option<WaveError>,
}

impl WaveFile {
    fn create(path: &Path, signals: Vec<SignalDecl>) -> Result<Self, WaveError> {
        Ok(WaveFile { writer: WaveWriter::create(path, "1ns", signals)?, error: None })
    }

    fn attempt(&mut self, write: impl FnOnce(&mut WaveWriter) -> Result<(), WaveError>) {
        if self.error.is_none() {
            self.error = write(&mut self.writer).err();
        }
    }

    /// A value that may be the last one.
    fn value(&mut self, signal: usize, limbs: &[u64]) {
        self.attempt(|writer| writer.change(signal, limbs));
    }

    fn finish(self) -> Result<(), WaveError> {
        match self.error {
            Some(error) => Err(error),
            None => self.writer.finish(),
        }
    }
}

/// For the model, which names only changes.
impl WaveSink for WaveFile {
    fn time(&mut self, ticks: u64) {
        self.attempt(|writer| writer.time(ticks));
    }
    fn change(&mut self, signal: usize, limbs: &[u64]) {
        self.attempt(|writer| writer.change_to_another(signal, limbs));
    }
}

/// Writes the waveform of the model.
pub fn write_model_wave(path: &Path, plan: &Plan, payload: &Payload) -> Result<(), WaveError> {
    let mut wave = model_wave(path, plan, payload)?;
    frit_model::waves(plan, payload, &mut wave);
    wave.finish().finish()
}

/// The same for a run that an observer sees and that is counted.
pub fn exchange_to_wave(
    path: &Path,
    plan: &Plan,
    payload: &Payload,
    observer: &mut dyn Observer,
) -> Result<Outcome, WaveError> {
    let mut wave = model_wave(path, plan, payload)?;
    let outcome = frit_model::exchange_with_waves(plan, payload, observer, &mut wave);
    wave.finish().finish()?;
    Ok(outcome)
}

fn model_wave(path: &Path, plan: &Plan, payload: &Payload) -> Result<ModelWave<WaveFile>, WaveError> {
    let width = payload.width_bits();
    let file = WaveFile::create(path, declarations(plan, width))?;
    Ok(ModelWave::new(plan, width, file))
}

/// The waveform of the rust-hdl network: every net of the netlist.
pub struct RustHdlWave {
    file: WaveFile,
    nets: Vec<NamedNet>,
    clocks: Vec<usize>,
}

impl RustHdlWave {
    /// Starts the file. The design is flattened here once more, only for its names.
    pub fn create(path: &Path, netlist: &Netlist, design: &Simulated) -> Result<Self, WaveError> {
        let top = netlist.top();
        let tb = format!("tb_{}", top.name.trim_end_matches("_exchange"));
        let mut signals = Vec::new();
        let mut clocks = Vec::new();
        for net in design.nets() {
            let mut scope = vec![tb.clone(), "u_exchange".to_string()];
            scope.extend(net.scope.iter().cloned());
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
        Ok(RustHdlWave { file: WaveFile::create(path, signals)?, nets: design.nets().to_vec(), clocks })
    }

    /// Writes the clock edge after the last period and finishes the file.
    pub fn finish(mut self, periods: u64) -> Result<(), WaveError> {
        self.clock(FIRST_EDGE_NS + (periods - 1) * PERIOD_NS, true);
        self.file.finish()
    }

    fn clock(&mut self, ticks: u64, high: bool) {
        self.file.time(ticks);
        for &signal in &self.clocks {
            self.file.value(signal, &[high as u64]);
        }
    }
}

impl PeriodObserver for RustHdlWave {
    fn period(&mut self, period: u64, design: &Simulated) {
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
                    self.file.value(signal, &[design.get(net, lane)]);
                    signal += 1;
                }
                continue;
            }
            if net.name != "clk_i" || period == 0 {
                self.file.value(signal, &pack(net, design));
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
    let width = net.width as usize;
    let mut limbs = vec![0u64; (width * net.lanes()).div_ceil(64)];
    for lane in 0..net.lanes() {
        let (value, at) = (design.get(net, lane), lane * width);
        limbs[at / 64] |= value << (at % 64);
        if at % 64 + width > 64 {
            limbs[at / 64 + 1] |= value >> (64 - at % 64);
        }
    }
    limbs
}
