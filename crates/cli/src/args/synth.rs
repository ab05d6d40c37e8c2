//! The arguments of `frit synth`.

use super::{CoreArgs, CrossbarArgs, DesignArgs, LoadedArgs, PacketArgs, PayloadArgs, StreamArgs, WidthArgs};
use clap::{Args, ValueEnum};
use frit_cosim::synth::{Device, Library, Part, Target};
use serde::Deserialize;
use std::path::PathBuf;

/// What the help of `frit synth` ends with.
pub const HELP: &str = "Examples:
  frit synth rls -n 8 -w 8                           every cell and module on an iCE40 HX8K
  frit synth rls -n 32 -w 8 --target ecp5-25k --part fabric --seeds 11
  frit synth gsen -n 10 -w 32 --no-pnr               areas only, in a second or two
  frit synth rls -n 8 -w 32 --target xilinx --part exchange       another family: areas, Fmax is not measured
  frit synth rls -n 8 -w 8 --no-pnr --prove          netlist = RTL, by induction
  frit synth obf -n 16 -w 8 --format csv -o out      keeps netlists, logs and reports
  frit synth dilated -n 8 --set bundle=2 --part switch,fabric --seeds 3
  frit synth rls -n 8 -w 16 --axis --part axis       the exchange with its streams
  frit synth transpose -n 8 --rows 64 -w 16 --part permute --target ecp5-25k
  frit synth multibutterfly -n 16 --set d=4 --set r=2 --part node --breakdown    where the area of a node goes

-w of multibutterfly: bits of a message after its address [default: as in frit verify]; dilated has no width.
The floor is 2W + 2 LUT4 and flip-flops for a switch; docs/systems/dilated.md derives it for dilated. How Fmax is
measured: docs/synth.md.
Exit codes: 0 fine, 1 a module does not fit into the device or was not proved, 2 unusable input, 3 a tool is missing.";

/// Devices, and families of which there are areas only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetArg {
    /// Lattice iCE40 HX8K with 7,680 LUT4.
    #[default]
    #[value(name = "ice40-hx8k")]
    #[serde(rename = "ice40-hx8k")]
    Ice40Hx8k,
    /// Lattice iCE40 UltraPlus 5K with 5,280 LUT4.
    #[value(name = "ice40-up5k")]
    #[serde(rename = "ice40-up5k")]
    Ice40Up5k,
    /// Lattice ECP5 25F with 24,288 LUT4.
    #[value(name = "ecp5-25k")]
    #[serde(rename = "ecp5-25k")]
    Ecp5_25k,
    /// Lattice ECP5 85F with 83,640 LUT4.
    #[value(name = "ecp5-85k")]
    #[serde(rename = "ecp5-85k")]
    Ecp5_85k,
    /// Xilinx 7 series; areas only, no Fmax.
    Xilinx,
    /// Intel Cyclone V; areas only, no Fmax.
    Intel,
    /// Gowin GW1N; areas only, no Fmax.
    Gowin,
    /// Lattice Nexus; areas only, no Fmax.
    Nexus,
    /// Cologne Chip GateMate; areas only, no Fmax.
    #[value(name = "gatemate")]
    #[serde(rename = "gatemate")]
    GateMate,
}

impl From<TargetArg> for Target {
    fn from(arg: TargetArg) -> Self {
        match arg {
            TargetArg::Ice40Hx8k => Target::Device(Device::Ice40Hx8k),
            TargetArg::Ice40Up5k => Target::Device(Device::Ice40Up5k),
            TargetArg::Ecp5_25k => Target::Device(Device::Ecp5_25k),
            TargetArg::Ecp5_85k => Target::Device(Device::Ecp5_85k),
            TargetArg::Xilinx => Target::Areas(Library::Xilinx),
            TargetArg::Intel => Target::Areas(Library::Intel),
            TargetArg::Gowin => Target::Areas(Library::Gowin),
            TargetArg::Nexus => Target::Areas(Library::Nexus),
            TargetArg::GateMate => Target::Areas(Library::GateMate),
        }
    }
}

