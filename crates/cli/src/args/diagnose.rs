//! Arguments of `frit diagnose`.

use super::{DesignArgs, Format, PayloadArgs, WidthArgs};
use clap::Args;
use std::path::PathBuf;

/// `frit diagnose`.
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The width.
    #[command(flatten)]
    pub width: WidthArgs,
    /// The messages.
    #[command(flatten)]
    pub payload: PayloadArgs,
    /// What arrived, in the format of deliveries.csv; with the words that were sent (random ones of seed 1 without --payload)
    #[arg(long, value_name = "FILE")]
    pub deliveries: Option<PathBuf>,
    /// The line that the self-test of a board sent, or a file whose last report it is
    #[arg(long, value_name = "LINE|FILE", conflicts_with = "deliveries")]
    pub report: Option<String>,
    /// Without --deliveries and --report: list the faults of every class
    #[arg(long, conflicts_with_all = ["deliveries", "report"])]
    pub list: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What the help of `frit diagnose` ends with.
pub const HELP: &str = "Examples:
  frit diagnose rls -n 8 -w 16 --deliveries board.csv    which faults give just these deliveries?
  frit diagnose rls -n 8 -w 8 --report board.log         which faults give this report of a board?
  frit diagnose rls -n 8                                 how many faults the exchange tells apart
  frit simulate rls -n 8 -w 16 --payload random --fault stuck-switch:2:1:1 --deliveries board.csv

Exit code: 0 if nothing is wrong, 1 if the deliveries, or the report, are not those of a design without a fault. More in docs/stuck.md.";
