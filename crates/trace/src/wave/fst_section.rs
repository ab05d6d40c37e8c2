//! The value changes of an FST file, held until they are written as a section ("dynamic alias 2", kind 8).
//!
//! | bytes | of a section |
//! |---|---|
//! | 1 | 8 |
//! | 4 × 8 | length of all but the kind; first and last time; bytes of all changes before compression |
//! | n, n, n | length of the frame, the same again (it is not compressed), number of signals |
//! | | the frame: of every signal its value at the first time, a character per bit |
//! | n, 1 | number of signals; `4`: changes are compressed by LZ4 |
//! | | of every signal that changes: n, the length of its changes if they are compressed, else 0; the changes |
//! | | where they stand: n, a run of signals without changes, shifted by one; or signed n, bytes from the start of the last signal that changes, shifted by one, and 1 |
//! | 8 | length of this table |
//! | | the times: n, the difference to the last; compressed by zlib if that is shorter |
//! | 3 × 8 | their length before compression, and as they stand there; their number |
//!
//! n is a number in groups of seven bits, the lowest first, with the eighth bit set in all but the last; the others are
//! big-endian. A change starts with the number of times since the last of its signal in this section. One bit shares that
//! number: `times · 4 + bit · 2`, or `times · 16 + 1` for `x`. Others follow `times · 2` as bits, most significant first, the
//! last byte filled with zeros, or `times · 2 + 1` as characters.

use std::io::{Seek, SeekFrom, Write};

use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};

use super::format::Failure;
use super::lists::Lists;
use super::text::eight_digits;

const KIND: u8 = 8;
const LZ4: u8 = b'4';

/// Changes of fewer bytes are not compressed.
const MIN_COMPRESSED: usize = 32;

/// "By unscientific experiment good enough", says `fst-writer`.
const ZLIB_LEVEL: u8 = 3;

/// What a change needs to know of a signal.
struct Signal {
    width_bits: u32,
    /// The time of the last change, by its place in the section.
    changed: u32,
}

pub(super) struct Section {
    signals: Vec<Signal>,
    changes: Lists,
    /// Whether the last change of a signal was to `x`.
    is_unknown: Vec<bool>,
    /// The signals as they stand in the file, each with the place of its value in the frame.
    order: Vec<(usize, usize)>,
    frame: Vec<u8>,
    start: u64,
    end: u64,
    times: Vec<u8>,
    /// The place of the present time in `times`.
    time: u32,
    /// Whether nothing happened after time 0: values belong in the first frame.
    at_start: bool,
}

impl Section {
    /// Signals are numbered as their widths; `order` is their order in the file.
    pub(super) fn new(widths_bits: impl Iterator<Item = u32>, order: &[usize]) -> Self {
        let signals: Vec<Signal> = widths_bits.map(|width_bits| Signal { width_bits, changed: 0 }).collect();
        let mut bits = 0;
        let place = |&signal: &usize| {
            let at = bits;
            bits += signals[signal].width_bits as usize;
            (signal, at)
        };
        let order = order.iter().map(place).collect();
        Section {
            changes: Lists::new(signals.len()),
            is_unknown: vec![false; signals.len()],
            signals,
            order,
            frame: vec![b'x'; bits],
            start: 0,
            end: 0,
            times: Vec::new(),
            time: 0,
            at_start: true,
        }
    }

    /// Bytes that grow with the run.
    pub(super) fn held(&self) -> usize {
        self.changes.bytes() + self.times.len()
    }

    /// The time that was reached.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The next time, which is later.
    pub(super) fn time(&mut self, ticks: u64) {
        if self.at_start {
            self.end_start();
        }
        if self.times.is_empty() {
            put_number(&mut self.times, ticks);
        } else {
            put_number(&mut self.times, ticks - self.end);
            self.time += 1;
        }
        self.end = ticks;
    }

