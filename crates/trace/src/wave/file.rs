//! The file of a waveform: its name, and one of the formats.

use frit_network::{Refusal, refuse};
use std::fs::File;
use std::path::{Path, PathBuf};

use super::declare::{SignalDecl, checked_order, parse_timescale};
use super::error::cannot_write;
use super::format::{Failure, Format};
use super::fst_out::FstOut;
use super::vcd_out::VcdOut;
use crate::output::PendingName;

/// A file in which nothing stands yet.
pub(crate) struct OpenedWave {
    path: PathBuf,
    fst: bool,
    // Closed before the temporary file is removed: fields are dropped in order.
    file: File,
    pending: PendingName,
}

/// A file behind its head. Nothing is checked here: time does not go back, values have the limbs of their signals and
/// nothing above their width, and are no repeats.
pub(crate) struct WaveFile {
    path: PathBuf,
    now: u64,
    // Closed before the temporary file is removed, again.
    out: Out,
    pending: PendingName,
}

enum Out {
    Fst(FstOut),
    Vcd(VcdOut),
}

impl OpenedWave {
    /// `path` ends in `.vcd` or `.fst`.
    pub(crate) fn at(path: &Path) -> Result<Self, Refusal> {
        let fst = match path.extension().and_then(|extension| extension.to_str()) {
            Some(extension) if extension.eq_ignore_ascii_case("fst") => true,
            Some(extension) if extension.eq_ignore_ascii_case("vcd") => false,
            _ => refuse!(
                "cannot tell the waveform format of {}: the name must end in .fst or .vcd; rename it",
                path.display()
            ),
        };
        let (file, pending) = PendingName::open(path).map_err(|source| cannot_write(path, source))?;
        Ok(OpenedWave { path: path.to_path_buf(), fst, file, pending })
    }

    /// Writes the head. `timescale` is the unit of time.
    pub(crate) fn declare(self, timescale: &str, decls: &[SignalDecl]) -> Result<WaveFile, Refusal> {
        let OpenedWave { path, fst, file, pending } = self;
        let (factor, unit, exponent) = parse_timescale(timescale)?;
        let order = checked_order(decls)?;
        let out = if fst {
            FstOut::start(file, exponent, decls, &order).map(Out::Fst)
        } else {
            VcdOut::start(file, factor, unit, decls, &order).map(Out::Vcd)
        };
        let out = out.map_err(|source| cannot_write(&path, source))?;
        Ok(WaveFile { path, now: 0, out, pending })
    }
}

impl WaveFile {
    /// The time that was reached.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    pub(crate) fn time(&mut self, ticks: u64) -> Result<(), Refusal> {
        if ticks == self.now {
            return Ok(());
        }
        self.now = ticks;
        let written = match &mut self.out {
            Out::Fst(out) => out.time(ticks),
            Out::Vcd(out) => out.time(ticks),
        };
        written.map_err(|source| self.error(source))
    }

    pub(crate) fn value(&mut self, signal: usize, limbs: &[u64]) -> Result<(), Refusal> {
        let written = match &mut self.out {
            Out::Fst(out) => out.value(signal, limbs),
            Out::Vcd(out) => out.value(signal, limbs),
        };
        written.map_err(|source| self.error(source))
    }

    pub(crate) fn unknown(&mut self, signal: usize) -> Result<(), Refusal> {
        let written = match &mut self.out {
            Out::Fst(out) => out.unknown(signal),
            Out::Vcd(out) => out.unknown(signal),
        };
        written.map_err(|source| self.error(source))
    }

    /// Writes what is left and gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        let WaveFile { path, out, pending, .. } = self;
        let written = match out {
            Out::Fst(out) => out.finish(),
            Out::Vcd(out) => out.finish(),
        };
        let named = written.and_then(|()| Ok(pending.give()?));
        named.map_err(|source| cannot_write(&path, source))
    }

    #[cold]
    fn error(&self, source: Failure) -> Refusal {
        cannot_write(&self.path, source)
    }
}
