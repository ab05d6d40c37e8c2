//! What the commands that build a router of worms share.

use anyhow::Result;
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Dilated, Mode, Packets, Parameters, Switch};

/// The packets that a system is given by default, drawn from a seed.
pub fn packets(system: &Dilated, seed: u64) -> Result<Packets> {
    let rows = system.parameters.network()?.rows();
    let parameters = Parameters { seed, ..system.parameters };
    Ok(Packets::new(parameters, &permutations(rows, system.per_input, seed))?)
}

/// The command that writes the files of this design with these packets, every number named.
pub fn command(packets: &Packets, system: &Dilated) -> String {
    let Parameters { rows, bundle, payload, seed, switch, mode, release, .. } = *packets.parameters();
    let switch = match switch {
        Switch::Strong => "strong",
        Switch::Weak => "weak",
    };
    let mode = if mode == Mode::Barrier { " --set mode=barrier" } else { "" };
    let release = if release { " --set release=yes" } else { "" };
    format!(
        "frit generate dilated -n {rows} --set bundle={bundle} --set per-input={} --set payload={payload} \
         --set switch={switch}{mode}{release} --seed {seed}",
        system.per_input
    )
}

/// The error for an option that has no meaning for a router of worms, if one of these was given.
pub fn refuse(system: &str, given: &[(&str, bool)]) -> Result<()> {
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => anyhow::bail!(
            "{option} belongs to planned systems; {system} carries packets of --set payload=M bits, drawn from --seed"
        ),
    }
}
