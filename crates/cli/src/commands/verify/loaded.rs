//! `frit verify --demand`.

use super::routed::{Asked, Verified, check_required, say};
use super::{engines, workplace};
use crate::Verdict;
use crate::loaded::{refuse, trial};
use anyhow::Result;
use frit_cells::loading::LoadedFault;
use frit_cosim::loaded::{Design, verify};
use frit_cosim::verify::Engine;
use frit_rtl::loaded::command;
use serde_json::json;
use std::path::Path;

/// Verifies the design of a demand, and says what came of it.
pub fn run(asked: &Asked, path: &Path) -> Result<Verdict> {
    say(asked, &[path], |path| one(asked, path))
}

fn one(asked: &Asked, path: &Path) -> Result<Verified> {
    let Asked { ui, args, tools } = *asked;
    refuse(&[
        ("--netlist", args.netlist.is_some()),
        ("--formal", args.formal),
        ("--axis", args.streams.axis),
        ("--exchanges", args.exchanges != 1),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
        ("--reset", args.streams.asks_reset()),
    ])?;
    let fault = args.fault.as_deref().map(str::parse::<LoadedFault>).transpose()?;
    let trial = trial(&args.design, &args.width, &args.loaded, path)?;
    let (shape, width, phases) = (trial.shape, trial.width, trial.phases.len());
    let (entries, rounds) = (trial.program.entries.len(), trial.program.rounds());
    let command = command(shape, width);
    let design = Design::new(trial, fault)?;
    let name = design.name();
    let folder = workplace(args, &name, false)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let report = verify(&design, &engines(args), folder.path(), tools, &progress);
    bar.finish_and_clear();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            // It names a log in the folder.
            folder.keep();
            return Err(error.into());
        }
    };
    check_required(args, &report.engines)?;
    let agrees = report.engines.iter().all(|engine| engine.agrees() != Some(false));
    let room = shape.entries();
    let what = format!("{rounds} rounds in {entries} of {room} entries, {phases} phases, {width} bits");
    let members = vec![
        ("system", json!("benes")),
        ("design", json!(name)),
        ("command", json!(command)),
        ("terminals", json!(shape.terminals())),
        ("width", json!(width)),
        ("entries", json!(room)),
        ("program_entries", json!(entries)),
        ("rounds", json!(rounds)),
        ("fault", json!(args.fault)),
        ("agrees", json!(agrees)),
    ];
    Ok(Verified {
        design: name,
        what,
        members,
        words: ["words", "cycle"],
        engines: report.engines,
        times: report.times,
        folder,
    })
}
