//! Runs the engines; each leaves settings.csv, deliveries.csv, received.csv and a waveform in its folder.

use super::{Config, Engine, FirstDifference, VerifyError};
use crate::output::{OutputFile, make_folder, open, remove_files, write_file};
use crate::simulator::{Job, ResultLine, STATES_FILE, Simulator, SimulatorError, WaveKind};
use crate::trace::{DeliveriesCsv, SettingsCsv, Tee, read_deliveries, read_states};
use crate::wave_file::{RustHdlWave, exchange_to_wave};
use frit_cells::bench;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::Simulated;
use frit_schedule::Timeline;
use frit_traffic::Payload;
use frit_traffic::payload::{Notation, to_csv};
use frit_traffic::trace::{Observer, Recorder, Run, Setting};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What an engine did.
pub(super) struct Ran {
    /// The counts.
    pub run: Run,
    /// Settings and deliveries.
    pub recorder: Recorder,
    /// The waveform.
    pub wave: Option<PathBuf>,
    /// What it complained of itself.
    pub complaint: Option<FirstDifference>,
    /// Time of each part.
    pub times: Vec<(&'static str, Duration)>,
}

/// An engine that ran, or why it did not.
pub(super) enum Attempt {
    Ran(Box<Ran>),
    NotRun(String),
}

/// Keeps what it sees and writes it as CSV.
struct Files {
    recorder: Recorder,
    settings: SettingsCsv<OutputFile>,
    deliveries: DeliveriesCsv<OutputFile>,
    folder: PathBuf,
}

impl Files {
    fn create(folder: PathBuf, width_bits: u32) -> Result<Self, VerifyError> {
        make_folder(&folder)?;
        Ok(Files {
            recorder: Recorder::default(),
            settings: SettingsCsv::new(OutputFile::create(&folder.join("settings.csv"))?),
            deliveries: DeliveriesCsv::new(OutputFile::create(&folder.join("deliveries.csv"))?, width_bits),
            folder,
        })
    }

    fn observe<T>(&mut self, run: impl FnOnce(&mut dyn Observer) -> T) -> T {
        let Files { recorder, settings, deliveries, .. } = self;
        run(&mut Tee(vec![recorder, settings, deliveries]))
    }

