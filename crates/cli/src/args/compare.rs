//! `frit compare`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Formats of `frit compare`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// For people.
    #[default]
    Text,
    /// A line per row.
    Csv,
    /// For programs; documented in docs/formats.md.
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
    /// Text, CSV, JSON or Markdown
    #[arg(long, value_enum, default_value_t)]
    pub format: CompareFormat,
}
