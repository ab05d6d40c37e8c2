//! Writing waveforms.

use frit_network::{Refusal, refusal, refuse};
use std::borrow::Cow;
use std::path::Path;

use super::declare::SignalDecl;
use super::file::{OpenedWave, WaveFile};

/// Streams one run into a VCD or FST file.
///
/// The file appears under its name only when [`WaveWriter::finish`] succeeds: until then it is a
/// hidden temporary file beside the target, removed when the writer is dropped. The same calls
/// give the same bytes: neither date nor host is written. Signals start as `x`; a change to the
/// value that a signal already has is not written.
///
/// ```no_run
/// # use frit_trace::wave::{SignalDecl, WaveWriter};
/// let clk = SignalDecl { scope: ["tb".into()].into(), name: "clk_i".into(), width_bits: 1 };
/// let mut wave = WaveWriter::create("run.fst".as_ref(), "1ns", &[clk])?;
/// for cycle in 0..10 {
///     wave.time(10 * cycle)?;
///     wave.change(0, &[1])?;
///     wave.time(10 * cycle + 5)?;
///     wave.change(0, &[0])?;
/// }
/// wave.finish()?;
/// # Ok::<(), frit_network::Refusal>(())
/// ```
pub struct WaveWriter {
    decls: Vec<SignalDecl>,
    signals: Vec<Signal>,
    /// The last value of each signal, one after another.
    last: Vec<u64>,
    file: WaveFile,
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
    ) -> Result<Self, Refusal> {
        let decls = decls.into().into_owned();
        let file = OpenedWave::at(path)?.declare(timescale, &decls)?;
        let mut signals = Vec::with_capacity(decls.len());
        let mut offset = 0;
        for decl in &decls {
            let limbs = decl.limbs() as u32;
            let top_mask = u64::MAX >> (64 * limbs - decl.width_bits);
            signals.push(Signal { offset, limbs, top_mask, known: false });
            offset += limbs;
        }
        let last = vec![0; offset as usize];
        Ok(Self { decls, signals, last, file })
    }

    /// Moves on to `ticks` units of time after the start; never back.
    pub fn time(&mut self, ticks: u64) -> Result<(), Refusal> {
        let now = self.file.now();
        if ticks < now {
            refuse!("waveform time went back from {now} to {ticks}: write changes in the order of time");
        }
        self.file.time(ticks)
    }

    /// Sets a signal, from now on, to the value of little-endian 64-bit limbs.
    pub fn change(&mut self, signal_index: usize, limbs: &[u64]) -> Result<(), Refusal> {
        self.check(signal_index, limbs)?;
        let signal = &mut self.signals[signal_index];
        let last = &mut self.last[signal.offset as usize..][..limbs.len()];
        if !renew(last, limbs) && signal.known {
            return Ok(());
        }
        signal.known = true;
        self.file.value(signal_index, limbs)
    }

    /// Sets every bit of a signal, from now on, to `x`.
    pub fn change_to_x(&mut self, signal_index: usize) -> Result<(), Refusal> {
        let Some(signal) = self.signals.get_mut(signal_index) else { return Err(self.no_such(signal_index)) };
        signal.known = false;
        self.file.unknown(signal_index)
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(self) -> Result<(), Refusal> {
        self.file.finish()
    }

    fn check(&self, signal_index: usize, limbs: &[u64]) -> Result<(), Refusal> {
        let Some(signal) = self.signals.get(signal_index) else { return Err(self.no_such(signal_index)) };
        let fits = limbs.len() == signal.limbs as usize
            && limbs.last().is_some_and(|&top| top & !signal.top_mask == 0);
        if fits { Ok(()) } else { Err(self.wrong_shape(signal_index, limbs.len())) }
    }

    #[cold]
    fn no_such(&self, signal_index: usize) -> Refusal {
        refusal!(
            "signal index {signal_index} was not declared: this waveform has {} signals, numbered from 0",
            self.decls.len()
        )
    }

    #[cold]
    fn wrong_shape(&self, signal_index: usize, given: usize) -> Refusal {
        let decl = &self.decls[signal_index];
        let (signal, width_bits) = (decl.full_name(), decl.width_bits);
        refusal!(
            "a value for {signal} must be {} 64-bit limbs with no bit set at {width_bits} or above; {given} limbs were given",
            decl.limbs()
        )
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
