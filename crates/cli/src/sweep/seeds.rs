//! Seeds, as the file of a sweep says them.

use crate::args::Seeds;
use anyhow::{Result, anyhow};
use serde::Deserialize;

/// A number of seeds, or "FIRST..LAST".
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a number of seeds, or \"FIRST..LAST\"")]
pub enum SeedsFile {
    /// 1, 2, 3, …
    Count(u64),
    Range(String),
}

impl Default for SeedsFile {
    fn default() -> Self {
        SeedsFile::Count(5)
    }
}

impl SeedsFile {
    pub fn seeds(&self) -> Result<Seeds> {
        match self {
            SeedsFile::Count(count) => count.to_string().parse(),
            SeedsFile::Range(range) => range.parse(),
        }
        .map_err(|error| anyhow!("seeds = {error}"))
    }
}
