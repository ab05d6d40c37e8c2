//! The arrays of a `.npz` file: a zip of `.npy` files, as numpy.savez and numpy.savez_compressed write it.

use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{CompressionMethod, Error, ZipArchive, ZipVerification, crc32};

/// The first bytes of a zip.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// The most bytes that reading a file takes beside it: those of the file, or those of what is packed in it.
pub fn unpacked(bytes: &[u8]) -> u64 {
    let all = |archive: rawzip::ZipSliceArchive<&[u8]>| {
        archive.entries().flatten().map(|entry| entry.uncompressed_size_hint()).fold(0, u64::saturating_add)
    };
    match is_zip(bytes) {
        true => ZipArchive::from_slice(bytes).map_or(0, all),
        false => bytes.len() as u64,
    }
}

/// The bytes of the only array in a zip.
pub(super) fn one(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    let damaged =
        |error: Error| refusal!("the .npz file is damaged: {error}; write it again with numpy.savez");
    let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
    let mut arrays = Vec::new();
    for entry in archive.entries() {
        let entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        if let Some(name) = name.strip_suffix(".npy") {
            arrays.push((
                beginning(name).escape_debug().to_string(),
                entry.compression_method(),
                entry.wayfinder(),
            ));
        }
    }
    let [(name, method, way)] = &arrays[..] else {
        let names: Vec<&str> = arrays.iter().take(8).map(|(name, _, _)| name.as_str()).collect();
        match names[..] {
            [] => refuse!(
                "the file is a zip without arrays; give a .npz file of numpy.savez, CSV, JSON or .npy"
            ),
            _ => refuse!(
                "the .npz file has {} arrays ({}{}); write one of them with numpy.save",
                arrays.len(),
                names.join(", "),
                if arrays.len() > names.len() { ", …" } else { "" }
            ),
        }
    };
    let entry = archive.get_entry(*way).map_err(damaged)?;
    let size = usize::try_from(way.uncompressed_size_hint()).unwrap_or(usize::MAX);
    let array = match *method {
        CompressionMethod::STORE => entry.data().to_vec(),
        CompressionMethod::DEFLATE => decompress_to_vec_with_limit(entry.data(), size).map_err(|error| {
            refusal!("the array {name} of the .npz file is damaged: {error}; write it again")
        })?,
        _ => refuse!(
            "the array {name} of the .npz file is compressed by a method that is not supported; write it again with numpy.savez"
        ),
    };
    let found = ZipVerification { crc: crc32(&array), uncompressed_size: array.len() as u64 };
    entry.claim_verifier().valid(found).map_err(damaged)?;
    Ok(array)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// `numpy.savez(file, counts=…)`.
    pub const STORED: &[u8] = include_bytes!("../../tests/data/stored.npz");
    /// `numpy.savez_compressed(file, counts=…)` of the same array.
    pub const DEFLATED: &[u8] = include_bytes!("../../tests/data/deflated.npz");

    #[test]
    fn damaged_files_and_those_with_several_arrays_are_refused() {
        let two = include_bytes!("../../tests/data/two.npz");
        let text = one(two).unwrap_err().to_string();
        assert_eq!(text, "the .npz file has 2 arrays (first, second); write one of them with numpy.save");
        let text = one(b"PK\x03\x04 and so on").unwrap_err().to_string();
        assert!(text.starts_with("the .npz file is damaged: "), "{text}");
        for whole in [STORED, DEFLATED] {
            for cut in 4..whole.len() {
                assert!(one(&whole[..cut]).is_err(), "cut at {cut}");
            }
            let array = one(whole).unwrap();
            for at in 0..whole.len() {
                let mut bytes = whole.to_vec();
                bytes[at] ^= 1;
                // What is neither name, time nor attribute is checked.
                if is_zip(&bytes)
                    && let Ok(read) = one(&bytes)
                {
                    assert_eq!(read, array, "byte {at}");
                }
            }
        }
        // A size of the whole that is told too small is no reason to write beyond it.
        assert_eq!(unpacked(STORED), 256);
        assert_eq!(unpacked(b"1,2"), 3);
    }
}
