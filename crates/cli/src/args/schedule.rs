//! Arguments of `frit schedule`.

use super::Format;
use super::options::DesignIfAny;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Formats of `frit schedule`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ScheduleFormat {
    /// A report to read.
    #[default]
    Text,
    /// A JSON object for programs (docs/formats.md).
    Json,
    /// A row for each round and source (CSV).
    Csv,
    /// Destinations, a line for each round, for $readmemh.
    Memh,
}

/// `frit schedule`.
#[derive(Debug, Args)]
pub struct ScheduleArgs {
    /// Check something else than a system.
    #[command(subcommand)]
    pub check_other: Option<ScheduleCommand>,
    /// The design.
    #[command(flatten)]
    pub design: DesignIfAny,
    /// benes: the shortest schedule of permutations for this demand (any file that frit demand reads), each with the cycles for which it is held;
    /// memh: the program of the loaded hardware
    #[arg(long, value_name = "FILE", conflicts_with_all = ["round", "check", "paths"])]
    pub demand: Option<PathBuf>,
    /// Show only this round, with the state of every switch
    #[arg(long, value_name = "K")]
    pub round: Option<u32>,
    /// Route every round on the bare network; exit code 1 unless the schedule is complete
    #[arg(long, conflicts_with = "round")]
    pub check: bool,
    /// Show the path of every message of the round, hop by hop (rls-flattened): routers and the channels between them
    #[arg(long, requires = "round", conflicts_with = "check")]
    pub paths: bool,
    /// A search for the rounds.
    #[command(flatten)]
    pub exact: ExactArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: ScheduleFormat,
}

/// `frit schedule user --algorithm exact`.
#[derive(Clone, Debug, Default, PartialEq, Args)]
#[command(next_help_heading = "Search for an exchange (user --network FILE --algorithm exact)")]
pub struct ExactArgs {
    /// Number of rounds to look for [default: number of terminals]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub rounds: Option<u32>,
    /// Time limit, after which the answer is "open" [default: 60]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Save settled questions in this file, and resume from it next time
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    pub state: Option<PathBuf>,
    /// If no exchange exists, write a DRAT proof to this file and its clauses beside it (.cnf); asks one question for all rounds
    #[arg(long, value_name = "FILE.drat")]
    pub proof: Option<PathBuf>,
}

/// Checks that need no system.
#[derive(Debug, Subcommand)]
pub enum ScheduleCommand {
    /// Check whether a network can route a permutation in one pass, by conflict windows and by routing it
    #[command(after_help = "Examples:
  frit schedule check --network butterfly --permutation p.txt
  frit schedule check --network butterfly --permutation examples/rls_figure3.txt --drawing conflicts.svg

The file holds the destinations of sources 0, 1, 2, ... separated by commas or white space.
Exit codes: 0 admissible, 1 not, 2 unusable.")]
    Check(CheckArgs),
}

/// Networks that `frit schedule check` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckNetwork {
    /// The Butterfly network.
    Butterfly,
}

/// `frit schedule check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The network
    #[arg(long, value_enum)]
    pub network: CheckNetwork,
    /// The permutation
    #[arg(long, value_name = "FILE")]
    pub permutation: PathBuf,
    /// Also draw the messages on the network, with conflicts in red (.svg)
    #[arg(long, value_name = "FILE")]
    pub drawing: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
