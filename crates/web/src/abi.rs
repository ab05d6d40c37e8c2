//! What WebAssembly exports: memory for a text, and the one function. Addresses are bytes of the module's memory.

#![allow(unsafe_code)]

use crate::call;

/// Nothing here draws a number that must not be foreseen; who asks for one gets an error.
fn no_random(_: &mut [u8]) -> Result<(), getrandom_02::Error> {
    Err(getrandom_02::Error::UNSUPPORTED)
}

getrandom_02::register_custom_getrandom!(no_random);

/// Room for `length` bytes: their address. The caller fills them and gives them to [`frit_call`].
#[unsafe(no_mangle)]
pub extern "C" fn frit_room(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Answers a question: `{"call": NAME, "input": {…}}` in the `length` bytes at `text`, which are taken back. The answer is a text of
/// bytes: its address in the low half of the number, its length in the high half. [`frit_done`] takes it back.
///
/// # Safety
/// `text` is from [`frit_room`], for as many bytes, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frit_call(text: *mut u8, length: usize) -> u64 {
    // SAFETY: see above.
    let text = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, length)) };
    let answer = call(&String::from_utf8_lossy(&text)).into_bytes().into_boxed_slice();
    drop(text);
    let length = answer.len() as u64;
    Box::into_raw(answer).cast::<u8>() as usize as u64 | length << 32
}

/// Takes an answer back.
///
/// # Safety
/// Address and length are those that [`frit_call`] gave, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frit_done(answer: *mut u8, length: usize) {
    // SAFETY: see above.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(answer, length)) });
}
