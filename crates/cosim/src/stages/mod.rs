//! A multibutterfly under the model, rust-hdl and the simulators, compared commit by commit and message by message.
//!
//! The plain model is what the others are compared with: every commit, placement and delivery with its stage, the stages, the messages
//! that are left. The testbench checks what must hold in every cycle besides, and its verdict counts.

mod compare;
pub mod events;
mod further;

use crate::campaign::{self, Attempt, Campaign, FirstDifference, Ground, Ran, Testbench, simulate};
use crate::diff::DiffError;
use crate::output::{FileError, open};
use crate::routed;
use crate::simulator::{Simulator, SimulatorError, WaveKind};
use crate::synth::SynthError;
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, Mapping, State};
use crate::wave::WaveError;
use crate::wave_file::RustHdlWave;
use crate::worms::events::EventsError;
use events::{Events, Said};
use frit_cells::bench::PeriodObserver;
use frit_cells::design::multibutterfly::{Hardware, HardwareError};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::{SimulateError, Simulated};
use frit_cells::node_fault::{NodeFault, NodeFaultError, inject};
use frit_cells::stages;
use frit_model::multibutterfly::run;
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_rtl::Files;
use frit_rtl::library::Sources;
use frit_rtl::multibutterfly::{self as rtl, GRACE_STAGES, PROBES, Run, package, render};
use std::path::{Path, PathBuf};
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
    /// The format of the waveforms, which are compared with rust-hdl's; none are written without one, or of a netlist.
    pub wave: Option<WaveKind>,
    /// Give the simulators a netlist of the vendor's cells in place of the emitted Verilog.
    pub netlist: Option<Mapping>,
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
    /// There is no netlist.
    #[error(transparent)]
    Synth(#[from] SynthError),
    /// What a simulator wrote cannot be read.
    #[error(transparent)]
    Events(#[from] EventsError),
    /// A waveform could not be written.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// Waveforms cannot be compared.
    #[error(transparent)]
    Diff(#[from] DiffError),
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

impl Expected {
    fn for_bench(&self) -> rtl::Expected<'_> {
        let Expected { events, stages, left, .. } = self;
        rtl::Expected { events, stages: *stages, left }
    }
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
    let (mut expected, buffers) = expected(problem);
    let hardware = Hardware::new(problem, buffers)?;
    expected.cycles = u64::from(expected.stages) * hardware.stage_cycles();
    Ok((hardware, expected))
}

/// What happens in a run of the plain model, without the cycles of the hardware, and the buffers of a side that it fills.
fn expected(problem: &Problem) -> (Expected, u32) {
    let mut events = Vec::new();
    let outcome = run(problem, |event| events.push(event.clone()));
    let events = compare::in_order(events);
    let expected = Expected { events, stages: outcome.stages, cycles: 0, left: outcome.undelivered };
    (expected, outcome.figures.max_raw)
}

/// The files of a design: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile.
pub fn design_files(
    problem: &Problem,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Expected,
    command: &str,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, Style::Unrolled, library);
    let further = further::traffic(problem, hardware);
    let first = Run { problem, expected: expected.for_bench(), what: "the messages given" };
    let other = further.as_ref().map(|further| Run {
        problem: &further.problem,
        expected: further.expected.for_bench(),
        what: &further.what,
    });
    let runs: Vec<Run> = std::iter::once(first).chain(other).collect();
    files.extend(render(&runs, hardware, command, &list));
    files
}

/// The packages of a design whose files are there, and its datasheet.
pub fn package_files(
    problem: &Problem,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Expected,
    command: &str,
    files: &Files,
    library: Option<&str>,
) -> Vec<(String, String)> {
    package::render(problem, hardware, netlist, expected.for_bench(), command, files, library)
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
        Ok(design_files(config.problem, hardware, netlist, expected, config.command, None))
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, VerifyStagesError> {
        let Config { netlist, tools, progress, .. } = *self.config;
        let Some(mapping) = netlist else { return Ok(rtl) };
        progress(Engine::Model, "waits for Yosys");
        let design = &self.hardware.design_name();
        let replaced = routed::replaced(design, &self.netlist, &PROBES);
        Ok(campaign::replace(tools, mapping, &replaced, files, &rtl)?)
    }

    fn reference(&self) -> Result<(), VerifyStagesError> {
        Ok(())
    }

    fn asked(&self) -> &[Engine] {
        self.config.engines
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
        engine: Engine,
        ran: &Ran<Events>,
    ) -> Result<(u64, Option<FirstDifference>), VerifyStagesError> {
        let mut found = compare::first(&self.expected, &ran.got);
        // The model has stages and no cycles: the waveforms are compared with that of rust-hdl.
        let reference = routed::wave_path(self.config.folder, self.config.shown(), Engine::RustHdl);
        if let (Some(a), Some(b)) = (reference.filter(|a| a.is_file()), &ran.wave)
            && engine != Engine::RustHdl
        {
            let shown = compare::of_waves(self.config.problem, &self.hardware, &a, b)?;
            // An event says more than a signal: of one stage it comes first.
            found = found.into_iter().chain(shown).min_by_key(|found| found.cycle);
        }
        Ok((ran.got.cycles, found))
    }
}

impl Config<'_> {
    /// The format of waveforms: none of a netlist, whose signals are not the design's.
    fn shown(&self) -> Option<WaveKind> {
        self.wave.filter(|_| self.netlist.is_none())
    }
}

impl Router<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Events>, VerifyStagesError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let limit = self.expected.cycles + GRACE_STAGES * self.hardware.stage_cycles();
        let design = Simulated::new(&self.netlist)?;
        let wave = routed::rust_hdl_wave::<VerifyStagesError>(ground, &self.hardware.design_name(), &design)?;
        let (wave, mut writer) = wave.unzip();
        let mut none = ();
        let periods: &mut dyn PeriodObserver = match &mut writer {
            Some(writer) => writer,
            None => &mut none,
        };
        let found = stages::run_observed(self.config.problem, &self.hardware, design, limit, periods)?;
        writer.map_or(Ok(()), RustHdlWave::finish)?;
        (ground.progress)(Engine::RustHdl, "done");
        let said = found.complaint.map(|c| Said { stage: c.stage.into(), cycle: c.cycle, text: c.what });
        let left = (found.left != self.expected.left).then(|| Said {
            stage: found.stages,
            cycle: found.cycles.unwrap_or(limit),
            text: format!("the messages left are {:?}", found.left),
        });
        let cycles = found.cycles.unwrap_or(limit);
        let got = Events { events: found.events, cycles, complaint: said.or(left) };
        Ok(Attempt::Ran(Ran { got, wave, times: vec![("run", start.elapsed())] }))
    }
}

/// Runs and compares. Files: `rtl/` and a folder per simulator below `config.folder`.
///
/// # Errors
/// If there is no such hardware or no place for the fault, or a tool fails.
pub fn verify_stages(config: &Config) -> Result<StagesReport, VerifyStagesError> {
    let Config { problem, folder, tools, progress, .. } = *config;
    let wave = config.shown();
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
    let Expected { stages, cycles, left, events } = &router.expected;
    Ok(StagesReport {
        design: router.hardware.design_name(),
        stages: *stages,
        cycles: *cycles,
        messages: problem.messages().len(),
        left: left.len(),
        events: events.len(),
        engines,
        generate: found.generate,
        total: found.total,
    })
}
