//! Changes of FST: its sections, and what is packed in them.

use super::{bytes, one};
use frit_traffic::random::SplitMix64;
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

/// Bytes that are unpacked at most: what is larger is changed as it stands.
const LIMIT: usize = 1 << 16;
const GEOMETRY: u8 = 3;
const GZIPPED: u8 = 4;
const LZ4: u8 = 6;
const GZIP_HEAD: usize = 10;
/// A geometry's own length and its number of signals, before what is packed.
const GEOMETRY_HEAD: usize = 16;
const HIERARCHY_HEAD: usize = 8;

/// A section: its kind, and what follows its length.
struct Section {
    kind: u8,
    content: Vec<u8>,
}

/// Changes a section, or their order, or what is packed in one; lengths follow, mostly.
pub(crate) fn fst(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let Some(mut sections) = split(input) else { return bytes(input, random) };
    for _ in 0..=random.below(3) {
        let [a, b] = [0; 2].map(|_: i32| random.below(sections.len() as u32) as usize);
        match random.below(16) {
            0 if sections.len() > 1 => drop(sections.remove(a)),
            1 => sections.insert(b, Section { kind: sections[a].kind, content: sections[a].content.clone() }),
            2 => sections.swap(a, b),
            3 => sections[a].kind = *one(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 254, 255], random),
            4..=8 => bytes(&mut sections[a].content, random),
            9 => numbers(&mut sections[a].content, random),
            _ => packed(&mut sections, random),
        }
    }
    *input = joined(&sections);
    if random.below(16) == 0 {
        bytes(input, random);
    }
}

fn split(input: &[u8]) -> Option<Vec<Section>> {
    let (mut sections, mut rest) = (Vec::new(), input);
    while let Some((&kind, tail)) = rest.split_first() {
        let length = u64::from_be_bytes(*tail.first_chunk()?) as usize;
        let content = tail.get(8..length)?.to_vec();
        rest = &tail[length..];
        sections.push(Section { kind, content });
    }
    (!sections.is_empty()).then_some(sections)
}

fn joined(sections: &[Section]) -> Vec<u8> {
    let section = |Section { kind, content }: &Section| {
        [&[*kind][..], &(content.len() as u64 + 8).to_be_bytes(), content].concat()
    };
    sections.iter().flat_map(section).collect()
}

/// One of the numbers of eight bytes at the beginning or the end.
fn numbers(content: &mut [u8], random: &mut SplitMix64) {
    let count = content.len() / 8;
    if count == 0 {
        return;
    }
    let at = match random.below(2) {
        0 => 8 * random.below(count.min(5) as u32) as usize,
        _ => content.len() - 8 * (1 + random.below(count.min(3) as u32) as usize),
    };
    let Some(place) = content.get_mut(at..at + 8) else { return };
    let old = u64::from_be_bytes(place.try_into().unwrap_or_default());
    let new = match random.below(4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old << random.below(33),
        _ => *one(&[0, u64::MAX, 1 << 31, 1 << 32, 1 << 62], random),
    };
    place.copy_from_slice(&new.to_be_bytes());
}

/// Changes what a geometry or a hierarchy unpacks to, and packs it again with the length that it has then.
fn packed(sections: &mut [Section], random: &mut SplitMix64) {
    let packed: Vec<usize> =
        (0..sections.len()).filter(|&at| matches!(sections[at].kind, GEOMETRY | GZIPPED | LZ4)).collect();
    if packed.is_empty() {
        return;
    }
    let section = &mut sections[*one(&packed, random)];
    let Some(mut plain) = unpacked(section) else { return bytes(&mut section.content, random) };
    bytes(&mut plain, random);
    let length = (plain.len() as u64).to_be_bytes();
    section.content = match section.kind {
        GEOMETRY => {
            [&length, &section.content[8..GEOMETRY_HEAD], &compress_to_vec_zlib(&plain, 3)[..]].concat()
        }
        GZIPPED => {
            let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
            [&length[..], &head, &compress_to_vec(&plain, 3)].concat()
        }
        _ => [&length[..], &lz4_flex::compress(&plain)].concat(),
    };
}

fn unpacked(section: &Section) -> Option<Vec<u8>> {
    let content = &section.content;
    let length = u64::from_be_bytes(*content.first_chunk()?) as usize;
    match section.kind {
        GEOMETRY => {
            let packed = content.get(GEOMETRY_HEAD..)?;
            match packed.len() == length {
                true => Some(packed.to_vec()),
                false => decompress_to_vec_zlib_with_limit(packed, LIMIT).ok(),
            }
        }
        GZIPPED => decompress_to_vec_with_limit(content.get(HIERARCHY_HEAD + GZIP_HEAD..)?, LIMIT).ok(),
        _ if length <= LIMIT => lz4_flex::decompress(content.get(HIERARCHY_HEAD..)?, length).ok(),
        _ => None,
    }
}
