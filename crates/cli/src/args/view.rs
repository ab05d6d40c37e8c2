//! Arguments of `frit view`.

use super::{DesignArgs, NotationArg, PacketArgs, RoundRange, WidthArgs};
use clap::Args;
use std::path::PathBuf;

/// What stands behind the options in the help.
pub const HELP: &str = "Examples:
  frit view rls -n 16 -o rls.html                          a page that plays the exchange; open it in any browser
  frit view gsen -n 10 --algorithm ata2 -o gsen.html
  frit view rls -n 8 --fault stuck-switch:1:0:1 -o stuck.html   red from the first cycle that differs
  frit view rls -n 8 --settings icarus/settings.csv --deliveries icarus/deliveries.csv -o icarus.html
                                                           what frit verify -o or make sim has written, beside the model
  frit view dilated -n 4 --bundle 4 --per-input 8 -o dilated.html   worms, and the heads that are blocked
  frit view multibutterfly -n 16 --traffic bitrev -o multibutterfly.html
  frit view benes -n 16 --demand moe.csv -o moe.html       an uneven exchange (frit demand makes one)
  frit view benes -n 16 --demand moe.csv --timeline -o moe.svg   its demand, its configurations and all arrivals
  frit view rls -n 8 --still 5 -o cycle5.svg               one cycle as a drawing
  frit view rls -n 8 --round 1 -o round1.svg               the whole path of a round

The page is one file and loads nothing from the network (docs/view.md).";

/// `frit view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The width of the words of a design with a fault, or of deliveries read from a file.
    #[command(flatten)]
    pub width: WidthArgs,
    /// File to write: a page (.html), or with --still, --round or --timeline a drawing (.svg)
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Draw this cycle instead of writing a page
    #[arg(long, value_name = "CYCLE", conflicts_with = "round")]
    pub still: Option<u64>,
    /// Draw the whole path of this round, or of these rounds below each other, instead of writing a page
    #[arg(long, value_name = "K|FIRST..LAST")]
    pub round: Option<RoundRange>,
    /// Show an uneven exchange: words of each pair of terminals (any file that frit demand reads)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fault", "settings", "deliveries", "seed", "width"])]
    pub demand: Option<PathBuf>,
    /// Draw the demand, its configurations and all arrivals, instead of writing a page
    #[arg(long, requires = "demand", conflicts_with_all = ["still", "round"])]
    pub timeline: bool,
    /// Show the rust-hdl description with this planted fault, beside the model; --fault help lists the faults
    #[arg(long, value_name = "FAULT", conflicts_with_all = ["settings", "deliveries"])]
    pub fault: Option<String>,
    /// The packets of a router.
    #[command(flatten)]
    pub packets: PacketArgs,
    /// Seed of random traffic (routed systems), or of the words with which `--deliveries` is compared [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Settings that an engine has written (settings.csv), shown instead of a run of the model
    #[arg(long, value_name = "FILE", requires = "deliveries")]
    pub settings: Option<PathBuf>,
    /// Deliveries of the same engine (deliveries.csv)
    #[arg(long, value_name = "FILE", requires = "settings")]
    pub deliveries: Option<PathBuf>,
    /// The words that were sent, if deliveries.csv has words: a CSV or .bin file, N x N (row = source), or `random` [default: random]
    #[arg(long, value_name = "FILE|random", requires = "deliveries")]
    pub payload: Option<String>,
    /// Number base of the words in a CSV file
    #[arg(long, value_enum, default_value_t, value_name = "NOTATION")]
    pub notation: NotationArg,
}