    fn finish(self, received: Option<&Payload>) -> Result<Recorder, VerifyError> {
        let error = |name: &str| {
            let path = self.folder.join(name);
            move |source| OutputFile::error(&path, source)
        };
        self.settings.finish().map_err(error("settings.csv"))?.finish()?;
        self.deliveries.finish().map_err(error("deliveries.csv"))?.finish()?;
        if let Some(received) = received {
            write_file(&self.folder.join("received.csv"), to_csv(received, Notation::Hex))?;
        }
        Ok(self.recorder)
    }
}

/// The signals of a netlist are not the design's.
fn wave_kind(config: &Config) -> Option<WaveKind> {
    config.wave.filter(|_| config.netlist.is_none())
}

fn wave_path(config: &Config, engine: Engine) -> Option<PathBuf> {
    wave_kind(config).map(|kind| config.folder.join(engine.name()).join(format!("wave.{}", kind.extension())))
}

pub(super) fn model(config: &Config) -> Result<Ran, VerifyError> {
    let start = Instant::now();
    let mut files = Files::create(config.folder.join(Engine::Model.name()), config.payload.width_bits())?;
    let (plan, payload) = (config.plan, config.payload);
    let wave = wave_path(config, Engine::Model);
    let outcome = files.observe(|observer| match &wave {
        Some(path) => exchange_to_wave(path, plan, payload, observer),
        None => Ok(frit_model::exchange(plan, Some(payload), observer)),
    })?;
    let recorder = files.finish(outcome.received.as_ref())?;
    Ok(Ran { run: outcome.run, recorder, wave, complaint: None, times: vec![("run", start.elapsed())] })
}

pub(super) fn rust_hdl(config: &Config, netlist: &Netlist) -> Result<Attempt, VerifyError> {
    let start = Instant::now();
    let design = match Simulated::new(netlist) {
        Ok(design) => design,
        Err(error @ frit_cells::netlist::simulate::SimulateError::TooWide { .. }) => {
            return Ok(Attempt::NotRun(error.to_string()));
        }
        Err(error) => return Err(error.into()),
    };
    (config.progress)(Engine::RustHdl, "running");
    let mut files = Files::create(config.folder.join(Engine::RustHdl.name()), config.payload.width_bits())?;
    let wave = wave_path(config, Engine::RustHdl);
    let mut writer = wave.as_deref().map(|path| RustHdlWave::create(path, netlist, &design)).transpose()?;
    let mut none = ();
    let periods: &mut dyn bench::PeriodObserver = match &mut writer {
        Some(writer) => writer,
        None => &mut none,
    };
    let outcome =
        files.observe(|observer| bench::run(config.plan, netlist, config.payload, observer, periods))?;
    if let Some(writer) = writer {
        writer.finish(Timeline::new(config.plan, config.payload.width_bits()).periods())?;
    }
    let recorder = files.finish(outcome.received.as_ref())?;
    (config.progress)(Engine::RustHdl, "done");
    let complaint = outcome.complaint.map(|c| FirstDifference {
        run: c.run,
        cycle: c.cycle,
        signal: c.signal,
        expected: c.expected,
        got: c.got,
    });
    Ok(Attempt::Ran(Box::new(Ran {
        run: outcome.run,
        recorder,
        wave,
        complaint,
        times: vec![("run", start.elapsed())],
    })))
}

pub(super) fn simulator(
    config: &Config,
    engine: Engine,
    simulator: Simulator,
    sources: &Path,
) -> Result<Attempt, VerifyError> {
    let folder = config.folder.join(engine.name());
    let design = config.plan.design_name(config.payload.width_bits());
    let job = Job {
        sources,
        folder: &folder,
        design: &design,
        wave: wave_kind(config),
        long_run: config.style == Style::Compact,
        plusargs: &[],
    };
    (config.progress)(engine, "building and running");
    let finished = match simulator.run(config.tools, &job) {
        Ok(finished) => finished,
        Err(SimulatorError::Missing(missing)) => return Ok(Attempt::NotRun(missing.to_string())),
        Err(error) => return Err(error.into()),
    };
    (config.progress)(engine, "done");
    let name = |file: &str| format!("{}/{file}", engine.name());
    let recorder = Recorder {
        settings: read_states(open(&folder.join(STATES_FILE))?, &name(STATES_FILE))?,
        deliveries: read_deliveries(open(&folder.join("deliveries.csv"))?, &name("deliveries.csv"))?,
    };
    write_settings(&folder, &recorder.settings)?;
    let verdict = Verdict::read(&finished.output).ok_or(VerifyError::NoResult { folder })?;
    let complaint = (!finished.passed || verdict.errors > 0).then(|| FirstDifference {
        run: verdict.first_run,
        cycle: verdict.first_cycle,
        signal: "the testbench".into(),
        expected: "PASS".into(),
        got: finished.output.lines().find(|line| line.starts_with("FAIL")).unwrap_or("FAIL").into(),
    });
    let run = Run { cycles_total: verdict.run.cycles * config.plan.phases.count(), ..verdict.run };
    Ok(Attempt::Ran(Box::new(Ran { run, recorder, wave: finished.wave, complaint, times: finished.times })))
}

/// Writes settings.csv in place of the shorter file that the testbench wrote.
fn write_settings(folder: &Path, settings: &[Setting]) -> Result<(), VerifyError> {
    let path = folder.join("settings.csv");
    let mut csv = SettingsCsv::new(OutputFile::create(&path)?);
    settings.iter().for_each(|&setting| csv.setting(setting));
    csv.finish().map_err(|source| OutputFile::error(&path, source))?.finish()?;
    Ok(remove_files(folder, &[STATES_FILE])?)
}

/// The line `RESULT key=value …` of a testbench.
struct Verdict {
    run: Run,
    errors: u64,
    first_run: u32,
    first_cycle: u64,
}

impl Verdict {
    fn read(output: &str) -> Option<Self> {
        let result = ResultLine::find(output)?;
        let count = |key: &str| result.value(key).map(|v| v.max(0) as u64);
        let run = Run {
            cycles: count("cycles")?,
            delivered: count("delivered")?,
            duplicates: count("duplicates")?,
            missing: count("missing")?,
            misrouted: count("misrouted")?,
            conflicts: count("conflicts")?,
            ..Run::default()
        };
        Some(Verdict {
            run,
            errors: count("errors")?,
            first_run: count("first_error_run")? as u32,
            first_cycle: count("first_error_cycle")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read() {
        let text = "noise\nRESULT cycles=12 delivered=64 duplicates=0 missing=0 misrouted=0 conflicts=0 errors=2 first_error_run=0 first_error_cycle=5\n";
        let verdict = Verdict::read(text).unwrap();
        assert_eq!((verdict.run.cycles, verdict.run.delivered), (12, 64));
        assert_eq!((verdict.errors, verdict.first_cycle), (2, 5));
        assert!(Verdict::read("RESULT cycles=12").is_none());
    }
}
