//! Arguments of `frit generate` and `frit verify`.

use super::{DesignArgs, Format, PayloadArgs, SelftestArgs, StreamArgs, WidthArgs};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use frit_cosim::simulator::WaveKind;
use frit_design::generate::Cells;
use frit_rtl::library;
use serde::Deserialize;
use std::path::PathBuf;

/// How the fabric and its controllers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FabricStyle {
    /// Unrolled up to 64 terminals (dilated: up to 500 edges), compact above.
    #[default]
    Auto,
    /// One instance for every cell, for synthesis.
    Unrolled,
    /// One loop for all cells of the same kind in a stage, to simulate large designs faster.
    Compact,
}

/// Which packets a router is given.
#[derive(Clone, Debug, Default, Args)]
pub struct PacketArgs {
    /// Routed systems: kind of traffic: permutation (one for each packet of a row), bit-reversal, transpose, or a file with the packets
    /// [default: permutation]
    #[arg(long, alias = "relation", value_name = "KIND|FILE")]
    pub traffic: Option<String>,
    /// Routed systems: packets that each row sends [default: --set per-input]
    #[arg(long, alias = "load", value_name = "PACKETS")]
    pub per_source: Option<u32>,
    /// Routed systems: send packets straight to their destinations instead of through random intermediate rows
    #[arg(long)]
    pub direct: bool,
}

/// A schedule that is loaded.
#[derive(Clone, Debug, Default, Args)]
pub struct LoadedArgs {
    /// benes, user: a schedule in memories, loaded while the last one runs, with the program of this demand (any file that `frit demand` reads);
    /// user: each round of the schedule is held as long as the demand needs it, and rounds without words are left out
    #[arg(long, value_name = "FILE")]
    pub demand: Option<PathBuf>,
    /// Entries in each of the two banks of memory, a power of two from 2 to 4096. benes, with --demand: if the plan in h rounds
    /// needs more, frit searches for a plan with at most K configurations. user: without --demand the program is the schedule [default
    /// with --demand: the number that the plan needs]
    #[arg(long, value_name = "K")]
    pub entries: Option<u64>,
}

impl LoadedArgs {
    /// Whether a schedule that is loaded is asked for.
    pub fn asked(&self) -> bool {
        self.demand.is_some() || self.entries.is_some()
    }

    /// The option that asks for it.
    pub fn option(&self) -> &'static str {
        if self.demand.is_some() { "--demand" } else { "--entries" }
    }
}

/// A crossbar of streams.
#[derive(Clone, Debug, Default, Args)]
pub struct CrossbarArgs {
    /// benes: a crossbar of AXI4-Streams: a host writes its settings through registers, and they are fixed while words pass
    /// (docs/crossbar.md)
    #[arg(long)]
    pub crossbar: bool,
    /// Crossbar: the source of each output in the testbench's first commit, for example 1,off,3,0 [default: output i has source i]
    #[arg(long, value_name = "SOURCE,…", requires = "crossbar")]
    pub sources: Option<String>,
}

/// Which core.
#[derive(Debug, Args)]
pub struct CoreArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The width.
    #[command(flatten)]
    pub width: WidthArgs,
    /// The messages.
    #[command(flatten)]
    pub payload: PayloadArgs,
    /// The packets of a router.
    #[command(flatten)]
    pub packets: PacketArgs,
    /// The loaded schedule.
    #[command(flatten)]
    pub loaded: LoadedArgs,
    /// The crossbar.
    #[command(flatten)]
    pub crossbar: CrossbarArgs,
    /// The streams.
    #[command(flatten)]
    pub streams: StreamArgs,
}

/// The name of a design: modules, files and packages of all kinds can begin with it.
fn given_name(text: &str) -> Result<String, String> {
    let plain = text.len() <= 60
        && text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text
            .split('_')
            .all(|part| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric()));
    match plain && !text.starts_with("frit_") && !text.starts_with("tb_") {
        true => Ok(text.into()),
        false => Err("a name begins with a letter, has at most 60 letters, digits and single underscores between them, and does not \
                      begin with frit_ (cells) or tb_ (testbenches)"
            .into()),
    }
}

/// `frit generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The core.
    #[command(flatten)]
    pub core: CoreArgs,
    /// Folder to write into
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Also replace files in the folder that frit did not write, or that were changed since
    #[arg(long)]
    pub force: bool,
    /// Form of the design's modules (docs/rtl-simulation.md)
    #[arg(long, value_enum, default_value_t = FabricStyle::Unrolled, value_name = "STYLE")]
    pub fabric_style: FabricStyle,
    /// Routed systems: also write a testbench that gives each module alone random inputs (make units)
    #[arg(long)]
    pub units: bool,
    /// Name of the design; the names of its modules and files begin with it [default: the system with all sizes and options]
    #[arg(long, value_name = "NAME", value_parser = given_name)]
    pub name: Option<String>,
    /// How the modules of the design are laid out in files [default: file; files with --cells]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutArg>,
    /// Layout files: place of the cells: a folder beside or below the design's folder, which designs share and which has its own core; or
    /// prefix: the design has its own copy of all cells, named after the design (docs/rtl.md) [default: frit_cells]
    #[arg(long, value_name = "FOLDER|prefix")]
    pub cells: Option<CellsArg>,
    /// The self-test around the exchange, with its own testbench.
    #[command(flatten)]
    pub selftest: SelftestArgs,
    /// Plant this fault in the design; --fault help lists the faults of its kind
    #[arg(long, value_name = "FAULT")]
    pub fault: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutArg {
    /// One file with all modules, each once, the top first; cells have the name of the design in front.
    File,
    /// A file for each module; designs share the cells of --cells.
    Files,
}

