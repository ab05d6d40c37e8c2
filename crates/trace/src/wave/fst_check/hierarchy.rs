//! The sections that declare signals: widths (geometry) and names (hierarchy), which must agree.

use super::super::limits::{MAX_DEPTH, MAX_READ_BITS};
use super::bytes::{Bytes, gzip, lz4, zlib_or_plain};

/// How the entries of a hierarchy are packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Lz4,
    Lz4Twice,
}

/// The most signals that a file may declare; the reader holds some ten bytes for each and section.
const MAX_SIGNALS: u64 = 1 << 26;

/// What the geometry says of a signal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Real,
    /// Bits; 0 if the values have lengths of their own.
    Bits(u32),
}

impl Width {
    /// Bytes of its value at the start of a section.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Width::Real => 8,
            Width::Bits(bits) => bits.into(),
        }
    }
}

/// The widths of all signals; the section's bytes start behind its length.
pub(super) fn geometry(mut section: Bytes) -> Result<Vec<Width>, &'static str> {
    let (unpacked, count) = section.u64().zip(section.u64()).ok_or("ends in its head")?;
    // At least one byte for each signal.
    if count > unpacked || count > MAX_SIGNALS {
        return Err("claims more signals than it describes");
    }
    let bytes = zlib_or_plain(section.0, unpacked).ok_or("does not unpack to the size that it claims")?;
    let mut bytes = Bytes(&bytes);
    let width = |value| match value {
        0 => Width::Real,
        u32::MAX => Width::Bits(0),
        bits => Width::Bits(bits),
    };
    let widths = (0..count).map(|_| bytes.varint_u32().map(width));
    let widths: Vec<Width> = widths.collect::<Option<_>>().ok_or("claims more signals than it describes")?;
    match widths.iter().any(|width| matches!(width, Width::Bits(bits) if *bits > MAX_READ_BITS)) {
        true => Err("has a signal of more than 8388608 bits"),
        false => Ok(widths),
    }
}

/// The bytes of a hierarchy; the section's start behind its length.
pub(super) fn unpack(packing: Packing, mut section: Bytes) -> Option<Vec<u8>> {
    let unpacked = section.u64()?;
    match packing {
        Packing::Gzip => gzip(section.0, unpacked),
        Packing::Lz4 => lz4(section.0, unpacked),
        Packing::Lz4Twice => {
            let between = section.varint()?;
            lz4(&lz4(section.0, between)?, unpacked)
        }
    }
}

const SCOPE: u8 = 254;
const UP_SCOPE: u8 = 255;
const ATTRIBUTE: u8 = 252;
const ATTRIBUTE_END: u8 = 253;
const LAST_VARIABLE: u8 = 29;
const EVENT: u8 = 0;
const PORT: u8 = 18;
const STRING: u8 = 21;
const REALS: [u8; 4] = [3, 4, 20, 29];
/// Attributes of the kind 0 that hold a number in place of a name.
const SOURCE_LINES: [u8; 2] = [4, 5];

/// What the reader makes of a signal by the kind of its variables, beside what the geometry says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Values,
    Event,
    Text,
}

/// Whether a variable of that kind and length can be of a signal of that width.
fn agrees(kind: u8, length: u32, width: Width) -> bool {
    match kind {
        EVENT | STRING => width != Width::Real,
        // Two characters, and three for each bit.
        PORT => length >= 2 && width == Width::Bits(length),
        kind if REALS.contains(&kind) => width == Width::Real,
        _ => width == Width::Bits(length),
    }
}

/// Walks all entries: every signal that they name is one of the geometry, with the same width, and the same with all its names.
pub(super) fn entries(bytes: &[u8], widths: &[Width]) -> Result<(), &'static str> {
    const CUT: &str = "ends in the middle of an entry";
    let mut bytes = Bytes(bytes);
    let mut uses = vec![None; widths.len()];
    let (mut declared, mut depth) = (0, 0u32);
    while let Some(kind) = bytes.byte() {
        match kind {
            SCOPE => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err("opens more than 256 scopes");
                }
                let read = bytes.byte().and_then(|_| bytes.skip_text()).and_then(|()| bytes.skip_text());
                read.ok_or(CUT)?;
            }
            UP_SCOPE => depth = depth.checked_sub(1).ok_or("closes a scope that is not open")?,
            ATTRIBUTE => attribute(&mut bytes).ok_or(CUT)?,
            ATTRIBUTE_END => {}
            0..=LAST_VARIABLE => {
                let (length, alias) = variable(&mut bytes).ok_or(CUT)?;
                if alias == 0 {
                    declared += 1;
                }
                let handle = if alias == 0 { declared } else { alias };
                let signal = handle as usize - 1;
                let width = widths.get(signal).ok_or("names a signal that the geometry has not")?;
                if !agrees(kind, length, *width) {
                    return Err("gives a signal another width than the geometry");
                }
                let used = match kind {
                    EVENT => Use::Event,
                    STRING => Use::Text,
                    _ => Use::Values,
                };
                if *uses[signal].get_or_insert(used) != used {
                    return Err("gives a signal two names, and only one of them is for an event or a string");
                }
            }
            _ => return Err("has an entry of an unknown kind"),
        }
    }
    Ok(())
}

/// Its width, and the signal whose other name it is, or 0.
fn variable(bytes: &mut Bytes) -> Option<(u32, u32)> {
    bytes.byte()?;
    bytes.skip_text()?;
    bytes.varint_u32().zip(bytes.varint_u32())
}

fn attribute(bytes: &mut Bytes) -> Option<()> {
    let (kind, subtype) = bytes.byte().zip(bytes.byte())?;
    if kind == 0 && SOURCE_LINES.contains(&subtype) {
        bytes.varint()?;
        bytes.byte()?;
    } else {
        bytes.skip_text()?;
    }
    bytes.varint().map(drop)
}
