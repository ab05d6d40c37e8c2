//! Unpacks the module of the page in a browser.
//!
//! The module is packed as `lzip` does it (LZMA, with a check sum): a quarter smaller than what browsers unpack themselves. This module is
//! small, and nothing but the page's worker uses it.

use lzma_rust2::LzipReader;
use std::io::Read;

/// Fills `whole` with what `packed` holds; whether it is just so many bytes, and the right ones.
pub fn unpack(packed: &[u8], whole: &mut [u8]) -> bool {
    let mut reader = LzipReader::new(packed);
    let mut rest = whole;
    while !rest.is_empty() {
        match reader.read(rest) {
            Ok(read @ 1..) => rest = &mut rest[read..],
            Ok(0) | Err(_) => return false,
        }
    }
    // The check sum comes behind the last byte.
    matches!(reader.read(&mut [0]), Ok(0))
}

#[cfg(target_arch = "wasm32")]
mod abi {
    #![allow(unsafe_code)]

    /// Room for `length` bytes: their address.
    #[unsafe(no_mangle)]
    pub extern "C" fn frit_room(length: usize) -> *mut u8 {
        Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
    }

    /// Fills the `length` bytes at `to` with what the `packed` bytes at `from` hold; whether that could be done.
    ///
    /// # Safety
    /// Both are from [`frit_room`], for as many bytes.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn frit_unpack(from: *const u8, packed: usize, to: *mut u8, length: usize) -> bool {
        // SAFETY: see above.
        let (packed, whole) =
            unsafe { (std::slice::from_raw_parts(from, packed), std::slice::from_raw_parts_mut(to, length)) };
        super::unpack(packed, whole)
    }
}
