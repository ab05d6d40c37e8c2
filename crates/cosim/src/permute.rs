//! A streamed permutation under the model, rust-hdl and the simulators, compared beat by beat: the cycle in which each beat leaves, its
//! words, and whether it is the last of its data set.
//!
//! The model knows the order of the words and the contract, not the settings and addresses of the hardware.

use crate::campaign::{
    self, Attempt, Campaign, FirstDifference, Ground, Mapping, Printed, Ran, Replaced, Testbench, simulate,
};
use crate::simulator::SimulatorError;
use crate::synth::SynthError;
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, State};
use frit_cells::design::permute::{PermuteDesignError, build, design_name, top_name};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::SimulateError;
use frit_cells::permuting;
use frit_model::permute::run;
use frit_permute::script::Beat;
use frit_permute::{Fault as PlanFault, Streamed, check};
use frit_rtl::library::Sources;
use frit_rtl::permute::{package, render};
use frit_trace::output::{FileError, read_text};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod fault;

pub use fault::{PermuteFault, PermuteFaultError};

/// Why nothing was verified.
#[derive(Debug, thiserror::Error)]
pub enum PermuteError {
    /// A file could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A simulator failed.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// There is no netlist.
    #[error(transparent)]
    Synth(#[from] SynthError),
    /// rust-hdl cannot simulate the design.
    #[error(transparent)]
    RustHdl(#[from] SimulateError),
    /// There is no such hardware.
    #[error(transparent)]
    Design(#[from] PermuteDesignError),
    /// The fault has no place.
    #[error(transparent)]
    Fault(#[from] PermuteFaultError),
    /// The plan itself is wrong.
    #[error("the plan is wrong: {0}")]
    Plan(#[from] PlanFault),
}

/// A design with what must leave it.
pub struct Design<'a> {
    plan: &'a Streamed,
    width: u32,
    netlist: Netlist,
}

impl<'a> Design<'a> {
    /// The hardware of a plan, which is checked, with a deliberate fault if one is given.
    ///
    /// # Errors
    /// If the plan is wrong, there is no such hardware or no place for the fault.
    pub fn new(plan: &'a Streamed, width: u32, fault: Option<PermuteFault>) -> Result<Self, PermuteError> {
        check(plan)?;
        let netlist = match fault {
            None => build(plan, width)?,
            Some(fault) => build(&fault.planted(plan)?, width)?,
        };
        Ok(Design { plan, width, netlist })
    }

    /// Its name.
    pub fn name(&self) -> String {
        design_name(self.plan, self.width)
    }

    /// Its netlist, for a caller that says where its cells are.
    pub fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    /// Its files: cells (if they are not in a folder `library`), modules, testbench, table, lists and Makefile.
    pub fn files(&self, library: Option<&str>) -> Vec<(String, String)> {
        let Sources { mut files, list } = Sources::new(&self.netlist, Style::Unrolled, library);
        files.extend(render(self.plan, self.width, &list));
        files
    }

    /// What other build tools read of these `files`, and the datasheet.
    pub fn package(&self, files: &Vec<(String, String)>, library: Option<&str>) -> Vec<(String, String)> {
        package(self.plan, self.width, &self.netlist, files, library)
    }
}

/// What an engine saw.
pub struct Seen {
    beats: Vec<Beat>,
    complaint: Option<String>,
}

/// The report: the engines, the model first, and the beats that each let leave.
pub struct PermuteReport {
    /// The engines.
    pub engines: Vec<EngineReport>,
    /// Time to write the design, and in all.
    pub times: [Duration; 2],
}

/// A design as a campaign.
struct Compared<'a> {
    design: &'a Design<'a>,
    engines: &'a [Engine],
    netlist: Option<Mapping>,
    tools: &'a ToolPath,
}

impl Campaign for Compared<'_> {
    type Engine = Engine;
    type Reference = Vec<Beat>;
    type Got = Seen;
    type Kept = u64;
    type Difference = FirstDifference;
    type Error = PermuteError;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] = &["beats.csv", "run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, PermuteError> {
        Ok(self.design.files(None))
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, PermuteError> {
        let Some(mapping) = self.netlist else { return Ok(rtl) };
        let top = top_name(self.design.plan, self.design.width);
        let replaced = Replaced { design: &self.design.name(), top, kept: Vec::new() };
        Ok(campaign::replace(self.tools, mapping, &replaced, files, &rtl)?)
    }

    fn reference(&self) -> Result<Vec<Beat>, PermuteError> {
        Ok(run(self.design.plan, self.design.width))
    }

    fn asked(&self) -> &[Engine] {
        self.engines
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<Seen>, PermuteError> {
        let Some(simulator) = engine.simulator() else { return self.rust_hdl(ground) };
        // The simulator runs in the folder of its results.
        let plusargs = ["+beats=beats.csv".to_string()];
        let design = &self.design.name();
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| read(&printed))
    }

    fn compare(
        &self,
        expected: &Vec<Beat>,
        _: Engine,
        ran: &Ran<Seen>,
    ) -> Result<(u64, Option<FirstDifference>), PermuteError> {
        Ok((ran.got.beats.len() as u64, first(expected, &ran.got)))
    }
}

impl Compared<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Seen>, PermuteError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let Design { plan, width, netlist } = self.design;
        let outcome = match permuting::run(plan, *width, netlist) {
            Ok(outcome) => outcome,
            Err(error @ SimulateError::TooWide { .. }) => return Ok(Attempt::not_run(error)),
            Err(error) => return Err(error.into()),
        };
        let got = Seen { beats: outcome.beats, complaint: outcome.complaint };
        Ok(Attempt::Ran(Ran { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

/// What a testbench says.
fn read(printed: &Printed) -> Result<Seen, PermuteError> {
    let path = printed.folder.join("beats.csv");
    let text = read_text(&path)?;
    let beat = |line: &str| {
        let mut parts = line.split(',');
        Some(Beat {
            phase: parts.next()?.parse().ok()?,
            cycle: parts.next()?.parse().ok()?,
            last: parts.next()? == "1",
            data: parts.next()?.to_string(),
        })
    };
    let beats = text.lines().skip(1).map_while(beat).collect();
    let said = printed.output.lines().find_map(|line| line.strip_prefix("FAIL: "));
    let complaint = match (printed.passed, said) {
        (true, None) => None,
        (_, said) => Some(said.unwrap_or("the testbench failed without saying why").to_string()),
    };
    Ok(Seen { beats, complaint })
}

/// The first difference: a beat, how many there are, or what the engine's own checks say.
fn first(expected: &[Beat], seen: &Seen) -> Option<FirstDifference> {
    let tell = |beat: Option<&Beat>| match beat {
        None => "no beat".to_string(),
        Some(Beat { phase, cycle, last, data }) => {
            let last = if *last { ", last of its data set" } else { "" };
            format!("phase {phase}, cycle {cycle}: {data}{last}")
        }
    };
    let most = expected.len().max(seen.beats.len());
    if let Some(at) = (0..most).find(|&at| expected.get(at) != seen.beats.get(at)) {
        let (due, got) = (expected.get(at), seen.beats.get(at));
        let (phase, cycle) = due.or(got).map_or((0, 0), |beat| (beat.phase, beat.cycle));
        let signal = format!("beat {at} of all phases");
        return Some(FirstDifference {
            run: phase as u32,
            cycle,
            signal,
            expected: tell(due),
            got: tell(got),
        });
    }
    let complaint = seen.complaint.clone()?;
    let signal = "the engine's own checks".to_string();
    Some(FirstDifference { run: 0, cycle: 0, signal, expected: "no complaint".into(), got: complaint })
}

/// Runs a design under the engines and compares them with the model; `netlist`: the simulators run a netlist of the vendor's cells.
/// Files: `rtl/` and a folder per simulator below `folder`.
///
/// # Errors
/// If a tool that is there fails, or Yosys is missing for the netlist.
pub fn verify(
    design: &Design,
    engines: &[Engine],
    netlist: Option<Mapping>,
    folder: &Path,
    tools: &ToolPath,
    progress: &(dyn Fn(Engine, &str) + Sync),
) -> Result<PermuteReport, PermuteError> {
    let ground = Ground { folder, tools, wave: None, progress };
    let start = Instant::now();
    let found = campaign::run(&Compared { design, engines, netlist, tools }, &ground)?;
    let beats = found.reference.len() as u64;
    let model = State::Ran { kept: beats, first_difference: None, wave: None, times: vec![] };
    let mut all = vec![EngineReport { engine: Engine::Model, state: model }];
    all.extend(found.engines.into_iter().filter(|report| engines.contains(&report.engine)));
    Ok(PermuteReport { engines: all, times: [found.generate, start.elapsed()] })
}
