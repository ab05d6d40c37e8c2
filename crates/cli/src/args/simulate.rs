//! Arguments of `frit simulate`.

use super::{DesignArgs, Format, PaceArgs, PayloadArgs, RoundRange, WidthArgs};
use clap::Args;
use std::path::PathBuf;

/// `frit simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The width.
    #[command(flatten)]
    pub width: WidthArgs,
    /// The messages.
    #[command(flatten)]
    pub payload: PayloadArgs,
    /// Number of exchanges, without a gap: each begins as soon as the inputs are free again
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub exchanges: u32,
    /// Run only these rounds of the exchange, both ends included
    #[arg(
        long,
        value_name = "K|FIRST..LAST",
        conflicts_with_all = ["exchanges", "payload", "settings", "deliveries", "received", "wave"]
    )]
    pub rounds: Option<RoundRange>,
    /// Run an uneven exchange: words of each pair of terminals, N lines of N numbers, or a list, JSON, .npy (`frit demand --help`)
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["exchanges", "payload", "settings", "received", "wave", "rounds"]
    )]
    pub demand: Option<PathBuf>,
    /// Send each word of the demand through an intermediate terminal: two exchanges with rounds of equal length
    #[arg(long, requires = "demand")]
    pub two_hop: bool,
    /// Let the hardware have this fault (repeatable): stuck-switch, broken-link, stuck-driver or stuck-label with its place (docs/stuck.md)
    #[arg(long, value_name = "FAULT", conflicts_with_all = ["demand", "rounds"])]
    pub fault: Vec<String>,
    /// Seconds and bytes.
    #[command(flatten)]
    pub pace: PaceArgs,
    /// Write every switch setting (CSV)
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Write every delivery (CSV)
    #[arg(long, value_name = "FILE")]
    pub deliveries: Option<PathBuf>,
    /// Write the words received (CSV, .bin or .npy): row = receiver, column = source
    #[arg(long, value_name = "FILE")]
    pub received: Option<PathBuf>,
    /// Write a waveform (.fst or .vcd)
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
