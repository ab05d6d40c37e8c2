//! A router of worms under the model, rust-hdl and the simulators, compared shunt by shunt and bit by bit.
//!
//! The plain model is what the others are compared with: every shunt, every payload bit with the edge where it comes out,
//! the steps, the packets that are left. The testbench follows the worms on its own besides, and its verdict counts.

mod compare;
pub(crate) mod events;

use crate::campaign::{self, Attempt, Campaign, FirstDifference, Ground, Ran, Testbench, simulate};
use crate::output::{FileError, open};
use crate::simulator::{Simulator, SimulatorError, WaveKind};
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, State};
use events::{Events, EventsError};
use frit_cells::design::dilated::{Hardware, HardwareError};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::{self, Style};
use frit_cells::netlist::simulate::SimulateError;
use frit_cells::worm_fault::{WormFault, WormFaultError, inject};
use frit_cells::worms;
use frit_model::dilated::{Trace, trace};
use frit_router::dilated::Packets;
use frit_rtl::dilated::{Expected, GRACE, render};
use std::path::Path;
use std::time::{Duration, Instant};

/// What is verified, and how.
pub struct Config<'a> {
    /// The packets, with the parameters of the network.
    pub packets: &'a Packets,
    /// The engines to run beside the model.
    pub engines: &'a [Engine],
    /// The folder for all files.
    pub folder: &'a Path,
    /// A deliberate fault, put into the rust-hdl network and the Verilog alike.
    pub fault: Option<WormFault>,
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
pub enum VerifyWormsError {
    /// There is no hardware for it.
    #[error(transparent)]
    Hardware(#[from] HardwareError),
    /// The fault has no place.
    #[error(transparent)]
    Fault(#[from] WormFaultError),
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

/// What was found. An engine's figure is the steps that it counted.
#[derive(Clone, Debug)]
pub struct WormsReport {
    /// The name of the design.
    pub design: String,
    /// Steps of the model.
    pub steps: u64,
    /// Packets in all.
    pub packets: usize,
    /// Packets that cannot arrive.
    pub left: usize,
    /// Shunts.
    pub shunts: usize,
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Time to write the design.
    pub generate: Duration,
    /// Time in all.
    pub total: Duration,
}

impl WormsReport {
    /// No engine disagrees.
    pub fn agrees(&self) -> bool {
        self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }
}

/// The files of a design: cells, modules, testbench, tables, lists and Makefile.
pub fn design_files(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Trace,
    command: &str,
) -> Vec<(String, String)> {
    let sources = print::files(netlist, Style::Unrolled);
    let names: Vec<String> = sources.iter().map(|file| file.name.clone()).collect();
    let mut files: Vec<(String, String)> = sources.into_iter().map(|file| (file.name, file.text)).collect();
    let Trace { shunts, arrivals, steps, left, .. } = expected;
    let expected = Expected { shunts, arrivals, steps: *steps, left };
    files.extend(render(packets, hardware, expected, command, &names));
    files
}

/// A design with what must happen in it.
struct Router<'a> {
    config: &'a Config<'a>,
    hardware: Hardware,
    netlist: Netlist,
    expected: Trace,
}

impl Campaign for Router<'_> {
    type Engine = Engine;
    type Reference = ();
    type Got = Events;
    type Kept = u64;
    type Difference = FirstDifference;
    type Error = VerifyWormsError;
    const ENGINES: &'static [Engine] = &[Engine::RustHdl, Engine::Verilator, Engine::Icarus];
    const RESULTS: &'static [&'static str] =
        &["shunts.csv", "arrivals.csv", "wave.fst", "wave.vcd", "run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, VerifyWormsError> {
        let Router { config, hardware, netlist, expected } = self;
        Ok(design_files(config.packets, hardware, netlist, expected, config.command))
    }

    fn reference(&self) -> Result<(), VerifyWormsError> {
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
    ) -> Result<Attempt<Events>, VerifyWormsError> {
        let simulator = match engine {
            Engine::Model => unreachable!("the model is the reference"),
            Engine::RustHdl => return self.rust_hdl(ground),
            Engine::Verilator => Simulator::Verilator,
            Engine::Icarus => Simulator::Icarus,
        };
        let design = &self.hardware.design_name();
        let plusargs = ["+shunts=shunts.csv".to_string(), "+arrivals=arrivals.csv".to_string()];
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| {
            let path = |name: &str| printed.folder.join(name);
            let complaint = events::complaint(&printed);
            let steps = printed.result(|result| u64::try_from(result.value("steps")?).ok())?;
            let (shunts, arrivals) = (path("shunts.csv"), path("arrivals.csv"));
            Ok(Events {
                shunts: events::shunts(open(&shunts)?, &shunts)?,
                arrivals: events::arrivals(open(&arrivals)?, &arrivals)?,
                steps,
                complaint,
            })
        })
    }

    fn compare(
        &self,
        (): &(),
        _: Engine,
        ran: &Ran<Events>,
    ) -> Result<(u64, Option<FirstDifference>), VerifyWormsError> {
        Ok((ran.got.steps, compare::first(&self.expected, &ran.got)))
    }
}

impl Router<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Events>, VerifyWormsError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let limit = self.expected.steps + GRACE;
        let found = worms::run(self.config.packets, &self.hardware, &self.netlist, limit)?;
        (ground.progress)(Engine::RustHdl, "done");
        let left = (found.complaint.is_none() && found.left != self.expected.left)
            .then(|| (limit, format!("the packets left are {:?}", found.left)));
        let got = Events {
            complaint: found.complaint.map(|c| (u64::from(c.step), c.what)).or(left),
            steps: found.steps.unwrap_or(limit),
            shunts: found.shunts,
            arrivals: found.arrivals,
        };
        Ok(Attempt::Ran(Ran { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

/// Runs and compares. Files: `rtl/` and a folder per simulator below `config.folder`.
///
/// # Errors
/// If there is no such hardware or no place for the fault, or a tool fails.
pub fn verify_worms(config: &Config) -> Result<WormsReport, VerifyWormsError> {
    let hardware = Hardware::new(config.packets)?;
    let mut netlist = hardware.netlist();
    if let Some(fault) = config.fault {
        inject(&mut netlist, &hardware, fault)?;
    }
    let Config { folder, tools, wave, progress, .. } = *config;
    let start = Instant::now();
    progress(Engine::Model, "running");
    let expected = trace(config.packets);
    progress(Engine::Model, "done");
    let times = vec![("run", start.elapsed())];
    let model = State::Ran { kept: expected.steps, first_difference: None, wave: None, times };
    let router = Router { config, hardware, netlist, expected };
    let found = campaign::run(&router, &Ground { folder, tools, wave, progress })?;
    let mut engines = vec![EngineReport { engine: Engine::Model, state: model }];
    engines.extend(found.engines);
    let Trace { steps, left, shunts, .. } = router.expected;
    Ok(WormsReport {
        design: hardware.design_name(),
        steps,
        packets: config.packets.packets().len(),
        left: left.len(),
        shunts: shunts.len(),
        engines,
        generate: found.generate,
        total: found.total,
    })
}
