//! ABC, the model checker: the property directed reachability of Bradley (IC3), bounded model checking, and signal
//! correspondence before both.

use crate::made_from::MadeFrom;
use crate::simulator::tool;
use crate::tools::{ABC, ToolPath};
use frit_network::{Refusal, refusal};
use frit_trace::output::{read, read_text, remove_file};
use std::path::Path;
use std::time::Duration;

/// What ABC says of the outputs of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// None ever rises: the inductive invariant was found in this frame, and checked.
    Never {
        /// Frames of the search.
        depth: u32,
    },
    /// One rises: the inputs of each cycle until then.
    Rises {
        /// A row per cycle, a bit per input.
        inputs: Vec<Vec<bool>>,
    },
    /// There was not enough time.
    Open,
}

/// Whether an output of `file` in `folder` can rise. With `reduce`, equal signals become one first.
pub fn search(
    tools: &ToolPath,
    folder: &Path,
    file: &str,
    reduce: bool,
    limit: Duration,
) -> Result<Answer, Refusal> {
    let reduce = if reduce { "strash; scorr; " } else { "strash; " };
    let seconds = limit.as_secs().max(1);
    let found = run(tools, folder, file, &format!("{reduce}orpos; pdr -T {seconds}"))?;
    if let Some(depth) = proved(&found.said) {
        return Ok(Answer::Never { depth });
    }
    match found.inputs {
        Some(inputs) => Ok(Answer::Rises { inputs }),
        None if found.said.contains("UNDECIDED") => Ok(Answer::Open),
        None => Err(unclear(folder)),
    }
}

/// Whether the one output of `file` is low in the first cycle, and low in a cycle if it was in the one before.
pub fn induction(tools: &ToolPath, folder: &Path, file: &str, limit: Duration) -> Result<bool, Refusal> {
    let seconds = limit.as_secs().max(1);
    // `ind` makes the step alone.
    let step = run(tools, folder, file, &format!("strash; ind -F 2 -T {seconds}"))?;
    if !step.said.lines().any(|line| line.starts_with("Networks are equivalent.")) {
        return Ok(false);
    }
    let base = run(tools, folder, file, &format!("strash; bmc3 -F 2 -T {seconds}"))?;
    Ok(base.inputs.is_none() && base.said.contains("No output asserted in 2 frames."))
}

/// An input sequence of at most `frames` cycles with which an output of `file` rises, if one is found in time.
pub fn counterexample(
    tools: &ToolPath,
    folder: &Path,
    file: &str,
    frames: u64,
    limit: Duration,
) -> Result<Option<Vec<Vec<bool>>>, Refusal> {
    let seconds = limit.as_secs().max(1);
    let found = run(tools, folder, file, &format!("strash; orpos; bmc3 -F {frames} -T {seconds}"))?;
    Ok(found.inputs)
}

/// What ABC said last.
const LOG: &str = "abc.log";
/// Its counterexample, in the form of AIGER 1.9: the registers, then the inputs of each cycle.
const WITNESS: &str = "witness.txt";

struct Found {
    said: String,
    inputs: Option<Vec<Vec<bool>>>,
}

fn run(tools: &ToolPath, folder: &Path, file: &str, commands: &str) -> Result<Found, Refusal> {
    let graph = read(&folder.join(file))?;
    let made_from = MadeFrom::new([(file, graph.as_slice())].into_iter(), commands);
    remove_file(&folder.join(WITNESS))?;
    let mut command = tools.command(ABC)?;
    command.current_dir(folder);
    let line = made_from.line();
    command.args([
        "-c",
        &format!("read_aiger {file}; {commands}; print_status; echo {line}; write_cex -a {WITNESS}"),
    ]);
    tool(command, &folder.join(LOG), &[])?;
    let said = read_text(&folder.join(LOG))?;
    made_from.check(&said, ABC.program, &folder.join(LOG))?;
    let inputs = match said.contains("was asserted in frame") {
        true => Some(witness(&read_text(&folder.join(WITNESS))?).ok_or_else(|| unclear(folder))?),
        false => None,
    };
    Ok(Found { said, inputs })
}

fn unclear(folder: &Path) -> Refusal {
    refusal!("ABC gave no verdict that frit understands; its output is in {}", folder.join(LOG).display())
}

/// `Invariant F[14] : 1194 clauses …` and `Property proved.`
fn proved(said: &str) -> Option<u32> {
    said.lines().find(|line| line.contains("Property proved."))?;
    let frame =
        said.lines().find_map(|line| line.split_once("Invariant F[")?.1.split(']').next()?.parse().ok());
    // Signal correspondence alone may show it.
    Some(frame.unwrap_or(0))
}

/// The inputs of each cycle, behind the line of the registers.
fn witness(text: &str) -> Option<Vec<Vec<bool>>> {
    let bit = |c: char| match c {
        '0' | 'x' => Some(false),
        '1' => Some(true),
        _ => None,
    };
    let rows = text.lines().skip(1).map(|line| line.trim_end_matches("# DONE").trim_end());
    let rows: Vec<Vec<bool>> = rows
        .filter(|line| !line.is_empty())
        .map(|line| line.chars().map(bit).collect())
        .collect::<Option<_>>()?;
    (!rows.is_empty() && rows.iter().all(|row| row.len() == rows[0].len())).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_read() {
        let said = "x\nInvariant F[14] : 1194 clauses with 253 flops\nProperty proved.  Time = 3.3 sec\n";
        assert_eq!(proved(said), Some(14));
        assert_eq!(proved("Property proved.  Time = 0.0 sec"), Some(0));
        assert_eq!(proved("Property UNDECIDED.  Time = 1.0 sec"), None);
    }

    #[test]
    fn a_witness_has_a_row_of_inputs_for_each_cycle() {
        assert_eq!(witness("00\n01\n10# DONE\n"), Some(vec![vec![false, true], vec![true, false]]));
        assert_eq!(witness("00\n01\n1# DONE\n"), None);
        assert_eq!(witness("00\n0z\n"), None);
        assert_eq!(witness(""), None);
    }
}
