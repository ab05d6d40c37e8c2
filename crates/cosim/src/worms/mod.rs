//! A router of worms under the model, rust-hdl and the simulators, compared shunt by shunt and bit by bit.
//!
//! The plain model is what the others are compared with: every shunt, every payload bit with the edge where it comes out,
//! the steps, the packets that are left. The testbench follows the worms on its own besides, and its verdict counts.

mod compare;
pub mod events;
pub mod further;
#[cfg(test)]
mod tests;

use crate::campaign::{self, Attempt, Campaign, FirstDifference, Ground, Ran, Testbench, simulate};
use crate::diff::DiffError;
use crate::output::{FileError, make_folder, open};
use crate::routed;
use crate::simulator::{Simulator, SimulatorError, WaveKind};
use crate::synth::SynthError;
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, Mapping, State};
use crate::wave::WaveError;
use crate::wave_file::{RustHdlWave, write_worms_wave};
use events::{Events, EventsError};
use frit_cells::bench::PeriodObserver;
use frit_cells::design::dilated::{Hardware, HardwareError};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::{SimulateError, Simulated};
use frit_cells::worm_fault::{WormFault, WormFaultError, inject};
use frit_cells::worms;
use frit_model::dilated::{Trace, trace};
use frit_router::dilated::Packets;
use frit_rtl::Files;
use frit_rtl::dilated::{Expected, GRACE, PROBES, Run, package, render};
use frit_rtl::library::Sources;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is verified, and how.
pub struct Config<'a> {
    /// The packets, with the parameters of the network.
    pub packets: &'a Packets,
    /// The engines to run beside the model.
    pub engines: &'a [Engine],
    /// The folder for all files.
    pub folder: &'a Path,
    /// How the Verilog is written.
    pub style: Style,
    /// A deliberate fault, put into the rust-hdl network and the Verilog alike.
    pub fault: Option<WormFault>,
    /// The format of the waveforms, which are compared; none are written without one, or of a netlist.
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

/// What was found. An engine's figure is the steps that it counted.
#[derive(Clone, Debug)]
pub struct WormsReport {
    /// The name of the design.
    pub design: String,
    /// Steps of the model.
    pub steps: u64,
    /// How the Verilog was written.
    pub style: Style,
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

/// The files of a design: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile. The testbench
/// runs these packets, then those of [`further::traffics`].
pub fn design_files(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    style: Style,
    expected: &Trace,
    command: &str,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, style, library);
    let further = further::traffics(packets, expected);
    let first = Run { packets, expected: of_trace(expected), what: "the packets given" };
    let others = further.iter().map(|traffic| Run {
        packets: &traffic.packets,
        expected: of_trace(&traffic.trace),
        what: traffic.what,
    });
    let runs: Vec<Run> = std::iter::once(first).chain(others).collect();
    files.extend(render(&runs, hardware, command, &list));
    files
}

/// The packages of a design whose files are there, and its datasheet.
pub fn package_files(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Trace,
    command: &str,
    files: &Files,
    library: Option<&str>,
) -> Vec<(String, String)> {
    package::render(packets, hardware, netlist, of_trace(expected), command, files, library)
}

fn of_trace(trace: &Trace) -> Expected<'_> {
    let Trace { shunts, arrivals, steps, left, .. } = trace;
    Expected { shunts, arrivals, steps: *steps, left }
}