    #[inline]
    pub(super) fn value(&mut self, signal: usize, limbs: &[u64]) {
        self.is_unknown[signal] = false;
        let (width_bits, times) = self.times_since(signal);
        match *limbs {
            [limb] if times < 32 && width_bits > 1 => {
                let mut change = [0; 9];
                change[0] = (times << 1) as u8;
                change[1..].copy_from_slice(&(limb << (64 - width_bits)).to_be_bytes());
                self.changes.append_block(signal, &change, 1 + width_bits.div_ceil(8) as usize);
            }
            [bit] if times < 32 && width_bits == 1 => {
                self.changes.append_block(signal, &[(times << 2) as u8 | (bit << 1) as u8], 1);
            }
            _ => self.any_value(signal, times, limbs),
        }
    }

    /// The width of a signal, and the number of times since its last change, which is now.
    fn times_since(&mut self, signal: usize) -> (u32, u64) {
        let Signal { width_bits, changed } = &mut self.signals[signal];
        (*width_bits, (self.time - std::mem::replace(changed, self.time)) as u64)
    }

    fn any_value(&mut self, signal: usize, times: u64, limbs: &[u64]) {
        let width_bits = self.signals[signal].width_bits;
        let mut change = Vec::with_capacity(10 + 8 * limbs.len());
        if width_bits == 1 {
            put_number(&mut change, times << 2 | limbs[0] << 1);
        } else {
            put_number(&mut change, times << 1);
            put_bits(&mut change, limbs, width_bits);
        }
        self.changes.append(signal, &change);
    }

    pub(super) fn unknown(&mut self, signal: usize) {
        self.is_unknown[signal] = true;
        let (width_bits, times) = self.times_since(signal);
        let mut change = Vec::new();
        if width_bits == 1 {
            put_number(&mut change, times << 4 | 1);
        } else {
            put_number(&mut change, times << 1 | 1);
            change.resize(change.len() + width_bits as usize, b'x');
        }
        self.changes.append(signal, &change);
    }

    /// What is held are the values at time 0.
    fn end_start(&mut self) {
        self.at_start = false;
        let mut changes = Vec::new();
        for &(signal, at) in &self.order {
            changes.clear();
            self.changes.copy(signal, &mut changes);
            let value = &mut self.frame[at..][..self.signals[signal].width_bits as usize];
            renew(value, &changes, self.is_unknown[signal]);
        }
        self.changes.clear();
    }

    /// Writes what is held, and holds nothing.
    pub(super) fn write(&mut self, out: &mut (impl Write + Seek)) -> Result<(), Failure> {
        if self.at_start {
            // Readers want a time: what is held changes at 0.
            put_number(&mut self.times, 0);
            self.at_start = false;
        }
        let start = out.stream_position()?;
        let mut head = vec![KIND];
        for number in [0, self.start, self.end, self.changes.bytes() as u64] {
            head.extend(number.to_be_bytes());
        }
        let signals = self.order.len() as u64;
        for number in [self.frame.len() as u64, self.frame.len() as u64, signals] {
            put_number(&mut head, number);
        }
        out.write_all(&head)?;
        out.write_all(&self.frame)?;
        let places = self.write_changes(out)?;
        out.write_all(&places)?;
        out.write_all(&(places.len() as u64).to_be_bytes())?;
        self.write_times(out)?;
        let end = out.stream_position()?;
        out.seek(SeekFrom::Start(start + 1))?;
        // No number overflows where the file is a device and stays at 0.
        out.write_all(&end.saturating_sub(start + 1).to_be_bytes())?;
        out.seek(SeekFrom::Start(end))?;
        self.changes.clear();
        self.start = self.end;
        self.times.clear();
        self.time = 0;
        self.signals.iter_mut().for_each(|signal| signal.changed = 0);
        Ok(())
    }

