//! `D_axis` verified: random messages through its streams under rust-hdl and every simulator, each word that comes out
//! checked, the cycles of each exchange those of the plan.

use super::{Config, Engine};
use crate::campaign::{self, Attempt, Campaign, EngineRun, Ground, Printed, Testbench, simulate};
use frit_cells::design::axis::{self, Streams};
use frit_cells::fault::plant;
use frit_cells::netlist::Netlist;
use frit_cells::streams::{Traffic, run};
use frit_device::exchange::stream_files;
use frit_network::Refusal;
use std::path::Path;
use std::time::Instant;

/// Exchanges under rust-hdl, as many as in the testbench.
const EXCHANGES: u32 = frit_rtl::streams::EXCHANGES;

/// What was found of the streams.
#[derive(Clone, Debug)]
pub struct StreamReport {
    pub module: String,
    /// What it was generated with.
    pub streams: Streams,
    /// Cycles of an exchange, by the plan.
    pub cycles: u64,
    /// Exchanges, one after the other.
    pub exchanges: u32,
    /// The engines beside the plan that were asked for.
    pub engines: Vec<StreamEngineReport>,
}

/// An engine and how it went: of one that ran, the words that came out, and what was wrong first, in words.
pub type StreamEngineReport = campaign::EngineReport<Engine, u64, String>;

/// Whether an engine ran, and how it went.
pub type StreamState = campaign::State<u64, String>;

impl StreamReport {
    /// No engine found anything wrong.
    pub fn agrees(&self) -> bool {
        self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }
}

/// What came out of the streams.
struct Came {
    words: u64,
    complaint: Option<String>,
    /// Of each exchange, where they are to be compared; the testbench compares them itself.
    cycles: Vec<u64>,
}

/// The streams around an exchange: the plan says how many cycles it takes, the testbench checks every word.
struct AxisStreams<'a> {
    config: &'a Config<'a>,
    streams: Streams,
    netlist: Netlist,
}

impl Campaign for AxisStreams<'_> {
    type Engine = Engine;
    type Reference = u64;
    type Got = Came;
    type Kept = u64;
    type Difference = String;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] = &["run.log"];

    fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        let Config { plan, payload, style, .. } = *self.config;
        Ok(stream_files(plan, payload.width_bits(), self.streams, &self.netlist, style, None))
    }

    fn reference(&self) -> Result<u64, Refusal> {
        Ok(axis::cycles(self.config.plan, self.streams))
    }

    fn asked(&self) -> &[Engine] {
        self.config.engines
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<Came>, Refusal> {
        let Some(simulator) = engine.simulator() else { return self.rust_hdl(ground) };
        let design = &self.netlist.top().name;
        let testbench = Testbench { sources, design, long_run: false, plusargs: &[] };
        simulate(ground, engine, simulator, testbench)?.read(|printed| read(&printed))
    }

    fn compare(
        &self,
        expected: &u64,
        _: Engine,
        ran: &EngineRun<Came>,
    ) -> Result<(u64, Option<String>), Refusal> {
        let Came { words, complaint, cycles } = &ran.got;
        let late = cycles.iter().find(|cycles| *cycles != expected);
        let late = late.map(|cycles| format!("an exchange took {cycles} cycles, not {expected}"));
        Ok((*words, complaint.clone().or(late)))
    }
}

impl AxisStreams<'_> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<Came>, Refusal> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let traffic = Traffic { exchanges: EXCHANGES, offering: 192, taking: 160, seed: 1 };
        let width = self.config.payload.width_bits();
        let outcome = match run(self.config.plan, width, self.streams, &self.netlist, traffic) {
            Ok(outcome) => outcome,
            Err(error) => return Attempt::refused(error),
        };
        let got = Came { words: outcome.words, complaint: outcome.complaint, cycles: outcome.cycles };
        Ok(Attempt::Ran(EngineRun { got, wave: None, times: vec![("run", start.elapsed())] }))
    }
}

/// What a testbench says of the words; it knows the cycles of the plan.
fn read(printed: &Printed) -> Result<Came, Refusal> {
    let words = printed.result(|result| u64::try_from(result.value("words")?).ok())?;
    let complaint = printed.complaint().map(String::from);
    Ok(Came { words, complaint, cycles: Vec::new() })
}

/// Runs `D_axis` under the engines of `config`. Files: `axis/rtl/` and a folder per simulator below `config.folder`.
///
/// # Errors
/// If the design has no such streams, or a tool fails.
pub fn verify_streams(config: &Config, streams: Streams) -> Result<StreamReport, Refusal> {
    let (plan, width) = (config.plan, config.payload.width_bits());
    let mut netlist = axis::build(plan, width, streams)?;
    plant(&mut netlist, plan, config.fault)?;
    let module = netlist.top().name.clone();
    let folder = config.folder.join("axis");
    let progress = |engine: Engine, what: &str| (config.progress)(engine, &format!("{what} (the streams)"));
    let ground = Ground { folder: &folder, tools: config.tools, wave: None, progress: &progress };
    let found = campaign::run(&AxisStreams { config, streams, netlist }, &ground)?;
    let mut engines = found.engines;
    engines.retain(|report| config.engines.contains(&report.engine));
    Ok(StreamReport { module, streams, cycles: found.reference, exchanges: EXCHANGES, engines })
}
