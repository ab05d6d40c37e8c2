//! `frit compare`.

use super::PaceArgs;
use super::synth::TargetArg;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Formats of `frit compare`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// A table to read.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// A JSON object for programs (docs/formats.md).
    Json,
    /// A Markdown table.
    Md,
}

/// `frit compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Number of terminals; a system without this size is shown at its nearest size, with a note
    #[arg(
        short = 'n',
        long = "terminals",
        value_name = "N",
        allow_negative_numbers = true,
        required_unless_present = "demand"
    )]
    pub terminals: Option<String>,
    /// Compare only these systems [default: all]
    #[arg(long, value_delimiter = ',', value_name = "SYSTEM,…")]
    pub systems: Vec<String>,
    /// Compare exchanges that use these switches as they are (STATE 0 straight, 1 cross), each system on its own network; systems that do not go
    /// round stuck switches are left out
    #[arg(long, value_name = "STAGE:SWITCH:STATE[,…]|FILE", conflicts_with_all = ["permutation", "relation", "stream", "demand", "synth"])]
    pub stuck: Option<String>,
    /// Sort by a column of --format csv, ascending; -COLUMN sorts descending
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Sort in descending order
    #[arg(long, requires = "sort")]
    pub reverse: bool,
    /// Draw cycles and switches against N (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Values of N in the plot [default: powers of two from 4 to 256, and some between]
    #[arg(long, value_delimiter = ',', requires = "plot", value_name = "N,…", allow_negative_numbers = true)]
    pub sizes: Vec<String>,
    /// Synthesise every design with its controllers for this FPGA: LUTs, flip-flops, block RAMs, Fmax
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub synth: Option<TargetArg>,
    /// Bits of a word in the synthesised designs, 1 to 1024 [default: 8]
    #[arg(short = 'w', long = "width", value_name = "W", requires = "synth", allow_negative_numbers = true)]
    pub width: Option<String>,
    /// Number of placer seeds, 1 to K; Fmax is the median over the seeds; 0: areas only [default: 1]
    #[arg(long, value_name = "K", requires = "synth", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub seeds: Option<u32>,
    /// Compare permutations of 32-bit messages instead of exchanges: steps and area of planned systems beside dilated (routed); areas
    /// are floors; with --synth areas are mapped by Yosys
    #[arg(long, conflicts_with_all = ["systems", "sort", "plot", "width", "seeds"])]
    pub permutation: bool,
    /// Compare one relation of H 32-bit messages from and to each terminal instead of exchanges: steps, buffers, switches and control bits on
    /// benes, obf, dilated and multibutterfly; with --synth also the area of a node and of all nodes
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(1..=1024),
          conflicts_with_all = ["systems", "sort", "plot", "width", "seeds", "permutation"])]
    pub relation: Option<u32>,
    /// Compare the forms of one streamed order (transpose or permute) with N words a cycle instead of exchanges: one or two banks of
    /// memories, one or two pages; columns, switches, latency, memory; with --synth also the area of the core
    #[arg(long, value_names = ["SYSTEM", "KEY=VALUE"], num_args = 1..,
          conflicts_with_all = ["systems", "sort", "plot", "seeds", "permutation", "relation"])]
    pub stream: Option<Vec<String>>,
    /// Compare planners of this demand instead of exchanges: cycles beside the lower bound, configurations, buffers, planning time
    /// (any file that frit demand reads); --plot draws the ratio to the bound against --delta
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["systems", "sizes", "synth", "permutation", "relation", "stream"])]
    pub demand: Option<PathBuf>,
    /// With --demand: time, in words, that a network takes to change its configuration
    #[arg(long, value_name = "WORDS", requires = "demand", default_value_t = 0)]
    pub delta: u32,
    /// With --demand: number of Beneš networks side by side
    #[arg(long, value_name = "S", requires = "demand", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub planes: u32,
    /// With --demand: the most configurations of a Beneš network, for the planner `few` [default: no limit]
    #[arg(long, value_name = "K", requires = "demand", value_parser = clap::value_parser!(u32).range(1..))]
    pub matchings: Option<u32>,
    /// Seconds and bytes.
    #[command(flatten)]
    pub pace: PaceArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: CompareFormat,
}
