//! Writing waveforms.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::WaveError;
use super::background::Background;
use super::declare::{SignalDecl, checked_order, parse_timescale};
use super::fst_out::FstOut;
use super::vcd_out::VcdOut;
use crate::output::PendingName;

/// Streams one run into a VCD or FST file.
///
/// The file appears under its name only when [`WaveWriter::finish`] succeeds: until then it is a
/// hidden temporary file beside the target, removed when the writer is dropped. The same calls
/// give the same bytes: neither date nor host is written. Signals start as `x`; a change to the
/// value that a signal already has is not written. A thread writes the file; that it cannot is
/// said by a later call, at the latest by `finish`.
///
/// ```no_run
/// # use frit_cosim::wave::{SignalDecl, WaveWriter};
/// let clk = SignalDecl { scope: vec!["tb".into()], name: "clk_i".into(), width_bits: 1 };
/// let mut wave = WaveWriter::create("run.fst".as_ref(), "1ns", &[clk])?;
/// for cycle in 0..10 {
///     wave.time(10 * cycle)?;
///     wave.change(0, &[1])?;
///     wave.time(10 * cycle + 5)?;
///     wave.change(0, &[0])?;
/// }
/// wave.finish()?;
/// # Ok::<(), frit_cosim::wave::WaveError>(())
/// ```
pub struct WaveWriter {
    path: PathBuf,
    decls: Vec<SignalDecl>,
    signals: Vec<Signal>,
    /// The last value of each signal, one after another.
    last: Vec<u64>,
    now: u64,
    // Closed before the temporary file is removed: fields are dropped in order.
    out: Background,
    pending: PendingName,
}

/// What a change needs to know of a signal.
struct Signal {
    /// Where its last value starts.
    offset: u32,
    limbs: u32,
    /// The bits that its highest limb may have.
    top_mask: u64,
    /// Whether its last value stands in `last`.
    known: bool,
}

impl WaveWriter {
    /// Opens a waveform of these signals; `path` ends in `.vcd` or `.fst`, `timescale` is the unit
    /// of time, such as `1ns`. [`WaveWriter::change`] numbers signals as `decls` does; in the file
    /// they stand sorted by scope and name.
    pub fn create<'a>(
        path: &Path,
        timescale: &str,
        decls: impl Into<Cow<'a, [SignalDecl]>>,
    ) -> Result<Self, WaveError> {
        let decls = decls.into().into_owned();
        let fst = match path.extension().and_then(|extension| extension.to_str()) {
            Some(extension) if extension.eq_ignore_ascii_case("fst") => true,
            Some(extension) if extension.eq_ignore_ascii_case("vcd") => false,
            _ => return Err(WaveError::Extension { path: path.to_path_buf() }),
        };
        let (factor, unit, exponent) = parse_timescale(timescale)?;
        let order = checked_order(&decls)?;
        let (file, pending) = PendingName::open(path).map_err(|source| WaveError::write(path, source))?;
        let out = if fst {
            FstOut::start(file, exponent, &decls, &order).and_then(Background::start)
        } else {
            VcdOut::start(file, factor, unit, &decls, &order).and_then(Background::start)
        }
        .map_err(|source| WaveError::write(path, source))?;

        let mut signals = Vec::with_capacity(decls.len());
        let mut offset = 0;
        for decl in &decls {
            let limbs = decl.limbs() as u32;
            let top_mask = u64::MAX >> (64 * limbs - decl.width_bits);
            signals.push(Signal { offset, limbs, top_mask, known: false });
            offset += limbs;
        }
        let last = vec![0; offset as usize];
        Ok(Self { path: path.to_path_buf(), decls, signals, last, now: 0, out, pending })
    }

    /// Moves on to `ticks` units of time after the start; never back.
    pub fn time(&mut self, ticks: u64) -> Result<(), WaveError> {
        if ticks < self.now {
            return Err(WaveError::TimeBackwards { now: self.now, given: ticks });
        }
        if ticks == self.now {
            return Ok(());
        }
        self.now = ticks;
        self.out.time(ticks).map_err(|source| WaveError::write(&self.path, source))
    }

    /// Sets a signal, from now on, to the value of little-endian 64-bit limbs.
    pub fn change(&mut self, signal_index: usize, limbs: &[u64]) -> Result<(), WaveError> {
        self.check(signal_index, limbs)?;
        let signal = &mut self.signals[signal_index];
        let last = &mut self.last[signal.offset as usize..][..limbs.len()];
        if !renew(last, limbs) && signal.known {
            return Ok(());
        }
        signal.known = true;
        self.out.value(signal_index, limbs).map_err(|source| WaveError::write(&self.path, source))
    }

    /// The same for a value that the caller knows to be another than the last.
    pub(crate) fn change_to_another(&mut self, signal_index: usize, limbs: &[u64]) -> Result<(), WaveError> {
        self.check(signal_index, limbs)?;
        self.signals[signal_index].known = false; // `last` is not
        self.out.value(signal_index, limbs).map_err(|source| WaveError::write(&self.path, source))
    }

    /// Sets every bit of a signal, from now on, to `x`.
    pub fn change_to_x(&mut self, signal_index: usize) -> Result<(), WaveError> {
        let Some(signal) = self.signals.get_mut(signal_index) else { return Err(self.no_such(signal_index)) };
        signal.known = false;
        self.out.unknown(signal_index).map_err(|source| WaveError::write(&self.path, source))
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(self) -> Result<(), WaveError> {
        let Self { path, out, pending, .. } = self;
        out.finish().map_err(|source| WaveError::write(&path, source))?;
        pending.give().map_err(|source| WaveError::write(&path, source))
    }

    fn check(&self, signal_index: usize, limbs: &[u64]) -> Result<(), WaveError> {
        let Some(signal) = self.signals.get(signal_index) else { return Err(self.no_such(signal_index)) };
        let fits = limbs.len() == signal.limbs as usize
            && limbs.last().is_some_and(|&top| top & !signal.top_mask == 0);
        if fits { Ok(()) } else { Err(self.wrong_shape(signal_index, limbs.len())) }
    }

    #[cold]
    fn no_such(&self, signal_index: usize) -> WaveError {
        WaveError::NoSuchSignal { index: signal_index, count: self.decls.len() }
    }

    #[cold]
    fn wrong_shape(&self, signal_index: usize, given: usize) -> WaveError {
        let decl = &self.decls[signal_index];
        let (signal, width_bits) = (decl.full_name(), decl.width_bits);
        WaveError::ValueShape { signal, width_bits, limbs: decl.limbs(), given }
    }
}

/// Copies a value over the last one, and says whether they differ. Most have one limb: no call for these.
pub(crate) fn renew(last: &mut [u64], now: &[u64]) -> bool {
    if let ([last], [now]) = (&mut *last, now) {
        return std::mem::replace(last, *now) != *now;
    }
    let differ = last != now;
    if differ {
        last.copy_from_slice(now);
    }
    differ
}
