//! A demand from a file, within the memory that there is.

pub mod make;

use crate::memory::{self, estimate};
use anyhow::{Context, Result};
use frit_demand::Demand;
use frit_demand::ranks::{self, RankFile};
use frit_demand::read::{Origin, Reading, read_with_origin};
use frit_demand::walk::TooLong;
use frit_network::Refusal;
use frit_trace::output;
use frit_traffic::{gzip, npy};
use std::path::Path;

/// Bytes for each byte of a file while it is read.
const READ: u64 = 12;

pub fn demand(path: &Path, reading: Reading) -> Result<Demand> {
    Ok(with_origin(path, reading)?.0)
}

/// The demand of a file, and what the file says beside.
pub fn with_origin(path: &Path, reading: Reading) -> Result<(Demand, Origin)> {
    let bytes = contents(path)?;
    read_with_origin(&bytes, reading).with_context(|| path.display().to_string())
}

/// The demand of the files of all ranks.
pub fn of_ranks<'a>(paths: impl Iterator<Item = &'a Path>, reading: Reading) -> Result<(Demand, Origin)> {
    let file = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // The name of what is packed in it.
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        RankFile::parse(name, &contents(path)?).with_context(|| path.display().to_string())
    };
    Ok(ranks::demand(paths.map(file).collect::<Result<_>>()?, reading)?)
}

/// The bytes of a file of numbers.
pub fn contents(path: &Path) -> Result<Vec<u8>> {
    // What is no file says its length when it has been read.
    let length = path.metadata().map_or(0, |file| file.len()).min(output::MAX_TEXT);
    memory::need(&path.display().to_string(), READ * length, "give a smaller file")?;
    let mut bytes = output::read_up_to(path, output::MAX_TEXT)?;
    if gzip::is_packed(&bytes) {
        memory::need(&path.display().to_string(), READ * gzip::unpacked(&bytes), "give a smaller file")?;
        bytes = gzip::unpack(&bytes, output::MAX_TEXT).with_context(|| path.display().to_string())?;
    }
    let bytes = output::unmarked(bytes);
    memory::need(&path.display().to_string(), READ * npy::unpacked(&bytes), "give a smaller file")?;
    Ok(bytes)
}

/// What a plan takes: matrices, and the permutations, of which there are no more than rounds, nor than half as many as there are pairs
/// with words.
fn plan(demand: &Demand) -> u64 {
    let n = u64::from(demand.terminals());
    24 * n * n + configurations(demand) * (2 * n + 40)
}

fn configurations(demand: &Demand) -> u64 {
    u64::from(demand.h()).min((demand.nonzeros() + 2 * u64::from(demand.terminals())) / 2)
}

/// The same with two hops, and any plan of a comparison: a permutation has a way for each source, and one more where it is divided between two
/// intermediate terminals; a way has a word or more.
pub fn compared(demand: &Demand) -> u64 {
    let n = u64::from(demand.terminals());
    let ways = demand.total().min(n * (configurations(demand) + n));
    plan(demand) + 36 * n * n + 32 * ways
}

/// Refuses plans for which there is no memory.
pub fn need_plan(demand: &Demand) -> Result<()> {
    need(plan(demand))
}

/// Refuses plans with two hops, and comparisons, for which there is no memory.
pub fn need_compared(demand: &Demand) -> Result<()> {
    need(compared(demand))
}

fn need(bytes: u64) -> Result<()> {
    memory::need("the plan of this demand", bytes, "give a demand of fewer terminals")
}

/// The most rounds that there is memory for where each round is stored.
pub fn most_rounds(two_hop: bool) -> u64 {
    memory::left() / estimate::stored_round(two_hop)
}

/// What was planned. A plan that has more rounds than there is memory for is refused with both figures.
pub fn within_memory<T>(planned: Result<T, Refusal>, two_hop: bool) -> Result<T> {
    if let Some(long) = planned.as_ref().err().and_then(Refusal::detail::<TooLong>) {
        let what =
            format!("the plan of {} for this demand, {} stored rounds or more,", long.name, long.rounds);
        let bytes = long.rounds.saturating_mul(estimate::stored_round(two_hop));
        memory::need(&what, bytes, "give a demand of fewer words, or another system, for example rls")?;
    }
    Ok(planned?)
}
