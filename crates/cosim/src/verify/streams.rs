//! `D_axis` verified: random messages through its streams under rust-hdl and every simulator, each word that comes out
//! checked, the cycles of each exchange those of the plan.

use super::{Config, Engine, VerifyError, stream_files};
use crate::output::{make_folder, write_if_changed};
use crate::simulator::{Job, ResultLine, Simulator, SimulatorError};
use crate::verify::design::axis::{self, Streams};
use frit_cells::fault::inject;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::SimulateError;
use frit_cells::streams::{Traffic, run};
use std::path::Path;
use std::time::{Duration, Instant};

/// Exchanges under rust-hdl, as many as in the testbench.
const EXCHANGES: u32 = frit_rtl::streams::EXCHANGES;

/// What was found of the streams.
#[derive(Clone, Debug)]
pub struct StreamReport {
    /// The module.
    pub module: String,
    /// What it was generated with.
    pub streams: Streams,
    /// Cycles of an exchange, by the plan.
    pub cycles: u64,
    /// Exchanges, one after the other.
    pub exchanges: u32,
    /// The engines beside the plan.
    pub engines: Vec<(Engine, StreamState)>,
}

/// Whether an engine ran, and how it went.
#[derive(Clone, Debug)]
pub enum StreamState {
    /// It ran.
    Ran {
        /// Words that came out.
        words: u64,
        /// What was wrong first, if anything was.
        complaint: Option<String>,
        /// Time of each part.
        times: Vec<(&'static str, Duration)>,
    },
    /// It did not run.
    NotRun {
        /// Why.
        why: String,
    },
}

impl StreamReport {
    /// No engine found anything wrong.
    pub fn agrees(&self) -> bool {
        !self.engines.iter().any(|(_, state)| matches!(state, StreamState::Ran { complaint: Some(_), .. }))
    }
}

/// Runs `D_axis` under the engines of `config`. Files: `axis/rtl/` and a folder per simulator below `config.folder`.
///
/// # Errors
/// If the design has no such streams, or a tool fails.
pub fn verify_streams(config: &Config, streams: Streams) -> Result<StreamReport, VerifyError> {
    let (plan, width) = (config.plan, config.payload.width_bits());
    let mut netlist = axis::build(plan, width, streams)?;
    if let Some(fault) = config.fault {
        inject(&mut netlist, fault)?;
    }
    let folder = config.folder.join("axis");
    let sources = folder.join("rtl");
    make_folder(&sources)?;
    for (name, text) in stream_files(plan, width, streams, &netlist, config.style) {
        write_if_changed(&sources.join(name), text)?;
    }
    let module = netlist.top().name.clone();
    let mut engines = Vec::new();
    for &engine in Engine::ALL.iter().filter(|engine| config.engines.contains(engine)) {
        (config.progress)(engine, "running the streams");
        let state = match engine {
            Engine::Model => continue,
            Engine::RustHdl => rust_hdl(config, streams, &netlist)?,
            Engine::Verilator => simulate(config, Simulator::Verilator, &module, &folder.join("verilator"))?,
            Engine::Icarus => simulate(config, Simulator::Icarus, &module, &folder.join("icarus"))?,
        };
        engines.push((engine, state));
    }
    Ok(StreamReport { module, streams, cycles: axis::cycles(plan, streams), exchanges: EXCHANGES, engines })
}

fn rust_hdl(config: &Config, streams: Streams, netlist: &Netlist) -> Result<StreamState, VerifyError> {
    let start = Instant::now();
    let traffic = Traffic { exchanges: EXCHANGES, offering: 192, taking: 160, seed: 1 };
    let outcome = match run(config.plan, config.payload.width_bits(), streams, netlist, traffic) {
        Ok(outcome) => outcome,
        Err(error @ SimulateError::TooWide { .. }) => {
            return Ok(StreamState::NotRun { why: error.to_string() });
        }
        Err(error) => return Err(error.into()),
    };
    let expected = axis::cycles(config.plan, streams);
    let late = outcome.cycles.iter().find(|cycles| **cycles != expected);
    let late = late.map(|cycles| format!("an exchange took {cycles} cycles, not {expected}"));
    Ok(StreamState::Ran {
        words: outcome.words,
        complaint: outcome.complaint.or(late),
        times: vec![("run", start.elapsed())],
    })
}

fn simulate(
    config: &Config,
    simulator: Simulator,
    module: &str,
    folder: &Path,
) -> Result<StreamState, VerifyError> {
    let sources = config.folder.join("axis").join("rtl");
    let job = Job { sources: &sources, folder, design: module, wave: None, long_run: false, plusargs: &[] };
    let finished = match simulator.run(config.tools, &job) {
        Ok(finished) => finished,
        Err(SimulatorError::Missing(missing)) => {
            return Ok(StreamState::NotRun { why: missing.to_string() });
        }
        Err(error) => return Err(error.into()),
    };
    let no_result = || VerifyError::NoResult { folder: folder.into() };
    let result = ResultLine::find(&finished.output).ok_or_else(no_result)?;
    let words = result.value("words").and_then(|words| u64::try_from(words).ok()).ok_or_else(no_result)?;
    let said = finished.output.lines().find_map(|line| line.strip_prefix("FAIL: "));
    let complaint = match (finished.passed, said) {
        (true, None) => None,
        (_, said) => Some(said.unwrap_or("the testbench failed without saying why").to_string()),
    };
    Ok(StreamState::Ran { words, complaint, times: finished.times })
}
