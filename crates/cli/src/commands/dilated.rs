//! What the commands that build a dilated butterfly share.

use crate::args::PacketArgs;
use crate::dilated::{KINDS, Traffic, words};
use anyhow::{Result, bail};
use frit_cells::design::dilated::Hardware;
use frit_router::dilated::{Dilated, Mode, Packets, Parameters};

/// The packets that the arguments ask for, with the command that writes the files of this design with these packets, every
/// number named.
pub fn packets(args: &PacketArgs, system: &Dilated, seed: u64) -> Result<(Packets, String)> {
    let traffic = Traffic::new(system, args.traffic.as_deref(), None, args.per_source, args.direct)?;
    let packets = traffic.packets(seed)?;
    let command = command(&packets, &traffic);
    Ok((packets, command))
}

/// The command that writes the files of this design with these packets, every number named.
fn command(packets: &Packets, traffic: &Traffic) -> String {
    let Parameters { rows, bundle, payload, seed, direct, mode, release, .. } = *packets.parameters();
    let [switch, _] = words(packets.parameters());
    let per_input = traffic.per_input.map_or(String::new(), |count| format!(" --set per-input={count}"));
    let mut command = format!(
        "frit generate dilated -n {rows} --set bundle={bundle}{per_input} --set payload={payload} --set switch={switch}"
    );
    if mode == Mode::Barrier {
        command += " --set mode=barrier";
    }
    if release {
        command += " --set release=yes";
    }
    if traffic.name != KINDS[0] {
        command += &format!(" --traffic {}", traffic.short_name());
    }
    if direct {
        command += " --direct";
    }
    format!("{command} --seed {seed}")
}

/// Up to here simulators build the unrolled form in seconds (docs/rtl-simulation.md).
const MAX_UNROLLED_EDGES: u64 = 500;

/// Whether simulators should be given the compact form.
pub fn is_large(hardware: &Hardware) -> bool {
    hardware.network().edges() > MAX_UNROLLED_EDGES
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
