//! The words of deliveries that were read from a file: what they are compared with.

use crate::args::{PayloadArgs, ViewArgs};
use crate::payload::messages;
use anyhow::{Result, bail};
use frit_design::film::compared;
use frit_schedule::Plan;
use frit_traffic::Payload;
use frit_traffic::trace::Recorder;

/// The words that are taken to have been sent, if the deliveries have words.
pub struct Sent(Option<(Payload, String)>);

/// The words that the arguments name, by default those that `frit verify` sends, of `width` bits if that was asked for, else as wide as
/// the longest word read. If no delivery has a word nothing was sent.
///
/// # Errors
///
/// Words were named, but the deliveries have none; a file that has not the words.
pub fn sent(args: &ViewArgs, plan: &Plan, width: u32, read: &Recorder) -> Result<Sent> {
    let width = if args.width.width.is_some() { width } else { longest(read) };
    if read.deliveries.iter().all(|delivery| delivery.payload.is_none()) {
        if args.payload.is_some() || args.seed.is_some() {
            bail!(
                "--payload and --seed name the words that were sent, but the deliveries have none to compare; leave the option out, or give a file of an engine that carried words"
            );
        }
        return Ok(Sent(None));
    }
    let payload = args.payload.clone().unwrap_or("random".into());
    let named =
        PayloadArgs { payload: Some(payload.clone()), notation: args.notation, seed: args.seed.unwrap_or(1) };
    let found = messages(&named, plan, width)?;
    // A page names no files.
    let random = payload == "random";
    Ok(Sent(found.map(|found| {
        let origin = if random { found.origin } else { "the words of --payload".into() };
        (found.payload, format!("{origin}, {width} bits"))
    })))
}

/// Bits of the longest word: the width, if nobody has told it.
fn longest(read: &Recorder) -> u32 {
    let words = read.deliveries.iter().filter_map(|delivery| delivery.payload.as_ref());
    let bits = words.map(|limbs| {
        let last = limbs.iter().rposition(|&limb| limb != 0).unwrap_or(0);
        let high = limbs.get(last).copied().unwrap_or(0);
        64 * last as u32 + (u64::BITS - high.leading_zeros())
    });
    bits.max().unwrap_or(0).max(1)
}

/// The arguments with which such a page is made, names of files left out.
pub fn arguments(args: &ViewArgs) -> String {
    let mut given = String::from(" --settings FILE --deliveries FILE");
    match args.payload.as_deref() {
        None | Some("random") => (),
        Some(_) => given += " --payload FILE",
    }
    if let Some(seed) = args.seed {
        given += &format!(" --seed {seed}");
    }
    given
}

impl Sent {
    pub fn payload(self) -> Option<Payload> {
        self.0.map(|(payload, _)| payload)
    }

    pub fn compared(&self) -> String {
        match &self.0 {
            Some((_, origin)) => compared(
                &format!(" and its word ({origin})"),
                "; if other words were sent, name them with --payload, --seed or -w",
            ),
            None => compared("", "; not its word: the file has none"),
        }
    }
}