    /// Writes the changes; returns where they stand. The frame is that of the next section then.
    fn write_changes(&mut self, out: &mut impl Write) -> Result<Vec<u8>, Failure> {
        let mut head = Vec::new();
        put_number(&mut head, self.order.len() as u64);
        head.push(LZ4);
        out.write_all(&head)?;
        let (mut places, mut packer, mut changes) = (Places::default(), Packer::new(), Vec::new());
        // From the byte before, which says how changes are compressed.
        let mut step = 1;
        for &(signal, at) in &self.order {
            changes.clear();
            self.changes.copy(signal, &mut changes);
            if changes.is_empty() {
                places.unchanged += 1;
                continue;
            }
            let value = &mut self.frame[at..][..self.signals[signal].width_bits as usize];
            renew(value, &changes, self.is_unknown[signal]);
            places.changed(step);
            let (length, packed) = packer.pack(&changes)?;
            head.clear();
            put_number(&mut head, length as u64);
            out.write_all(&head)?;
            out.write_all(packed)?;
            step = head.len() + packed.len();
        }
        Ok(places.finish())
    }

    fn write_times(&self, out: &mut impl Write) -> Result<(), Failure> {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&self.times, ZLIB_LEVEL);
        let written = if packed.len() < self.times.len() { &packed } else { &self.times };
        out.write_all(written)?;
        for number in [self.times.len() as u64, written.len() as u64, self.time as u64 + 1] {
            out.write_all(&number.to_be_bytes())?;
        }
        Ok(())
    }
}

/// Compresses what gets shorter by it.
struct Packer {
    /// For less than 64 KiB, and for more.
    small: CompressTable,
    large: CompressTable,
    packed: Vec<u8>,
}

impl Packer {
    fn new() -> Self {
        Packer { small: CompressTable::small(), large: CompressTable::large(), packed: Vec::new() }
    }

    /// The length before if they are compressed, else 0, and the bytes.
    fn pack<'a>(&'a mut self, changes: &'a [u8]) -> Result<(usize, &'a [u8]), Failure> {
        if changes.len() < MIN_COMPRESSED {
            return Ok((0, changes));
        }
        let most = get_maximum_output_size(changes.len());
        if self.packed.len() < most {
            self.packed.resize(most, 0);
        }
        let table = if changes.len() < u16::MAX as usize { &mut self.small } else { &mut self.large };
        let length = compress_into_with_table(changes, &mut self.packed, table)?;
        Ok(if length < changes.len() { (changes.len(), &self.packed[..length]) } else { (0, changes) })
    }
}

/// The table of where changes stand.
#[derive(Default)]
struct Places {
    table: Vec<u8>,
    /// Signals without changes that are not in it yet.
    unchanged: u64,
}

impl Places {
    /// A signal whose changes start so many bytes behind those of the last.
    fn changed(&mut self, step: usize) {
        self.end_run();
        put_signed(&mut self.table, (step as i64) << 1 | 1);
    }

    fn end_run(&mut self) {
        if self.unchanged > 0 {
            put_number(&mut self.table, self.unchanged << 1);
            self.unchanged = 0;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.end_run();
        self.table
    }
}

/// The characters of the value to which the last of these changes leads.
fn renew(value: &mut [u8], changes: &[u8], unknown: bool) {
    let [before @ .., _] = changes else { return };
    if unknown {
        value.fill(b'x');
    } else if let [bit] = value {
        // The last number starts behind the last byte that ends one.
        let start = before.iter().rposition(|byte| *byte < 0x80).map_or(0, |end| end + 1);
        *bit = b'0' + (changes[start] >> 1 & 1);
    } else {
        let bytes = &changes[changes.len() - value.len().div_ceil(8)..];
        for (eight, &byte) in value.chunks_mut(8).zip(bytes) {
            eight.copy_from_slice(&eight_digits(byte)[..eight.len()]);
        }
    }
}

/// The bits of a value, most significant first.
fn put_bits(bytes: &mut Vec<u8>, limbs: &[u64], width_bits: u32) {
    let above = 64 * limbs.len() as u32 - width_bits;
    let end = bytes.len() + width_bits.div_ceil(8) as usize;
    for at in (0..limbs.len()).rev() {
        let below = if at == 0 { 0 } else { limbs[at - 1].checked_shr(64 - above).unwrap_or(0) };
        bytes.extend_from_slice(&(limbs[at] << above | below).to_be_bytes());
    }
    bytes.truncate(end);
}

fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_signed(bytes: &mut Vec<u8>, mut number: i64) {
    while !(-64..64).contains(&number) {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8 & 0x7f);
}
