//! `frit verify --demand`.

use super::routed::{Asked, Told, Verified, say, verify_recorded};
use super::{mapping, netlist_name, netlist_note};
use crate::Verdict;
use crate::loaded::{refuse, trial};
use anyhow::Result;
use frit_cells::design::loaded::Hardware;
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
    let command = command(&Hardware::new(shape, width));
    let (entries, rounds) = (trial.program.entries.len(), trial.program.rounds());
    let design = Design::new(trial, fault, None)?;
    let room = shape.entries();
    let what = format!(
        "{rounds} rounds in {entries} of {room} entries, {phases} phases, {width} bits{}",
        netlist_note(args.netlist)
    );
    let members = vec![
        ("command", json!(command)),
        ("terminals", json!(shape.terminals())),
        ("width", json!(width)),
        ("entries", json!(room)),
        ("program_entries", json!(entries)),
        ("rounds", json!(rounds)),
        ("fault", json!(args.fault)),
        ("netlist", json!(netlist_name(args.netlist))),
    ];
    let told = Told { system: "benes", what, members, words: ["words", "cycle"] };
    verify_recorded(asked, (design.name(), false), mapping(args), &design, told)
}
