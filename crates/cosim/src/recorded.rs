//! The campaign of designs of which a list of records says what happened at their ports, phase by phase: [`crate::permute`] (beats) and
//! [`crate::loaded`] (events). The records of each engine are compared with the model's.

use crate::campaign::{
    self, Attempt, Campaign, FirstDifference, Ground, Mapping, Printed, Ran, Replaced, Testbench, simulate,
};
use crate::simulator::SimulatorError;
use crate::synth::SynthError;
use crate::tools::ToolPath;
use crate::verify::{Engine, EngineReport, State};
use frit_cells::netlist::simulate::SimulateError;
use frit_trace::output::{FileError, read_text};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a design brings to its campaign.
pub trait Recorded: Sync {
    /// What happened at one time.
    type Record: Clone + PartialEq + Send;
    /// What a record is called.
    const RECORD: &'static str;
    /// What is said where an engine or the model has no further record.
    const NONE: &'static str;
    /// The plusarg with which a testbench writes its records.
    const PLUSARG: &'static str;
    /// The file of the records, and the others that an engine leaves in its folder.
    const RESULTS: &'static [&'static str];

    /// The D of its testbench `tb_D`.
    fn testbench(&self) -> String;
    /// The module that a netlist takes the place of.
    fn top(&self) -> String;
    /// Its files, names and contents.
    fn files(&self) -> Vec<(String, String)>;
    /// The model's records.
    fn expected(&self) -> Vec<Self::Record>;
    /// Runs the rust-hdl network.
    fn simulate(&self) -> Result<Seen<Self::Record>, SimulateError>;
    /// A record from a line of a testbench's file.
    fn read(line: &str) -> Option<Self::Record>;
    /// The phase of a record, and its cycle there.
    fn time(record: &Self::Record) -> (usize, u64);
    /// What happened.
    fn tell(record: &Self::Record) -> String;
    /// Whether an engine's figure counts the record.
    fn counts(_: &Self::Record) -> bool {
        true
    }
}

/// What an engine saw.
pub struct Seen<R> {
    /// Its records, in order.
    pub records: Vec<R>,
    /// What its own checks complain of first, if they do.
    pub complaint: Option<String>,
}

/// Why nothing was verified.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
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
}

/// The report: the engines, the model first, with the records that each counted.
pub struct RecordedReport {
    /// The engines.
    pub engines: Vec<EngineReport>,
    /// Time to write the design, and in all.
    pub times: [Duration; 2],
}

struct Run<'a, R> {
    design: &'a R,
    engines: &'a [Engine],
    netlist: Option<Mapping>,
    tools: &'a ToolPath,
}

impl<R: Recorded> Campaign for Run<'_, R> {
    type Engine = Engine;
    type Reference = Vec<R::Record>;
    type Got = Seen<R::Record>;
    type Kept = u64;
    type Difference = FirstDifference;
    type Error = RecordedError;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] = R::RESULTS;

    fn files(&self) -> Result<Vec<(String, String)>, RecordedError> {
        Ok(self.design.files())
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, RecordedError> {
        let Some(mapping) = self.netlist else { return Ok(rtl) };
        let replaced =
            Replaced { design: &self.design.testbench(), top: self.design.top(), kept: Vec::new() };
        Ok(campaign::replace(self.tools, mapping, &replaced, files, &rtl)?)
    }

    fn reference(&self) -> Result<Vec<R::Record>, RecordedError> {
        Ok(self.design.expected())
    }

    fn asked(&self) -> &[Engine] {
        self.engines
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<Seen<R::Record>>, RecordedError> {
        let Some(simulator) = engine.simulator() else { return self.rust_hdl(ground) };
        // The simulator runs in the folder of its results.
        let plusargs = [format!("+{}={}", R::PLUSARG, R::RESULTS[0])];
        let design = &self.design.testbench();
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| read::<R>(&printed))
    }

    fn compare(
        &self,
        expected: &Vec<R::Record>,
        _: Engine,
        ran: &Ran<Seen<R::Record>>,
    ) -> Result<(u64, Option<FirstDifference>), RecordedError> {
        Ok((counted::<R>(&ran.got.records), first::<R>(expected, &ran.got)))
    }
}

impl<R: Recorded> Run<'_, R> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Seen<R::Record>>, RecordedError> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let got = match self.design.simulate() {
            Ok(got) => got,
            Err(error @ SimulateError::TooWide { .. }) => return Ok(Attempt::not_run(error)),
            Err(error) => return Err(error.into()),
        };
        Ok(Attempt::Ran(Ran { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

fn counted<R: Recorded>(records: &[R::Record]) -> u64 {
    records.iter().filter(|record| R::counts(record)).count() as u64
}

/// What a testbench says.
fn read<R: Recorded>(printed: &Printed) -> Result<Seen<R::Record>, RecordedError> {
    let text = read_text(&printed.folder.join(R::RESULTS[0]))?;
    let records = text.lines().skip(1).map_while(R::read).collect();
    let said = printed.output.lines().find_map(|line| line.strip_prefix("FAIL: "));
    let complaint = match (printed.passed, said) {
        (true, None) => None,
        (_, said) => Some(said.unwrap_or("the testbench failed without saying why").to_string()),
    };
    Ok(Seen { records, complaint })
}

/// The first difference: a record, how many there are, or what the engine's own checks say.
fn first<R: Recorded>(expected: &[R::Record], seen: &Seen<R::Record>) -> Option<FirstDifference> {
    let tell = |record: Option<&R::Record>| match record {
        None => R::NONE.to_string(),
        Some(record) => {
            let (phase, cycle) = R::time(record);
            format!("phase {phase}, cycle {cycle}: {}", R::tell(record))
        }
    };
    let most = expected.len().max(seen.records.len());
    if let Some(at) = (0..most).find(|&at| expected.get(at) != seen.records.get(at)) {
        let (due, got) = (expected.get(at), seen.records.get(at));
        let (phase, cycle) = due.or(got).map_or((0, 0), R::time);
        let signal = format!("{} {at} of all phases", R::RECORD);
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
pub fn verify<R: Recorded>(
    design: &R,
    engines: &[Engine],
    netlist: Option<Mapping>,
    folder: &Path,
    tools: &ToolPath,
    progress: &(dyn Fn(Engine, &str) + Sync),
) -> Result<RecordedReport, RecordedError> {
    let ground = Ground { folder, tools, wave: None, progress };
    let start = Instant::now();
    let found = campaign::run(&Run { design, engines, netlist, tools }, &ground)?;
    let kept = counted::<R>(&found.reference);
    let model = State::Ran { kept, first_difference: None, wave: None, times: vec![] };
    let mut all = vec![EngineReport { engine: Engine::Model, state: model }];
    all.extend(found.engines.into_iter().filter(|report| engines.contains(&report.engine)));
    Ok(RecordedReport { engines: all, times: [found.generate, start.elapsed()] })
}
