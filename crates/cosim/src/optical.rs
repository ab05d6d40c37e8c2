//! The optical butterfly as a device, under the simulators: a complete exchange in picoseconds.
//!
//! What is compared: the testbench's own verdict, and when every packet left every switch and arrived, with
//! [`frit_model::device::passages`], which computes it from the times of the device.

use crate::output::{FileError, make_folder, open, remove_files, write_file};
use crate::simulator::{Job, ResultLine, Simulator, SimulatorError, WaveKind};
use crate::tools::ToolPath;
use frit_model::device::{first_touch, passages};
use frit_rtl::optical::{OpticalError, design_name, plusargs, render};
use frit_schedule::Plan;
use frit_schedule::photonics::device::{DeviceError, DeviceFault, Passage, Times, Touch};
use frit_traffic::Payload;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A simulator with one of the two models of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The switch in ticks under Verilator.
    Verilator,
    /// The switch in ticks under Icarus.
    Icarus,
    /// The switch with delays under Icarus.
    IcarusEvents,
}

impl Engine {
    /// All engines, in the order of the report.
    pub const ALL: [Engine; 3] = [Engine::Verilator, Engine::Icarus, Engine::IcarusEvents];

    /// Its name, and the folder of its files.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Verilator => "verilator",
            Engine::Icarus => "icarus",
            Engine::IcarusEvents => "icarus-events",
        }
    }

    fn simulator(self) -> Simulator {
        match self {
            Engine::Verilator => Simulator::Verilator,
            Engine::Icarus | Engine::IcarusEvents => Simulator::Icarus,
        }
    }
}

/// What is verified, and how.
pub struct Config<'a> {
    /// The plan of an optical butterfly.
    pub plan: &'a Plan,
    /// The times of the device.
    pub times: &'a Times,
    /// The messages, of as many bits as fill a slot; the last of them are not sent if there is a gap.
    pub payload: &'a Payload,
    /// Something wrong with the device.
    pub fault: Option<DeviceFault>,
    /// The engines to run.
    pub engines: &'a [Engine],
    /// The folder for all files.
    pub folder: &'a Path,
    /// The format of the waveforms; none are written without one.
    pub wave: Option<WaveKind>,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(Engine, &str) + Sync),
}

/// Why nothing was verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyOpticalError {
    /// There is no such device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// There is no device model of this.
    #[error(transparent)]
    Optical(#[from] OpticalError),
    /// A file could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A simulator failed.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// The testbench left no readable verdict.
    #[error("{}: the testbench left no readable RESULT line; its output is in run.log there", folder.display())]
    NoResult {
        /// The folder of the engine.
        folder: PathBuf,
    },
    /// The table of passages cannot be read.
    #[error("{}, line {line}: not a row of numbers", path.display())]
    Passages {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// The first error that a testbench found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstError {
    /// When.
    pub ps: u64,
    /// The level of the switch; r are the receiving processors.
    pub level: u32,
    /// Its row.
    pub row: u32,
    /// The packet, if the error is one of a packet: its slot and the lane of its sender.
    pub packet: Option<(u32, u32)>,
    /// All of it, as the testbench says it.
    pub text: String,
}

/// What a testbench says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it passed.
    pub passed: bool,
    /// Packets that arrived at the right place and time, whole.
    pub delivered: u64,
    /// Packets of the exchange.
    pub packets: u64,
    /// Windows of switches in which there was light.
    pub touched: u64,
    /// When the first light came to a processor.
    pub first_light_ps: Option<u64>,
    /// When the last light at a processor ended.
    pub last_light_ps: Option<u64>,
    /// Errors found.
    pub errors: u64,
    /// The first of them.
    pub first_error: Option<FirstError>,
}

/// How an engine went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It ran.
    Ran {
        /// What its testbench says.
        verdict: Verdict,
        /// The first packet that passed a place at another time than computed, in words. Not compared with a fault.
        passages_differ: Option<String>,
        /// Its waveform.
        wave: Option<PathBuf>,
        /// Time of each part.
        times: Vec<(&'static str, Duration)>,
    },
    /// It did not run.
    NotRun {
        /// Why.
        why: String,
    },
}

