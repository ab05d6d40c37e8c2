//! `frit verify`: one design under the model, rust-hdl and every simulator found, compared.
//!
//! The model is what the others are compared with: its settings, deliveries, payloads and cycle counts row by row,
//! and its waveform signal by signal. A testbench's own verdict counts as well.

mod compare;
mod engines;
mod report;
mod streams;

pub use crate::campaign::{FirstDifference, Mapping};
pub use report::{CountedReport, EngineReport, ExchangeReport, State};
pub use streams::{StreamReport, StreamState, verify_streams};

use crate::campaign::{self, Attempt, Campaign, EngineRun, Ground, Replaced};
use crate::simulator::{STATES_FILE, Simulator, WaveKind};
use crate::synth::netlist::Kept;
use crate::tools::ToolPath;
use frit_cells::design;
use frit_cells::fault::plant;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_device::exchange::design_files;
use frit_network::Refusal;
use frit_schedule::Plan;
use frit_traffic::Payload;
use frit_traffic::trace::Run;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine that runs a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The Rust model: what the others are compared with.
    Model,
    RustHdl,
    /// The emitted Verilog under Verilator.
    Verilator,
    /// The emitted Verilog under Icarus.
    Icarus,
}

impl Engine {
    /// All engines, in the order of the report.
    pub const ALL: [Engine; 4] = [Engine::Model, Engine::RustHdl, Engine::Verilator, Engine::Icarus];

    /// Its name on the command line, and the folder of its files.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Model => "model",
            Engine::RustHdl => "rust-hdl",
            Engine::Verilator => "verilator",
            Engine::Icarus => "icarus",
        }
    }

    /// The engines that are compared with the model.
    pub(crate) const COMPARED: &'static [Engine] = &[Engine::RustHdl, Engine::Verilator, Engine::Icarus];

    /// The simulator that it is; the other two are our own.
    pub(crate) fn simulator(self) -> Option<Simulator> {
        match self {
            Engine::Model | Engine::RustHdl => None,
            Engine::Verilator => Some(Simulator::Verilator),
            Engine::Icarus => Some(Simulator::Icarus),
        }
    }

    /// Its member in the JSON report.
    pub fn key(self) -> &'static str {
        match self {
            Engine::RustHdl => "rust_hdl",
            _ => self.name(),
        }
    }
}

impl campaign::Engine for Engine {
    fn name(self) -> &'static str {
        Engine::name(self)
    }
}

/// What is verified, and how.
pub struct Config<'a> {
    pub plan: &'a Plan,
    /// The messages; their width is the design's.
    pub payload: &'a Payload,
    /// The engines to run beside the model.
    pub engines: &'a [Engine],
    pub folder: &'a Path,
    /// A deliberate fault, put into the rust-hdl network and the Verilog alike.
    pub fault: Option<&'a str>,
    /// The format of the waveforms; none are written or compared without one, or of a netlist.
    pub wave: Option<WaveKind>,
    /// How the Verilog is written; of the compact form the waveforms of ports are compared, since its registers are arrays.
    pub style: Style,
    /// Give the simulators a netlist of the vendor's cells in place of the emitted Verilog.
    pub netlist: Option<Mapping>,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(Engine, &str) + Sync),
}

/// An exchange: the model is the reference, the Verilog or its netlist what simulators read.
struct Exchanges<'a> {
    config: &'a Config<'a>,
    netlist: Netlist,
}

impl Campaign for Exchanges<'_> {
    type Engine = Engine;
    type Reference = EngineRun<engines::Exchange>;
    type Got = engines::Exchange;
    type Kept = Run;
    type Difference = FirstDifference;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] =
        &["settings.csv", "deliveries.csv", "received.csv", STATES_FILE, "wave.fst", "wave.vcd", "run.log"];
    const REFERENCE: Option<&'static str> = Some("model");

    fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        let Config { plan, payload, style, .. } = *self.config;
        design_files(plan, payload, &self.netlist, style, None)
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, Refusal> {
        let Config { netlist, plan, payload, tools, progress, .. } = *self.config;
        let Some(mapping) = netlist else { return Ok(rtl) };
        progress(Engine::Model, "waits for Yosys");
        let design = &plan.design_name(payload.width_bits());
        // The testbench reads the switch settings at one's inputs and forces inputs of both.
        let mut kept = vec![Kept { module: format!("{design}_fabric"), signals: vec![] }];
        if plan.self_routing() {
            kept.push(Kept { module: format!("{design}_labels"), signals: vec![] });
        }
        let replaced = Replaced { design, top: format!("{design}_exchange"), kept };
        campaign::replace(tools, mapping, &replaced, files, &rtl)
    }

    fn reference(&self) -> Result<EngineRun<engines::Exchange>, Refusal> {
        (self.config.progress)(Engine::Model, "running");
        let reference = engines::model(self.config)?;
        (self.config.progress)(Engine::Model, "done");
        Ok(reference)
    }

    fn asked(&self) -> &[Engine] {
        self.config.engines
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<engines::Exchange>, Refusal> {
        match engine.simulator() {
            None => engines::rust_hdl(self.config, &self.netlist),
            Some(simulator) => engines::simulator(self.config, ground, engine, simulator, sources),
        }
    }

    fn compare(
        &self,
        reference: &EngineRun<engines::Exchange>,
        engine: Engine,
        ran: &EngineRun<engines::Exchange>,
    ) -> Result<(Run, Option<FirstDifference>), Refusal> {
        Ok((ran.got.run.clone(), compare::first(self.config, engine, reference, ran)?))
    }
}

/// Runs and compares. Files: `rtl/`, `netlist/` if there is one, and a folder per engine below `config.folder`.
pub fn verify(config: &Config) -> Result<ExchangeReport, Refusal> {
    let width = config.payload.width_bits();
    let mut netlist = design::build(config.plan, width);
    // Yosys gives modules with parameters names of its own; what is to replace some must know theirs.
    if config.style == Style::Unrolled && config.netlist.is_none() {
        netlist.make_width_a_parameter(width, &design::build(config.plan, width + 1));
    }
    plant(&mut netlist, config.plan, config.fault)?;
    let Config { folder, tools, progress, .. } = *config;
    let ground = Ground { folder, tools, wave: engines::wave_kind(config), progress };
    let found = campaign::run(&Exchanges { config, netlist }, &ground)?;
    let EngineRun { got, wave, times } = found.reference;
    let model = State::Ran { kept: got.run.cycles, first_difference: None, wave, times };
    let mut engines = vec![EngineReport { engine: Engine::Model, state: model }];
    let mut counts = vec![(Engine::Model, got.run.clone())];
    for campaign::EngineReport { engine, state } in found.engines {
        let state = match state {
            campaign::State::NotRun { why } => State::NotRun { why },
            campaign::State::Ran { kept: run, first_difference, wave, times } => {
                let cycles = run.cycles;
                counts.push((engine, run));
                State::Ran { kept: cycles, first_difference, wave, times }
            }
        };
        engines.push(EngineReport { engine, state });
    }
    Ok(ExchangeReport {
        design: config.plan.design_name(config.payload.width_bits()),
        style: config.style,
        run: got.run,
        faulty: !config.plan.faults.is_empty(),
        counts,
        engines,
        generate: found.generate,
        total: found.total,
    })
}

/// Durations as seconds with two decimals.
pub fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}
