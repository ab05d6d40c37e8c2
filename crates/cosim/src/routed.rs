//! The campaign of routed systems: a design `D_route` under rust-hdl and the simulators, compared with what the model says happens.
//!
//! A system brings a [`Routed`]; [`verify`] does the rest. The testbench checks what must hold in every cycle besides, and its verdict
//! counts.

use crate::campaign::{
    self, Attempt, Campaign, EngineRun, FirstDifference, Ground, Printed, Replaced, Testbench, simulate,
};
use crate::simulator::WaveKind;
use crate::synth::netlist::Kept;
use crate::tools::ToolPath;
use crate::verify::{CountedReport, Engine, EngineReport, Mapping, State};
use crate::wave_file::{RustHdlWave, scope_of};
use frit_cells::bench::PeriodObserver;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::Simulated;
use frit_device::Device;
use frit_network::Refusal;
use frit_trace::output::make_folder;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a routed system brings to its campaign: the design, and what must happen in it.
pub trait Routed: Device {
    /// What an engine saw.
    type Events: Send;
    /// The files that an engine leaves in its folder.
    const RESULTS: &'static [&'static str];
    /// The files of events, as the testbench takes them: `+NAME=NAME.csv`.
    const EVENTS: &'static [&'static str];
    /// Signals that a netlist keeps in the modules which have them.
    const PROBES: &'static [&'static str];
    /// The engine with whose waveform those of the others are compared.
    const SHOWN: Engine;

    /// The model's figure, in cycles or steps, as [`Routed::counted`] of an engine's events.
    fn expected(&self) -> u64;
    /// The figure that an engine counted.
    fn counted(events: &Self::Events) -> u64;
    /// Writes the model's waveform, if the model has one.
    fn write_wave(&self, _: &Path) -> Result<(), Refusal> {
        Ok(())
    }
    /// Runs the rust-hdl network; `periods` sees every cycle.
    fn simulate(&self, design: Simulated, periods: &mut dyn PeriodObserver) -> Result<Self::Events, Refusal>;
    /// Reads what a testbench printed and wrote.
    fn read(&self, printed: &Printed) -> Result<Self::Events, Refusal>;
    /// The first event that differs from the model's, or what the bench found wrong first.
    fn first(&self, got: &Self::Events) -> Option<FirstDifference>;
    /// The first difference of an engine's waveform `b` from `a`.
    fn first_of_waves(&self, a: &Path, b: &Path) -> Result<Option<FirstDifference>, Refusal>;
}

/// How a design is verified.
pub struct Config<'a> {
    /// The engines to run beside the model.
    pub engines: &'a [Engine],
    pub folder: &'a Path,
    /// The format of the waveforms, which are compared; none are written without one, or of a netlist.
    pub wave: Option<WaveKind>,
    /// Give the simulators a netlist of the vendor's cells in place of the emitted Verilog.
    pub netlist: Option<Mapping>,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(Engine, &str) + Sync),
}

struct Run<'a, R> {
    router: &'a R,
    config: &'a Config<'a>,
    wave: Option<WaveKind>,
}

impl<R: Routed> Run<'_, R> {
    /// Where an engine's waveform is written, if one is.
    fn wave_path(&self, engine: Engine) -> Option<PathBuf> {
        self.wave.map(|kind| kind.path_in(&self.config.folder.join(engine.name())))
    }

    /// The waveform of the model, if the model has one and it is asked for.
    fn model_wave(&self) -> Option<PathBuf> {
        self.wave_path(Engine::Model).filter(|_| R::SHOWN == Engine::Model)
    }
}

