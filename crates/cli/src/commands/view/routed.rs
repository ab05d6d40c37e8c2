//! The films of the dilated butterfly, of the multibutterfly, and of streamed permutations.

use crate::args::ViewArgs;
use crate::dilated::need_memory;
use crate::multibutterfly;
use crate::streamed::refuse;
use crate::traffic::from_file;
use anyhow::{Result, bail};
use frit_design::film::routed::{self, check, check_steps};
use frit_design::packets;
use frit_permute::Streamed;
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters};
use frit_view::Film;

/// The film of what the arguments ask for.
pub fn film(args: &ViewArgs, film: impl FnOnce() -> Result<Film>) -> Result<Film> {
    if args.fault.is_some() || args.settings.is_some() || args.still.is_some() || args.round.is_some() {
        bail!(
            "--fault, --settings, --still and --round do not apply to {}, which is a routed system (frit network {} --step T draws one step)",
            args.design.system,
            args.design.system
        );
    }
    film()
}

/// The film of data sets that stream through; what they carry does not matter.
pub fn streamed(args: &ViewArgs, plan: &Streamed, width: u32) -> Result<Film> {
    let given = [
        ("--fault", args.fault.is_some()),
        ("--settings", args.settings.is_some()),
        ("--still", args.still.is_some()),
        ("--round", args.round.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
        ("--seed", args.seed.is_some()),
    ];
    refuse(plan, &given, "whose page shows the words of its plan; leave it out")?;
    Ok(routed::streamed(plan, width)?)
}

pub fn dilated(args: &ViewArgs, system: &Dilated) -> Result<Film> {
    let edges = system.parameters.network()?.edges();
    check(edges, 0)?;
    let payload = format!("payload={}", system.parameters.payload);
    check_steps(system.parameters.least_steps(), "steps", &payload)?;
    let (packets, command) =
        crate::commands::dilated::packets(&args.packets, system, args.seed.unwrap_or(1))?;
    check(edges, packets.packets().len())?;
    let parameters = packets.parameters();
    need_memory(parameters, packets.packets().len() as u64, 1, true)?;
    Ok(routed::dilated(&packets, &command))
}

pub fn multibutterfly(args: &ViewArgs, system: &Multibutterfly) -> Result<Film> {
    if args.packets.direct || args.packets.per_source.is_some() {
        bail!(
            "--direct and --per-source do not apply to multibutterfly; set its messages with --set ha=M (messages of a row)"
        );
    }
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
