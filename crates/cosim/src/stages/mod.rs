//! A multibutterfly under the model, rust-hdl and the simulators, compared commit by commit and message by message.
//!
//! The plain model is what the others are compared with: every commit, placement and delivery with its stage, the stages, the messages
//! that are left. The testbench checks what must hold in every cycle besides, and its verdict counts.

mod compare;
pub mod events;

use crate::campaign::{self, Attempt, Campaign, FirstDifference, Ground, Ran, Testbench, simulate};
use crate::output::{FileError, open};
use crate::simulator::{Simulator, SimulatorError, WaveKind};
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, State};
use crate::worms::events::EventsError;
use events::{Events, Said};
use frit_cells::design::multibutterfly::{Hardware, HardwareError};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::{self, Style};
use frit_cells::netlist::simulate::SimulateError;
use frit_cells::node_fault::{NodeFault, NodeFaultError, inject};
use frit_cells::stages;
use frit_model::multibutterfly::run;
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_rtl::multibutterfly::{self as rtl, GRACE_STAGES, render};
use std::path::Path;
use std::time::{Duration, Instant};

/// What is verified, and how.
pub struct Config<'a> {
    /// The messages, with the parameters of the network.
    pub problem: &'a Problem,
    /// The engines to run beside the model.
    pub engines: &'a [Engine],
    /// The folder for all files.
    pub folder: &'a Path,
    /// A deliberate fault, put into the rust-hdl network and the Verilog alike.
    pub fault: Option<NodeFault>,
    /// The format of the simulators' waveforms; none are written without one.
    pub wave: Option<WaveKind>,
    /// The command that makes the files, for their first lines.
    pub command: &'a str,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(Engine, &str) + Sync),
}

/// Why nothing was verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyStagesError {
    /// There is no hardware for it.
    #[error(transparent)]
    Hardware(#[from] HardwareError),
    /// The fault has no place.
    #[error(transparent)]
    Fault(#[from] NodeFaultError),
    /// A file could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A simulator failed.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// What a simulator wrote cannot be read.
    #[error(transparent)]
    Events(#[from] EventsError),
    /// rust-hdl failed.
    #[error("rust-hdl: {0}")]
    RustHdl(#[from] SimulateError),
}

/// What must happen in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// What the nodes do, stage by stage.
    pub events: Vec<NodeEvent>,
    /// Stages.
    pub stages: u32,
    /// Cycles of the hardware.
    pub cycles: u64,
    /// The messages that do not arrive.
    pub left: Vec<u32>,
}

/// What was found. An engine's figure is the cycles that it counted.
#[derive(Clone, Debug)]
pub struct StagesReport {
    /// The name of the design.
    pub design: String,
    /// Stages.
    pub stages: u32,
    /// Cycles of all stages.
    pub cycles: u64,
    /// Messages in all.
    pub messages: usize,
    /// Messages that do not arrive.
    pub left: usize,
    /// Commits, placements and deliveries.
    pub events: usize,
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Time to write the design.
    pub generate: Duration,
    /// Time in all.
    pub total: Duration,
}

impl StagesReport {
    /// No engine disagrees.
    pub fn agrees(&self) -> bool {
        self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }
}

/// The hardware of a problem, with as many buffers as a run of the plain model fills, and what happens in that run.
///
/// # Errors
/// What has no hardware.
pub fn hardware(problem: &Problem) -> Result<(Hardware<'_>, Expected), HardwareError> {
    // What has none must not be run for long before that is said.
    Hardware::new(problem, 2)?;
    let mut events = Vec::new();
    let outcome = run(problem, |event| events.push(event.clone()));
    let hardware = Hardware::new(problem, outcome.figures.max_raw)?;
    let expected = Expected {
        events: compare::in_order(events),
        stages: outcome.stages,
        cycles: u64::from(outcome.stages) * hardware.stage_cycles(),
        left: outcome.undelivered,
    };
    Ok((hardware, expected))
}

/// The files of a design: cells, modules, testbench, tables, lists and Makefile.
pub fn design_files(
    problem: &Problem,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Expected,
    command: &str,
) -> Vec<(String, String)> {
    let sources = print::files(netlist, Style::Unrolled);
    let names: Vec<String> = sources.iter().map(|file| file.name.clone()).collect();
    let mut files: Vec<(String, String)> = sources.into_iter().map(|file| (file.name, file.text)).collect();
    let Expected { events, stages, left, .. } = expected;
    let expected = rtl::Expected { events, stages: *stages, left };
    files.extend(render(problem, hardware, expected, command, &names));
    files
}

/// A design with what must happen in it.
struct Router<'a> {
    config: &'a Config<'a>,
    hardware: Hardware<'a>,
    netlist: Netlist,
    expected: Expected,
}

impl Campaign for Router<'_> {
    type Engine = Engine;
    type Reference = ();
    type Got = Events;
    type Kept = u64;
    type Difference = FirstDifference;
    type Error = VerifyStagesError;
    const ENGINES: &'static [Engine] = &[Engine::RustHdl, Engine::Verilator, Engine::Icarus];
    const RESULTS: &'static [&'static str] = &["events.csv", "wave.fst", "wave.vcd", "run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, VerifyStagesError> {
        let Router { config, hardware, netlist, expected } = self;
        Ok(design_files(config.problem, hardware, netlist, expected, config.command))
    }

    fn reference(&self) -> Result<(), VerifyStagesError> {
        Ok(())
    }

    fn left_out(&self, engine: Engine) -> Option<String> {
        (!self.config.engines.contains(&engine)).then(|| "not asked for".into())
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<Events>, VerifyStagesError> {
        let simulator = match engine {
            Engine::Model => unreachable!("the model is the reference"),
            Engine::RustHdl => return self.rust_hdl(ground),
            Engine::Verilator => Simulator::Verilator,
            Engine::Icarus => Simulator::Icarus,
        };
        let design = &self.hardware.design_name();
        let plusargs = ["+events=events.csv".to_string()];
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| {
            let path = printed.folder.join("events.csv");
            let complaint = events::complaint(&printed);
            let cycles = printed.result(|result| u64::try_from(result.value("cycles")?).ok())?;
            Ok(Events { events: events::events(open(&path)?, &path)?, cycles, complaint })
        })
    }

    fn compare(
        &self,
        (): &(),
        _: Engine,
        ran: &Ran<Events>,
    ) -> Result<(u64, Option<FirstDifference>), VerifyStagesError> {
        Ok((ran.got.cycles, compare::first(&self.expected, &ran.got)))
    }
}

