//! The campaign of a [`Recorded`] device: a list of records says what happened at its ports, phase by phase. The records of each engine are compared
//! with the model's.

use crate::campaign::{
    self, Attempt, Campaign, EngineRun, FirstDifference, Ground, Mapping, Printed, Replaced, Testbench,
    simulate,
};
use crate::tools::ToolPath;
use crate::verify::{CountedReport, Engine, EngineReport, State};
use frit_device::{Record, Recorded, Recording, Seen};
use frit_network::Refusal;
use frit_trace::output::read_text;
use std::path::{Path, PathBuf};
use std::time::Instant;

struct Run<'a> {
    design: &'a dyn Recorded,
    engines: &'a [Engine],
    netlist: Option<Mapping>,
    tools: &'a ToolPath,
}

impl Campaign for Run<'_> {
    type Engine = Engine;
    type Reference = Vec<Record>;
    type Got = Seen;
    type Kept = u64;
    type Difference = FirstDifference;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] = &["events.csv", "beats.csv", "run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        Ok(self.design.files(None))
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, Refusal> {
        let Some(mapping) = self.netlist else { return Ok(rtl) };
        let replaced =
            Replaced { design: &self.design.testbench(), top: self.design.top(), kept: Vec::new() };
        campaign::replace(self.tools, mapping, &replaced, files, &rtl)
    }

    fn reference(&self) -> Result<Vec<Record>, Refusal> {
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
    ) -> Result<Attempt<Seen>, Refusal> {
        let Some(simulator) = engine.simulator() else { return self.rust_hdl(ground) };
        // The simulator runs in the folder of its results.
        let recording = self.design.recording();
        let plusargs = [format!("+{}={}", recording.plusarg(), recording.file())];
        let design = &self.design.testbench();
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| read(self.design, &printed))
    }

    fn compare(
        &self,
        expected: &Vec<Record>,
        _: Engine,
        ran: &EngineRun<Seen>,
    ) -> Result<(u64, Option<FirstDifference>), Refusal> {
        Ok((counted(&ran.got.records), first(self.design.recording(), expected, &ran.got)))
    }
}

impl Run<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Seen>, Refusal> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let got = match self.design.simulate() {
            Ok(got) => got,
            Err(error) => return Attempt::refused(error),
        };
        Ok(Attempt::Ran(EngineRun { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

fn counted(records: &[Record]) -> u64 {
    records.iter().filter(|record| record.counts).count() as u64
}

/// What a testbench says.
fn read(design: &dyn Recorded, printed: &Printed) -> Result<Seen, Refusal> {
    let text = read_text(&printed.folder.join(design.recording().file()))?;
    let records = text.lines().skip(1).map_while(|line| design.read(line)).collect();
    let complaint = printed.complaint().map(String::from);
    Ok(Seen { records, complaint })
}

/// The first difference: a record, how many there are, or what the engine's own checks say.
fn first(recording: Recording, expected: &[Record], seen: &Seen) -> Option<FirstDifference> {
    let tell = |record: Option<&Record>| match record {
        None => recording.none.to_string(),
        Some(Record { phase, cycle, what, .. }) => format!("phase {phase}, cycle {cycle}: {what}"),
    };
    let most = expected.len().max(seen.records.len());
    if let Some(at) = (0..most).find(|&at| expected.get(at) != seen.records.get(at)) {
        let (due, got) = (expected.get(at), seen.records.get(at));
        let (phase, cycle) = due.or(got).map_or((0, 0), |record| (record.phase, record.cycle));
        let signal = format!("{} {at} of all phases", recording.record);
        let found = FirstDifference::new(cycle, &signal, tell(due), tell(got));
        return Some(FirstDifference { run: phase as u32, ..found });
    }
    let complaint = seen.complaint.clone()?;
    Some(FirstDifference::new(0, "the engine's own checks", "no complaint", complaint))
}

/// Runs a design under the engines and compares them with the model; `netlist`: the simulators run a netlist of the vendor's cells.
/// Files: `rtl/` and a folder per simulator below `folder`.
///
/// # Errors
/// If a tool that is there fails, or Yosys is missing for the netlist.
pub fn verify(
    design: &dyn Recorded,
    engines: &[Engine],
    netlist: Option<Mapping>,
    folder: &Path,
    tools: &ToolPath,
    progress: &(dyn Fn(Engine, &str) + Sync),
) -> Result<CountedReport, Refusal> {
    let ground = Ground { folder, tools, wave: None, progress };
    let start = Instant::now();
    let found = campaign::run(&Run { design, engines, netlist, tools }, &ground)?;
    let kept = counted(&found.reference);
    let model = State::Ran { kept, first_difference: None, wave: None, times: vec![] };
    let mut all = vec![EngineReport { engine: Engine::Model, state: model }];
    all.extend(found.engines.into_iter().filter(|report| engines.contains(&report.engine)));
    Ok(CountedReport { engines: all, generate: found.generate, total: start.elapsed() })
}
