//! What the commands that build a multibutterfly share.

use crate::args::PacketArgs;
use anyhow::{Result, bail};
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters, Problem};
use std::sync::Arc;

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
    let names = Traffic::ALL.map(|(name, _)| name);
    let name = args.traffic.as_deref().unwrap_or(names[0]);
    let Some(rule) = Traffic::named(name) else {
        bail!("--traffic {name} cannot be verified; give one of {}", names.join(", "));
    };
    let offered = args.per_source.unwrap_or(system.parameters.offered);
    let parameters = Parameters { offered, seed, ..system.parameters };
    parameters.shape()?;
    let messages = rule.messages(&parameters);
    let problem = match &system.wiring {
        Some(wiring) => Problem::on(Arc::clone(wiring), parameters, &messages)?,
        None => Problem::new(parameters, &messages)?,
    };
    let command = command(&parameters, name, system.wiring.is_some());
    Ok((problem, command))
}

/// The command that writes the files of this design with these messages, every number named.
pub fn command(parameters: &Parameters, traffic: &str, wired: bool) -> String {
    let Parameters {
        rows, degree, committed, threshold, offered, stride, requests, moves, free, seed, ..
    } = *parameters;
    let strict = if parameters.strict { "yes" } else { "no" };
    let wiring = if wired { " --set wiring=FILE" } else { "" };
    format!(
        "frit generate multibutterfly -n {rows} --set d={degree} --set r={committed} --set h={threshold} --set ha={offered} \
         --set l={stride} --set z={requests} --set y={moves} --set strict={strict} --set free={free}{wiring} \
         --traffic {traffic} --seed {seed}"
    )
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
