//! Files as a zip: the same files give the same bytes. Every file has the time at which zip's calendar begins.

use miniz_oxide::deflate::compress_to_vec;

/// The level of compression: a little slower than the fastest, most of the gain.
const LEVEL: u8 = 6;
/// The first of January 1980, as zip writes it.
const DATE: u16 = 1 << 5 | 1;
/// What a reader must know: compression, folders.
const VERSION: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
const DEFLATED: u16 = 8;

/// A zip of files, given as names (with `/` between folders) and contents, in their order.
///
/// # Panics
/// If there are more than 65,535 files, or 4 GiB.
pub fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let compressed = compress_to_vec(content, LEVEL);
        let offset = size(bytes.len());
        let mut common = Vec::new();
        for number in [VERSION, FLAGS, DEFLATED, 0, DATE] {
            common.extend(number.to_le_bytes());
        }
        for number in [crc32(content), size(compressed.len()), size(content.len())] {
            common.extend(number.to_le_bytes());
        }
        let name_length = u16::try_from(name.len()).expect("names of files are short");
        common.extend(name_length.to_le_bytes());
        common.extend(0u16.to_le_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(compressed);
        list.extend(b"PK\x01\x02");
        list.extend(VERSION.to_le_bytes());
        list.extend(&common);
        // No comment, the first volume, no attributes.
        list.extend([0; 10]);
        list.extend(offset.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let count = u16::try_from(files.len()).expect("fewer than 65,536 files");
    let (at, length) = (size(bytes.len()), size(list.len()));
    bytes.extend(list);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

fn size(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("less than 4 GiB")
}

/// The check sum of zip and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        (0..8).fold(crc ^ u32::from(byte), step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_sum_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn the_same_files_give_the_same_bytes_and_another_byte_gives_others() {
        let files = |text: &str| vec![("a/b.v".to_string(), text.as_bytes().to_vec()), ("c".into(), vec![])];
        assert_eq!(zip(&files("x")), zip(&files("x")));
        assert_ne!(zip(&files("x")), zip(&files("y")));
        assert!(zip(&files("x")).starts_with(b"PK\x03\x04\x14\0"));
    }
}
