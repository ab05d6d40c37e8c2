//! How commands are asked for a plan of configurations.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Planners of configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlannerArg {
    /// As many rounds as the largest row or column sum (h), by matchings among large entries first.
    Exact,
    /// A search for few configurations within a time a little above the lower bound.
    Few,
    /// As few configurations as possible: each pair in one.
    Cover,
    /// Any matching, held as long as its smallest entry (Birkhoff and von Neumann).
    Birkhoff,
}

/// Forms of a file with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlanForm {
    /// A line `plane,start,hold` and the destination of each source, for each configuration.
    Csv,
    /// The same as JSON.
    Json,
    /// Circuits in time slices of one length, for `BaseNetwork.connect` of OpenOptics (JSON).
    Openoptics,
    /// Cross-connects of an optical circuit switch, as OpenConfig's pull request 1187 lists them (JSON).
    Openconfig,
    /// A connection matrix for htsim (.cm): for each configuration the flows of its pairs, with their start; needs --link or --clock.
    Htsim,
}

/// A plan of `frit demand`.
#[derive(Clone, Debug, Args)]
pub struct PlanArgs {
    /// Write a plan of configurations to this file: when each permutation begins, and for how many cycles it is held
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Form of the file of --schedule [default: json and htsim for .json and .cm, otherwise csv]
    #[arg(long, value_enum, value_name = "FORM", requires = "schedule")]
    pub schedule_form: Option<PlanForm>,
    /// Planner of --schedule [default: exact for one plane and --delta 0, otherwise few]
    #[arg(long, value_enum, value_name = "PLANNER", requires = "schedule")]
    pub planner: Option<PlannerArg>,
    /// Most configurations of a network, for the planner few [default: no limit]
    #[arg(long, value_name = "K", requires = "schedule", value_parser = clap::value_parser!(u32).range(1..))]
    pub matchings: Option<u32>,
    /// Make the plan of --schedule from the configurations of the plan in this file (CSV or JSON), for example that of the last demand: with
    /// new holds, and new configurations for what is left
    #[arg(long, value_name = "PLAN", requires = "schedule", conflicts_with_all = ["planner", "check"])]
    pub reuse: Option<PathBuf>,
    /// Check the plan in this file (CSV or JSON, of any planner): whether it carries the demand
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["schedule", "output"])]
    pub check: Option<PathBuf>,
}

/// Terminals in racks, and racks on optical switches.
#[derive(Clone, Debug, Args)]
pub struct RacksArgs {
    /// The terminals are in R racks of the same size: plan the ports in the racks and the optical switches between them together
    #[arg(long, value_name = "R", conflicts_with_all = ["planes", "planner", "matchings", "entries", "reuse"])]
    pub racks: Option<u32>,
    /// Uplinks of each rack, one to each optical switch [default: as many as a rack has terminals]
    #[arg(long, value_name = "U", requires = "racks", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub uplinks: Option<u32>,
    /// Plan of the optical switches: written beside that of --schedule, or read beside that of --check
    #[arg(long, value_name = "FILE", requires = "racks")]
    pub circuits: Option<PathBuf>,
}
