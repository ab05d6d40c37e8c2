//! The contract of a design: what `docs/rtl.md` promises of `D_exchange`.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_rtl::contract::{PROPERTIES, module, render};
use frit_schedule::{Plan, Timeline};
use std::time::Instant;

/// A design whose contract is to be proved.
pub struct Contract<'a> {
    /// The plan, of which the contract is written.
    pub plan: &'a Plan,
    /// Bits of a word.
    pub width: u32,
    /// The Verilog of the design.
    pub files: &'a [SourceFile],
    /// Whether lemmas are looked for; without them only small designs are proved.
    pub lemmas: bool,
}

/// Proves that the Verilog of the design keeps the contract. Files: `rtl/` and `contract/`.
pub fn prove_contract(ground: &Ground, contract: &Contract) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let Contract { plan, width, .. } = *contract;
    let circuit = Circuit {
        folder: "contract",
        top: &module(&plan.design_name(width)),
        text: render(plan, width),
        sources: write_sources(ground, "rtl", contract.files)?,
        properties: &PROPERTIES,
        lemma: None,
        free: None,
    };
    let cycles = Timeline::new(plan, width).cycles;
    let (engine, verdict) = Search::new(ground, &circuit)?.run(contract.lemmas, 2 * cycles + 8)?;
    Ok(Proof { property: "contract".into(), engine, verdict, time: start.elapsed() })
}
