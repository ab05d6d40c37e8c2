//! Writing waveforms.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use vcd::{ReferenceIndex, TimescaleUnit, VarType};

use super::WaveError;
use crate::output::PendingName;

/// The widest signal that can be written.
pub const MAX_WIDTH_BITS: u32 = 65_536;

/// The FST writer addresses one byte per bit with 32 bits, and keeps three such arrays.
const MAX_TOTAL_BITS: u64 = 1 << 31;

/// The FST format reserves 512 bytes for a name; the rest is for the range behind it.
const MAX_NAME_BYTES: usize = 480;

/// Changes held before they are written out; it bounds the memory of a run of any length.
const FLUSH_BYTES: usize = 32 << 20;

/// A signal to be written: where it stands, its name and its width.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalDecl {
    /// The scopes around it, outermost first; at least one.
    pub scope: Vec<String>,
    /// The name inside the innermost scope, without a range.
    pub name: String,
    /// 1 to [`MAX_WIDTH_BITS`].
    pub width_bits: u32,
}

impl SignalDecl {
    fn full_name(&self) -> String {
        let mut parts = self.scope.clone();
        parts.push(self.name.clone());
        parts.join(".")
    }

    fn check(&self) -> Result<(), WaveError> {
        let declaration = |reason: String| WaveError::Declaration { signal: self.full_name(), reason };
        if self.scope.is_empty() {
            return Err(declaration("it must stand in at least one scope".to_string()));
        }
        for part in self.scope.iter().chain([&self.name]) {
            let printable = part.bytes().all(|byte| byte.is_ascii_graphic());
            if part.is_empty() || part.len() > MAX_NAME_BYTES || !printable || part.starts_with('[') {
                return Err(declaration(format!(
                    "each part of its name must be 1 to {MAX_NAME_BYTES} printable ASCII characters without a space"
                )));
            }
        }
        if !(1..=MAX_WIDTH_BITS).contains(&self.width_bits) {
            return Err(declaration(format!(
                "it is {} bits wide; 1 to {MAX_WIDTH_BITS} are allowed",
                self.width_bits
            )));
        }
        Ok(())
    }

    fn limbs(&self) -> usize {
        self.width_bits.div_ceil(64) as usize
    }
}

/// Streams one run into a VCD or FST file.
///
/// The file appears under its name only when [`WaveWriter::finish`] succeeds: until then it is a
/// hidden temporary file beside the target, removed when the writer is dropped. The same calls
/// give the same bytes: neither date nor host is written. Signals start as `x`; a change to the
/// value that a signal already has is not written.
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
    /// Where the last value of each signal starts in `last`; limbs, then nothing else.
    offsets: Vec<usize>,
    last: Vec<u64>,
    known: Vec<bool>,
    now: u64,
    flush_bytes: usize,
    text: Vec<u8>,
    // Dropped before the temporary file is removed: fields are dropped in order.
    sink: Sink,
    pending: PendingName,
}

type Out = BufWriter<File>;

enum Sink {
    /// With what ends the line of each signal: its code and a line feed.
    Vcd {
        writer: vcd::Writer<Out>,
        ends: Vec<Vec<u8>>,
    },
    // Boxed: the FST body is ten times the size of the VCD writer.
    Fst {
        body: Box<FstBodyWriter<Out>>,
        ids: Vec<FstSignalId>,
    },
}

impl WaveWriter {
    /// Opens a waveform of these signals; `path` ends in `.vcd` or `.fst`, `timescale` is the unit
    /// of time, such as `1ns`. [`WaveWriter::change`] numbers signals as `decls` does; in the file
    /// they stand sorted by scope and name.
    pub fn create(path: &Path, timescale: &str, decls: &[SignalDecl]) -> Result<Self, WaveError> {
        let fst = match path.extension().and_then(|extension| extension.to_str()) {
            Some(extension) if extension.eq_ignore_ascii_case("fst") => true,
            Some(extension) if extension.eq_ignore_ascii_case("vcd") => false,
            _ => return Err(WaveError::Extension { path: path.to_path_buf() }),
        };
        let (factor, unit, exponent) = parse_timescale(timescale)?;
        let order = checked_order(decls)?;
        let (file, pending) = PendingName::open(path).map_err(|source| WaveError::write(path, source))?;
        let out = BufWriter::with_capacity(1 << 16, file);
        let sink = if fst {
            fst_header(out, exponent, decls, &order)
        } else {
            vcd_header(out, factor, unit, decls, &order)
        }
        .map_err(|source| WaveError::write(path, source))?;

        let mut offsets = Vec::with_capacity(decls.len());
        let mut limbs = 0;
        for decl in decls {
            offsets.push(limbs);
            limbs += decl.limbs();
        }
        Ok(Self {
            path: path.to_path_buf(),
            decls: decls.to_vec(),
            offsets,
            last: vec![0; limbs],
            known: vec![false; decls.len()],
            now: 0,
            flush_bytes: FLUSH_BYTES,
            text: Vec::new(),
            sink,
            pending,
        })
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
        let result = match &mut self.sink {
            Sink::Vcd { writer, .. } => writer.timestamp(ticks).map_err(boxed),
            Sink::Fst { body, .. } => {
                // The FST writer can begin a new section only right before a new time.
                let flushed = if body.size() > self.flush_bytes { body.flush() } else { Ok(()) };
                flushed.and_then(|()| body.time_change(ticks)).map_err(fst_error)
            }
        };
        result.map_err(|source| WaveError::write(&self.path, source))
    }

