//! Changes of FST: its sections, and what is packed in them.

use super::fst_values::{put, values};
use super::{bytes, one, times};
use frit_traffic::random::SplitMix64;
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

/// Bytes that are unpacked at most: what is larger is changed as it stands.
const LIMIT: usize = 1 << 16;
const GEOMETRY: u8 = 3;
const GZIPPED: u8 = 4;
const LZ4: u8 = 6;
const LZ4_TWICE: u8 = 7;
const BLACKOUT: u8 = 2;
const WRAPPER: u8 = 254;
const SKIP: u8 = 255;
const GZIP_HEAD: usize = 10;
/// A geometry's own length and its number of signals, before what is packed.
const GEOMETRY_HEAD: usize = 16;
const HIERARCHY_HEAD: usize = 8;

/// A section: its kind, and what follows its length.
pub(super) struct Section {
    pub kind: u8,
    pub content: Vec<u8>,
}

/// Changes a section, or their order, or what is packed in one; lengths follow, mostly.
pub(crate) fn fst(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let Some(mut sections) = split(input) else { return bytes(input, random) };
    for _ in 0..times(random) {
        let [a, b] = [0; 2].map(|_: i32| random.below(sections.len() as u32) as usize);
        match random.below(32) {
            0 if sections.len() > 1 => drop(sections.remove(a)),
            1 => sections.insert(b, Section { kind: sections[a].kind, content: sections[a].content.clone() }),
            2 => sections.swap(a, b),
            3 => sections[a].kind = *one(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 254, 255], random),
            4..=8 => bytes(&mut sections[a].content, random),
            9 => numbers(&mut sections[a].content, random),
            10 => sections.insert(a, other(random)),
            11..=24 => changes(&mut sections, random),
            25 => twice(&mut sections),
            _ => packed(&mut sections, random),
        }
    }
    *input = joined(&sections);
    match random.below(32) {
        0 | 1 => bytes(input, random),
        2 => *input = wrapped(input),
        _ => {}
    }
}

/// A section that most files have not.
fn other(random: &mut SplitMix64) -> Section {
    let mut content = vec![0; random.below(4) as usize];
    let kind = *one(&[BLACKOUT, SKIP], random);
    if kind == BLACKOUT {
        content.clear();
        put(&mut content, u64::from(random.below(3)));
        (0..random.below(3)).for_each(|_| content.extend([random.below(2) as u8, random.below(128) as u8]));
    }
    Section { kind, content }
}

fn changes(sections: &mut [Section], random: &mut SplitMix64) {
    let changed = sections
        .iter_mut()
        .find_map(|section| Some((values(section.kind, &section.content, random)?, section)));
    if let Some(((kind, content), section)) = changed {
        *section = Section { kind, content };
    }
}

/// Packs a hierarchy by LZ4, and that again.
fn twice(sections: &mut [Section]) {
    let Some(section) = sections.iter_mut().find(|section| matches!(section.kind, GZIPPED | LZ4)) else {
        return;
    };
    let Some(plain) = unpacked(section) else { return };
    let once = lz4_flex::compress(&plain);
    section.kind = LZ4_TWICE;
    section.content = (plain.len() as u64).to_be_bytes().to_vec();
    put(&mut section.content, once.len() as u64);
    section.content.extend(lz4_flex::compress(&once));
}

/// A file that is packed as a whole.
fn wrapped(input: &[u8]) -> Vec<u8> {
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let content = [&(input.len() as u64).to_be_bytes()[..], &head, &compress_to_vec(input, 3)].concat();
    joined(&[Section { kind: WRAPPER, content }])
}

pub(super) fn split(input: &[u8]) -> Option<Vec<Section>> {
    let (mut sections, mut rest) = (Vec::new(), input);
    while let Some((&kind, tail)) = rest.split_first() {
        let length = u64::from_be_bytes(*tail.first_chunk()?) as usize;
        let content = tail.get(8..length)?.to_vec();
        rest = &tail[length..];
        sections.push(Section { kind, content });
    }
    (!sections.is_empty()).then_some(sections)
}

pub(super) fn joined(sections: &[Section]) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The other forms of a file are read, too.
    #[test]
    fn a_wrapper_and_a_hierarchy_packed_twice_are_read() {
        let file = include_bytes!("../../corpus/fst/frit_rls.fst");
        let mut sections = split(file).unwrap();
        twice(&mut sections);
        assert!(sections.iter().any(|section| section.kind == LZ4_TWICE));
        let scratch = crate::Scratch::new();
        let signals = |file: &[u8]| {
            let wave = frit_trace::wave::Wave::open(&scratch.file("a.fst", file)).unwrap();
            wave.signals().iter().map(|signal| signal.full_name()).collect::<Vec<_>>()
        };
        assert_eq!(signals(&joined(&sections)), signals(file));
        assert_eq!(signals(&wrapped(file)), signals(file));
    }
}
