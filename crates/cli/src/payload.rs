//! Reads the words of an exchange from the arguments or from a file. Their number and size are checked here and nowhere else.

use crate::args::{NotationArg, PayloadArgs};
use anyhow::{Context, Result, bail};
use frit_schedule::Plan;
use frit_trace::output;
use frit_traffic::npy;
use frit_traffic::payload::{Notation, Payload, from_array, from_bin, from_csv};
use std::path::Path;

/// The most bytes that all words of an exchange may take together; a run holds them twice.
const MAX_PAYLOAD_BYTES: u64 = 2 << 30;

/// Bytes of a file of words that each word may take beside its digits: commas, quotes, blanks. A word has at most one digit for each
/// of its bits.
const ROOM: u64 = 64;

/// Messages, and how to write what is received.
pub struct Messages {
    pub payload: Payload,
    /// The notation of the file, hexadecimal if there is none.
    pub notation: Notation,
    /// Where they come from, for people.
    pub origin: String,
}

/// The messages that the arguments name, or none. A file has messages only for the terminals that the plan serves; spare terminals
/// get zeros.
pub fn messages(args: &PayloadArgs, plan: &Plan, width: u32) -> Result<Option<Messages>> {
    match args.payload.as_deref() {
        None => Ok(None),
        Some("random") => random(args, plan, width).map(Some),
        Some(name) => {
            let mut messages = file(Path::new(name), args.notation, plan.served(), width)?;
            if plan.has_spare() {
                messages.payload = messages.payload.resized(plan.network.terminals());
            }
            Ok(Some(messages))
        }
    }
}

/// The messages that the arguments name, or random ones.
pub fn messages_or_random(args: &PayloadArgs, plan: &Plan, width: u32) -> Result<Messages> {
    match messages(args, plan, width)? {
        Some(messages) => Ok(messages),
        None => random(args, plan, width),
    }
}

fn random(args: &PayloadArgs, plan: &Plan, width: u32) -> Result<Messages> {
    let terminals = plan.network.terminals();
    check_payload_size(terminals, width)?;
    Ok(Messages {
        payload: Payload::random(terminals, width, args.seed),
        notation: Notation::Hex,
        origin: format!("random words, seed {}", args.seed),
    })
}

/// Refuses messages that would not fit into memory.
pub fn check_payload_size(terminals: u32, width: u32) -> Result<()> {
    let bytes = u64::from(terminals) * u64::from(terminals) * u64::from(width).div_ceil(64) * 8;
    if bytes > MAX_PAYLOAD_BYTES {
        bail!(
            "{terminals} x {terminals} words of {width} bits need {} GiB, more than the {} GiB allowed; use a smaller -n or -w",
            bytes.div_ceil(1 << 30),
            MAX_PAYLOAD_BYTES >> 30
        );
    }
    Ok(())
}

fn file(path: &Path, notation: NotationArg, terminals: u32, width: u32) -> Result<Messages> {
    check_payload_size(terminals, width)?;
    let binary = path.extension().is_some_and(|extension| extension == "bin");
    let words = u64::from(terminals) * u64::from(terminals);
    let most = words * (u64::from(width) + ROOM) + ROOM;
    let bytes = match binary {
        // One that is a little too long is told so by its reader.
        true => output::read_up_to(path, 2 * words * u64::from(width).div_ceil(8))?,
        false => output::unmarked(output::read_up_to(path, most)?),
    };
    let origin = path.display().to_string();
    if binary {
        let payload = from_bin(&bytes, terminals, width).context(origin.clone())?;
        return Ok(Messages { payload, notation: Notation::Hex, origin });
    }
    if npy::is_array(&bytes) {
        if npy::unpacked(&bytes) > most {
            bail!("{origin} has more words than {terminals} x {terminals}; give an array of this shape");
        }
        let payload = npy::parse(&bytes)
            .and_then(|array| from_array(&array, terminals, width))
            .context(origin.clone())?;
        return Ok(Messages { payload, notation: Notation::Hex, origin });
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| anyhow::anyhow!("{origin} is not a text file; name a file of raw binary words .bin"))?;
    let notation = match notation {
        NotationArg::Auto => None,
        NotationArg::Dec => Some(Notation::Decimal),
        NotationArg::Hex => Some(Notation::Hex),
    };
    let (payload, notation) = from_csv(&text, terminals, width, notation).context(origin.clone())?;
    Ok(Messages { payload, notation, origin })
}