/// An engine and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReport {
    /// The engine.
    pub engine: Engine,
    /// How it went.
    pub state: State,
}

impl EngineReport {
    /// Whether it ran and found nothing wrong; `None` if it did not run.
    pub fn passed(&self) -> Option<bool> {
        match &self.state {
            State::Ran { verdict, passages_differ, .. } => Some(verdict.passed && passages_differ.is_none()),
            State::NotRun { .. } => None,
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the design.
    pub design: String,
    /// The first packet that is in a switch while that switches, computed.
    pub touch: Option<Touch>,
    /// The engines.
    pub engines: Vec<EngineReport>,
    /// Time to write the design.
    pub generate: Duration,
    /// Time in all.
    pub total: Duration,
}

impl Report {
    /// Every engine that ran passed, and one did.
    pub fn passed(&self) -> bool {
        let ran: Vec<bool> = self.engines.iter().filter_map(EngineReport::passed).collect();
        !ran.is_empty() && ran.iter().all(|passed| *passed)
    }
}

/// Writes, builds and runs the device model. Files: `rtl/` and a folder per engine below `config.folder`.
pub fn verify_optical(config: &Config) -> Result<Report, VerifyOpticalError> {
    let start = Instant::now();
    if let Some(fault) = config.fault {
        fault.check(config.plan)?;
    }
    let touch = first_touch(config.plan, config.times, config.fault)?;
    let sources = config.folder.join("rtl");
    make_folder(&sources)?;
    remove_old_results(config.folder)?;
    for (name, text) in render(config.plan, config.times, config.payload)? {
        write_file(&sources.join(name), text)?;
    }
    let generate = start.elapsed();
    let states: Vec<_> = std::thread::scope(|scope| {
        let sources = &sources;
        let threads: Vec<_> =
            config.engines.iter().map(|&engine| scope.spawn(move || run(config, engine, sources))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut engines = Vec::with_capacity(states.len());
    for (&engine, state) in config.engines.iter().zip(states) {
        engines.push(EngineReport { engine, state: state? });
    }
    Ok(Report { design: design_name(config.plan), touch, engines, generate, total: start.elapsed() })
}

fn run(config: &Config, engine: Engine, sources: &Path) -> Result<State, VerifyOpticalError> {
    let folder = config.folder.join(engine.name());
    let design = match engine {
        Engine::IcarusEvents => format!("{}_events", design_name(config.plan)),
        _ => design_name(config.plan),
    };
    let mut arguments = vec!["+passages=passages.csv".to_string()];
    arguments.extend(config.fault.iter().flat_map(plusargs));
    let job = Job {
        sources,
        folder: &folder,
        design: &design,
        wave: config.wave,
        long_run: false,
        plusargs: &arguments,
    };
    (config.progress)(engine, "building and running");
    let finished = match engine.simulator().run(config.tools, &job) {
        Ok(finished) => finished,
        Err(SimulatorError::Missing(missing)) => return Ok(State::NotRun { why: missing.to_string() }),
        Err(error) => return Err(error.into()),
    };
    (config.progress)(engine, "done");
    let verdict = verdict(&finished.output, finished.passed)
        .ok_or(VerifyOpticalError::NoResult { folder: folder.clone() })?;
    let passages_differ = match config.fault {
        Some(_) => None,
        None => {
            let simulated = read_passages(&folder.join("passages.csv"))?;
            first_difference(&passages(config.plan, config.times)?, &simulated)
        }
    };
    Ok(State::Ran { verdict, passages_differ, wave: finished.wave, times: finished.times })
}

/// Removes what an earlier run left, so that an engine that does not run this time shows no files.
fn remove_old_results(folder: &Path) -> Result<(), FileError> {
    let results = ["passages.csv", "wave.fst", "wave.vcd", "run.log"];
    Engine::ALL.iter().try_for_each(|engine| remove_files(&folder.join(engine.name()), &results))
}

/// Reads the line `RESULT key=value …` of a testbench.
fn verdict(output: &str, exit_status: bool) -> Option<Verdict> {
    let result = ResultLine::find(output)?;
    // -1 is none.
    let some = |key: &str| Some(u64::try_from(result.value(key)?).ok());
    let errors = some("errors")??;
    let first_error = match some("first_error_ps")? {
        None => None,
        Some(ps) => {
            let [slot, lane] = [some("first_error_slot")?, some("first_error_lane")?];
            Some(FirstError {
                ps,
                level: some("first_error_level")?? as u32,
                row: some("first_error_row")?? as u32,
                packet: slot.zip(lane).map(|(slot, lane)| (slot as u32, lane as u32)),
                text: output.lines().find_map(|line| line.strip_prefix("FAIL: ")).unwrap_or("FAIL").into(),
            })
        }
    };
    Some(Verdict {
        passed: exit_status && errors == 0,
        delivered: some("delivered")??,
        packets: some("packets")??,
        touched: some("touched")??,
        first_light_ps: some("first_light_ps")?,
        last_light_ps: some("last_light_ps")?,
        errors,
        first_error,
    })
}

/// What a testbench wrote with `+passages`: by level, lane and slot.
fn read_passages(path: &Path) -> Result<Vec<Passage>, VerifyOpticalError> {
    let mut rows = Vec::new();
    let mut reader = csv::Reader::from_reader(open(path)?);
    for (row, record) in reader.deserialize().enumerate() {
        let (level, lane, slot, source, destination, first_ps, end_ps) = record
            .map_err(|_: csv::Error| VerifyOpticalError::Passages { path: path.into(), line: row + 2 })?;
        rows.push(Passage { level, lane, slot, source, destination, first_ps, end_ps });
    }
    rows.sort_unstable();
    Ok(rows)
}

fn first_difference(expected: &[Passage], simulated: &[Passage]) -> Option<String> {
    let at = (0..expected.len().max(simulated.len())).find(|&i| expected.get(i) != simulated.get(i))?;
    let text = |passage: Option<&Passage>| {
        passage.map_or("nothing".to_string(), |p| {
            format!(
                "packet (source {}, destination {}, slot {}) at level {}, lane {} from {} ps to {} ps",
                p.source, p.destination, p.slot, p.level, p.lane, p.first_ps, p.end_ps
            )
        })
    };
    Some(format!("{}, computed {}", text(simulated.get(at)), text(expected.get(at))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read() {
        let pass = "PASS d: delivered=64\nRESULT delivered=64 packets=64 touched=0 first_light_ps=3858 last_light_ps=8958 errors=0 first_error_ps=-1 first_error_level=-1 first_error_row=-1 first_error_slot=-1 first_error_lane=-1\n";
        let read = verdict(pass, true).unwrap();
        assert!(read.passed && read.first_error.is_none());
        assert_eq!((read.delivered, read.first_light_ps), (64, Some(3858)));
        assert!(!verdict(pass, false).unwrap().passed);
        let fail = "FAIL: 2560 ps, x\nFAIL d: 3 errors\nRESULT delivered=0 packets=64 touched=2 first_light_ps=-1 last_light_ps=-1 errors=3 first_error_ps=2560 first_error_level=1 first_error_row=0 first_error_slot=1 first_error_lane=-1\n";
        let error = verdict(fail, false).unwrap().first_error.unwrap();
        assert_eq!((error.ps, error.level, error.row, error.packet), (2560, 1, 0, None));
        assert_eq!(error.text, "2560 ps, x");
        assert!(verdict("RESULT delivered=0", true).is_none());
    }

    #[test]
    fn passages_are_compared() {
        let passage =
            Passage { level: 1, lane: 2, slot: 3, source: 4, destination: 5, first_ps: 60, end_ps: 70 };
        assert_eq!(first_difference(&[passage], &[passage]), None);
        assert_eq!(
            first_difference(&[passage], &[Passage { first_ps: 61, ..passage }]).unwrap(),
            "packet (source 4, destination 5, slot 3) at level 1, lane 2 from 61 ps to 70 ps, computed packet (source 4, \
             destination 5, slot 3) at level 1, lane 2 from 60 ps to 70 ps"
        );
        assert!(first_difference(&[passage], &[]).unwrap().starts_with("nothing, computed "));
    }
}
