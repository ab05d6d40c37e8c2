//! One design under several engines, in a folder that goes with the run.

use super::designs::Subject;
use crate::args::{EngineArg, FabricStyle, FamilyArg, WaveArg};
use crate::emitted;
use crate::streamed::refuse;
use anyhow::{Context, Result, bail};
use frit_cells::describe::MAX_SIMULATED_WIDTH;
use frit_cells::fault::{EXCHANGE, FaultRefusal};
use frit_cosim::recorded;
use frit_cosim::tools::{ToolPath, YOSYS};
use frit_cosim::verify::{
    Config, Engine, EngineReport, ExchangeReport, FirstDifference, Mapping, State, verify,
};
use frit_device::permute::{Permute, STREAMED};
use frit_permute::Streamed;
use frit_permute::script::phases;
use frit_schedule::Plan;
use frit_trace::output::TemporaryFolder;
use frit_traffic::Payload;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The columns of engines, in the order of their cells.
pub const ENGINES: [Engine; 3] = [Engine::RustHdl, Engine::Verilator, Engine::Icarus];

/// How designs are run.
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

/// A fault, as it is written, if it suits the subject.
pub fn fault(given: &str, subject: &Subject) -> Result<String, FaultRefusal> {
    match subject {
        Subject::Planned(_) => Ok(EXCHANGE.find(given)?.to_string()),
        Subject::Streamed(plan) => {
            let fault = STREAMED.find(given)?;
            fault.plant(&mut plan.clone())?;
            Ok(fault.to_string())
        }
    }
}

/// What came of a run.
pub struct Outcome {
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Whether the model delivers everything.
    pub complete: bool,
    /// Four cells of the table: cycles of the run, cycles of all runs, cycles that the paper gives, and the words or beats that were
    /// delivered. A cell without a figure is empty.
    pub figures: [String; 4],
    /// Four cells of the table, of the first engine asked for: pairs missing, pairs misrouted, pairs repeated, and conflicts. A cell is
    /// empty if nothing counts it.
    pub counts: [String; 4],
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

    fn of_exchange(report: ExchangeReport, plan: &Plan, engines: &[Engine]) -> Self {
        let run = &report.run;
        let first = report.counts.iter().find(|(engine, _)| engines.contains(engine));
        let counts = first.map(|(_, run)| [run.missing, run.misrouted, run.duplicates, run.conflicts]);
        Outcome {
            complete: run.ok(),
            figures: [run.cycles, run.cycles_total, plan.figures.cycles_paper, run.delivered]
                .map(|figure| figure.to_string()),
            counts: counts.map_or_else(Default::default, |counts| counts.map(|count| count.to_string())),
            engines: report.engines,
        }
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

    /// About how many milliseconds a point takes on one core: what a compiler does goes with the cells of the unrolled design, what
    /// runs with words and bits.
    pub fn work(&self, subject: &Subject, width: u32, engines: &[Engine]) -> u64 {
        let (switches, moves) = match subject {
            Subject::Planned(plan) => {
                let words = u64::from(plan.rounds) * u64::from(plan.network.lanes());
                (plan.network.switches(), words * u64::from(plan.hops()))
            }
            Subject::Streamed(plan) => {
                let beats: u64 = phases(plan).iter().map(|phase| phase.beats).sum();
                let columns = u64::from(plan.columns() + 3);
                (plan.switches() + u64::from(plan.lanes), beats * u64::from(plan.lanes) * columns)
            }
        };
        let words = u64::from(width.div_ceil(64));
        let of = |engine: &Engine| match engine {
            Engine::Model => 0,
            Engine::RustHdl => 40 + moves / 4,
            Engine::Verilator => 4000 + 20 * switches + moves * words / 40,
            Engine::Icarus => 200 + 2 * switches + moves * words / 10,
        };
        let mapped = if self.netlist.is_some() { 3000 + 10 * switches * u64::from(width) } else { 0 };
        1 + mapped + engines.iter().map(of).sum::<u64>()
    }

    /// Refuses a design that these engines cannot run.
    pub fn check(&self, subject: &Subject, width: u32, engines: &[Engine]) -> Result<()> {
        let bits = match subject {
            Subject::Planned(_) => width,
            Subject::Streamed(plan) => plan.word_bits(width),
        };
        if bits > MAX_SIMULATED_WIDTH && engines.contains(&Engine::RustHdl) {
            bail!(
                "{}: rust-hdl simulates words of at most {MAX_SIMULATED_WIDTH} bits: give wider ones an entry of their own, with engines = [\"verilator\", \"icarus\"]",
                subject.design_name(width)
            );
        }
        match subject {
            Subject::Planned(plan) => emitted::check(plan, width, engines.len()),
            Subject::Streamed(plan) => {
                let waves = self.wave.is_some_and(|wave| wave != WaveArg::None);
                let given = [("fabric_style", self.fabric_style != FabricStyle::Auto), ("wave", waves)];
                refuse(
                    plan,
                    &given,
                    "whose beats are compared; leave it out, or give exchanges a file of their own",
                )?;
                Permute::new(plan.clone(), width, None)?;
                Ok(())
            }
        }
    }

    /// Runs a design, every engine of which must run.
    pub fn run(
        &self,
        subject: &Subject,
        width: u32,
        engines: &[Engine],
        fault: Option<&str>,
    ) -> Result<Outcome> {
        let folder = TemporaryFolder::new("frit-sweep-")?;
        let name = subject.design_name(width);
        let outcome = match subject {
            Subject::Planned(plan) => self.exchange(plan, width, engines, fault, folder.path()),
            Subject::Streamed(plan) => self.stream(plan, width, engines, fault, folder.path()),
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                folder.keep_if_named(&format!("{error:#}"));
                return Err(error).context(name);
            }
        };
        for engine in engines {
            if let Some(why) = outcome.engine(*engine).and_then(|report| report.state.not_run()) {
                bail!("{name}: {} was not run: {why}", engine.name());
            }
        }
        Ok(outcome)
    }

