//! What the campaigns of routed systems share: a design whose top is `D_route` with a fabric of modules in it.

use crate::campaign::{Ground, Replaced};
use crate::output::{FileError, make_folder};
use crate::simulator::WaveKind;
use crate::synth::netlist::Kept;
use crate::verify::Engine;
use crate::wave::WaveError;
use crate::wave_file::{RustHdlWave, scope_of};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::Simulated;
use std::path::{Path, PathBuf};

/// The design `D_route` as a netlist: its modules stay modules, with those of the `probes` that they have.
pub(crate) fn replaced<'a>(design: &'a str, netlist: &Netlist, probes: &[&'a str]) -> Replaced<'a> {
    let kept = netlist.modules.iter().map(|module| {
        let has = |probe: &&&str| module.signals.iter().any(|signal| signal.name == **probe);
        Kept { module: module.name.clone(), signals: probes.iter().filter(has).copied().collect() }
    });
    Replaced { design, top: netlist.top().name.clone(), kept: kept.collect() }
}

/// Where an engine's waveform is written, if one is.
pub(crate) fn wave_path(folder: &Path, wave: Option<WaveKind>, engine: Engine) -> Option<PathBuf> {
    wave.map(|kind| folder.join(engine.name()).join(format!("wave.{}", kind.extension())))
}

/// Begins the waveform of rust-hdl, if there is to be one.
pub(crate) fn rust_hdl_wave<E: From<FileError> + From<WaveError>>(
    ground: &Ground<Engine>,
    design: &str,
    network: &Simulated,
) -> Result<Option<(PathBuf, RustHdlWave)>, E> {
    let Some(path) = wave_path(ground.folder, ground.wave, Engine::RustHdl) else { return Ok(None) };
    make_folder(&ground.results(Engine::RustHdl))?;
    let wave = RustHdlWave::create_in(&path, &scope_of(design), network)?;
    Ok(Some((path, wave)))
}
