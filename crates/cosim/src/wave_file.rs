//! Waveform files of rust-hdl's runs and of the dilated butterfly's model, with the scopes and names of the emitted testbench.

use frit_cells::bench::PeriodObserver;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_cells::netlist::{Kind, Netlist};
use frit_network::Refusal;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use frit_trace::model_wave::{Packer, WaveSink};
use frit_trace::wave::{SignalDecl, WaveWriter};
use frit_trace::wave_file::Kept;
use std::path::Path;
use std::sync::Arc;

mod dilated;

pub(crate) use dilated::scope_of;
pub use dilated::write_dilated_wave;

/// The waveform of the rust-hdl network: every net of the netlist.
pub struct RustHdlWave {
    file: Kept<WaveWriter>,
    nets: Vec<NamedNet>,
    clocks: Vec<usize>,
    periods: u64,
}

impl RustHdlWave {
    /// Starts the file of an exchange.
    pub fn create(path: &Path, netlist: &Netlist, design: &Simulated) -> Result<Self, Refusal> {
        let top = netlist.top();
        let tb = format!("tb_{}", top.name.trim_end_matches("_exchange"));
        Self::create_in(path, &[tb, "u_exchange".to_string()], design)
    }

    /// Starts the file of a design whose top stands in the scopes `around`.
    pub fn create_in(path: &Path, around: &[String], design: &Simulated) -> Result<Self, Refusal> {
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
    pub fn finish(mut self) -> Result<(), Refusal> {
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
