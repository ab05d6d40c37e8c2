//! One design under several engines, in a folder that goes with the run.

use super::designs::Subject;
use crate::args::{EngineArg, FabricStyle, FamilyArg, WaveArg};
use crate::emitted;
use crate::streamed::refuse;
use anyhow::{Context, Result, bail};
use frit_cells::describe::MAX_SIMULATED_WIDTH;
use frit_cosim::recorded;
use frit_cosim::tools::{ToolPath, YOSYS};
use frit_cosim::verify::{
    Config, CountedReport, Engine, EngineReport, ExchangeReport, FirstDifference, Mapping, State, verify,
};
use frit_device::Recorded;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_schedule::Plan;
use frit_trace::output::TemporaryFolder;
use frit_traffic::Payload;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The columns that name a design and the engines that run it.
pub const KEY: &str = "system options terminals width engines";
/// The engines that have columns, in their order.
const ENGINES: [Engine; 3] = [Engine::RustHdl, Engine::Verilator, Engine::Icarus];

/// How designs are run.
#[derive(Clone, Copy)]
pub struct Trial {
    /// How the modules are written.
    pub fabric_style: FabricStyle,
    /// What the simulators are given in place of the Verilog.
    pub netlist: Option<FamilyArg>,
    /// The format of the waveforms that are compared; without one the kind's.
    pub wave: Option<WaveArg>,
    /// What it is without one.
    pub wave_default: WaveArg,
    /// The seed of the words.
    pub seed: u64,
}

/// A design that is run.
#[derive(Clone)]
pub struct Case {
    pub trial: Trial,
    pub subject: Arc<Subject>,
    pub width: u32,
    pub engines: Vec<Engine>,
    /// A fault of the subject's, as `frit verify` takes it.
    pub fault: Option<String>,
}

/// What came of a run.
pub struct Outcome {
    /// The engines, the model first.
    engines: Vec<EngineReport>,
    /// Whether the model delivers everything.
    complete: bool,
    /// Cycles of the run, of all runs, and those that the paper gives; the words or beats that were delivered; what the first engine asked for
    /// counts. A fact is null if nothing counts it.
    facts: Facts,
}

impl Outcome {
    /// No engine disagrees, and the model itself delivers everything.
    pub fn agrees(&self) -> bool {
        self.complete && self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }

    /// How an engine went.
    pub fn engine(&self, engine: Engine) -> Option<&EngineReport> {
        self.engines.iter().find(|report| report.engine == engine)
    }

    /// The first difference of an engine that ran.
    pub fn difference(&self, engine: Engine) -> Option<&FirstDifference> {
        match &self.engine(engine)?.state {
            State::Ran { first_difference, .. } => first_difference.as_ref(),
            State::NotRun { .. } => None,
        }
    }

    /// The first difference of all of them.
    pub fn first_difference(&self, engines: &[Engine]) -> Option<(Engine, &FirstDifference)> {
        let found = |&engine: &Engine| Some((engine, self.difference(engine)?));
        engines.iter().filter_map(found).min_by_key(|(_, found)| (found.run, found.cycle))
    }

    /// The facts, and what is to be said of each engine that has a column.
    pub fn facts_of_engines(&self, of: impl Fn(Engine) -> Option<bool>) -> Facts {
        let own = ENGINES.map(|engine| (engine.name().replace('-', "_"), json!(of(engine))));
        self.facts.clone().into_iter().chain(own).collect()
    }

    fn of_exchange(report: ExchangeReport, plan: &Plan, engines: &[Engine]) -> Self {
        let run = &report.run;
        let counts =
            report.counts.iter().find(|(engine, _)| engines.contains(engine)).map(|(_, run)| run.facts());
        let mut facts = plan.facts(None);
        facts.extend(run.facts());
        for counted in ["missing", "misrouted", "duplicates", "conflicts"] {
            facts[counted] = counts.as_ref().map_or(Value::Null, |counts| counts[counted].clone());
        }
        Outcome { complete: run.ok(), facts, engines: report.engines }
    }

    fn of_stream(report: CountedReport, device: &dyn Recorded) -> Self {
        let beats = match &report.engines[0].state {
            State::Ran { kept, .. } => Some(kept),
            State::NotRun { .. } => None,
        };
        let latency = device.facts().get("latency").cloned();
        let facts = facts! {
            "cycles": latency, "cycles_total": null, "cycles_paper": null, "delivered": beats, "missing": null,
            "misrouted": null, "duplicates": null, "conflicts": null,
        };
        Outcome { engines: report.engines, complete: true, facts }
    }
}

impl Trial {
    /// What decides what a run comes to besides its design, its engines and its fault.
    pub fn configuration(&self) -> String {
        let Trial { fabric_style, netlist, seed, .. } = self;
        format!("{fabric_style:?} {netlist:?} {:?} {seed}", self.wave())
    }

    fn wave(&self) -> WaveArg {
        self.wave.unwrap_or(self.wave_default)
    }

