//! VCD: text, a line per change.
//!
//! The head is written by the `vcd` crate. A line of a change is not: the crate takes a vector as an iterator over single
//! bits and formats each, while a run is a million lines of 32 bits and most of the time of writing it. Here a line is
//! put together eight digits at a time in one buffer, which goes to the file whole.

use std::fs::File;
use std::io::Write;

use vcd::{ReferenceIndex, TimescaleUnit, VarType};

use super::declare::{SignalDecl, move_scope};
use super::format::{Failure, Format};
use super::text::digits;

/// Text held before it is written.
const BUFFER_BYTES: usize = 1 << 19;

/// What a line has at most beside the digits of its limbs: `b`, a space, the code and a line feed; or a time; or a whole
/// line of 32 digits.
const LINE_BYTES: usize = 48;

/// How a line of a signal ends, and how wide it is.
#[derive(Clone, Copy, Default)]
struct Signal {
    /// A space before the code unless the signal is one bit, the code, a line feed.
    end: [u8; 8],
    end_len: u8,
    one_bit: bool,
}

pub(super) struct VcdOut {
    file: File,
    signals: Vec<Signal>,
    buffer: Vec<u8>,
    /// So much of the buffer is text.
    len: usize,
}

impl VcdOut {
    /// Writes the head and the first time, 0.
    pub(super) fn start(
        file: File,
        factor: u32,
        unit: TimescaleUnit,
        decls: &[SignalDecl],
        order: &[usize],
    ) -> Result<Self, Failure> {
        let mut head = vcd::Writer::new(Vec::new());
        let mut signals = vec![Signal::default(); decls.len()];
        head.version("fritillary")?;
        head.timescale(factor, unit)?;
        let mut scope: &[String] = &[];
        for &index in order {
            let decl = &decls[index];
            move_scope(scope, &decl.scope, |step| match step {
                Some(name) => head.add_module(name),
                None => head.upscope(),
            })?;
            scope = &decl.scope;
            let range = (decl.width_bits > 1).then(|| ReferenceIndex::Range(decl.width_bits as i32 - 1, 0));
            let id = head.add_var(VarType::Wire, decl.width_bits, &decl.name, range)?;
            signals[index] = Signal::new(decl.width_bits == 1, &id.to_string());
        }
        move_scope(scope, &[], |_| head.upscope())?;
        head.enddefinitions()?;
        head.timestamp(0)?;
        let mut out = VcdOut { file, signals, buffer: vec![0; BUFFER_BYTES], len: 0 };
        out.file.write_all(head.writer())?;
        Ok(out)
    }

    /// Makes room for a line with so many characters of value.
    fn room(&mut self, value_bytes: usize) -> Result<(), Failure> {
        let bytes = value_bytes + LINE_BYTES;
        if self.len + bytes > self.buffer.len() {
            self.file.write_all(&self.buffer[..self.len])?;
            self.len = 0;
            if bytes > self.buffer.len() {
                self.buffer.resize(bytes, 0);
            }
        }
        Ok(())
    }

    /// Puts a block of fixed size, of which only the first `keep` bytes count: a store or two, and no call.
    fn put<const N: usize>(&mut self, block: &[u8; N], keep: usize) {
        self.buffer[self.len..][..N].copy_from_slice(block);
        self.len += keep;
    }

    fn end(&mut self, signal: Signal) {
        self.put(&signal.end, signal.end_len as usize);
    }

    /// The line of a vector with at most 32 digits, put together in one place of fixed size: most lines are such.
    fn short_line(&mut self, signal: Signal, limb: u64) {
        let line = &mut self.buffer[self.len..][..LINE_BYTES];
        let significant = (64 - limb.leading_zeros()).max(1) as usize;
        line[0] = b'b';
        line[1..33].copy_from_slice(&digits::<32>(limb << (64 - significant)));
        line[1 + significant..][..signal.end.len()].copy_from_slice(&signal.end);
        self.len += 1 + significant + signal.end_len as usize;
    }

    /// The digits of a value without zeros in front, of which one is left.
    fn digits(&mut self, limbs: &[u64]) {
        let top = limbs.iter().rposition(|&limb| limb != 0).unwrap_or(0);
        let significant = (64 - limbs[top].leading_zeros()).max(1);
        let left_aligned = limbs[top] << (64 - significant);
        if significant <= 32 {
            self.put(&digits::<32>(left_aligned), significant as usize);
        } else {
            self.put(&digits::<64>(left_aligned), significant as usize);
        }
        for &limb in limbs[..top].iter().rev() {
            self.put(&digits::<64>(limb), 64);
        }
    }
}

impl Signal {
    fn new(one_bit: bool, code: &str) -> Self {
        let text = format!("{}{code}\n", if one_bit { "" } else { " " });
        let mut end = [0; 8];
        // At most five of 94 characters: 94^5 is more than 2^32.
        end[..text.len()].copy_from_slice(text.as_bytes());
        Signal { end, end_len: text.len() as u8, one_bit }
    }
}

impl Format for VcdOut {
    fn time(&mut self, ticks: u64) -> Result<(), Failure> {
        self.room(0)?;
        let mut number = itoa::Buffer::new();
        let line = ["#", number.format(ticks), "\n"].concat();
        self.buffer[self.len..][..line.len()].copy_from_slice(line.as_bytes());
        self.len += line.len();
        Ok(())
    }

    fn value(&mut self, signal: usize, limbs: &[u64]) -> Result<(), Failure> {
        self.room(64 * limbs.len())?;
        let signal = self.signals[signal];
        match *limbs {
            [bit] if signal.one_bit => self.put(&[b'0' + bit as u8], 1),
            [limb] if limb >> 32 == 0 => {
                self.short_line(signal, limb);
                return Ok(());
            }
            _ => {
                self.put(b"b", 1);
                self.digits(limbs);
            }
        }
        self.end(signal);
        Ok(())
    }

    /// Shorter values extend to the left with their first character if that is `x`.
    fn unknown(&mut self, signal: usize) -> Result<(), Failure> {
        self.room(0)?;
        let signal = self.signals[signal];
        if signal.one_bit {
            self.put(b"x", 1);
        } else {
            self.put(b"bx", 2);
        }
        self.end(signal);
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        Ok(self.file.write_all(&self.buffer[..self.len])?)
    }
}
