//! What the commands that build a dilated butterfly share.

use crate::args::PacketArgs;
use crate::dilated::Traffic;
use anyhow::{Result, bail};
use frit_design::packets::dilated_command;
pub use frit_design::packets::is_large;
use frit_router::dilated::{Dilated, Packets};

/// The packets that the arguments ask for, with the command that writes the files of this design with these packets, every
/// number named.
pub fn packets(args: &PacketArgs, system: &Dilated, seed: u64) -> Result<(Packets, String)> {
    let traffic = Traffic::new(system, args.traffic.as_deref(), None, args.per_source, args.direct)?;
    let packets = traffic.packets(seed)?;
    let command = dilated_command(&packets, &traffic.short_name(), traffic.per_input);
    Ok((packets, command))
}

/// The error for an option that has no meaning for a dilated butterfly, if one of these was given.
pub fn refuse(system: &str, given: &[(&str, bool)]) -> Result<()> {
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => bail!(
            "{option} does not apply to {system}; set its packets with --set payload=M (bits) and --seed"
        ),
    }
}

/// The error for an option of the packets where a system is planned, if one was given.
pub fn refuse_packets(system: &str, args: &PacketArgs) -> Result<()> {
    let given = [
        ("--traffic", args.traffic.is_some()),
        ("--per-source", args.per_source.is_some()),
        ("--direct", args.direct),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => bail!(
            "{option} does not apply to {system}, which sends a word from every terminal to every terminal; set the words with --payload"
        ),
    }
}
