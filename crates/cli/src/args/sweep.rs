//! Arguments of `frit sweep`.

use super::Format;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// Over the options of `--engine slurm`.
const SLURM: &str = "With --engine slurm";

/// Where a sweep runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SweepEngine {
    /// Runs the points on this machine.
    #[default]
    Local,
    /// Submits a job array to Slurm, waits for it, and joins its shards.
    Slurm,
}

/// `frit sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// A subcommand, in place of a run.
    #[command(subcommand)]
    pub other: Option<SweepCommand>,
    /// Sweep file (docs/sweep.md)
    #[arg(value_name = "FILE.toml", required = true)]
    pub file: Option<PathBuf>,
    /// Folder for the files that the sweep names [default: the current one]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Run part I of K and write its rows to its own file; `slurm`: take I and K from the task of a job array
    #[arg(long, value_name = "I/K")]
    pub shard: Option<ShardArg>,
    /// Where the points run
    #[arg(long, value_enum, default_value_t)]
    pub engine: SweepEngine,
    /// Number of tasks of the job array
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=Shard::MOST as i64), help_heading = SLURM)]
    pub tasks: Option<u32>,
    /// Options for sbatch, on one line
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, help_heading = SLURM)]
    pub sbatch: Option<String>,
    /// Submit the job array and do not wait for it
    #[arg(long, help_heading = SLURM)]
    pub detach: bool,
    /// Print how many points are known, and how many tasks wait and run
    #[arg(long, conflicts_with_all = ["detach", "cancel"], help_heading = SLURM)]
    pub status: bool,
    /// Cancel the job array; the rows that it has written are kept
    #[arg(long, conflicts_with = "detach", help_heading = SLURM)]
    pub cancel: bool,
    /// Seconds between two queries to Slurm for the state of the job
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = SLURM)]
    pub poll: u64,
    /// List the points instead of running them, each with the file that has its row
    #[arg(long, conflicts_with_all = ["again", "drop", "jobs"])]
    pub list: bool,
    /// Run every point, also those that the CSV file already holds
    #[arg(long)]
    pub again: bool,
    /// Drop rows of the CSV file that the sweep does not ask for, or that another version or configuration made; without
    /// this option such rows are an error
    #[arg(long)]
    pub drop: bool,
    /// Number of points that run at the same time [default: one per processor core]
    #[arg(short, long, value_name = "COUNT")]
    pub jobs: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What is done with a sweep besides running it.
#[derive(Debug, Subcommand)]
pub enum SweepCommand {
    /// Join the CSV file and the files of the shards, and report the missing points
    #[command(after_help = "Examples:
  frit sweep merge examples/figure4.toml -o out

If no point is missing, the plots are drawn, too. All files then have the bytes that a single run would have written.
Exit codes: 0 complete, 1 points are missing, 2 unusable.")]
    Merge(MergeArgs),
}

/// `frit sweep merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Sweep file (docs/sweep.md)
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,
    /// Folder of the files that the sweep names [default: the current one]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Drop rows of the CSV file that the sweep does not ask for, or that another version or configuration made; without
    /// this option such rows are an error
    #[arg(long)]
    pub drop: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// A part of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub index: u32,
    pub count: u32,
}

impl Shard {
    pub const MOST: u32 = 65536;
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(i, k)| Some((i.parse().ok()?, k.parse().ok()?)));
        let shard = parts.map(|(index, count)| Shard { index, count });
        shard.filter(|s| s.count <= Shard::MOST && (1..=s.count).contains(&s.index)).ok_or_else(|| {
            format!("{text:?}: give I/K, part I = 1 to K of K = 1 to {}, like 2/8", Shard::MOST)
        })
    }
}

/// Which part is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardArg {
    Part(Shard),
    /// The one that a job array of Slurm says.
    Slurm,
}

impl FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "slurm" => Ok(ShardArg::Slurm),
            part => part.parse().map(ShardArg::Part).map_err(|error| format!("{error}, or slurm")),
        }
    }
}
