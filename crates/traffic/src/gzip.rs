//! Files that gzip has packed (RFC 1952), for example traces of PyTorch's profiler: one member.

use frit_network::{Refusal, refusal, refuse};
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use rawzip::crc32;

const CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;

/// Whether a file is packed.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// The bytes that a packed file says it has, modulo 2^32; 0 of a file that is cut off.
pub fn unpacked(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |length| u32::from_le_bytes(*length).into())
}

/// What is packed in a file, at most `limit` bytes.
///
/// # Errors
///
/// A damaged file, another one behind it, or more bytes.
pub fn unpack(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Refusal> {
    let damaged =
        || refusal!("the file is packed by gzip and damaged; pack it again, or unpack it first (gunzip)");
    let packed = packed(bytes).ok_or_else(damaged)?;
    let found = decompress_to_vec_with_limit(packed, limit as usize).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => {
            refusal!("the file has more than {limit} bytes when it is unpacked; give a smaller one")
        }
        _ => damaged(),
    })?;
    let end: &[u8; 8] = bytes.last_chunk().ok_or_else(damaged)?;
    let expected = [crc32(&found).to_le_bytes(), (found.len() as u32).to_le_bytes()].concat();
    if end[..] != expected {
        refuse!(
            "the file is packed by gzip, but its check sum is wrong: it is damaged, or another file follows; unpack it first (gunzip)"
        );
    }
    Ok(found)
}

/// What stands between the head and the check sum.
fn packed(bytes: &[u8]) -> Option<&[u8]> {
    let (head, mut rest) = bytes.split_first_chunk::<10>()?;
    let (method, flags) = (head[2], head[3]);
    if method != 8 || flags >> 5 != 0 {
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
    if flags & CRC != 0 {
        rest = rest.get(2..)?;
    }
    rest.get(..rest.len().checked_sub(8)?)
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
            for length in 0..packed.len() {
                assert!(unpack(&packed[..length], 100).is_err(), "{length}");
            }
        }
    }

    #[test]
    fn damaged_and_large_files_are_refused() {
        let error = |bytes: &[u8], limit| unpack(bytes, limit).unwrap_err().to_string();
        let packed = pack(&[7; 1000], 0, b"");
        assert!(error(&packed, 999).contains("more than 999 bytes"));
        assert!(error(&[packed.clone(), packed.clone()].concat(), 5000).contains("another file follows"));
        for at in packed.len() - 8..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 1;
            assert!(error(&changed, 5000).contains("check sum is wrong"), "{at}");
        }
        let head = |at: usize, byte| {
            let mut changed = packed.clone();
            changed[at] = byte;
            error(&changed, 5000)
        };
        assert!(head(2, 7).contains("damaged") && head(3, 0x20).contains("damaged"));
    }
}
