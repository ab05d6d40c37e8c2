//! `frit verify --demand`.

use super::routed::{Asked, Told, Verified, say, verify_recorded};
use crate::Verdict;
use crate::loaded::{refuse, trial};
use anyhow::Result;
use frit_cells::loading::LoadedFault;
use frit_cosim::loaded::Design;
use frit_rtl::loaded::command;
use serde_json::json;
use std::path::Path;

/// Verifies the design of a demand, and says what came of it.
pub fn run(asked: &Asked, path: &Path) -> Result<Verdict> {
    say(asked, &[path], |path| one(asked, path))
}

fn one(asked: &Asked, path: &Path) -> Result<Verified> {
    let args = asked.args;
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
    let room = shape.entries();
    let what = format!("{rounds} rounds in {entries} of {room} entries, {phases} phases, {width} bits");
    let members = vec![
        ("command", json!(command)),
        ("terminals", json!(shape.terminals())),
        ("width", json!(width)),
        ("entries", json!(room)),
        ("program_entries", json!(entries)),
        ("rounds", json!(rounds)),
        ("fault", json!(args.fault)),
    ];
    let told = Told { system: "benes", what, members, words: ["words", "cycle"] };
    verify_recorded(asked, (design.name(), false), None, &design, told)
}
