//! The contract of a streamed permutation: what `docs/systems/permute.md` promises of `D_permute`.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::design::permute::design_name;
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_permute::Streamed;
use frit_rtl::permute_contract::{PROPERTIES, module, one_word, render};
use std::time::Instant;

/// A design that is to be proved.
pub struct PermuteContract<'a> {
    /// The plan, of which the contract is written.
    pub plan: &'a Streamed,
    /// Bits of a word.
    pub width: u32,
    /// The Verilog of `D_permute`.
    pub files: &'a [SourceFile],
    /// Whether the lemmas are proved, too; without them a mistake is found sooner.
    pub lemmas: bool,
}

/// Proves that the Verilog of `D_permute` keeps its contract. Files: `core/` and `permute/`.
///
/// # Errors
/// If a file cannot be written, or a tool fails.
pub fn prove_permute(ground: &Ground, contract: &PermuteContract) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let PermuteContract { plan, width, .. } = *contract;
    let mut files = contract.files.to_vec();
    for file in &mut files {
        if let Some(text) = one_word(plan, file.name.trim_end_matches(".v")) {
            file.text = text;
        }
    }
    let circuit = Circuit {
        folder: "permute",
        top: &module(&design_name(plan, width)),
        text: render(plan, width),
        sources: write_sources(ground, "core", &files)?,
        properties: &PROPERTIES,
        lemma: Some("lemma_o"),
        free: None,
    };
    let frames = u64::from(2 * plan.cycles + plan.latency()) + 2 * (1 << plan.queue().0) + 8;
    let (engine, verdict) = Search::new(ground, &circuit)?.by_induction(contract.lemmas, frames)?;
    Ok(Proof { property: "contract".into(), engine, verdict, time: start.elapsed() })
}