/// A design with what must happen in it.
struct Router<'a> {
    config: &'a Config<'a>,
    hardware: Hardware,
    netlist: Netlist,
    expected: Trace,
    /// The waveform of the model, if there is one.
    wave: Option<PathBuf>,
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
    const REFERENCE: Option<&'static str> = Some("model");

    fn files(&self) -> Result<Vec<(String, String)>, VerifyWormsError> {
        let Router { config, hardware, netlist, expected, .. } = self;
        Ok(design_files(config.packets, hardware, netlist, config.style, expected, config.command, None))
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, VerifyWormsError> {
        let Config { netlist, tools, progress, .. } = *self.config;
        let Some(mapping) = netlist else { return Ok(rtl) };
        progress(Engine::Model, "waits for Yosys");
        let design = &self.hardware.design_name();
        let replaced = routed::replaced(design, &self.netlist, &PROBES);
        Ok(campaign::replace(tools, mapping, &replaced, files, &rtl)?)
    }

    /// What should happen is known; its waveform is written here, when older ones are gone.
    fn reference(&self) -> Result<(), VerifyWormsError> {
        if let Some(path) = &self.wave {
            make_folder(path.parent().unwrap_or(self.config.folder))?;
            write_worms_wave(path, self.config.packets, &self.hardware)?;
        }
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
        let mut found = compare::first(&self.expected, &ran.got);
        if let (Some(a), Some(b)) = (&self.wave, &ran.wave) {
            let shown = compare::of_waves(&self.expected, a, b)?;
            // An event says more than a signal: of one step it comes first.
            found = found.into_iter().chain(shown).min_by_key(|found| found.cycle);
        }
        Ok((ran.got.steps, found))
    }
}

impl Router<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Events>, VerifyWormsError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let limit = self.expected.steps + GRACE;
        let design = Simulated::new(&self.netlist)?;
        let wave = routed::rust_hdl_wave::<VerifyWormsError>(ground, &self.hardware.design_name(), &design)?;
        let (wave, mut writer) = wave.unzip();
        let mut none = ();
        let periods: &mut dyn PeriodObserver = match &mut writer {
            Some(writer) => writer,
            None => &mut none,
        };
        let found = worms::run_observed(self.config.packets, &self.hardware, design, limit, periods)?;
        writer.map_or(Ok(()), RustHdlWave::finish)?;
        (ground.progress)(Engine::RustHdl, "done");
        let left = (found.complaint.is_none() && found.left != self.expected.left)
            .then(|| (limit, format!("the packets left are {:?}", found.left)));
        let got = Events {
            complaint: found.complaint.map(|c| (u64::from(c.step), c.what)).or(left),
            steps: found.steps.unwrap_or(limit),
            shunts: found.shunts,
            arrivals: found.arrivals,
        };
        Ok(Attempt::Ran(Ran { got, wave, times: vec![("run", start.elapsed())] }))
    }
}

/// The format of waveforms: none of a netlist, whose signals are not the design's.
fn waves(config: &Config) -> Option<WaveKind> {
    config.wave.filter(|_| config.netlist.is_none())
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
    verify_netlist(config, hardware, netlist)
}

/// The same for a netlist that should be this hardware's.
fn verify_netlist(
    config: &Config,
    hardware: Hardware,
    netlist: Netlist,
) -> Result<WormsReport, VerifyWormsError> {
    let Config { folder, tools, progress, .. } = *config;
    let wave = waves(config);
    let start = Instant::now();
    progress(Engine::Model, "running");
    let expected = trace(config.packets);
    progress(Engine::Model, "done");
    let times = vec![("run", start.elapsed())];
    let model_wave = routed::wave_path(folder, wave, Engine::Model);
    let model = State::Ran { kept: expected.steps, first_difference: None, wave: model_wave.clone(), times };
    let router = Router { config, hardware, netlist, expected, wave: model_wave };
    let found = campaign::run(&router, &Ground { folder, tools, wave, progress })?;
    let mut engines = vec![EngineReport { engine: Engine::Model, state: model }];
    engines.extend(found.engines);
    let Trace { steps, left, shunts, .. } = &router.expected;
    Ok(WormsReport {
        design: router.hardware.design_name(),
        steps: *steps,
        style: config.style,
        packets: config.packets.packets().len(),
        left: left.len(),
        shunts: shunts.len(),
        engines,
        generate: found.generate,
        total: found.total,
    })
}