impl Router<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Events>, VerifyStagesError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let limit = self.expected.cycles + GRACE_STAGES * self.hardware.stage_cycles();
        let found = stages::run(self.config.problem, &self.hardware, &self.netlist, limit)?;
        (ground.progress)(Engine::RustHdl, "done");
        let said = found.complaint.map(|c| Said { stage: c.stage.into(), cycle: c.cycle, text: c.what });
        let left = (found.left != self.expected.left).then(|| Said {
            stage: found.stages,
            cycle: found.cycles.unwrap_or(limit),
            text: format!("the messages left are {:?}", found.left),
        });
        let cycles = found.cycles.unwrap_or(limit);
        let got = Events { events: found.events, cycles, complaint: said.or(left) };
        Ok(Attempt::Ran(Ran { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

/// Runs and compares. Files: `rtl/` and a folder per simulator below `config.folder`.
///
/// # Errors
/// If there is no such hardware or no place for the fault, or a tool fails.
pub fn verify_stages(config: &Config) -> Result<StagesReport, VerifyStagesError> {
    let Config { problem, folder, tools, wave, progress, .. } = *config;
    let start = Instant::now();
    progress(Engine::Model, "running");
    let (hardware, expected) = hardware(problem)?;
    progress(Engine::Model, "done");
    let mut netlist = hardware.netlist();
    if let Some(fault) = config.fault {
        inject(&mut netlist, &hardware, fault)?;
    }
    let times = vec![("run", start.elapsed())];
    let model = State::Ran { kept: expected.cycles, first_difference: None, wave: None, times };
    let router = Router { config, hardware, netlist, expected };
    let found = campaign::run(&router, &Ground { folder, tools, wave, progress })?;
    let mut engines = vec![EngineReport { engine: Engine::Model, state: model }];
    engines.extend(found.engines);
    let Expected { stages, cycles, left, events } = router.expected;
    Ok(StagesReport {
        design: hardware.design_name(),
        stages,
        cycles,
        messages: problem.messages().len(),
        left: left.len(),
        events: events.len(),
        engines,
        generate: found.generate,
        total: found.total,
    })
}