    fn mapping(&self) -> Option<Mapping> {
        self.netlist.map(|arg| Mapping { family: emitted::family(arg), inverted_lut: None })
    }

    fn exchange(
        &self,
        plan: &Plan,
        width: u32,
        engines: &[Engine],
        fault: Option<&str>,
        folder: &Path,
    ) -> Result<Outcome> {
        let report = verify(&Config {
            plan,
            payload: &Payload::random(plan.network.terminals(), width, self.seed),
            engines,
            folder,
            fault,
            wave: self.wave().kind(),
            style: emitted::style_compared(self.fabric_style, plan, self.netlist.is_some()),
            netlist: self.mapping(),
            tools: &ToolPath::from_environment(),
            progress: &|_, _| (),
        })?;
        Ok(Outcome::of_exchange(report, plan, engines))
    }

    fn stream(
        &self,
        plan: &Streamed,
        width: u32,
        engines: &[Engine],
        fault: Option<&str>,
        folder: &Path,
    ) -> Result<Outcome> {
        let (design, tools) = (Permute::new(plan.clone(), width, fault)?, ToolPath::from_environment());
        let report = recorded::verify(&design, engines, self.mapping(), folder, &tools, &|_, _| ())?;
        let beats = match &report.engines[0].state {
            State::Ran { kept, .. } => kept.to_string(),
            State::NotRun { .. } => String::new(),
        };
        Ok(Outcome {
            engines: report.engines,
            complete: true,
            figures: [plan.latency().to_string(), String::new(), String::new(), beats],
            counts: Default::default(),
        })
    }
}

/// The engines that a file names, each once, in the order of their columns.
pub fn engines(given: &[EngineArg]) -> Result<Vec<Engine>> {
    let given: Vec<Engine> = given.iter().map(|arg| emitted::engine(*arg)).collect();
    let engines: Vec<Engine> = ENGINES.into_iter().filter(|engine| given.contains(engine)).collect();
    match engines.is_empty() {
        true => bail!("engines need one at least of rust-hdl, verilator, icarus"),
        false => Ok(engines),
    }
}

/// What is said of runs besides their rows.
#[derive(Default)]
pub struct Remarks(Mutex<BTreeMap<usize, String>>);

impl Remarks {
    /// Says something of a point.
    pub fn say(&self, point: usize, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(point, text);
    }

    /// Takes what was said of it.
    pub fn take(&self, point: usize) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&point)
    }
}
