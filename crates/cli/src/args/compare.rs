//! `frit compare`.

use super::synth::TargetArg;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Formats of `frit compare`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// Text laid out for a terminal.
    #[default]
    Text,
    /// CSV with a row for each row of the table.
    Csv,
    /// JSON, whose members docs/formats.md lists.
    Json,
    /// A Markdown table.
    Md,
}

/// `frit compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Number of terminals; a system that does not exist at N is shown at the nearest size, and says so
    #[arg(short = 'n', long = "terminals", value_name = "N", allow_negative_numbers = true)]
    pub terminals: String,
    /// Only these systems [default: all]
    #[arg(long, value_delimiter = ',', value_name = "SYSTEM,…")]
    pub systems: Vec<String>,
    /// Sort by a column, named as in --format csv, ascending; -COLUMN: descending
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Sort in descending order
    #[arg(long, requires = "sort")]
    pub reverse: bool,
    /// Draw cycles and switches against N (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// The values of N in the plot [default: powers of two from 4 to 256, and some between]
    #[arg(long, value_delimiter = ',', requires = "plot", value_name = "N,…", allow_negative_numbers = true)]
    pub sizes: Vec<String>,
    /// Synthesise every design with its controllers for a device: LUTs, flip-flops, block RAMs, Fmax
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub synth: Option<TargetArg>,
    /// Bits of a word in the synthesised designs, 1 to 1024 [default: 8]
    #[arg(short = 'w', long = "width", value_name = "W", requires = "synth", allow_negative_numbers = true)]
    pub width: Option<String>,
    /// Seeds of the placer, 1 to K: Fmax is the median over them; 0: areas only [default: 1]
    #[arg(long, value_name = "K", requires = "synth", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub seeds: Option<u32>,
    /// Permutations of 32-bit messages in place of exchanges: steps and area of planned systems beside dilated (routed); areas
    /// are floors, with --synth mapped
    #[arg(long, conflicts_with_all = ["systems", "sort", "plot", "width", "seeds"])]
    pub permutation: bool,
    /// One relation of H 32-bit messages from and to each terminal in place of exchanges: steps, buffers, switches and control bits on
    /// benes, obf, dilated and multibutterfly; with --synth the area of a node and of all nodes, too
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(1..=1024),
          conflicts_with_all = ["systems", "sort", "plot", "width", "seeds", "permutation"])]
    pub relation: Option<u32>,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: CompareFormat,
}
