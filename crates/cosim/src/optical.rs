//! The optical butterfly as a device, under the simulators: a complete exchange in picoseconds.
//!
//! What is compared: the testbench's own verdict, and when every packet left every switch and arrived, with
//! [`frit_model::device::passages`], which computes it from the times of the device.

mod engine;
mod passages;
mod verdict;

pub use engine::Engine;
pub use verdict::{FirstError, Verdict};

use crate::campaign::{self, Attempt, Campaign, Engine as _, EngineRun, Ground, Testbench, simulate};
use crate::simulator::WaveKind;
use crate::tools::ToolPath;
use frit_model::device::first_touch;
use frit_network::{Refusal, refusal};
use frit_rtl::optical::{design_name, plusargs, render};
use frit_schedule::Plan;
use frit_schedule::photonics::device::{DeviceFault, Passage, Times, Touch};
use frit_traffic::Payload;
use std::path::Path;
use std::time::Duration;

/// The most that engines that were not asked for by name may take together, one after the other, by [`Engine::estimate`].
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What is verified, and how.
pub struct Config<'a> {
    /// The plan of an optical butterfly.
    pub plan: &'a Plan,
    pub times: &'a Times,
    /// The messages, of as many bits as fill a slot; the last of them are not sent if there is a gap.
    pub payload: &'a Payload,
    /// Something wrong with the device.
    pub fault: Option<DeviceFault>,
    /// The engines to run; none are all that end in [`PATIENCE`].
    pub engines: &'a [Engine],
    pub folder: &'a Path,
    /// The format of the waveforms; none are written without one.
    pub wave: Option<WaveKind>,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(Engine, &str) + Sync),
}

impl Config<'_> {
    fn estimate(&self, engine: Engine) -> Duration {
        engine.estimate(self.plan, self.times, self.wave.is_some())
    }
}

/// What is kept of an engine that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What its testbench says.
    pub verdict: Verdict,
    /// The first packet that passed a place at another time than computed, in words. Not compared with a fault.
    pub passages_differ: Option<String>,
}

/// How an engine went; what is wrong first is told in words, the testbench's before those of the comparison.
pub type State = campaign::State<Kept, String>;

/// An engine and how it went.
pub type EngineReport = campaign::EngineReport<Engine, Kept, String>;

/// What was found.
#[derive(Clone, Debug)]
pub struct DeviceReport {
    pub design: String,
    /// The first packet that is in a switch while that switches, computed.
    pub touch: Option<Touch>,
    pub engines: Vec<EngineReport>,
    /// Time to write the design.
    pub generate: Duration,
    pub total: Duration,
}

impl DeviceReport {
    /// Every engine that ran passed, and one did.
    pub fn passed(&self) -> bool {
        let ran: Vec<bool> = self.engines.iter().filter_map(EngineReport::agrees).collect();
        !ran.is_empty() && ran.iter().all(|passed| *passed)
    }
}

/// The device with the engines that are to be run.
struct Device<'a> {
    config: &'a Config<'a>,
    chosen: Vec<Engine>,
}

impl Campaign for Device<'_> {
    type Engine = Engine;
    /// When packets pass; none with a fault.
    type Reference = Option<Vec<Passage>>;
    /// The testbench's verdict, and when packets passed.
    type Got = (Verdict, Vec<Passage>);
    type Kept = Kept;
    type Difference = String;
    const ENGINES: &'static [Engine] = &Engine::ALL;
    const RESULTS: &'static [&'static str] = &["passages.csv", "wave.fst", "wave.vcd", "run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        render(self.config.plan, self.config.times, self.config.payload)
    }

    fn reference(&self) -> Result<Option<Vec<Passage>>, Refusal> {
        let Config { plan, times, fault, .. } = *self.config;
        Ok(match fault {
            Some(_) => None,
            None => Some(frit_model::device::passages(plan, times)?),
        })
    }

    fn left_out(&self, engine: Engine) -> Option<String> {
        if self.chosen.contains(&engine) {
            None
        } else if !self.config.engines.is_empty() {
            Some("not asked for".into())
        } else {
            let takes = self.config.estimate(engine);
            Some(format!("takes about {} s: --engines {} runs it", takes.as_secs(), engine.name()))
        }
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<(Verdict, Vec<Passage>)>, Refusal> {
        let design = match engine {
            Engine::IcarusEvents => format!("{}_events", design_name(self.config.plan)),
            _ => design_name(self.config.plan),
        };
        let mut arguments = vec!["+passages=passages.csv".to_string()];
        arguments.extend(self.config.fault.iter().flat_map(plusargs));
        let testbench = Testbench { sources, design: &design, long_run: false, plusargs: &arguments };
        simulate(ground, engine, engine.simulator(), testbench)?.read(|printed| {
            let verdict =
                printed.result(|result| verdict::verdict(result, &printed.output, printed.passed))?;
            let passages = match self.config.fault {
                Some(_) => Vec::new(),
                None => passages::read(&printed.folder.join("passages.csv"))?,
            };
            Ok((verdict, passages))
        })
    }

    fn compare(
        &self,
        reference: &Option<Vec<Passage>>,
        _: Engine,
        ran: &EngineRun<(Verdict, Vec<Passage>)>,
    ) -> Result<(Kept, Option<String>), Refusal> {
        let (verdict, simulated) = &ran.got;
        let passages_differ =
            reference.as_ref().and_then(|expected| passages::first_difference(expected, simulated));
        let said = (!verdict.passed)
            .then(|| verdict.first_error.as_ref().map_or("FAIL".to_string(), |error| error.text.clone()));
        let first = said.or_else(|| passages_differ.clone());
        Ok((Kept { verdict: verdict.clone(), passages_differ }, first))
    }
}

/// The engines to run: those asked for, or as many as end soon, the fastest first.
fn choose(config: &Config) -> Result<Vec<Engine>, Refusal> {
    if !config.engines.is_empty() {
        return Ok(config.engines.to_vec());
    }
    let takes = |engine: Engine| config.estimate(engine);
    let mut engines = Engine::ALL;
    engines.sort_by_key(|&engine| takes(engine));
    let mut in_all = Duration::ZERO;
    let chosen: Vec<Engine> = engines
        .into_iter()
        .take_while(|&engine| {
            in_all += takes(engine);
            in_all <= PATIENCE
        })
        .collect();
    match chosen.is_empty() {
        false => Ok(chosen),
        true => Err(refusal!(
            "the device of {} processors takes more than {} s in every engine, about {} s in {}; pass --engines {} to run it anyway, or use a smaller -n{}",
            config.plan.network.terminals(),
            PATIENCE.as_secs(),
            takes(engines[0]).as_secs(),
            (engines[0]).name(),
            (engines[0]).name(),
            if config.wave.is_some() { ", or --config.wave.is_some() none" } else { "" }
        )),
    }
}

/// Writes, builds and runs the device model. Files: `rtl/` and a folder per engine below `config.folder`.
///
/// # Errors
/// If there is no such device, no engine that ends soon, or a tool fails.
pub fn verify_optical(config: &Config) -> Result<DeviceReport, Refusal> {
    let Config { plan, times, folder, tools, wave, progress, .. } = *config;
    if let Some(fault) = config.fault {
        fault.check(plan)?;
    }
    let touch = first_touch(plan, times, config.fault)?;
    let ground = Ground { folder, tools, wave, progress };
    let found = campaign::run(&Device { config, chosen: choose(config)? }, &ground)?;
    let (engines, generate, total) = (found.engines, found.generate, found.total);
    Ok(DeviceReport { design: design_name(plan), touch, engines, generate, total })
}
