//! Arguments of `frit diff`.

use super::Format;
use clap::Args;
use frit_cosim::diff::{Align, NameMap};
use std::path::PathBuf;

/// `frit diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The file that is right: waveform (.vcd, .fst) or trace (.csv)
    pub a: PathBuf,
    /// The file compared with it
    pub b: PathBuf,
    /// Rename a hierarchical prefix, in both files
    #[arg(long, value_name = "FROM=TO")]
    pub map: Vec<NameMap>,
    /// Where cycle 0 is: `first` (first active edge after reset), CYCLE of B that meets cycle 0 of A, or A:B
    #[arg(long, default_value = "first", value_name = "CYCLE")]
    pub align: Align,
    /// Name of the clock, if it is not clk_i, clk or clock
    #[arg(long, value_name = "NAME")]
    pub clock: Option<String>,
    /// Name of the reset, if it is not rst_i, rst or reset
    #[arg(long, value_name = "NAME")]
    pub reset: Option<String>,
    /// Do not compare cycles in which reset is high
    #[arg(long)]
    pub ignore_reset: bool,
    /// Cycles shown around the first difference
    #[arg(long, default_value_t = 3, value_name = "CYCLES")]
    pub context: usize,
    /// Compare only signals whose name matches (* and ? are wild; repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// Leave out signals whose name matches
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<String>,
    /// An x or z matches anything
    #[arg(long)]
    pub x_is_dont_care: bool,
    /// Compare only the signals that both files have; without it a signal that one file lacks is a difference
    #[arg(long)]
    pub common: bool,
    /// A different number of cycles is a difference
    #[arg(long)]
    pub same_length: bool,
    /// Signals listed with their first difference
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    pub max_differences: usize,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
