//! Changes of an FST's section of values: what its signals are at first, how each changes, when; and how that is packed.
//! The form is told at the top of `frit_trace::wave::fst_section`.

use super::{bytes, one, times};
use frit_traffic::random::SplitMix64;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

const LIMIT: usize = 1 << 16;
/// First and last time, and the memory that is needed.
const HEAD: usize = 24;
/// Kinds of such sections, by the form of the list of places.
const OLDER: [u8; 2] = [1, 5];
const NEWER: u8 = 8;
const LZ4: u8 = b'4';
const ZLIB: u8 = b'Z';
const FASTLZ: u8 = b'F';

/// How a signal changes.
#[derive(Clone)]
enum Changes {
    None,
    Like(u64),
    Own(Vec<u8>),
}

struct Values {
    head: Vec<u8>,
    frame_signals: u64,
    frame: Vec<u8>,
    signals: u64,
    packing: u8,
    changes: Vec<Changes>,
    times: Vec<u8>,
    count: u64,
}

/// Changes the content of a section of that kind, which may become another; nothing if it is not what it should be.
pub(super) fn values(kind: u8, content: &[u8], random: &mut SplitMix64) -> Option<(u8, Vec<u8>)> {
    let mut values = (kind == NEWER).then(|| read(content))??;
    for _ in 0..times(random) {
        change(&mut values, random);
    }
    let kind = if random.below(8) == 0 { *one(&OLDER, random) } else { NEWER };
    Some((kind, written(&values, kind, random.below(8) == 0)))
}

fn change(values: &mut Values, random: &mut SplitMix64) {
    let beside = |number: u64, random: &mut SplitMix64| number.wrapping_add_signed(*one(&[1, -1], random));
    match random.below(16) {
        0 => bytes(&mut values.frame, random),
        1 => values.frame_signals = beside(values.frame_signals, random),
        2 => values.signals = beside(values.signals, random),
        3 => values.packing = *one(&[LZ4, ZLIB, FASTLZ, b'!', 0], random),
        4 | 5 => bytes(&mut values.times, random),
        6 => values.count = beside(values.count, random),
        7 if !values.frame.is_empty() => {
            let at = random.below(values.frame.len() as u32) as usize;
            values.frame[at] = *one(b"01xzu", random);
        }
        _ if values.changes.is_empty() => {}
        choice => {
            let [a, b] = [0; 2].map(|_: i32| random.below(values.changes.len() as u32) as usize);
            match (choice, &mut values.changes[a]) {
                (8, _) => values.changes.swap(a, b),
                (10, changes) => *changes = one(&[Changes::None, Changes::Like(b as u64)], random).clone(),
                (9, _) => values.changes[a] = values.changes[b].clone(),
                (11, Changes::Own(changes)) => bytes(changes, random),
                // The same changes again: as many as there are times.
                (12, Changes::Own(changes)) if changes.len() < LIMIT => changes.extend_from_within(..),
                // A bit of a value, most often.
                (_, Changes::Own(changes)) if !changes.is_empty() => {
                    let at = random.below(changes.len() as u32) as usize;
                    changes[at] ^= 1 << random.below(8);
                }
                _ => {}
            }
        }
    }
}

fn read(content: &[u8]) -> Option<Values> {
    let (head, mut rest) = content.split_at_checked(HEAD)?;
    let [unpacked, packed, frame_signals] = [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?];
    let (frame, mut rest) = rest.split_at_checked(packed as usize)?;
    let frame = zlib_or_plain(frame, unpacked)?;
    let signals = number(&mut rest)?;
    let tail = end(&mut rest, HEAD)?;
    let [unpacked, packed, count] = [0, 8, 16].map(|at| eight(&tail[at..]).unwrap_or(0));
    let times = zlib_or_plain(end(&mut rest, packed as usize)?, unpacked)?;
    let length = eight(end(&mut rest, 8)?)?;
    let places = end(&mut rest, length as usize)?;
    let changes = changes(places, rest, signals)?;
    let (head, packing) = (head.to_vec(), *rest.first()?);
    Some(Values { head, frame_signals, frame, signals, packing, changes, times, count })
}

/// Of every signal, by the list of places; `data` starts with the byte that says how they are packed.
fn changes(mut places: &[u8], data: &[u8], signals: u64) -> Option<Vec<Changes>> {
    let (mut found, mut offsets, mut at, mut like) = (Vec::new(), Vec::new(), 0usize, 0);
    while let Some(&first) = places.first() {
        if first & 1 == 0 {
            let count = (number(&mut places)? >> 1).min(signals);
            found.resize(found.len() + count as usize, Changes::None);
            continue;
        }
        let step = signed(&mut places)? >> 1;
        if step > 0 {
            at = at.checked_add(step as usize)?;
            offsets.push((found.len(), at));
            found.push(Changes::None);
        } else {
            like = if step < 0 { step.unsigned_abs() - 1 } else { like };
            found.push(Changes::Like(like));
        }
    }
    let ends = offsets.iter().skip(1).map(|&(_, at)| at).chain([data.len()]);
    for (&(signal, at), end) in offsets.iter().zip(ends) {
        let mut packet = data.get(at..end)?;
        let length = number(&mut packet)? as usize;
        found[signal] = Changes::Own(match *data.first()? {
            _ if length == 0 => packet.to_vec(),
            LZ4 if length <= LIMIT => lz4_flex::decompress(packet, length).ok()?,
            ZLIB => decompress_to_vec_zlib_with_limit(packet, LIMIT).ok()?,
            _ => return None,
        });
    }
    Some(found)
}