/// Where the cells of an emitted design are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellsArg {
    /// In a folder, relative to that of the design: designs share them.
    Folder(String),
    /// With the design, each with its name in front.
    Prefix,
}

impl GenerateArgs {
    /// Where the cells are. Who says where they are wants a file for each module.
    pub fn place_of_cells(&self) -> Result<Cells<'_>> {
        match (self.layout, &self.cells) {
            (Some(LayoutArg::File), Some(_)) => {
                bail!(
                    "--cells does not apply to --layout file, which has the cells in the design's file; leave one of them out"
                )
            }
            (None | Some(LayoutArg::File), None) => Ok(Cells::OneFile),
            (Some(LayoutArg::Files), None) => Ok(Cells::Folder(library::NAME)),
            (_, Some(CellsArg::Folder(folder))) => Ok(Cells::Folder(folder)),
            (_, Some(CellsArg::Prefix)) => Ok(Cells::Prefix),
        }
    }
}

impl std::str::FromStr for CellsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "prefix" {
            return Ok(CellsArg::Prefix);
        }
        // It is written into file lists, a Makefile and packages.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let fine = |part: &str| part == ".." || !part.starts_with(['.', '-']) && part.bytes().all(plain);
        let parts: Vec<&str> = text.split('/').collect();
        let ends = parts.last().is_some_and(|last| *last != "..");
        match ends && parts.iter().all(|part| !part.is_empty() && fine(part)) && text.len() <= 200 {
            true => Ok(CellsArg::Folder(text.into())),
            false => Err("give a folder relative to the design's folder, such as frit_cells or ../frit_cells (its parts are \
                          letters, digits, _ - and .), or prefix".into()),
        }
    }
}

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineArg {
    /// The cells, simulated by rust-hdl.
    RustHdl,
    /// The Verilog, simulated by Verilator.
    Verilator,
    /// The Verilog, simulated by Icarus Verilog.
    Icarus,
}

/// Formats of waveforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaveArg {
    /// Compressed waveform, for GTKWave and Surfer.
    #[default]
    Fst,
    /// Uncompressed waveform, which every viewer reads.
    Vcd,
    /// No waveform: traces are compared, signals are not.
    None,
}

impl WaveArg {
    /// The format, if waveforms are written.
    pub fn kind(self) -> Option<WaveKind> {
        match self {
            WaveArg::Fst => Some(WaveKind::Fst),
            WaveArg::Vcd => Some(WaveKind::Vcd),
            WaveArg::None => None,
        }
    }
}

/// Families of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FamilyArg {
    /// Netlist for Lattice iCE40.
    Ice40,
    /// Netlist for Lattice ECP5.
    Ecp5,
}

/// `frit verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The core.
    #[command(flatten)]
    pub core: CoreArgs,
    /// Keep all files in this folder (with several N: one subfolder for each design)
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Engines to compare with the model; each must run [default: all engines that can run]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "ENGINE,…")]
    pub engines: Vec<EngineArg>,
    /// Engines that must run; it is an error if one cannot (exit code 3 if a tool is missing)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "ENGINE,…")]
    pub require: Vec<EngineArg>,
    /// Format of the waveforms to compare
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub wave: WaveArg,
    /// Form of the design's modules (docs/rtl-simulation.md)
    #[arg(long, value_enum, default_value_t, value_name = "STYLE")]
    pub fabric_style: FabricStyle,
    /// Plant this fault in the rust-hdl network and in the Verilog; --fault help lists the faults of its kind
    #[arg(long, value_name = "FAULT")]
    pub fault: Option<String>,
    /// The model has the fault of --fault as well: they must agree in what it does (an exchange; docs/faults.md says which faults)
    #[arg(long, requires = "fault", conflicts_with_all = ["formal", "exchanges"])]
    pub expected: bool,
    /// Number of exchanges, without a gap: each begins as soon as the inputs are free again
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub exchanges: u32,
    /// Simulate the netlist that Yosys makes from the Verilog, with Yosys's models of the vendor's cells
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub netlist: Option<FamilyArg>,
    /// Plant a fault in the netlist: invert the contents of LUT K
    #[arg(long, value_name = "K", requires = "netlist")]
    pub invert_lut: Option<usize>,
    /// Prove instead of simulate: the contract of docs/rtl.md for all words (of one bit without -w), starts and resets; with
    /// --netlist, that the netlist is equivalent; with --fabric-style compact, that the compact form is equivalent, too; with
    /// --axis, that the streams keep their rules and that every word reaches its place; with --entries or --demand, the contract of
    /// a loaded schedule for all programs; with --crossbar, the contract of a crossbar for all settings
    #[arg(long, conflicts_with_all = ["engines", "require", "wave", "payload", "exchanges"])]
    pub formal: bool,
    /// Time limit for each search of the proof, in seconds
    #[arg(long, value_name = "SECONDS", requires = "formal", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub proof_time: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
