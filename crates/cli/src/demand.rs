//! A demand from a file, within the memory that there is.

pub mod make;

use crate::memory;
use anyhow::{Context, Result};
use frit_demand::read::Reading;
use frit_demand::{Demand, read};
use frit_trace::output;
use std::path::Path;

/// Bytes for each byte of a file while it is read.
const READ: u64 = 12;

/// Reads a demand.
pub fn demand(path: &Path, reading: Reading) -> Result<Demand> {
    let bytes = contents(path)?;
    read(&bytes, reading).with_context(|| path.display().to_string())
}

/// The bytes of a file of numbers.
pub fn contents(path: &Path) -> Result<Vec<u8>> {
    // What is no file says its length when it has been read.
    let length = path.metadata().map_or(0, |file| file.len()).min(output::MAX_TEXT);
    memory::need(&path.display().to_string(), READ * length, "give a smaller demand")?;
    Ok(output::unmarked(output::read_up_to(path, output::MAX_TEXT)?))
}

/// Refuses plans for which there is no memory: matrices, and the permutations of a plan, of which there are no more than rounds, nor
/// than half as many as there are pairs with words.
pub fn need_plan(demand: &Demand) -> Result<()> {
    let n = u64::from(demand.terminals());
    let configurations = u64::from(demand.h()).min((demand.nonzeros() + 2 * n) / 2);
    let bytes = 24 * n * n + configurations * (2 * n + 40);
    memory::need("the plan of this demand", bytes, "give a demand of fewer terminals")
}
