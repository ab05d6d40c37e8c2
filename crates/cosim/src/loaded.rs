//! A network whose schedule is loaded, under the model, rust-hdl and the simulators, compared event by event: when exchanges start and end,
//! when each word arrives, where and from whom, and which errors are reported.
//!
//! The model knows the contract and the bare network, not the loader, the fetch and the memories.

use crate::campaign::{self, Attempt, Campaign, FirstDifference, Ground, Printed, Ran, Testbench, simulate};
use crate::simulator::SimulatorError;
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, State};
use frit_cells::design::loaded::{build, design_name, top_name};
use frit_cells::loading::{self, LoadedFault, LoadedFaultError, plant};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::SimulateError;
use frit_demand::loaded::{Event, Trial, What};
use frit_rtl::library::Sources;
use frit_rtl::loaded::render;
use frit_trace::output::{FileError, read_text};
use std::path::Path;
use std::time::{Duration, Instant};

/// Why nothing was verified.
#[derive(Debug, thiserror::Error)]
pub enum LoadedError {
    /// A file could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A simulator failed.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// rust-hdl cannot simulate the design.
    #[error(transparent)]
    RustHdl(#[from] SimulateError),
    /// The fault has no place.
    #[error(transparent)]
    Fault(#[from] LoadedFaultError),
}

/// A design with what is done with it and seen there.
pub struct Design {
    trial: Trial,
    netlist: Netlist,
}

impl Design {
    /// The hardware of a trial, with a deliberate fault if one is given.
    ///
    /// # Errors
    /// If there is no place for the fault.
    pub fn new(trial: Trial, fault: Option<LoadedFault>) -> Result<Self, LoadedError> {
        let mut netlist = build(trial.shape, trial.width);
        if let Some(fault) = fault {
            plant(&mut netlist, trial.shape, fault)?;
        }
        Ok(Design { trial, netlist })
    }

    /// Its name.
    pub fn name(&self) -> String {
        design_name(self.trial.shape, self.trial.width)
    }

    /// Its netlist, for a caller that says where its cells are.
    pub fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    /// Its files: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile.
    pub fn files(&self, library: Option<&str>) -> Vec<(String, String)> {
        let Sources { mut files, list } = Sources::new(&self.netlist, Style::Unrolled, library);
        files.extend(render(&self.trial, &list));
        files
    }
}

/// What an engine saw.
pub struct Seen {
    events: Vec<Event>,
    complaint: Option<String>,
}

/// The report: the engines, the model first, and the words that arrived in each.
pub struct LoadedReport {
    /// The engines.
    pub engines: Vec<EngineReport>,
    /// Time to write the design, and in all.
    pub times: [Duration; 2],
}

/// A design as a campaign.
struct Compared<'a> {
    design: &'a Design,
    engines: &'a [Engine],
}

impl Campaign for Compared<'_> {
    type Engine = Engine;
    type Reference = Vec<Event>;
    type Got = Seen;
    type Kept = u64;
    type Difference = FirstDifference;
    type Error = LoadedError;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] = &["events.csv", "run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, LoadedError> {
        Ok(self.design.files(None))
    }

    fn reference(&self) -> Result<Vec<Event>, LoadedError> {
        Ok(self.design.trial.events().cloned().collect())
    }

    fn asked(&self) -> &[Engine] {
        self.engines
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<Seen>, LoadedError> {
        let Some(simulator) = engine.simulator() else { return self.rust_hdl(ground) };
        // The simulator runs in the folder of its results.
        let plusargs = ["+events=events.csv".to_string()];
        let design = &top_name(self.design.trial.shape, self.design.trial.width);
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| read(&printed))
    }

    fn compare(
        &self,
        expected: &Vec<Event>,
        _: Engine,
        ran: &Ran<Seen>,
    ) -> Result<(u64, Option<FirstDifference>), LoadedError> {
        Ok((words(&ran.got.events), first(expected, &ran.got)))
    }
}

impl Compared<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Seen>, LoadedError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let events = match loading::run(&self.design.trial, &self.design.netlist) {
            Ok(events) => events,
            Err(error @ SimulateError::TooWide { .. }) => return Ok(Attempt::not_run(error)),
            Err(error) => return Err(error.into()),
        };
        let got = Seen { events, complaint: None };
        Ok(Attempt::Ran(Ran { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

/// Words that arrived.
fn words(events: &[Event]) -> u64 {
    events.iter().filter(|event| event.what == What::Word).count() as u64
}

/// What a testbench says.
fn read(printed: &Printed) -> Result<Seen, LoadedError> {
    let text = read_text(&printed.folder.join("events.csv"))?;
    let events = text.lines().skip(1).map_while(Event::read).collect();
    let said = printed.output.lines().find_map(|line| line.strip_prefix("FAIL: "));
    let complaint = match (printed.passed, said) {
        (true, None) => None,
        (_, said) => Some(said.unwrap_or("the testbench failed without saying why").to_string()),
    };
    Ok(Seen { events, complaint })
}

/// The first difference: an event, or what the engine's own checks say.
fn first(expected: &[Event], seen: &Seen) -> Option<FirstDifference> {
    let tell = |event: Option<&Event>| match event {
        None => "nothing more".to_string(),
        Some(Event { phase, cycle, what: What::Word, terminal, source, data }) => {
            format!("phase {phase}, cycle {cycle}: the word {data} from {source} arrives at {terminal}")
        }
        Some(Event { phase, cycle, what, .. }) => format!("phase {phase}, cycle {cycle}: {}", what.name()),
    };
    let most = expected.len().max(seen.events.len());
    let difference = |run: usize, cycle, signal: String, expected, got| {
        Some(FirstDifference { run: run as u32, cycle, signal, expected, got })
    };
    if let Some(at) = (0..most).find(|&at| expected.get(at) != seen.events.get(at)) {
        let (due, got) = (expected.get(at), seen.events.get(at));
        let (phase, cycle) = due.or(got).map_or((0, 0), |event| (event.phase, event.cycle));
        return difference(phase, cycle, format!("event {at} of all phases"), tell(due), tell(got));
    }
    let complaint = seen.complaint.clone()?;
    difference(0, 0, "the engine's own checks".into(), "no complaint".into(), complaint)
}

/// Runs a design under the engines and compares them with the model. Files: `rtl/` and a folder per simulator below `folder`.
///
/// # Errors
/// If a tool that is there fails.
pub fn verify(
    design: &Design,
    engines: &[Engine],
    folder: &Path,
    tools: &ToolPath,
    progress: &(dyn Fn(Engine, &str) + Sync),
) -> Result<LoadedReport, LoadedError> {
    let ground = Ground { folder, tools, wave: None, progress };
    let start = Instant::now();
    let found = campaign::run(&Compared { design, engines }, &ground)?;
    let model =
        State::Ran { kept: words(&found.reference), first_difference: None, wave: None, times: vec![] };
    let mut all = vec![EngineReport { engine: Engine::Model, state: model }];
    all.extend(found.engines.into_iter().filter(|report| engines.contains(&report.engine)));
    Ok(LoadedReport { engines: all, times: [found.generate, start.elapsed()] })
}
