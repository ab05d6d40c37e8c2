//! Reading waveforms.

use frit_network::{Refusal, refuse};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wellen::{
    Hierarchy, ItemRef, LoadOptions, Signal, SignalEncoding, SignalRef, SignalSource, SignalValueRef, Var,
};

use super::error::{broken, cannot_read, unknown_format};
use super::given::in_memory;
use super::guard::{body, guarded, open_file};
use super::{Value, fst_check, vcd_check, vcd_line};
use crate::shown::printable;

/// The format of a waveform file, known by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WaveFormat {
    /// Value change dump, text.
    Vcd,
    /// Fast signal trace, compressed.
    Fst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// A vector of that many bits.
    Bits(u32),
    Real,
    Text,
    /// An instant, which has no value.
    Event,
}

/// One signal that a waveform declares.
#[derive(Clone, Debug)]
pub struct WaveSignal {
    /// The scopes around it, outermost first. What is not printed is escaped, in the name as well.
    pub scope: Vec<String>,
    /// The name inside the innermost scope, without its range.
    pub name: String,
    pub kind: SignalKind,
    pub(crate) id: SignalRef,
}

impl WaveSignal {
    /// The hierarchical name: scopes and name joined by dots, `tb.mem[3]` for an array's element.
    pub fn full_name(&self) -> String {
        let mut full = String::new();
        for part in self.scope.iter().chain([&self.name]) {
            if !full.is_empty() && !part.starts_with('[') {
                full.push('.');
            }
            full.push_str(part);
        }
        full
    }
}

/// An open waveform: its signals are known, their values are loaded on request.
pub struct Wave {
    path: PathBuf,
    format: WaveFormat,
    time_unit: String,
    signals: Vec<WaveSignal>,
    times: Vec<u64>,
    hierarchy: Hierarchy,
    source: SignalSource,
}

impl Wave {
    /// Opens a VCD or FST file, whichever it is by content.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        let mut file = open_file(path)?;
        let options = LoadOptions { multi_thread: false, remove_scopes_with_empty_name: true };
        let read_error = |cause| cannot_read(path, cause);
        let format = if fst_check::is_fst(&mut file).map_err(read_error)? {
            WaveFormat::Fst
        } else if vcd_check::is_vcd(&mut file).map_err(read_error)? {
            WaveFormat::Vcd
        } else {
            return Err(unknown_format(path));
        };
        // What the reader is given in place of the file, if it cannot be given the file.
        let instead = match format {
            WaveFormat::Vcd => vcd_check::check(path, &mut file)?,
            WaveFormat::Fst => fst_check::check(&mut file).map_err(|fault| broken(path, fault))?,
        };
        let read = guarded(path, || match (instead, in_memory(path)) {
            (Some(content), _) => body(path, wellen::viewers::read_header(Cursor::new(content), &options)),
            (None, Some(bytes)) => body(path, wellen::viewers::read_header(Cursor::new(bytes), &options)),
            // By its path, not by `file`: so it is mapped into memory, which is five times as fast.
            (None, None) => body(path, wellen::viewers::read_header_from_file(path, &options)),
        });
        let (hierarchy, body) = read.map_err(|error| match format {
            WaveFormat::Vcd => vcd_line::located(path, &options, error),
            WaveFormat::Fst => fst_check::located(path, error, true),
        })?;
        if let Some(pair) = body.time_table.windows(2).find(|pair| pair[0] > pair[1]) {
            let reason = format!("its time goes back from {} to {}", pair[0], pair[1]);
            return Err(broken(path, reason));
        }
        let signals = guarded(path, || Ok(list_signals(&hierarchy)))?;
        if signals.is_empty() {
            refuse!("{} declares no signal: tell the simulator which scopes to dump", path.display());
        }
        Ok(Self {
            path: path.to_path_buf(),
            format,
            time_unit: time_unit(&hierarchy),
            signals,
            times: body.time_table,
            hierarchy,
            source: body.source,
        })
    }

    /// The file it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn format(&self) -> WaveFormat {
        self.format
    }

    /// What one tick of time is, such as `1ns`; `tick` if the file does not say.
    pub fn time_unit(&self) -> &str {
        &self.time_unit
    }

    /// Every signal, in the file's order.
    pub fn signals(&self) -> &[WaveSignal] {
        &self.signals
    }

    /// Every time at which something may change, ascending, in ticks.
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// Loads the values of some signals, given by their index in [`Wave::signals`]; the caller
    /// chooses how many are in memory at once.
    pub fn load(&mut self, signal_indices: &[usize]) -> Result<Traces, Refusal> {
        // The reader wants a time, and without one nothing has a value.
        if self.times.is_empty() {
            return Ok(Traces { by_id: BTreeMap::new() });
        }
        let ids: Vec<SignalRef> = signal_indices
            .iter()
            .filter_map(|&index| self.signals.get(index))
            .map(|signal| signal.id)
            .collect();
        let (source, hierarchy) = (&mut self.source, &self.hierarchy);
        let loaded = guarded(&self.path, || Ok(source.load_signals(&ids, hierarchy, false)));
        let loaded = loaded.map_err(|error| match self.format {
            WaveFormat::Vcd => error,
            WaveFormat::Fst => fst_check::located(&self.path, error, false),
        })?;
        let by_id: BTreeMap<SignalRef, Signal> =
            loaded.into_iter().map(|signal| (signal.signal_ref(), signal)).collect();
        Ok(Traces { by_id })
    }
}