    /// Sets a signal, from now on, to the value of little-endian 64-bit limbs.
    pub fn change(&mut self, signal_index: usize, limbs: &[u64]) -> Result<(), WaveError> {
        let decl = self.decl(signal_index)?;
        let spare_bits = 64 * decl.limbs() as u32 - decl.width_bits;
        let fits = limbs.len() == decl.limbs()
            && limbs.last().is_some_and(|top| spare_bits == 0 || top >> (64 - spare_bits) == 0);
        if !fits {
            return Err(WaveError::ValueShape {
                signal: decl.full_name(),
                width_bits: decl.width_bits,
                limbs: decl.limbs(),
                given: limbs.len(),
            });
        }
        let width_bits = decl.width_bits;
        let start = self.offsets[signal_index];
        let last = &mut self.last[start..start + limbs.len()];
        if self.known[signal_index] && last == limbs {
            return Ok(());
        }
        last.copy_from_slice(limbs);
        self.known[signal_index] = true;
        self.text.clear();
        self.text.extend((0..width_bits).rev().map(|bit| {
            let limb = limbs[bit as usize / 64];
            b'0' + (limb >> (bit % 64) & 1) as u8
        }));
        self.put(signal_index)
    }

    /// Sets every bit of a signal, from now on, to `x`.
    pub fn change_to_x(&mut self, signal_index: usize) -> Result<(), WaveError> {
        let width_bits = self.decl(signal_index)?.width_bits;
        self.known[signal_index] = false;
        self.text.clear();
        self.text.resize(width_bits as usize, b'x');
        self.put(signal_index)
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(self) -> Result<(), WaveError> {
        let Self { path, sink, pending, .. } = self;
        let flushed = match sink {
            Sink::Vcd { mut writer, .. } => writer.flush().map_err(boxed),
            Sink::Fst { body, .. } => {
                body.finish().map_err(fst_error).and_then(|mut out| out.flush().map_err(boxed))
            }
        };
        flushed.map_err(|source| WaveError::write(&path, source))?;
        pending.give().map_err(|source| WaveError::write(&path, source))
    }

    fn decl(&self, signal_index: usize) -> Result<&SignalDecl, WaveError> {
        let count = self.decls.len();
        self.decls.get(signal_index).ok_or(WaveError::NoSuchSignal { index: signal_index, count })
    }

    /// Writes `self.text`, one character per bit, as the value of a signal.
    fn put(&mut self, signal_index: usize) -> Result<(), WaveError> {
        let result = match &mut self.sink {
            Sink::Vcd { writer, ends } => put_vcd(writer, &ends[signal_index], &self.text).map_err(boxed),
            Sink::Fst { body, ids } => body.signal_change(ids[signal_index], &self.text).map_err(fst_error),
        };
        result.map_err(|source| WaveError::write(&self.path, source))
    }
}

fn boxed(error: impl std::error::Error + Send + Sync + 'static) -> Box<dyn std::error::Error + Send + Sync> {
    Box::new(error)
}

/// The system's own words ("no space left"), not that something failed.
fn fst_error(error: FstWriteError) -> Box<dyn std::error::Error + Send + Sync> {
    match error {
        FstWriteError::Io(error) => Box::new(error),
        other => Box::new(other),
    }
}

fn put_vcd(writer: &mut vcd::Writer<Out>, end: &[u8], bits: &[u8]) -> std::io::Result<()> {
    let out = writer.writer();
    if bits.len() == 1 {
        out.write_all(bits)?;
        return out.write_all(end);
    }
    // Shorter values extend to the left with 0, or with x if that is their first character.
    let keep =
        if bits[0] == b'x' { bits.len() - 1 } else { bits.iter().take_while(|&&bit| bit == b'0').count() };
    out.write_all(b"b")?;
    out.write_all(&bits[keep.min(bits.len() - 1)..])?;
    out.write_all(b" ")?;
    out.write_all(end)
}

fn parse_timescale(text: &str) -> Result<(u32, TimescaleUnit, i8), WaveError> {
    let unknown = || WaveError::Timescale { given: text.to_string() };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (factor, power) = match &text[..digits] {
        "1" => (1, 0),
        "10" => (10, 1),
        "100" => (100, 2),
        _ => return Err(unknown()),
    };
    let (unit, exponent) = match text[digits..].trim() {
        "s" => (TimescaleUnit::S, 0),
        "ms" => (TimescaleUnit::MS, -3),
        "us" => (TimescaleUnit::US, -6),
        "ns" => (TimescaleUnit::NS, -9),
        "ps" => (TimescaleUnit::PS, -12),
        "fs" => (TimescaleUnit::FS, -15),
        _ => return Err(unknown()),
    };
    Ok((factor, unit, exponent + power))
}

/// The order in which signals are declared: scopes are contiguous in it.
fn checked_order(decls: &[SignalDecl]) -> Result<Vec<usize>, WaveError> {
    for decl in decls {
        decl.check()?;
    }
    let bits: u64 = decls.iter().map(|decl| u64::from(decl.width_bits)).sum();
    if bits > MAX_TOTAL_BITS {
        return Err(WaveError::TooManyBits { signals: decls.len(), bits, limit: MAX_TOTAL_BITS });
    }
    let mut order: Vec<usize> = (0..decls.len()).collect();
    order.sort_by_key(|&index| (&decls[index].scope, &decls[index].name));
    for pair in order.windows(2) {
        let (first, second) = (&decls[pair[0]], &decls[pair[1]]);
        if first.scope == second.scope && first.name == second.name {
            let reason = "it is declared twice; names must differ inside a scope".to_string();
            return Err(WaveError::Declaration { signal: first.full_name(), reason });
        }
    }
    Ok(order)
}

/// Calls `leave` and `enter` so that the scopes change from `from` to `to`.
fn move_scope<E>(
    from: &[String],
    to: &[String],
    mut step: impl FnMut(Option<&str>) -> Result<(), E>,
) -> Result<(), E> {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    for _ in common..from.len() {
        step(None)?;
    }
    to[common..].iter().try_for_each(|scope| step(Some(scope)))
}

fn vcd_header(
    out: Out,
    factor: u32,
    unit: TimescaleUnit,
    decls: &[SignalDecl],
    order: &[usize],
) -> Result<Sink, Box<dyn std::error::Error + Send + Sync>> {
    let mut writer = vcd::Writer::new(out);
    let mut ends = vec![Vec::new(); decls.len()];
    writer.version("fritillary")?;
    writer.timescale(factor, unit)?;
    let mut scope: &[String] = &[];
    for &index in order {
        let decl = &decls[index];
        move_scope(scope, &decl.scope, |step| match step {
            Some(name) => writer.add_module(name),
            None => writer.upscope(),
        })?;
        scope = &decl.scope;
        let range = (decl.width_bits > 1).then(|| ReferenceIndex::Range(decl.width_bits as i32 - 1, 0));
        let id = writer.add_var(VarType::Wire, decl.width_bits, &decl.name, range)?;
        ends[index] = format!("{id}\n").into_bytes();
    }
    move_scope(scope, &[], |_| writer.upscope())?;
    writer.enddefinitions()?;
    writer.timestamp(0)?;
    Ok(Sink::Vcd { writer, ends })
}

fn fst_header(
    out: Out,
    timescale_exponent: i8,
    decls: &[SignalDecl],
    order: &[usize],
) -> Result<Sink, Box<dyn std::error::Error + Send + Sync>> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent,
        version: "fritillary".to_string(),
        // Empty on purpose: the same run gives the same bytes on every day.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::new(out, &info)?;
    let mut ids = vec![None; decls.len()];
    let mut scope: &[String] = &[];
    for &index in order {
        let decl = &decls[index];
        move_scope(scope, &decl.scope, |step| match step {
            Some(name) => header.scope(name, "", FstScopeType::Module),
            None => header.up_scope(),
        })?;
        scope = &decl.scope;
        let name = match decl.width_bits {
            1 => decl.name.clone(),
            width_bits => format!("{} [{}:0]", decl.name, width_bits - 1),
        };
        let width = FstSignalType::bit_vec(decl.width_bits);
        ids[index] = Some(header.var(name, width, FstVarType::Wire, FstVarDirection::Implicit, None)?);
    }
    move_scope(scope, &[], |_| header.up_scope())?;
    let body = Box::new(header.finish()?);
    Ok(Sink::Fst { body, ids: ids.into_iter().flatten().collect() })
}