fn written(values: &Values, kind: u8, packed: bool) -> Vec<u8> {
    let mut content = values.head.clone();
    let frame = if packed { compress_to_vec_zlib(&values.frame, 3) } else { values.frame.clone() };
    for number in [values.frame.len() as u64, frame.len() as u64, values.frame_signals] {
        put(&mut content, number);
    }
    content.extend(frame);
    put(&mut content, values.signals);
    let (mut data, mut places, mut last) = (vec![values.packing], Vec::new(), 0);
    for changes in &values.changes {
        match changes {
            Changes::None => put(&mut places, 2),
            Changes::Like(other) if kind == NEWER => put_signed(&mut places, !(*other as i64) << 1 | 1),
            Changes::Like(other) => {
                places.push(0);
                put(&mut places, other + 1);
            }
            Changes::Own(plain) => {
                let step = (data.len() - last) as i64;
                if kind == NEWER {
                    put_signed(&mut places, step << 1 | 1)
                } else {
                    put(&mut places, step as u64 * 2 + 1)
                }
                last = data.len();
                packet(&mut data, values.packing, plain);
            }
        }
    }
    content.extend(data);
    content.extend(&places);
    content.extend((places.len() as u64).to_be_bytes());
    let times = compress_to_vec_zlib(&values.times, 3);
    let times = if times.len() < values.times.len() { &times } else { &values.times };
    content.extend(times);
    for number in [values.times.len() as u64, times.len() as u64, values.count] {
        content.extend(number.to_be_bytes());
    }
    content
}

/// What is short stands as it is; of FastLZ there are runs of letters only.
fn packet(data: &mut Vec<u8>, packing: u8, plain: &[u8]) {
    let packed = match packing {
        _ if plain.len() < 12 => None,
        LZ4 => Some(lz4_flex::compress(plain)),
        ZLIB => Some(compress_to_vec_zlib(plain, 3)),
        FASTLZ => {
            let run = |bytes: &[u8]| [&[bytes.len() as u8 - 1], bytes].concat();
            Some(plain.chunks(32).flat_map(run).collect())
        }
        _ => None,
    };
    put(data, if packed.is_some() { plain.len() as u64 } else { 0 });
    data.extend(packed.as_deref().unwrap_or(plain));
}

fn zlib_or_plain(packed: &[u8], unpacked: u64) -> Option<Vec<u8>> {
    match packed.len() as u64 == unpacked {
        true => Some(packed.to_vec()),
        false => decompress_to_vec_zlib_with_limit(packed, LIMIT).ok(),
    }
}

fn eight(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.first_chunk()?))
}

/// Takes the last bytes.
fn end<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (rest, taken) = bytes.split_at_checked(bytes.len().checked_sub(count)?)?;
    *bytes = rest;
    Some(taken)
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let length = bytes.iter().take(9).position(|byte| byte & 0x80 == 0)? + 1;
    let value = (0..length).map(|at| u64::from(bytes[at] & 0x7f) << (7 * at)).sum();
    *bytes = &bytes[length..];
    Some(value)
}

fn signed(bytes: &mut &[u8]) -> Option<i64> {
    let before = bytes.len();
    let value = number(bytes)?;
    let above = 64 - 7 * (before - bytes.len()) as u32;
    Some((value << above) as i64 >> above)
}

pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of a section in another form is read as the same values: the reader of FST is asked.
    #[test]
    fn every_packing_and_both_lists_of_places_are_read() {
        let file = include_bytes!("../../corpus/fst/frit_gsen.fst");
        let dump = |content: &[u8], name: &str| {
            let scratch = crate::Scratch::new();
            let mut wave = frit_trace::wave::Wave::open(&scratch.file(name, content)).unwrap();
            let all: Vec<usize> = (0..wave.signals().len()).collect();
            let traces = wave.load(&all).unwrap();
            let times = wave.times().len();
            let values =
                |signal| (0..=times).map(|at| format!("{:?}", traces.value_before(signal, at))).collect();
            wave.signals().iter().map(values).collect::<Vec<String>>()
        };
        let plain = dump(file, "a.fst");
        for packing in [LZ4, ZLIB, FASTLZ] {
            for kind in [NEWER, OLDER[0], OLDER[1]] {
                for packed in [false, true] {
                    let mut sections = super::super::fst::split(file).unwrap();
                    let section = sections.iter_mut().find(|section| section.kind == NEWER).unwrap();
                    let mut values = read(&section.content).unwrap();
                    values.packing = packing;
                    (section.kind, section.content) = (kind, written(&values, kind, packed));
                    assert_eq!(
                        dump(&super::super::fst::joined(&sections), "b.fst"),
                        plain,
                        "{packing} {kind}"
                    );
                }
            }
        }
    }
}
