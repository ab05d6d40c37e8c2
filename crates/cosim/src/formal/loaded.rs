//! The contract of a network whose schedule is loaded: what `docs/demand.md` promises of `D_loaded`.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::design::loaded::Hardware;
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_rtl::loaded_contract::{PROPERTIES, module, render};
use std::time::Instant;

/// Proves that the Verilog of `D_loaded` keeps its contract; without `lemmas` a mistake is found sooner. Files: `core/` and `loaded/`.
///
/// # Errors
/// If a file cannot be written, or a tool fails.
pub fn prove_loaded(
    ground: &Ground,
    hardware: &Hardware,
    files: &[SourceFile],
    lemmas: bool,
) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let circuit = Circuit {
        folder: "loaded",
        top: &module(&hardware.design_name()),
        text: render(hardware),
        sources: write_sources(ground, "core", files)?,
        properties: &PROPERTIES,
        lemma: Some("lemma_o"),
        free: None,
    };
    // Two programs of two entries, their starts, and some rounds of both.
    let shape = hardware.shape();
    let frames = u64::from(2 * (1 + 2 * shape.beats()) + 2 * shape.latency()) + 16;
    let (engine, verdict) = Search::new(ground, &circuit)?.by_induction(lemmas, frames)?;
    Ok(Proof { property: "contract".into(), engine, verdict, time: start.elapsed() })
}
