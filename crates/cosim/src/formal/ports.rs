//! The rules of AXI at the ports of a top with bundles: streams and registers.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::design::axis::{self, Bundles, Streams};
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_rtl::ports_contract::{PROPERTIES, module, render};
use frit_schedule::Plan;
use std::time::Instant;

/// A top whose handshakes are to be proved.
pub struct PortsContract<'a> {
    pub plan: &'a Plan,
    /// Bits of a word.
    pub width: u32,
    /// What was chosen of the streams.
    pub streams: Streams,
    /// The bundles of the top, with a synchronous reset.
    pub bundles: Bundles,
    /// The Verilog of the top.
    pub files: &'a [SourceFile],
}

/// Proves that the ports of the top keep the rules of AXI4-Stream and AXI4-Lite. Files: `top/` and `ports/`.
///
/// # Errors
/// If a file cannot be written, or a tool fails.
pub fn prove_ports(ground: &Ground, contract: &PortsContract) -> Result<Proof, Refusal> {
    let start = Instant::now();
    let PortsContract { plan, width, streams, bundles, files } = *contract;
    let circuit = Circuit {
        folder: "ports",
        top: &module(&plan.design_name(width)),
        text: render(plan, width, streams, bundles),
        sources: write_sources(ground, "top", files)?,
        properties: &PROPERTIES,
        lemma: None,
        free: None,
    };
    let words = u64::from(plan.network.terminals() * streams.words);
    let frames = (1 << plan.address_bits()) + 2 * words + axis::cycles(plan, streams) + 8;
    let (engine, verdict) = Search::new(ground, &circuit)?.at_once(frames)?;
    Ok(Proof { property: "ports".into(), engine, verdict, time: start.elapsed() })
}
