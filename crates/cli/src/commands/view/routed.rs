//! The films of the dilated butterfly and of the multibutterfly.

use crate::args::ViewArgs;
use crate::commands::multibutterfly as asked;
use crate::dilated::{need_memory, words};
use crate::multibutterfly;
use crate::traffic::from_file;
use anyhow::{Result, bail};
use frit_router::dilated::Dilated;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, Parameters, Problem};
use frit_view::Film;
use std::sync::Arc;

/// Above so many edges or messages nobody sees anything, and a page has tens of megabytes.
const MAX_EDGES: u64 = 8192;
const MAX_MESSAGES: usize = 4096;
/// A page has a picture of every step.
const MAX_STEPS: u64 = 16384;

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

fn check(edges: u64, messages: usize) -> Result<()> {
    if edges > MAX_EDGES || messages > MAX_MESSAGES {
        bail!(
            "{edges} edges and {messages} messages are too many to show (at most {MAX_EDGES} edges and {MAX_MESSAGES} messages); use a smaller -n"
        );
    }
    Ok(())
}

/// Refuses a run of so many steps at least. `option` sets how many bits a message has.
fn check_steps(least: u64, unit: &str, option: &str) -> Result<()> {
    if least > MAX_STEPS {
        bail!(
            "{option}: this run has {least} {unit} at least, and a page shows up to {MAX_STEPS}; give a smaller number"
        );
    }
    Ok(())
}

/// The command that shows what another makes.
fn shown(command: &str) -> String {
    command.replacen("frit generate", "frit view", 1)
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
    let [switch, mode] = words(parameters);
    let title = format!(
        "dilated butterfly, {} rows, bundles of {}, {switch} switches, {mode}",
        parameters.rows, parameters.bundle
    );
    Ok(frit_view::dilated::film(&packets, &shown(&command), &title))
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
    check_steps(parameters.least_stages().into(), "stages", &format!("x={}", parameters.payload))?;
    let name = args.packets.traffic.as_deref().unwrap_or(Traffic::ALL[0].0);
    let messages = match Traffic::named(name) {
        Some(rule) => rule.messages(&parameters),
        None => from_file(name, None, shape.rows(), &Traffic::ALL.map(|(name, _)| name))?,
    };
    check(shape.edges(), messages.len())?;
    multibutterfly::need_memory(&parameters, messages.len() as u64, 1, true)?;
    let problem = match &system.wiring {
        Some(wiring) => Problem::on(Arc::clone(wiring), parameters, &messages)?,
        None => Problem::new(parameters, &messages)?,
    };
    let title = format!("multibutterfly, {} rows, {} ports a side", shape.rows(), shape.degree());
    // Of a file the last part of its name: no path stands in what is written.
    let traffic = name.rsplit('/').next().unwrap_or(name);
    let command = asked::command(&parameters, traffic, system.wiring.is_some());
    Ok(frit_view::multibutterfly::film(&problem, &shown(&command), &title))
}
