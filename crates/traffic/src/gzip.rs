//! Files that gzip has packed (RFC 1952), for example traces of PyTorch's profiler.

use frit_network::{Refusal, refusal, refuse};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use rawzip::crc32;

const CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;

/// Whether a file is packed.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// The bytes that a packed file says it has: of the last part of it, modulo 2^32.
pub fn unpacked(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |length| u32::from_le_bytes(*length).into())
}

/// What is packed in a file, at most `limit` bytes.
///
/// # Errors
///
/// A damaged file, or more bytes.
pub fn unpack(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Refusal> {
    let damaged =
        || refusal!("the file is packed by gzip and damaged; pack it again, or unpack it first (gunzip)");
    let (mut all, mut rest) = (Vec::new(), bytes);
    // A file may be made of several, one behind the other.
    while !rest.is_empty() {
        let packed = behind_head(rest).ok_or_else(damaged)?;
        let begin = all.len();
        let length = inflate_into(&mut all, packed, limit)?.ok_or_else(damaged)?;
        let (end, next) = packed[length..].split_first_chunk::<8>().ok_or_else(damaged)?;
        let found = &all[begin..];
        if end[..] != [crc32(found).to_le_bytes(), (found.len() as u32).to_le_bytes()].concat() {
            return Err(damaged());
        }
        rest = next;
    }
    Ok(all)
}

/// Unpacks one stream, and says how long it is; `None` if it is damaged.
fn inflate_into(all: &mut Vec<u8>, packed: &[u8], limit: u64) -> Result<Option<usize>, Refusal> {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let (mut at, mut part) = (0, vec![0; 1 << 16]);
    loop {
        let done = inflate(&mut state, &packed[at..], &mut part, MZFlush::None);
        at += done.bytes_consumed;
        all.extend_from_slice(&part[..done.bytes_written]);
        if all.len() as u64 > limit {
            refuse!("the file has more than {limit} bytes when it is unpacked; give a smaller one");
        }
        match done.status {
            Ok(MZStatus::StreamEnd) => return Ok(Some(at)),
            Ok(_) if done.bytes_consumed + done.bytes_written > 0 => (),
            _ => return Ok(None),
        }
    }
}

/// What stands behind the head.
fn behind_head(bytes: &[u8]) -> Option<&[u8]> {
    let (head, mut rest) = bytes.split_first_chunk::<10>()?;
    let (method, flags) = (head[2], head[3]);
    if !is_packed(bytes) || method != 8 || flags >> 5 != 0 {
        return None;
    }
    if flags & EXTRA != 0 {
        let (length, behind) = rest.split_first_chunk()?;
        rest = behind.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let end = rest.iter().position(|&byte| byte == 0)?;
            rest = &rest[end + 1..];
        }
    }
    if flags & CRC == 0 { Some(rest) } else { rest.get(2..) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    /// A packed file with these parts of the head.
    fn pack(text: &[u8], flags: u8, parts: &[u8]) -> Vec<u8> {
        let head = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255];
        let end = [crc32(text).to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
        [&head, parts, &compress_to_vec(text, 6), &end].concat()
    }

    #[test]
    fn files_of_all_heads_are_unpacked() {
        let text = b"0,5\n2,0\n";
        for (flags, parts) in [
            (0, &b""[..]),
            (NAME, b"trace.json\0"),
            (EXTRA | NAME | COMMENT | CRC, b"\x03\0abcname\0why\0xx"),
            (1 | COMMENT, b"\0"),
        ] {
            let packed = pack(text, flags, parts);
            assert!(is_packed(&packed));
            assert_eq!((unpack(&packed, 100).unwrap(), unpacked(&packed)), (text.to_vec(), 8));
            // No beginning of a file is one, and none panics.
            for length in 1..packed.len() {
                assert!(unpack(&packed[..length], 100).is_err(), "{length}");
            }
        }
    }

    #[test]
    fn damaged_and_large_files_are_refused() {
        let error = |bytes: &[u8], limit| unpack(bytes, limit).unwrap_err().to_string();
        let packed = pack(&[7; 1000], 0, b"");
        assert!(error(&packed, 999).contains("more than 999 bytes"));
        let twice = [packed.clone(), packed.clone()].concat();
        assert_eq!(unpack(&twice, 2000).unwrap(), [7; 2000]);
        assert!(error(&twice, 1999).contains("more than 1999 bytes"));
        assert!(error(&[&packed[..], b"0,1"].concat(), 2000).contains("damaged"));
        for at in packed.len() - 8..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 1;
            assert!(error(&changed, 5000).contains("damaged"), "{at}");
        }
        let head = |at: usize, byte| {
            let mut changed = packed.clone();
            changed[at] = byte;
            error(&changed, 5000)
        };
        assert!(head(2, 7).contains("damaged") && head(3, 0x20).contains("damaged"));
    }
}
