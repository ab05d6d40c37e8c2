//! Payloads.

use crate::mutate::{bytes, text};
use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use frit_network::Refusal;
use frit_traffic::payload::{Notation, Payload, from_bin, from_csv, to_bin, to_csv};
use frit_traffic::random::SplitMix64;

/// What stands before the words: terminals, the width in two bytes, and how they are read.
const HEAD: usize = 4;
const WIDEST: u16 = 1024;

pub(super) fn payload(_: &Scratch, input: &[u8]) -> Outcome {
    let Some((&[terminals, low, high, form], words)) = input.split_first_chunk::<HEAD>() else {
        return Ok(Answer::Refused);
    };
    let terminals = u32::from(terminals % 8) + 1;
    let width_bits = u32::from(u16::from_le_bytes([low, high]) % WIDEST) + 1;
    let read = match form % 5 {
        0 => from_bin(words, terminals, width_bits).map(|payload| (payload, Notation::Hex)),
        form => {
            let notation = [None, Some(Notation::Decimal), Some(Notation::Hex), Some(Notation::PrefixedHex)];
            let text = String::from_utf8_lossy(words);
            from_csv(&text, terminals, width_bits, notation[usize::from(form) - 1])
        }
    };
    let (payload, notation) = match read {
        Ok(read) => read,
        Err(error) => return refused(&error, &["row ", "the payload has "]),
    };
    again(&payload, notation).map_err(|error| error.to_string())??;
    Ok(Answer::Taken)
}

/// Written and read in all forms.
fn again(payload: &Payload, notation: Notation) -> Result<Result<(), String>, Refusal> {
    let (terminals, width_bits) = (payload.terminals(), payload.width_bits());
    for notation in [notation, Notation::Decimal, Notation::Hex, Notation::PrefixedHex] {
        let text = to_csv(payload, notation);
        let (same, _) = from_csv(&text, terminals, width_bits, Some(notation))?;
        if let Err(fault) = equal("payload", &same, payload) {
            return Ok(Err(fault));
        }
    }
    let same = from_bin(&to_bin(payload), terminals, width_bits)?;
    Ok(equal("raw payload", &same, payload))
}

/// The head as bytes, the words as text, unless they are raw.
pub(super) fn mutate(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let mut words = input.split_off(input.len().min(HEAD));
    if random.below(8) == 0 {
        bytes(input, random);
        input.resize(HEAD, 0);
    }
    match input.last() {
        Some(form) if form % 5 == 0 => bytes(&mut words, random),
        _ => text(&mut words, random, &[",", "\n", "0x", "ff", "00", "9", "#"]),
    }
    input.extend(words);
}
