//! Whether the sizes written in an FST file can be true.
//!
//! `fst-reader` 0.17 allocates what a file asks for before it reads it. In a damaged file that can
//! be more than there is, and a failed allocation ends the process; so the sizes of every section
//! are checked first against what its compressed bytes can hold at most.

use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom};

/// The best that zlib and LZ4 can do, bytes out for each byte in.
const MAX_RATIO: u64 = 1032;

const HIERARCHY_GZIP: u8 = 4;
const HIERARCHY_LZ4: u8 = 6;
const HIERARCHY_LZ4_TWICE: u8 = 7;
const GEOMETRY: u8 = 3;
const VALUES: [u8; 3] = [1, 5, 8];

/// Walks the sections of a file and leaves it at its start; the error says what is impossible.
pub(super) fn check_sizes(file: &mut BufReader<File>) -> Result<()> {
    let end = file.seek(SeekFrom::End(0))?;
    let mut start = 0;
    while start < end {
        file.seek(SeekFrom::Start(start))?;
        let mut kind = [0];
        file.read_exact(&mut kind)?;
        // The length counts its own eight bytes, not the byte of the kind.
        let length = read_u64(file)?;
        if length < 8 || length > end - start - 1 {
            return Err(impossible("a section that ends behind its end"));
        }
        check_section(file, kind[0], start + 1, length)?;
        start += 1 + length;
    }
    file.rewind()
}

fn check_section(file: &mut BufReader<File>, kind: u8, start: u64, length: u64) -> Result<()> {
    match kind {
        HIERARCHY_GZIP | HIERARCHY_LZ4 => {
            holds(read_u64(file)?, length)?;
        }
        HIERARCHY_LZ4_TWICE => {
            let names = read_u64(file)?;
            let between = read_u64(file)?;
            holds(between, length)?;
            holds(names, between)?;
        }
        GEOMETRY => {
            let bytes = read_u64(file)?;
            holds(bytes, length)?;
            // At least one byte for each signal.
            if read_u64(file)? > bytes {
                return Err(impossible("more signals than it describes"));
            }
        }
        kind if VALUES.contains(&kind) => {
            if length < 4 * 8 + 3 + 3 * 8 {
                return Err(impossible("a section of values that is too short"));
            }
            file.seek(SeekFrom::Start(start + 4 * 8))?;
            let first_values = read_varint(file)?;
            holds(read_varint(file)?, length)?;
            holds(first_values, length)?;
            file.seek(SeekFrom::Start(start + length - 3 * 8))?;
            let times = read_u64(file)?;
            holds(read_u64(file)?, length)?;
            holds(times, length)?;
            if read_u64(file)? > times {
                return Err(impossible("more times than it describes"));
            }
        }
        _ => {}
    }
    Ok(())
}

fn holds(bytes: u64, compressed: u64) -> Result<()> {
    if bytes > compressed.saturating_mul(MAX_RATIO) {
        return Err(impossible("a section larger than its compressed bytes can hold"));
    }
    Ok(())
}

fn impossible(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("it claims {what}"))
}

fn read_u64(file: &mut BufReader<File>) -> Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

fn read_varint(file: &mut BufReader<File>) -> Result<u64> {
    let mut value = 0;
    for shift in (0..63).step_by(7) {
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(impossible("a number of more than 63 bits"))
}
