//! The films of the dilated butterfly and of the multibutterfly.

use crate::args::ViewArgs;
use crate::dilated::need_memory;
use crate::kind::dilated::packets as packets_of;
use crate::multibutterfly;
use crate::traffic::from_file;
use anyhow::Result;
use frit_design::film::routed::{self, check, check_steps};
use frit_design::packets;
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters};
use frit_view::Film;

pub fn dilated(args: &ViewArgs, system: &Dilated) -> Result<Film> {
    let edges = system.parameters.network()?.edges();
    check(edges, 0)?;
    let payload = format!("payload={}", system.parameters.payload);
    check_steps(system.parameters.least_steps(), "steps", &payload)?;
    let (packets, command) = packets_of(&args.packets, system, args.seed.unwrap_or(1))?;
    check(edges, packets.packets().len())?;
    let parameters = packets.parameters();
    need_memory(parameters, packets.packets().len() as u64, 1, true)?;
    Ok(routed::dilated(&packets, &command))
}

pub fn multibutterfly(args: &ViewArgs, system: &Multibutterfly) -> Result<Film> {
    let parameters = Parameters { seed: args.seed.unwrap_or(system.parameters.seed), ..system.parameters };
    let shape = parameters.shape()?;
    check(shape.edges(), 0)?;
    check_steps(parameters.least_phases().into(), "phases", &format!("x={}", parameters.payload))?;
    let name = args.packets.traffic.as_deref().unwrap_or(Traffic::ALL[0].0);
    let messages = match Traffic::named(name) {
        Some(rule) => rule.messages(&parameters),
        None => from_file(name, None, shape.rows(), &Traffic::ALL.map(|(name, _)| name))?,
    };
    check(shape.edges(), messages.len())?;
    multibutterfly::need_memory(&parameters, messages.len() as u64, 1, true)?;
    let problem = packets::problem(system, parameters, &messages)?;
    // Of a file the last part of its name: no path stands in what is written.
    let traffic = name.rsplit('/').next().unwrap_or(name);
    let command = packets::multibutterfly_command(&parameters, traffic, system.wiring.is_some());
    Ok(routed::multibutterfly(&problem, &command))
}
