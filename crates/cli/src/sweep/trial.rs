//! One exchange under several engines, in a folder that goes with the run.

use crate::args::{EngineArg, FabricStyle, FamilyArg, WaveArg};
use crate::emitted;
use anyhow::{Context, Result, bail};
use frit_cells::describe::MAX_SIMULATED_WIDTH;
use frit_cells::fault::PlantedFault;
use frit_cosim::tools::{ToolPath, YOSYS};
use frit_cosim::verify::{Config, Engine, ExchangeReport, FirstDifference, Mapping, State, verify};
use frit_schedule::Plan;
use frit_trace::output::TemporaryFolder;
use frit_traffic::Payload;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The columns of engines, in the order of their cells.
pub const ENGINES: [Engine; 3] = [Engine::RustHdl, Engine::Verilator, Engine::Icarus];

/// How exchanges are run.
pub struct Trial {
    /// How the modules are written.
    pub fabric_style: FabricStyle,
    /// What the simulators are given in place of the Verilog.
    pub netlist: Option<FamilyArg>,
    /// The format of the waveforms that are compared.
    pub wave: WaveArg,
    /// The seed of the words.
    pub seed: u64,
}

impl Trial {
    /// What decides what a run comes to besides its design, its engines and its fault.
    pub fn configuration(&self) -> String {
        let Trial { fabric_style, netlist, wave, seed } = self;
        format!("{fabric_style:?} {netlist:?} {wave:?} {seed}")
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
    pub fn work(&self, plan: &Plan, width: u32, engines: &[Engine]) -> u64 {
        let switches = plan.network.switches();
        let moves = u64::from(plan.rounds) * u64::from(plan.network.lanes()) * u64::from(plan.hops());
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

    /// Runs an exchange, every engine of which must run.
    pub fn run(
        &self,
        plan: &Plan,
        width: u32,
        engines: &[Engine],
        fault: Option<PlantedFault>,
    ) -> Result<ExchangeReport> {
        let folder = TemporaryFolder::new("frit-sweep-")?;
        let name = plan.design_name(width);
        let report = verify(&Config {
            plan,
            payload: &Payload::random(plan.network.terminals(), width, self.seed),
            engines,
            folder: folder.path(),
            fault,
            wave: self.wave.kind(),
            style: emitted::style_compared(self.fabric_style, plan, self.netlist.is_some()),
            netlist: self.netlist.map(|arg| Mapping { family: emitted::family(arg), inverted_lut: None }),
            tools: &ToolPath::from_environment(),
            progress: &|_, _| (),
        });
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                // It names a log in the folder.
                folder.keep();
                return Err(error).context(name);
            }
        };
        for engine in engines {
            if let Some(why) = report.engine(*engine).and_then(|report| report.state.not_run()) {
                bail!("{name}: {} was not run: {why}", engine.name());
            }
        }
        Ok(report)
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

/// Refuses a design that these engines cannot run.
pub fn check(plan: &Plan, width: u32, engines: &[Engine]) -> Result<()> {
    if width > MAX_SIMULATED_WIDTH && engines.contains(&Engine::RustHdl) {
        bail!(
            "{}: rust-hdl simulates words of at most {MAX_SIMULATED_WIDTH} bits: give wider ones an entry of their own, with engines = [\"verilator\", \"icarus\"]",
            plan.design_name(width)
        );
    }
    emitted::check(plan, width, engines.len())
}

/// The first difference of an engine that ran.
pub fn difference(report: &ExchangeReport, engine: Engine) -> Option<&FirstDifference> {
    match &report.engine(engine)?.state {
        State::Ran { first_difference, .. } => first_difference.as_ref(),
        State::NotRun { .. } => None,
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
