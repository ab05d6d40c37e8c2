//! Files that gzip has packed (RFC 1952), for example traces of PyTorch's profiler.

use flate2::bufread::MultiGzDecoder;
use frit_network::{Refusal, refusal, refuse};
use std::io::Read;

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
    let mut found = Vec::new();
    // A byte more tells a file that is too large from one that is just small enough.
    MultiGzDecoder::new(bytes).take(limit + 1).read_to_end(&mut found).map_err(|_| {
        refusal!("the file is packed by gzip and damaged; pack it again, or unpack it first (gunzip)")
    })?;
    if found.len() as u64 > limit {
        refuse!("the file has more than {limit} bytes when it is unpacked; give a smaller one");
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;
    use rawzip::crc32;

    const CRC: u8 = 1 << 1;
    const EXTRA: u8 = 1 << 2;
    const NAME: u8 = 1 << 3;
    const COMMENT: u8 = 1 << 4;

    /// A packed file with these parts of the head.
    fn pack(text: &[u8], flags: u8, parts: &[u8]) -> Vec<u8> {
        let mut head = [&[0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255], parts].concat();
        if flags & CRC != 0 {
            head.extend((crc32(&head) as u16).to_le_bytes());
        }
        let end = [crc32(text).to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
        [&head[..], &compress_to_vec(text, 6), &end].concat()
    }

    #[test]
    fn files_of_all_heads_are_unpacked() {
        let text = b"0,5\n2,0\n";
        for (flags, parts) in [
            (0, &b""[..]),
            (NAME, b"trace.json\0"),
            (EXTRA | NAME | COMMENT | CRC, b"\x03\0abcname\0why\0"),
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
