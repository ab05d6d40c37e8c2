//! What the commands that build a multibutterfly share.

use crate::args::PacketArgs;
use anyhow::{Result, bail};
use frit_design::packets::{self, multibutterfly_command, rule};
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters, Problem};

/// The messages that the arguments ask for, drawn from a seed as the wires are, and the command that writes the files of this
/// design with them, every number named.
pub fn problem(args: &PacketArgs, system: &Multibutterfly, seed: u64) -> Result<(Problem, String)> {
    if args.direct {
        bail!(
            "--direct does not apply to multibutterfly, whose messages have no intermediate rows; leave it out"
        );
    }
    if system.rerun {
        bail!("rerun=yes cannot be built in hardware; pass rerun=no, or give the larger h");
    }
    let Some((name, rule)) = rule(args.traffic.as_deref()) else {
        let given = args.traffic.as_deref().unwrap_or_default();
        bail!(
            "--traffic {given} cannot be verified; give one of {}",
            Traffic::ALL.map(|(name, _)| name).join(", ")
        );
    };
    let offered = args.per_source.unwrap_or(system.parameters.offered);
    let parameters = Parameters { offered, seed, ..system.parameters };
    parameters.shape()?;
    let problem = packets::problem(system, parameters, &rule.messages(&parameters))?;
    let command = multibutterfly_command(&parameters, name, system.wiring.is_some());
    Ok((problem, command))
}

/// The error for an option that has no meaning for a multibutterfly, if one of these was given.
pub fn refuse(given: &[(&str, bool)]) -> Result<()> {
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => {
            bail!(
                "{option} does not apply to multibutterfly; set its messages with --set ha=M (messages of a row) and --seed"
            )
        }
    }
}
