//! The changes of one signal in a section of values, unpacked: only where the reader has failed on a file, to say why.

use super::bytes::{Bytes, lz4, zlib};
use super::hierarchy::Width;

const LZ4: u8 = b'4';
const ZLIB: u8 = b'Z';
/// The states of a bit, in either case.
const STATES: &[u8] = b"01xzhuwl-";

/// Whether so many bytes of changes are in a packet, each is whole, and each is at one of the times. Bytes by FastLZ are not
/// looked at.
pub(super) fn check(
    packing: u8,
    unpacked: u64,
    packet: Bytes,
    width: Width,
    times: u64,
) -> Result<(), &'static str> {
    let plain = match packing {
        _ if unpacked == 0 => Some(packet.0.to_vec()),
        LZ4 => lz4(packet.0, unpacked),
        ZLIB => zlib(packet.0, unpacked),
        _ => return Ok(()),
    };
    let plain = plain.ok_or("has changes that do not unpack to the size that they claim")?;
    let (mut bytes, mut at) = (Bytes(&plain), 0u64);
    while bytes.len() > 0 {
        let (later, value) = change(&mut bytes, width).ok_or("has changes that end in the middle of one")?;
        at = at.saturating_add(later);
        if at >= times {
            return Err("has changes after its last time");
        }
        if !are_states(value) {
            return Err("has a bit that is neither 0 nor 1 nor another known state");
        }
    }
    Ok(())
}

/// Whether all are digits of bits.
pub(super) fn are_states(digits: &[u8]) -> bool {
    digits.iter().all(|digit| STATES.contains(&digit.to_ascii_lowercase()))
}

/// A change: how many times after the last it is, and its bits where they stand as characters.
fn change<'a>(bytes: &mut Bytes<'a>, width: Width) -> Option<(u64, &'a [u8])> {
    let head = u64::from(bytes.varint_u32()?);
    match width {
        // Of the eight other states the last is none.
        Width::Bits(1) if head & 1 == 1 => Some((head >> 4, if head & 0xe == 0xe { b"?" } else { b"" })),
        Width::Bits(1) => Some((head >> 2, b"")),
        Width::Bits(0) => {
            let length = bytes.varint_u32()?;
            bytes.take(length.into())?;
            Some((head >> 1, b""))
        }
        Width::Bits(bits) if head & 1 == 1 => Some((head >> 1, bytes.take(bits.into())?)),
        Width::Bits(bits) => bytes.take(bits.div_ceil(8).into()).map(|_| (head >> 1, &b""[..])),
        Width::Real => bytes.take(if head & 1 == 1 { 8 } else { 1 }).map(|_| (head >> 1, &b""[..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_changes_is_told() {
        let of = |packing, unpacked, bytes: &[u8], width| check(packing, unpacked, Bytes(bytes), width, 3);
        // A bit at times 0, 1 and 2; x at time 2; eight bits as a byte and as characters.
        assert_eq!(of(LZ4, 0, &[0, 6, 4], Width::Bits(1)), Ok(()));
        assert_eq!(of(LZ4, 0, &[2 << 4 | 1], Width::Bits(1)), Ok(()));
        assert_eq!(of(LZ4, 0, b"\0\xff\x0301xzZ0-u", Width::Bits(8)), Ok(()));
        assert_eq!(of(LZ4, 0, &[0, 6, 8], Width::Bits(1)), Err("has changes after its last time"));
        let cut = Err("has changes that end in the middle of one");
        assert_eq!(of(LZ4, 0, &[0, 6, 0x84], Width::Bits(1)), cut);
        assert_eq!(of(LZ4, 0, b"\x0301xzZ0-", Width::Bits(8)), cut);
        assert_eq!(of(LZ4, 0, &[0, 3, 1, 2], Width::Bits(0)), cut);
        assert_eq!(of(LZ4, 0, b"\x011234567", Width::Real), cut);
        for (bytes, width) in [(&b"\x0301xzZ0-7"[..], Width::Bits(8)), (&[0xf], Width::Bits(1))] {
            assert!(of(LZ4, 0, bytes, width).unwrap_err().contains("neither 0 nor 1"));
        }
        let packed = lz4_flex::compress(&[0; 3]);
        assert_eq!(of(LZ4, 3, &packed, Width::Bits(1)), Ok(()));
        let size = Err("has changes that do not unpack to the size that they claim");
        assert_eq!(of(LZ4, 4, &packed, Width::Bits(1)), size);
        assert_eq!(of(ZLIB, 3, &packed, Width::Bits(1)), size);
    }
}
