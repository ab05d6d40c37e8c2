//! What designs promise, each with the circuit that watches it, and the search for a proof.

use super::search::{Circuit, Search};
use super::{Ground, Proof, write_sources};
use frit_cells::design::axis::{self, Bundles, Streams};
use frit_cells::design::{crossbar, loaded, permute};
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use frit_permute::Streamed;
use frit_rtl::{
    axis_contract, contract, crossbar_contract, loaded_contract, permute_contract, ports_contract,
};
use frit_schedule::{Plan, Timeline};
use std::time::Instant;

/// How a proof is looked for.
pub enum Method {
    /// With the lemmas that a symbolic simulation finds.
    Found,
    /// By induction with the circuit's own lemmas.
    Own,
    /// By IC3.
    AtOnce,
}

/// What a design promises. Those of the kinds of core in `frit_device` are made here; another kind brings its circuit to [`Contract::new`].
pub struct Contract<'a> {
    /// What reports call it.
    pub property: &'static str,
    /// The folder of the Verilog, and that of the proof.
    folders: [&'static str; 2],
    /// The circuit that watches the design, and its text.
    top: String,
    text: String,
    properties: &'static [&'static str],
    /// The output for what is no property, but needed to prove them.
    pub lemma: Option<&'static str>,
    free: Option<&'static str>,
    pub method: Method,
    /// Cycles in which mistakes show.
    frames: u64,
    /// The plan whose memories keep one word each in the proof.
    one_word: Option<&'a Streamed>,
}

impl<'a> Contract<'a> {
    /// Of a circuit (its top and its text) that has the inputs of the design, and the outputs `bad_o`, `violation_o`, whose bits `properties`
    /// name, and `lemma_o`. The sources and the proof are in these folders. Mistakes show within so many `frames`, which are cycles.
    pub fn new(
        folders: [&'static str; 2],
        (top, text): (String, String),
        properties: &'static [&'static str],
        frames: u64,
    ) -> Self {
        Contract {
            property: "contract",
            folders,
            top,
            text,
            properties,
            lemma: Some("lemma_o"),
            free: None,
            method: Method::Own,
            frames,
            one_word: None,
        }
    }

    /// What `docs/rtl.md` promises of `D_exchange`. Files: `rtl/` and `contract/`.
    pub fn exchange(plan: &Plan, width: u32) -> Self {
        use contract::{PROPERTIES, module, render};
        let circuit = (module(&plan.design_name(width)), render(plan, width));
        let frames = 2 * Timeline::new(plan, width).cycles + 8;
        let contract = Contract::new(["rtl", "contract"], circuit, &PROPERTIES, frames);
        Contract { lemma: None, method: Method::Found, ..contract }
    }

    /// What `docs/streams.md` promises of `D_axis`. Files: `axis/` and `streams/`.
    pub fn streams(plan: &Plan, width: u32, streams: Streams) -> Self {
        use axis_contract::{PROPERTIES, module, render};
        let circuit = (module(&plan.design_name(width)), render(plan, width, streams));
        // Two exchanges can be loaded, run and drained.
        let words = u64::from(plan.network.terminals() * streams.words);
        let frames = (1 << plan.address_bits()) + 2 * (2 * words + axis::cycles(plan, streams)) + 8;
        let contract = Contract::new(["axis", "streams"], circuit, &PROPERTIES, frames);
        Contract { property: "streams", free: Some("ready_o"), method: Method::Found, ..contract }
    }

    /// The rules of AXI at the ports of a top with bundles and a synchronous reset: streams and registers. Files: `top/` and `ports/`.
    pub fn ports(plan: &Plan, width: u32, streams: Streams, bundles: Bundles) -> Self {
        use ports_contract::{PROPERTIES, module, render};
        let circuit = (module(&plan.design_name(width)), render(plan, width, streams, bundles));
        let words = u64::from(plan.network.terminals() * streams.words);
        let frames = (1 << plan.address_bits()) + 2 * words + axis::cycles(plan, streams) + 8;
        let contract = Contract::new(["top", "ports"], circuit, &PROPERTIES, frames);
        Contract { property: "ports", lemma: None, method: Method::AtOnce, ..contract }
    }

    /// What `docs/systems/permute.md` promises of `D_permute`. Files: `core/` and `permute/`.
    pub fn permute(plan: &'a Streamed, width: u32) -> Self {
        use permute_contract::{PROPERTIES, module, render};
        let circuit = (module(&permute::design_name(plan, width)), render(plan, width));
        let frames = u64::from(2 * plan.cycles + plan.latency()) + 2 * (1 << plan.queue().0) + 8;
        let contract = Contract::new(["core", "permute"], circuit, &PROPERTIES, frames);
        Contract { one_word: Some(plan), ..contract }
    }

    /// What `docs/demand.md` promises of `D_loaded`. Files: `core/` and `loaded/`.
    pub fn loaded(hardware: &loaded::Hardware) -> Self {
        use loaded_contract::{PROPERTIES, module, render};
        let circuit = (module(&hardware.design_name()), render(hardware));
        // Two programs of two entries, their starts, and some rounds of both.
        let shape = hardware.shape();
        let frames = u64::from(2 * (1 + 2 * shape.beats()) + 2 * shape.latency()) + 16;
        Contract::new(["core", "loaded"], circuit, &PROPERTIES, frames)
    }

    /// What `docs/crossbar.md` promises of `D_crossbar`. Files: `core/` and `crossbar/`.
    pub fn crossbar(hardware: &crossbar::Hardware) -> Self {
        use crossbar_contract::{PROPERTIES, module, render};
        let circuit = (module(&hardware.design_name()), render(hardware));
        // Two commits with three writes each, and a queue that becomes full.
        let shape = hardware.shape;
        let frames = 2 * (u64::from(shape.last_age()) + 12) + (1 << shape.queue_bits());
        Contract::new(["core", "crossbar"], circuit, &PROPERTIES, frames)
    }

    /// Proves that the Verilog of the design keeps the contract. Without `lemmas` a mistake is found sooner, and only small designs are
    /// proved.
    ///
    /// # Errors
    /// If a file cannot be written, or a tool fails.
    pub fn prove(&self, ground: &Ground, files: &[SourceFile], lemmas: bool) -> Result<Proof, Refusal> {
        let start = Instant::now();
        let mut files = files.to_vec();
        for file in &mut files {
            let module = file.name.trim_end_matches(".v");
            if let Some(text) = self.one_word.and_then(|plan| permute_contract::one_word(plan, module)) {
                file.text = text;
            }
        }
        let [sources, folder] = self.folders;
        let circuit = Circuit {
            folder,
            top: &self.top,
            text: &self.text,
            sources: write_sources(ground, sources, &files)?,
            properties: self.properties,
            lemma: self.lemma,
            free: self.free,
        };
        let search = Search::new(ground, &circuit)?;
        let (engine, verdict) = match self.method {
            Method::Found => search.run(lemmas, self.frames)?,
            Method::Own => search.by_induction(lemmas, self.frames)?,
            Method::AtOnce => search.at_once(self.frames)?,
        };
        Ok(Proof { property: self.property.into(), engine, verdict, time: start.elapsed() })
    }
}
