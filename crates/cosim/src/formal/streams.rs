//! The contract of the streams: what `docs/streams.md` promises of `D_axis`.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::design::axis::{self, Streams};
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_rtl::axis_contract::{PROPERTIES, module, render};
use frit_schedule::Plan;
use std::time::Instant;

/// A design whose streams are to be proved.
pub struct StreamContract<'a> {
    /// The plan, of which the contract is written.
    pub plan: &'a Plan,
    /// Bits of a word.
    pub width: u32,
    /// What was chosen of the streams.
    pub streams: Streams,
    /// The Verilog of `D_axis`.
    pub files: &'a [SourceFile],
    /// Whether lemmas are looked for; without them only the smallest designs are proved.
    pub lemmas: bool,
}

/// Proves that the Verilog of `D_axis` keeps the contract of the streams. Files: `axis/` and `streams/`.
pub fn prove_streams(ground: &Ground, contract: &StreamContract) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let StreamContract { plan, width, streams, .. } = *contract;
    let circuit = Circuit {
        folder: "streams",
        top: &module(&plan.design_name(width)),
        text: render(plan, width, streams),
        sources: write_sources(ground, "axis", contract.files)?,
        properties: &PROPERTIES,
        lemma: Some("lemma_o"),
        free: Some("ready_o"),
    };
    let (engine, verdict) = Search::new(ground, &circuit)?.run(contract.lemmas, frames(plan, streams))?;
    Ok(Proof { property: "streams".into(), engine, verdict, time: start.elapsed() })
}

/// Cycles in which two exchanges can be loaded, run and drained.
fn frames(plan: &Plan, streams: Streams) -> u64 {
    let words = u64::from(plan.network.terminals() * streams.words);
    let settle = 1 << plan.address_bits();
    settle + 2 * (2 * words + axis::cycles(plan, streams)) + 8
}