impl<R: Routed> Campaign for Run<'_, R> {
    type Engine = Engine;
    type Reference = ();
    type Got = R::Events;
    type Kept = u64;
    type Difference = FirstDifference;
    const ENGINES: &'static [Engine] = Engine::COMPARED;
    const RESULTS: &'static [&'static str] = R::RESULTS;
    const REFERENCE: Option<&'static str> = Some("model");

    fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        Ok(self.router.files(None))
    }

    fn sources(&self, rtl: PathBuf, files: &[(String, String)]) -> Result<PathBuf, Refusal> {
        let Config { netlist, tools, progress, .. } = *self.config;
        let Some(mapping) = netlist else { return Ok(rtl) };
        progress(Engine::Model, "waits for Yosys");
        let name = &self.router.name();
        let replaced = replaced(name, self.router.netlist(), R::PROBES);
        campaign::replace(tools, mapping, &replaced, files, &rtl)
    }

    /// What should happen is known; its waveform is written here, when older ones are gone.
    fn reference(&self) -> Result<(), Refusal> {
        if let Some(path) = self.model_wave() {
            make_folder(path.parent().unwrap_or(self.config.folder))?;
            self.router.write_wave(&path)?;
        }
        Ok(())
    }

    fn asked(&self) -> &[Engine] {
        self.config.engines
    }

    fn attempt(
        &self,
        engine: Engine,
        sources: &Path,
        ground: &Ground<Engine>,
    ) -> Result<Attempt<R::Events>, Refusal> {
        let Some(simulator) = engine.simulator() else { return self.rust_hdl(ground) };
        let design = &self.router.name();
        let plusargs: Vec<String> = R::EVENTS.iter().map(|name| format!("+{name}={name}.csv")).collect();
        let testbench = Testbench { sources, design, long_run: false, plusargs: &plusargs };
        simulate(ground, engine, simulator, testbench)?.read(|printed| self.router.read(&printed))
    }

    fn compare(
        &self,
        (): &(),
        engine: Engine,
        ran: &EngineRun<R::Events>,
    ) -> Result<(u64, Option<FirstDifference>), Refusal> {
        let mut found = self.router.first(&ran.got);
        let reference = self.wave_path(R::SHOWN).filter(|path| engine != R::SHOWN && path.is_file());
        if let (Some(a), Some(b)) = (reference, &ran.wave) {
            let shown = self.router.first_of_waves(&a, b)?;
            // An event says more than a signal: of one time it comes first.
            found = found.into_iter().chain(shown).min_by_key(|found| found.cycle);
        }
        Ok((R::counted(&ran.got), found))
    }
}

impl<R: Routed> Run<'_, R> {
    fn rust_hdl(&self, ground: &Ground<Engine>) -> Result<Attempt<R::Events>, Refusal> {
        let start = Instant::now();
        (ground.progress)(Engine::RustHdl, "running");
        let design = Simulated::new(self.router.netlist())?;
        let wave = self.wave_path(Engine::RustHdl);
        let mut writer = match &wave {
            Some(path) => {
                make_folder(&ground.results(Engine::RustHdl))?;
                Some(RustHdlWave::create_in(path, &scope_of(&self.router.name()), &design)?)
            }
            None => None,
        };
        let mut none = ();
        let periods: &mut dyn PeriodObserver = match &mut writer {
            Some(writer) => writer,
            None => &mut none,
        };
        let got = self.router.simulate(design, periods)?;
        writer.map_or(Ok(()), RustHdlWave::finish)?;
        (ground.progress)(Engine::RustHdl, "done");
        Ok(Attempt::Ran(EngineRun { got, wave, times: vec![("run", start.elapsed())] }))
    }
}

/// The design `D_route` as a netlist: its modules stay modules, with those of the `probes` that they have.
fn replaced<'a>(design: &'a str, netlist: &Netlist, probes: &[&'a str]) -> Replaced<'a> {
    let kept = netlist.modules.iter().map(|module| {
        let has = |probe: &&&str| module.signals.iter().any(|signal| signal.name == **probe);
        Kept { module: module.name.clone(), signals: probes.iter().filter(has).copied().collect() }
    });
    Replaced { design, top: netlist.top().name.clone(), kept: kept.collect() }
}

/// Runs and compares. Files: `rtl/` and a folder per engine below `config.folder`. `modelled` is how long the model took.
///
/// # Errors
/// If a tool that is there fails, or a file cannot be written.
pub fn verify<R: Routed>(router: &R, config: &Config, modelled: Duration) -> Result<CountedReport, Refusal> {
    let Config { folder, tools, progress, netlist, .. } = *config;
    // The signals of a netlist are not the design's.
    let run = Run { router, config, wave: config.wave.filter(|_| netlist.is_none()) };
    let found = campaign::run(&run, &Ground { folder, tools, wave: run.wave, progress })?;
    let wave = run.model_wave();
    let model =
        State::Ran { kept: router.expected(), first_difference: None, wave, times: vec![("run", modelled)] };
    let mut engines = vec![EngineReport { engine: Engine::Model, state: model }];
    engines.extend(found.engines);
    Ok(CountedReport { engines, generate: found.generate, total: modelled + found.total })
}
