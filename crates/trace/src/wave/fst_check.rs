//! Whether what an FST file says of itself can be true.
//!
//! `fst-reader` 0.17 allocates what a file asks for before it reads it, and takes many numbers for granted. In a damaged
//! file that can be more than there is, and a failed allocation ends the process; so every section is walked first, and
//! every length is checked against the bytes that are left.

mod bytes;
mod changes;
mod hierarchy;
mod values;

use frit_network::Refusal;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::error::{Broken, broken};
use super::guard::open_file;
use bytes::{Bytes, gzip};
use hierarchy::{Packing, Width};
use values::Chain;

/// What is wrong in a file.
#[derive(Debug, thiserror::Error)]
pub(super) enum FstFault {
    #[error("{section} at byte {at} {what}")]
    Section { section: &'static str, at: u64, what: &'static str },
    #[error("it has no {0}, so its writer was interrupted")]
    Missing(&'static str),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

const HEADER: u8 = 0;
const BLACKOUT: u8 = 2;
const GEOMETRY: u8 = 3;
const WRAPPER: u8 = 254;
const SKIP: u8 = 255;

/// The header's length, and the number that shows the order of the bytes of real numbers.
const HEADER_BYTES: u64 = 329;
const E_AT: usize = 2 * 8;
/// Its version and its date; then the type of file.
const TEXTS: [Range<usize>; 2] = [65..193, 193..312];
const LAST_TYPE: u8 = 2;

/// Whether a file is an FST, so that it is worth to be walked: it is packed as a whole, or one of its sections is a header.
/// `fst-reader` 0.17 can say it too, but goes round for ever where the length of a section leads back.
pub(super) fn is_fst(file: &mut (impl Read + Seek)) -> std::io::Result<bool> {
    let end = file.seek(SeekFrom::End(0))?;
    let (mut at, mut found) = (0, false);
    while at + 9 <= end && !found {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; 9];
        file.read_exact(&mut head)?;
        let length = Bytes(&head[1..]).u64().unwrap_or(0);
        found = head[0] == WRAPPER || (head[0] == HEADER && length == HEADER_BYTES);
        if length < 8 || length > end - at - 1 {
            break;
        }
        at += 1 + length;
    }
    file.rewind()?;
    Ok(found)
}

/// Walks a file and leaves it at its start. What a file holds that is packed as a whole is given back.
pub(super) fn check(file: &mut (impl Read + Seek)) -> Result<Option<Vec<u8>>, FstFault> {
    walk(file, false).map(|walked| walked.content)
}

/// An error of the reader with its place: that which a walk finds that unpacks all changes, or else the sections in which it
/// can be. When a file is opened that is the hierarchy, since of the header and the geometry all was looked at before; when
/// values are loaded, those.
pub(super) fn located(path: &Path, error: Refusal, opening: bool) -> Refusal {
    let walked = open_file(path).map(|mut file| walk(&mut file, true));
    match (walked, error.detail()) {
        (Ok(Err(fault @ FstFault::Section { .. })), _) => broken(path, fault),
        (Ok(Ok(Walked { hierarchy, values, .. })), Some(Broken(reason))) => {
            let place = if opening {
                format!("the hierarchy at byte {hierarchy}")
            } else {
                format!("the sections of values, the first at byte {values}")
            };
            broken(path, format!("{place}: {reason}"))
        }
        _ => error,
    }
}

/// What a walk has found: what a file holds that is packed as a whole, where the hierarchy is and where the first values are.
struct Walked {
    content: Option<Vec<u8>>,
    hierarchy: u64,
    values: u64,
}

fn walk(file: &mut (impl Read + Seek), deep: bool) -> Result<Walked, FstFault> {
    let end = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let mut head = Vec::new();
    file.by_ref().take(1 + 2 * 8).read_to_end(&mut head)?;
    if head.first() != Some(&WRAPPER) {
        let walked = sections(file, end, deep)?;
        file.rewind()?;
        return Ok(walked);
    }
    let fault = |what| FstFault::Section { section: "the wrapper", at: 0, what };
    let mut head = Bytes(&head[1..]);
    let (length, unpacked) = head.u64().zip(head.u64()).ok_or(fault("ends in its head"))?;
    if length == 0 {
        return Err(fault("was not finished"));
    }
    let mut packed = Vec::new();
    file.read_to_end(&mut packed)?;
    let inner = gzip(&packed, unpacked).ok_or(fault("does not unpack to the size that it claims"))?;
    let walked = sections(&mut std::io::Cursor::new(&inner), inner.len() as u64, deep)?;
    Ok(Walked { content: Some(inner), ..walked })
}

fn sections(file: &mut (impl Read + Seek), end: u64, deep: bool) -> Result<Walked, FstFault> {
    let (mut header, mut widths, mut names) = (false, None, None);
    let mut changes = Vec::new();
    let mut at = 0;
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; 9];
        let fault = |section, what| FstFault::Section { section, at, what };
        file.read_exact(&mut head).map_err(|_| fault("a section", "ends in its head"))?;
        // The length counts its own eight bytes, not the byte of the kind.
        let (kind, length) = (head[0], Bytes(&head[1..]).u64().unwrap_or(0));
        if kind == SKIP && length == 0 {
            break;
        }
        if length < 8 || length > end - at - 1 {
            return Err(fault("a section", "is longer than the file"));
        }
        match kind {
            HEADER => {
                header = true;
                let content = read(file, length)?;
                let e = content.get(E_AT..E_AT + 8).map(|bytes| bytes.to_vec());
                let known = [std::f64::consts::E.to_le_bytes(), std::f64::consts::E.to_be_bytes()];
                if length != HEADER_BYTES || !known.iter().any(|known| e.as_deref() == Some(known)) {
                    return Err(fault("the header", "is not that of an FST file"));
                }
                if !TEXTS.iter().all(|text| is_text(&content[text.clone()]))
                    || content[TEXTS[1].end] > LAST_TYPE
                {
                    return Err(fault(
                        "the header",
                        "has a text that is no UTF-8 or is of an unknown type of file",
                    ));
                }
            }
            BLACKOUT => {
                let content = read(file, length)?;
                let mut content = Bytes(&content);
                // Two bytes each.
                let count = content.varint_u32().filter(|count| u64::from(*count) <= content.len() / 2);
                count.ok_or(fault("the list of blackouts", "claims more than it holds"))?;
            }
            GEOMETRY => {
                let found = hierarchy::geometry(Bytes(&read(file, length)?));
                widths = Some(found.map_err(|what| fault("the geometry", what))?);
            }
            SKIP => {}
            _ => match (packing(kind), chain(kind)) {
                (Some(_), _) if names.is_some() => return Err(fault("the hierarchy", "is not the only one")),
                (Some(packing), _) => {
                    let found = hierarchy::unpack(packing, Bytes(&read(file, length)?));
                    let found =
                        found.ok_or(fault("the hierarchy", "does not unpack to the size that it claims"))?;
                    names = Some((at, found));
                }
                (_, Some(chain)) => changes.push((at, length, chain)),
                _ => return Err(fault("a section", "is of an unknown kind")),
            },
        }
        at += 1 + length;
    }
    if !header {
        return Err(FstFault::Missing("header"));
    }
    let widths: Vec<Width> = widths.ok_or(FstFault::Missing("geometry"))?;
    let (at, names) = names.ok_or(FstFault::Missing("hierarchy"))?;
    let fault = |section, at| move |what| FstFault::Section { section, at, what };
    hierarchy::entries(&names, &widths).map_err(fault("the hierarchy", at))?;
    drop(names);
    let first = changes.first().map_or(end, |(at, ..)| *at);
    for (at, length, chain) in changes {
        file.seek(SeekFrom::Start(at + 9))?;
        let content = read(file, length)?;
        values::section(Bytes(&content), chain, &widths, deep).map_err(fault("the section of values", at))?;
    }
    Ok(Walked { content: None, hierarchy: at, values: first })
}

/// Whether what stands before the first zero is UTF-8.
fn is_text(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len() - 1);
    std::str::from_utf8(&bytes[..end]).is_ok()
}

/// The rest of a section whose length was read and is not beyond the end of the file.
fn read(file: &mut impl Read, length: u64) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.take(length - 8).read_to_end(&mut content)?;
    Ok(content)
}

fn packing(kind: u8) -> Option<Packing> {
    match kind {
        4 => Some(Packing::Gzip),
        6 => Some(Packing::Lz4),
        7 => Some(Packing::Lz4Twice),
        _ => None,
    }
}

fn chain(kind: u8) -> Option<Chain> {
    match kind {
        1 | 5 => Some(Chain::Older),
        8 => Some(Chain::Newer),
        _ => None,
    }
}
