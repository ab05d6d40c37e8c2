//! Runs the engines; each leaves settings.csv, deliveries.csv, received.csv and a waveform in its folder.

use super::{Config, Engine};
use crate::campaign::{Attempt, EngineRun, FirstDifference, Ground, Testbench, simulate};
use crate::simulator::{ResultLine, STATES_FILE, Simulator, WaveKind};
use crate::wave_file::RustHdlWave;
use frit_cells::bench;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::Simulated;
use frit_network::Refusal;
use frit_trace::output::{OutputFile, make_folder, open, remove_files, write_file};
use frit_trace::trace::{DeliveriesCsv, SettingsCsv, Tee, read_deliveries, read_states};
use frit_trace::wave_file::exchange_to_wave;
use frit_traffic::Payload;
use frit_traffic::payload::{Notation, to_csv};
use frit_traffic::trace::{Observer, Recorder, Run, Setting};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What an engine makes of an exchange.
pub(super) struct Exchange {
    pub run: Run,
    pub recorder: Recorder,
    /// What it complained of itself.
    pub complaint: Option<FirstDifference>,
}

/// Keeps what it sees and writes it as CSV.
struct Files {
    recorder: Recorder,
    settings: SettingsCsv<OutputFile>,
    deliveries: DeliveriesCsv<OutputFile>,
    folder: PathBuf,
}

impl Files {
    fn create(folder: PathBuf, width_bits: u32) -> Result<Self, Refusal> {
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

    fn finish(self, received: Option<&Payload>) -> Result<Recorder, Refusal> {
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
pub(super) fn wave_kind(config: &Config) -> Option<WaveKind> {
    config.wave.filter(|_| config.netlist.is_none())
}

fn wave_path(config: &Config, engine: Engine) -> Option<PathBuf> {
    wave_kind(config).map(|kind| kind.path_in(&config.folder.join(engine.name())))
}

pub(super) fn model(config: &Config) -> Result<EngineRun<Exchange>, Refusal> {
    let start = Instant::now();
    let mut files = Files::create(config.folder.join(Engine::Model.name()), config.payload.width_bits())?;
    let (plan, payload) = (config.plan, config.payload);
    let wave = wave_path(config, Engine::Model);
    let outcome = files.observe(|observer| match &wave {
        Some(path) => exchange_to_wave(path, plan, payload, observer),
        None => Ok(frit_model::exchange(plan, Some(payload), observer)),
    })?;
    let recorder = files.finish(outcome.received.as_ref())?;
    let got = Exchange { run: outcome.run, recorder, complaint: None };
    Ok(EngineRun { got, wave, times: vec![("run", start.elapsed())] })
}

pub(super) fn rust_hdl(config: &Config, netlist: &Netlist) -> Result<Attempt<Exchange>, Refusal> {
    let start = Instant::now();
    let design = match Simulated::new(netlist) {
        Ok(design) => design,
        Err(error) => return Attempt::refused(error),
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
        writer.finish()?;
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
    let got = Exchange { run: outcome.run, recorder, complaint };
    Ok(Attempt::Ran(EngineRun { got, wave, times: vec![("run", start.elapsed())] }))
}

pub(super) fn simulator(
    config: &Config,
    ground: &Ground<Engine>,
    engine: Engine,
    simulator: Simulator,
    sources: &Path,
) -> Result<Attempt<Exchange>, Refusal> {
    let design = config.plan.design_name(config.payload.width_bits());
    let long_run = config.style == Style::Compact;
    // The text of the testbench is the same, so what was compiled serves again.
    let plusargs = match config.plan.exchanges {
        1 => vec![],
        exchanges => vec![format!("+exchanges={exchanges}")],
    };
    let testbench = Testbench { sources, design: &design, long_run, plusargs: &plusargs };
    let name = |file: &str| format!("{}/{file}", engine.name());
    simulate(ground, engine, simulator, testbench)?.read(|printed| {
        let folder = &printed.folder;
        let recorder = Recorder {
            settings: read_states(open(&folder.join(STATES_FILE))?, &name(STATES_FILE))?,
            deliveries: read_deliveries(open(&folder.join("deliveries.csv"))?, &name("deliveries.csv"))?,
        };
        write_settings(folder, &recorder.settings)?;
        let verdict = printed.result(Verdict::read)?;
        let complaint = (!printed.passed || verdict.errors > 0).then(|| FirstDifference {
            run: verdict.first_run,
            cycle: verdict.first_cycle,
            signal: "the testbench".into(),
            expected: "PASS".into(),
            got: printed.output.lines().find(|line| line.starts_with("FAIL")).unwrap_or("FAIL").into(),
        });
        let run = Run { cycles_total: config.plan.cycles_in_all(verdict.run.cycles), ..verdict.run };
        Ok(Exchange { run, recorder, complaint })
    })
}

/// Writes settings.csv in place of the shorter file that the testbench wrote.
fn write_settings(folder: &Path, settings: &[Setting]) -> Result<(), Refusal> {
    let path = folder.join("settings.csv");
    let mut csv = SettingsCsv::new(OutputFile::create(&path)?);
    settings.iter().for_each(|&setting| csv.setting(setting));
    csv.finish().map_err(|source| OutputFile::error(&path, source))?.finish()?;
    remove_files(folder, &[STATES_FILE])
}

/// The line `RESULT key=value …` of a testbench.
struct Verdict {
    run: Run,
    errors: u64,
    first_run: u32,
    first_cycle: u64,
}

impl Verdict {
    fn read(result: ResultLine) -> Option<Self> {
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
        let verdict = Verdict::read(ResultLine::find(text).unwrap()).unwrap();
        assert_eq!((verdict.run.cycles, verdict.run.delivered), (12, 64));
        assert_eq!((verdict.errors, verdict.first_cycle), (2, 5));
        assert!(Verdict::read(ResultLine::find("RESULT cycles=12").unwrap()).is_none());
    }
}
