//! FST: the `fst-writer` crate, which takes a value as a character per bit and packs it again.

use std::fs::File;
use std::io::{BufWriter, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};

use super::declare::{SignalDecl, move_scope};
use super::format::{Failure, Format};
use super::text::{digits, upper_digits};

/// Changes held before they are written out; it bounds the memory of a run of any length.
const FLUSH_BYTES: usize = 32 << 20;

/// What the file is buffered with.
const BUFFER_BYTES: usize = 1 << 16;

pub(super) struct FstOut {
    body: FstBodyWriter<BufWriter<File>>,
    signals: Vec<Signal>,
    /// A value as characters.
    text: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Signal {
    id: FstSignalId,
    width_bits: u32,
}

impl FstOut {
    /// Writes the head.
    pub(super) fn start(
        file: File,
        timescale_exponent: i8,
        decls: &[SignalDecl],
        order: &[usize],
    ) -> Result<Self, Failure> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent,
            version: "fritillary".to_string(),
            // Empty on purpose: the same run gives the same bytes on every day.
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut head = FstHeaderWriter::new(BufWriter::with_capacity(BUFFER_BYTES, file), &info)?;
        let mut signals = vec![None; decls.len()];
        let mut scope: &[String] = &[];
        for &index in order {
            let decl = &decls[index];
            move_scope(scope, &decl.scope, |step| match step {
                Some(name) => head.scope(name, "", FstScopeType::Module),
                None => head.up_scope(),
            })?;
            scope = &decl.scope;
            let width_bits = decl.width_bits;
            let name = match width_bits {
                1 => decl.name.clone(),
                _ => format!("{} [{}:0]", decl.name, width_bits - 1),
            };
            let kind = FstSignalType::bit_vec(width_bits);
            let id = head.var(name, kind, FstVarType::Wire, FstVarDirection::Implicit, None)?;
            signals[index] = Some(Signal { id, width_bits });
        }
        move_scope(scope, &[], |_| head.up_scope())?;
        let mut body = head.finish()?;
        body.set_deduplicate(false); // repeats do not come here
        Ok(FstOut { body, signals: signals.into_iter().flatten().collect(), text: Vec::new() })
    }
}

impl Format for FstOut {
    fn time(&mut self, ticks: u64) -> Result<(), Failure> {
        // The FST writer can begin a new section only right before a new time.
        if self.body.size() > FLUSH_BYTES {
            self.body.flush().map_err(failure)?;
        }
        self.body.time_change(ticks).map_err(failure)
    }

    fn value(&mut self, signal: usize, limbs: &[u64]) -> Result<(), Failure> {
        let Signal { id, width_bits } = self.signals[signal];
        let changed = match *limbs {
            [bit] if width_bits == 1 => self.body.signal_change(id, &[b'0' + bit as u8]),
            [limb] if width_bits <= 32 => {
                self.body.signal_change(id, &upper_digits(limb << (64 - width_bits))[..width_bits as usize])
            }
            _ => {
                self.text.clear();
                for &limb in limbs.iter().rev() {
                    self.text.extend_from_slice(&digits(limb));
                }
                let above = self.text.len() - width_bits as usize;
                self.body.signal_change(id, &self.text[above..])
            }
        };
        changed.map_err(failure)
    }

    fn unknown(&mut self, signal: usize) -> Result<(), Failure> {
        let Signal { id, width_bits } = self.signals[signal];
        self.text.clear();
        self.text.resize(width_bits as usize, b'x');
        self.body.signal_change(id, &self.text).map_err(failure)
    }

    fn finish(self) -> Result<(), Failure> {
        Ok(self.body.finish().map_err(failure)?.flush()?)
    }
}

/// The system's own words ("no space left"), not that something failed.
fn failure(error: FstWriteError) -> Failure {
    match error {
        FstWriteError::Io(error) => Box::new(error),
        other => Box::new(other),
    }
}