/// The loaded values of some signals.
pub struct Traces {
    by_id: BTreeMap<SignalRef, Signal>,
}

impl Traces {
    /// The value that a signal holds just before the time with that index in [`Wave::times`]: what
    /// a flip-flop clocked at that time sees. All `x` before the first change, and for a signal
    /// that was not loaded.
    pub fn value_before(&self, signal: &WaveSignal, time_index: usize) -> Value {
        let found = || {
            let trace = self.by_id.get(&signal.id)?;
            let at = u32::try_from(time_index.checked_sub(1)?).ok()?;
            let offset = trace.get_offset(at)?;
            Some(Value::from_wellen(trace.get_value_at(&offset, offset.elements - 1)))
        };
        found().unwrap_or_else(|| match signal.kind {
            SignalKind::Bits(width_bits) => Value::unknown(width_bits),
            SignalKind::Real => Value::Real(f64::NAN),
            SignalKind::Text => Value::Text(String::new()),
            SignalKind::Event => Value::unknown(0),
        })
    }

    /// The changes of a signal: the index of the time and the new value, in the order of time.
    pub(crate) fn changes(&self, signal: &WaveSignal) -> impl Iterator<Item = (usize, SignalValueRef<'_>)> {
        let trace = self.by_id.get(&signal.id);
        trace.into_iter().flat_map(|trace| trace.iter_changes().map(|(time, value)| (time as usize, value)))
    }
}

fn list_signals(hierarchy: &Hierarchy) -> Vec<WaveSignal> {
    let mut signals = Vec::new();
    let mut scope: Vec<String> = Vec::new();
    // Depth first, with a stack of what is left: a broken file may nest deeper than the call stack.
    let reversed = |items: &mut dyn Iterator<Item = ItemRef>| {
        let mut items: Vec<ItemRef> = items.collect();
        items.reverse();
        items
    };
    let mut open = vec![reversed(&mut hierarchy.items())];
    while let Some(items) = open.last_mut() {
        match items.pop() {
            Some(ItemRef::Var(id)) => {
                signals.push(list_signal(hierarchy, &hierarchy[id], &scope));
            }
            Some(ItemRef::Scope(id)) => {
                let inner = &hierarchy[id];
                scope.push(printable(inner.name(hierarchy)));
                open.push(reversed(&mut inner.items(hierarchy)));
            }
            None => {
                open.pop();
                scope.pop();
            }
        }
    }
    signals
}

fn list_signal(hierarchy: &Hierarchy, variable: &Var, scope: &[String]) -> WaveSignal {
    let kind = match variable.signal_encoding(hierarchy) {
        SignalEncoding::BitVector(0) => SignalKind::Event,
        SignalEncoding::BitVector(width_bits) => SignalKind::Bits(width_bits),
        SignalEncoding::Real => SignalKind::Real,
        SignalEncoding::String => SignalKind::Text,
    };
    let mut name = printable(variable.name(hierarchy));
    // `x [3]` of a one-bit signal may be an element of an array: it stays in the name.
    if let Some(range) = variable.index()
        && range.msb() == range.lsb()
        && range.lsb() != 0
    {
        name.push_str(&format!("[{}]", range.lsb()));
    }
    WaveSignal { scope: scope.to_vec(), name, kind, id: variable.signal_ref() }
}

fn time_unit(hierarchy: &Hierarchy) -> String {
    use wellen::TimescaleUnit::{
        AttoSeconds, FemtoSeconds, MicroSeconds, MilliSeconds, NanoSeconds, PicoSeconds, Seconds, Unknown,
        ZeptoSeconds,
    };
    let Some(timescale) = hierarchy.timescale() else { return "tick".to_string() };
    let unit = match timescale.unit {
        ZeptoSeconds => "zs",
        AttoSeconds => "as",
        FemtoSeconds => "fs",
        PicoSeconds => "ps",
        NanoSeconds => "ns",
        MicroSeconds => "us",
        MilliSeconds => "ms",
        Seconds => "s",
        Unknown => "tick",
    };
    format!("{}{unit}", timescale.factor)
}
