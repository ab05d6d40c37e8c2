//! A section of value changes.

use super::bytes::{Bytes, can_hold, zlib_or_plain};
use super::changes;
use super::hierarchy::Width;

/// How the chain says where the changes of each signal are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Chain {
    Older,
    Newer,
}

/// What the chain says of a signal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    Like(u64),
    At(u64),
}

/// Whether the sizes of a section can be true; its bytes start behind its length. `deep`: and all changes are unpacked.
pub(super) fn section(
    mut section: Bytes,
    chain: Chain,
    widths: &[Width],
    deep: bool,
) -> Result<(), &'static str> {
    const CUT: &str = "is shorter than its parts";
    // Its times and the memory that it takes.
    section.take(3 * 8).ok_or(CUT)?;
    frame(&mut section, widths, deep).ok_or("has first values that do not fit its signals")?;
    let handles = section.varint().ok_or(CUT)?;
    if handles > widths.len() as u64 {
        return Err("has more signals than the geometry");
    }
    let times =
        times(&mut section).ok_or("has a table of times that does not unpack to the size that it claims")?;
    let length = section.take_end(8).and_then(|bytes| Bytes(bytes).u64()).ok_or(CUT)?;
    let links = section.take_end(length).ok_or("has a chain that is longer than the section")?;
    let places = match chain {
        Chain::Older => older(Bytes(links), handles),
        Chain::Newer => newer(Bytes(links), handles),
    };
    let places = places.ok_or("has a chain that leads nowhere")?;
    let packing = section.0.first().copied().unwrap_or_default();
    packets(section, &places, |signal, unpacked, packet| match deep {
        true => changes::check(packing, unpacked, packet, widths[signal], times),
        false => Ok(()),
    })
}

/// The values at its start. `deep`: and their digits.
fn frame(section: &mut Bytes, widths: &[Width], deep: bool) -> Option<()> {
    let (unpacked, packed, handles) = (section.varint()?, section.varint()?, section.varint()?);
    let values = zlib_or_plain(section.take(packed)?, unpacked)?;
    let given = widths.get(..usize::try_from(handles).ok()?)?;
    let length = given.iter().map(|width| width.bytes()).sum::<u64>();
    if !deep {
        return (length <= unpacked).then_some(());
    }
    let mut values = Bytes(&values);
    let known = |width: &Width| {
        let digits = values.take(width.bytes())?;
        (*width == Width::Real || changes::are_states(digits)).then_some(())
    };
    (given.len() == widths.len()).then_some(())?;
    given.iter().try_for_each(known)
}

/// How many times stand at its end.
fn times(section: &mut Bytes) -> Option<u64> {
    let mut tail = Bytes(section.take_end(3 * 8)?);
    let (unpacked, packed, count) = (tail.u64()?, tail.u64()?, tail.u64()?);
    let bytes = zlib_or_plain(section.take_end(packed)?, unpacked)?;
    if count > unpacked {
        return None;
    }
    let mut bytes = Bytes(&bytes);
    let mut now = 0u64;
    (0..count).try_for_each(|_| {
        now = now.checked_add(bytes.varint()?)?;
        Some(())
    })?;
    Some(count)
}

fn newer(mut links: Bytes, handles: u64) -> Option<Vec<Place>> {
    let mut places = Vec::new();
    let (mut offset, mut like) = (0, 0);
    while let Some(&first) = links.0.first() {
        if first & 1 == 0 {
            skip(&mut places, links.varint_u32()? >> 1, handles)?;
            continue;
        }
        let step = links.signed()? >> 1;
        places.push(match step {
            1.. => {
                offset = u64::checked_add(offset, step as u64)?;
                Place::At(offset)
            }
            0 => Place::Like(like),
            _ => {
                like = step.checked_neg()?.checked_sub(1)? as u64;
                Place::Like(like)
            }
        });
    }
    complete(places, handles)
}

fn older(mut links: Bytes, handles: u64) -> Option<Vec<Place>> {
    let mut places = Vec::new();
    let mut offset = 0;
    while !links.0.is_empty() {
        match links.varint_u32()? {
            0 => places.push(Place::Like(u64::from(links.varint_u32()?).checked_sub(1)?)),
            step if step & 1 == 1 => {
                if step == 1 {
                    return None;
                }
                offset += u64::from(step >> 1);
                places.push(Place::At(offset));
            }
            none => skip(&mut places, none >> 1, handles)?,
        }
    }
    complete(places, handles)
}

/// Signals without a change.
fn skip(places: &mut Vec<Place>, count: u32, handles: u64) -> Option<()> {
    let count = u64::from(count);
    let room = handles.checked_sub(places.len() as u64)?;
    (count <= room).then(|| places.resize(places.len() + count as usize, Place::Nowhere))
}

/// No more signals than there are, and each one that is like another is like one with changes of its own.
fn complete(places: Vec<Place>, handles: u64) -> Option<Vec<Place>> {
    let is_place =
        |like: u64| matches!(places.get(usize::try_from(like).ok()?), Some(Place::At(_))).then_some(());
    let good = |place: &Place| match *place {
        Place::Like(like) => is_place(like).is_some(),
        _ => true,
    };
    (places.len() as u64 <= handles && places.iter().all(good)).then_some(places)
}

/// The changes of each signal: `data` starts with the byte that says how they are packed, which is offset 0. Each is looked at
/// by its signal, its size unpacked and its packed bytes.
fn packets(
    data: Bytes,
    places: &[Place],
    look: impl Fn(usize, u64, Bytes) -> Result<(), &'static str>,
) -> Result<(), &'static str> {
    let own = places.iter().enumerate().filter_map(|(signal, place)| match *place {
        Place::At(offset) => Some((signal, offset)),
        _ => None,
    });
    let mut ends = own.clone().map(|(_, offset)| offset).skip(1).chain([data.len()]);
    for (signal, offset) in own {
        let end = ends.next().unwrap_or(data.len());
        let packet = data.0.get(offset as usize..end as usize).filter(|packet| !packet.is_empty());
        let mut packet = Bytes(packet.ok_or("has changes after its end")?);
        let unpacked = packet.varint_u32().ok_or("has changes after its end")?;
        if !can_hold(packet.len(), unpacked.into()) {
            return Err("has changes that claim more than their packed bytes can hold");
        }
        look(signal, unpacked.into(), packet)?;
    }
    Ok(())
}
