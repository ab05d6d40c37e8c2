//! Arguments of `frit device`.

use super::{DesignArgs, Format, WaveArg};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// An engine of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceEngineArg {
    /// The switch in ticks under Verilator.
    Verilator,
    /// The switch in ticks under Icarus Verilog.
    Icarus,
    /// The switch with delays under Icarus Verilog.
    IcarusEvents,
}

/// `frit device`.
#[derive(Debug, Args)]
pub struct DeviceArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// Propagation time of light through a switch
    #[arg(long, value_name = "PS", default_value_t = 70)]
    pub propagation: u32,
    /// Plant this fault: no-gap, skew:PS, late-step, stuck:LEVEL:ROW:0|1
    #[arg(long, value_name = "MISTAKE")]
    pub mistake: Option<String>,
    /// Seed of the bits of the packets
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// Engines to run [default: all engines that finish within a minute]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "ENGINE,…")]
    pub engines: Vec<DeviceEngineArg>,
    /// Keep all files in this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Format of the waveforms that are kept
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub wave: WaveArg,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
