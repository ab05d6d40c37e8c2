//! Reads numbers and names from bytes that may end anywhere, and unpacks what is packed within limits.

/// The best that zlib, LZ4 and FastLZ can do, bytes out for each byte in.
const MAX_RATIO: u64 = 1032;

/// More than this a single packed part of a file does not unpack to.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;

/// Bytes that were not read yet; `None` from a method says that they end before what was asked for.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn len(self) -> u64 {
        self.0.len() as u64
    }

    pub(super) fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(count).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    /// The last bytes.
    pub(super) fn take_end(&mut self, count: u64) -> Option<&'a [u8]> {
        let at = self.0.len().checked_sub(usize::try_from(count).ok()?)?;
        let (rest, taken) = self.0.split_at(at);
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_be_bytes)
    }

    /// A number of seven bits per byte, the lowest first; bits above the 64th are lost.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// The same where the reader takes 32 bits, five bytes at most.
    pub(super) fn varint_u32(&mut self) -> Option<u32> {
        let before = self.len();
        let value = self.varint()?;
        (before - self.len() <= 5).then_some(value as u32)
    }

    /// The same with a sign, the highest bit read.
    pub(super) fn signed(&mut self) -> Option<i64> {
        let before = *self;
        let value = self.varint()?;
        let read = (before.len() - self.len()) as usize;
        let negative = before.0[read - 1] & 0x40 != 0;
        let sign = if negative { u64::MAX.checked_shl(7 * read as u32).unwrap_or(0) } else { 0 };
        Some((value | sign) as i64)
    }

    /// Skips a text that ends with a zero.
    pub(super) fn skip_text(&mut self) -> Option<()> {
        let end = self.0.iter().position(|&byte| byte == 0)?;
        self.take(end as u64 + 1).map(drop)
    }
}

/// Whether so many packed bytes can hold so many.
pub(super) fn can_hold(packed: u64, unpacked: u64) -> bool {
    unpacked <= packed.saturating_mul(MAX_RATIO) && unpacked <= MAX_UNPACKED_BYTES
}

/// Bytes by zlib, or as they are if they are as many as they should be.
pub(super) fn zlib_or_plain(packed: &[u8], unpacked: u64) -> Option<Vec<u8>> {
    if packed.len() as u64 == unpacked {
        return Some(packed.to_vec());
    }
    zlib(packed, unpacked)
}

pub(super) fn zlib(packed: &[u8], unpacked: u64) -> Option<Vec<u8>> {
    let limit = limit(packed, unpacked)?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, limit).ok()?;
    (bytes.len() == limit).then_some(bytes)
}

/// Bytes by gzip, with a head without options.
pub(super) fn gzip(packed: &[u8], unpacked: u64) -> Option<Vec<u8>> {
    let packed = packed.strip_prefix(&[0x1f, 0x8b, 8, 0])?.get(6..)?;
    let limit = limit(packed, unpacked)?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, limit).ok()?;
    (bytes.len() == limit).then_some(bytes)
}

pub(super) fn lz4(packed: &[u8], unpacked: u64) -> Option<Vec<u8>> {
    let limit = limit(packed, unpacked)?;
    let bytes = lz4_flex::decompress(packed, limit).ok()?;
    (bytes.len() == limit).then_some(bytes)
}

fn limit(packed: &[u8], unpacked: u64) -> Option<usize> {
    can_hold(packed.len() as u64, unpacked).then_some(unpacked as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_they_end() {
        let mut bytes = Bytes(&[0x85, 0x01, 0x7b, 0x13, 0xff]);
        assert_eq!((bytes.varint(), bytes.signed(), bytes.signed()), (Some(133), Some(-5), Some(19)));
        assert_eq!((bytes.varint(), bytes.byte(), bytes.u64()), (None, None, None));
        assert_eq!(Bytes(&[0xff, 0xff, 0xff, 0xff, 0x0f]).varint_u32(), Some(u32::MAX));
        assert_eq!(Bytes(&[0x80, 0x80, 0x80, 0x80, 0x80, 0]).varint_u32(), None);
        assert_eq!(Bytes(&[0x80; 12]).varint(), None);
        assert_eq!((Bytes(b"ab\0c").skip_text(), Bytes(b"abc").skip_text()), (Some(()), None));
    }

    #[test]
    fn nothing_unpacks_to_more_than_it_can_hold() {
        let zeros = vec![0; 5000];
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&zeros, 6);
        assert_eq!(zlib_or_plain(&packed, 5000), Some(zeros));
        assert_eq!((zlib_or_plain(&packed, 4999), zlib_or_plain(&packed, 1 << 40)), (None, None));
        assert_eq!((gzip(&packed, 5000), lz4(&packed, 1 << 40)), (None, None));
    }
}
