//! The contract of a crossbar: what `docs/crossbar.md` promises of `D_crossbar`.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::design::crossbar::Hardware;
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_rtl::crossbar_contract::{PROPERTIES, module, render};
use std::time::Instant;

/// Proves that the Verilog of `D_crossbar` keeps its contract; without `lemmas` a mistake is found sooner. Files: `core/` and `crossbar/`.
///
/// # Errors
/// If a file cannot be written, or a tool fails.
pub fn prove_crossbar(
    ground: &Ground,
    hardware: &Hardware,
    files: &[SourceFile],
    lemmas: bool,
) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let circuit = Circuit {
        folder: "crossbar",
        top: &module(&hardware.design_name()),
        text: render(hardware),
        sources: write_sources(ground, "core", files)?,
        properties: &PROPERTIES,
        lemma: Some("lemma_o"),
        free: None,
    };
    // Two commits with three writes each, and a queue that becomes full.
    let shape = hardware.shape;
    let frames = 2 * (u64::from(shape.last_age()) + 12) + (1 << shape.queue_bits());
    let (engine, verdict) = Search::new(ground, &circuit)?.by_induction(lemmas, frames)?;
    Ok(Proof { property: "contract".into(), engine, verdict, time: start.elapsed() })
}