    /// Whether the tools of these engines are there.
    pub fn ready(&self, engines: impl IntoIterator<Item = Engine>) -> Result<()> {
        let tools = ToolPath::from_environment();
        emitted::need_tools(engines, &tools)?;
        if self.netlist.is_some() {
            tools.find(YOSYS)?;
        }
        Ok(())
    }
}

impl Case {
    pub fn name(&self) -> String {
        self.subject.design_name(self.width)
    }

    /// Its cells in the columns [`KEY`].
    pub fn key(&self) -> Vec<String> {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        [self.subject.key(), vec![self.width.to_string(), names.join(" ")]].concat()
    }

    /// About how many milliseconds it takes on one core: what a compiler does goes with the cells of the unrolled design, what
    /// runs with words and bits.
    pub fn work(&self) -> u64 {
        let (switches, moves) = match &*self.subject {
            Subject::Planned(plan) => {
                let words = u64::from(plan.rounds) * u64::from(plan.network.lanes());
                (plan.network.switches(), words * u64::from(plan.hops()))
            }
            Subject::Streamed(core) => core.work().into(),
        };
        let words = u64::from(self.width.div_ceil(64));
        let of = |engine: &Engine| match engine {
            Engine::Model => 0,
            Engine::RustHdl => 40 + moves / 4,
            Engine::Verilator => 4000 + 20 * switches + moves * words / 40,
            Engine::Icarus => 200 + 2 * switches + moves * words / 10,
        };
        let bits = u64::from(self.width);
        let mapped = if self.trial.netlist.is_some() { 3000 + 10 * switches * bits } else { 0 };
        1 + mapped + self.engines.iter().map(of).sum::<u64>()
    }

    /// Refuses a design that its engines cannot run.
    pub fn check(&self) -> Result<()> {
        let Case { trial, width, .. } = *self;
        let bits = match &*self.subject {
            Subject::Planned(_) => width,
            Subject::Streamed(core) => core.word_bits(width),
        };
        if bits > MAX_SIMULATED_WIDTH && self.engines.contains(&Engine::RustHdl) {
            bail!(
                "{}: rust-hdl simulates words of at most {MAX_SIMULATED_WIDTH} bits: give wider words \
                 their own entry, with engines = [\"verilator\", \"icarus\"]",
                self.name()
            );
        }
        match &*self.subject {
            Subject::Planned(plan) => emitted::check(plan, width, self.engines.len()),
            Subject::Streamed(core) => {
                let waves = trial.wave.is_some_and(|wave| wave != WaveArg::None);
                let given = [("fabric_style", trial.fabric_style != FabricStyle::Auto), ("wave", waves)];
                refuse(
                    &core.request().system,
                    &given,
                    "whose beats are compared; leave it out, or give exchanges a file of their own",
                )?;
                core.make(width, None, None).map(drop)
            }
        }
    }

    /// Runs it; every engine must run.
    pub fn run(&self) -> Result<Outcome> {
        let folder = TemporaryFolder::new("frit-sweep-")?;
        let outcome = match self.run_in(folder.path()) {
            Ok(outcome) => outcome,
            Err(error) => {
                folder.keep_if_named(&format!("{error:#}"));
                return Err(error).context(self.name());
            }
        };
        for &engine in &self.engines {
            if let Some(why) = outcome.engine(engine).and_then(|report| report.state.not_run()) {
                bail!("{}: {} was not run: {why}", self.name(), engine.name());
            }
        }
        Ok(outcome)
    }

    fn run_in(&self, folder: &Path) -> Result<Outcome> {
        let Case { trial, width, engines, fault, .. } = self;
        let (fault, tools) = (fault.as_deref(), &ToolPath::from_environment());
        let netlist = trial.netlist.map(|arg| Mapping { family: emitted::family(arg), inverted_lut: None });
        match &*self.subject {
            Subject::Planned(plan) => {
                let report = verify(&Config {
                    plan,
                    payload: &Payload::random(plan.network.terminals(), *width, trial.seed),
                    engines,
                    folder,
                    fault,
                    wave: trial.wave().kind(),
                    style: emitted::style_compared(trial.fabric_style, plan, netlist.is_some()),
                    netlist,
                    tools,
                    progress: &|_, _| (),
                })?;
                Ok(Outcome::of_exchange(report, plan, engines))
            }
            Subject::Streamed(core) => {
                let device = core.make(*width, fault, None)?;
                let report = recorded::verify(&*device, engines, netlist, folder, tools, &|_, _| ())?;
                Ok(Outcome::of_stream(report, &*device))
            }
        }
    }
}

/// The engines that a file names, each once, in the order of their columns.
pub fn engines(given: &[EngineArg]) -> Result<Vec<Engine>> {
    let given: Vec<Engine> = given.iter().map(|arg| emitted::engine(*arg)).collect();
    let engines: Vec<Engine> = ENGINES.into_iter().filter(|engine| given.contains(engine)).collect();
    match engines.is_empty() {
        true => bail!("engines needs at least one of rust-hdl, verilator, icarus"),
        false => Ok(engines),
    }
}