/// Parts of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartArg {
    /// Each cell alone.
    Cells,
    /// D_switch_first, D_switch: the switches of dilated.
    Switch,
    /// D_node_0, D_node_1, …, D_sink: a node of each column of multibutterfly.
    Node,
    /// D_fabric: switches or nodes, and wires.
    Fabric,
    /// D_labels: the network of the labels, in self-routing systems.
    Labels,
    /// D_exchange: the fabric with its controllers.
    Exchange,
    /// D_route: the fabric of dilated or multibutterfly with its controller.
    Route,
    /// D_permute: the core of a streamed permutation.
    Permute,
    /// D_loaded: benes with its schedule in memories.
    Loaded,
    /// D_crossbar: benes as a crossbar of streams, with --crossbar.
    Crossbar,
    /// D_axis: the exchange with streams, with --axis.
    Axis,
}

impl From<PartArg> for Part {
    fn from(arg: PartArg) -> Self {
        match arg {
            PartArg::Cells => Part::Cells,
            PartArg::Switch => Part::Switch,
            PartArg::Node => Part::Node,
            PartArg::Fabric => Part::Fabric,
            PartArg::Labels => Part::Labels,
            PartArg::Exchange => Part::Exchange,
            PartArg::Route => Part::Route,
            PartArg::Permute => Part::Core("permute"),
            PartArg::Loaded => Part::Core("loaded"),
            PartArg::Crossbar => Part::Core("crossbar"),
            PartArg::Axis => Part::Core("axis"),
        }
    }
}

/// Formats of `frit synth`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SynthFormat {
    /// A report to read.
    #[default]
    Text,
    /// A JSON object for programs (docs/formats.md).
    Json,
    /// A row for each module (CSV).
    Csv,
}

/// `frit synth`.
#[derive(Debug, Args)]
pub struct SynthArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The width.
    #[command(flatten)]
    pub width: WidthArgs,
    /// benes, user: with a schedule in memories that is loaded while the last one runs, K entries in each of two banks (docs/demand.md)
    #[arg(long, value_name = "K")]
    pub entries: Option<u64>,
    /// benes: a crossbar of AXI4-Streams, whose settings are fixed while words pass (docs/crossbar.md)
    #[arg(long, conflicts_with_all = ["entries", "axis"])]
    pub crossbar: bool,
    /// The exchange with an AXI4-Stream input and output for every terminal (D_axis, docs/streams.md)
    #[arg(long)]
    pub axis: bool,
    /// Words of a message, 1 to 256 [default: 1]; with --entries: of the longest message, 1 to 4096
    #[arg(long, value_name = "WORDS", requires = "axis")]
    pub length: Option<u32>,
    /// Sets of messages that the memories hold
    #[arg(long, value_name = "SETS", requires = "axis", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub buffers: u32,
    /// FPGA to synthesise for: a device, or a family for its areas only
    #[arg(long, value_enum, default_value_t, value_name = "DEVICE")]
    pub target: TargetArg,
    /// Parts of the design [default: all]
    #[arg(long = "part", value_enum, value_delimiter = ',', value_name = "PART,…")]
    pub parts: Vec<PartArg>,
    /// Number of placer seeds, 1 to K; Fmax is the median over the seeds [default: 5]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: Option<u32>,
    /// Measure areas only: no place and route, no Fmax
    #[arg(long, conflicts_with = "seeds")]
    pub no_pnr: bool,
    /// Prove that each netlist is equivalent to its Verilog, except for the whole design (exchange, route)
    #[arg(long)]
    pub prove: bool,
    /// Show the LUTs and flip-flops of each kind of cell in each module (maps the modules once more)
    #[arg(long)]
    pub breakdown: bool,
    /// Seed of the wires and messages of multibutterfly [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Keep all files in this folder, one subfolder for each module
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: SynthFormat,
}

impl SynthArgs {
    /// Which core they ask for, as the other commands say it.
    pub fn core(&self) -> CoreArgs {
        let streams = StreamArgs {
            axis: self.axis,
            length: self.length,
            buffers: self.buffers,
            ..StreamArgs::default()
        };
        CoreArgs {
            design: self.design.clone(),
            width: self.width.clone(),
            loaded: LoadedArgs { demand: None, entries: self.entries },
            crossbar: CrossbarArgs { crossbar: self.crossbar, sources: None },
            streams,
            payload: PayloadArgs::default(),
            packets: PacketArgs::default(),
        }
    }
}
