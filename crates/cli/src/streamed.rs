//! The plan of a streamed system, from its options and files.

use crate::memory;
use anyhow::{Context, Result, bail};
use frit_cells::design::permute::design_name;
use frit_cosim::synth::Target;
use frit_network::options::{Request, Row};
use frit_permute::gf2::Matrix;
use frit_permute::systems::{MATRIX, PERMUTATION};
use frit_permute::{Streamed, streamed, with_matrix, with_permutation};
use frit_trace::output;
use frit_traffic::permutation;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Bytes for each word of an order while its plan is made and its parts are run.
const BYTES_PER_WORD: u64 = 256;

/// The plan of a request, with the files that were given for its options.
pub fn plan(request: &Request, files: &BTreeMap<&'static str, PathBuf>) -> Result<Streamed> {
    let (matrix, order) = (files.get(MATRIX.name), files.get(PERMUTATION.name));
    match (matrix, order) {
        (Some(_), Some(_)) => bail!("--matrix and --permutation were both given; give one of them"),
        (Some(path), None) => {
            let (matrix, constant) =
                Matrix::parse(&read(path)?).with_context(|| path.display().to_string())?;
            Ok(with_matrix(request, matrix, constant)?)
        }
        (None, Some(path)) => {
            let order = permutation::parse(&read(path)?).with_context(|| path.display().to_string())?;
            need("the order in a file", order.len() as u64)?;
            Ok(with_permutation(request, order)?)
        }
        (None, None) => Ok(streamed(request)?),
    }
}

fn read(path: &Path) -> Result<String> {
    Ok(output::read_text(path)?)
}

/// Refuses to run the words of a data set for which there is no memory.
pub fn need(what: &str, words: u64) -> Result<()> {
    memory::need(what, words * BYTES_PER_WORD, "give fewer words")
}

/// Refuses a core whose memories alone are more than the device has.
pub fn refuse_memory(plan: &Streamed, width: u32, target: Target) -> Result<()> {
    let bits = u64::from(plan.word_bits(width));
    let Some(device) = target.device() else { return Ok(()) };
    let of = |depth: u32| device.family().block_rams(depth.next_power_of_two().into(), bits);
    let needs: u64 = plan.memories().map(|memory| u64::from(plan.lanes) * of(memory.depth)).sum();
    let has = device.capacity().brams;
    if needs > has {
        bail!(
            "{} needs {needs} block RAMs for its memories, but {} has {has}; give fewer words, a smaller -w, another --target, or --no-pnr for areas only",
            design_name(plan, width),
            device.title()
        );
    }
    Ok(())
}

/// Refuses the first of these options that is given (its name, whether it is); `why` says what stands against it and what to do.
pub fn refuse(plan: &Streamed, options: &[(&str, bool)], why: &str) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} does not apply to {}, {why}", plan.row.key),
        None => Ok(()),
    }
}

/// What a command that needs rounds or traffic says.
pub fn no_rounds(row: &Row) -> anyhow::Error {
    anyhow::anyhow!(
        "{} is a streamed system, which this command does not take yet; give it to frit simulate {} -n {}, frit generate, frit verify or frit synth",
        row.key,
        row.key,
        row.example
    )
}
