//! Arguments of `frit diff`.

use super::Format;
use clap::Args;
use frit_trace::diff::{Align, NameMap};
use std::path::PathBuf;

/// `frit diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Reference: waveform (.vcd, .fst) or trace (.csv)
    pub a: PathBuf,
    /// File to compare with the reference
    pub b: PathBuf,
    /// Rename a hierarchical prefix in both files
    #[arg(long, value_name = "FROM=TO")]
    pub map: Vec<NameMap>,
    /// Alignment: `first` (cycle 0 is the first active edge after reset), the CYCLE of B that matches cycle 0 of A, or A:B
    #[arg(long, default_value = "first", value_name = "CYCLE")]
    pub align: Align,
    /// Name of the clock, if it is not clk_i, clk or clock
    #[arg(long, value_name = "NAME")]
    pub clock: Option<String>,
    /// Name of the reset, if it is not rst_i, rst or reset
    #[arg(long, value_name = "NAME")]
    pub reset: Option<String>,
    /// Skip cycles in which reset is high
    #[arg(long)]
    pub ignore_reset: bool,
    /// Cycles shown around the first difference
    #[arg(long, default_value_t = 3, value_name = "CYCLES")]
    pub context: usize,
    /// Compare only signals whose name matches (wildcards * and ?; repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// Skip signals whose name matches
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<String>,
    /// Let x and z match any value
    #[arg(long)]
    pub x_is_dont_care: bool,
    /// Compare only signals that both files have; without this option a missing signal is a difference
    #[arg(long)]
    pub common: bool,
    /// Treat a different number of cycles as a difference
    #[arg(long)]
    pub same_length: bool,
    /// Maximum number of signals to list with their first difference
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    pub max_differences: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
