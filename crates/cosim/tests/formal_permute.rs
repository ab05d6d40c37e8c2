//! Streamed permutations are proved to bring every word to its place in its cycle; what is wrong is refuted, with a waveform.

use crate::support::{all, tools};
use frit_cells::design::permute::build;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cosim::formal::{Ground, PermuteContract, Verdict, prove_permute};
use frit_cosim::permute::PermuteFault;
use frit_cosim::tools::ToolPath;
use frit_network::options::Request;
use frit_permute::{Streamed, streamed, with_permutation};
use frit_trace::wave::Wave;
use frit_traffic::random::SplitMix64;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

fn planned(system: &str, lanes: u64, options: &[(&str, &str)]) -> Streamed {
    let request = Request::new(system, lanes);
    let request = options.iter().fold(request, |request, (key, value)| request.with(key, value));
    streamed(&request).unwrap()
}

fn proved(tools: &ToolPath, plan: &Streamed) {
    let folder = tempfile::tempdir().unwrap();
    let ground = Ground { folder: folder.path(), tools, limit: LIMIT };
    let files = files(&build(plan, 1).unwrap(), Style::Unrolled);
    let proof = prove_permute(&ground, &PermuteContract { plan, width: 1, files: &files, lemmas: true }).unwrap();
    let proved = matches!(proof.verdict, Verdict::Proved { depth: 1, .. });
    assert!(proved && proof.engine == "induction", "{}: {proof:?}", plan.name());
}

#[test]
fn a_transpose_is_proved() {
    let Some(tools) = tools() else { return };
    proved(&tools, &planned("transpose", 2, &[("rows", "4"), ("cols", "4")]));
}
