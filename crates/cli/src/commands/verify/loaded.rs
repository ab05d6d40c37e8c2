//! `frit verify --demand` and `--entries`.

use super::routed::{Asked, Told, Verified, say, verify_recorded};
use super::{mapping, netlist_name, netlist_note};
use crate::Verdict;
use crate::loaded::{messages, proved, refuse, trial};
use anyhow::Result;
use frit_cells::loading::{LoadedFault, plant};
use frit_cells::messaging::MessagesFault;
use frit_cells::netlist::print::{Style, files};
use frit_cosim::formal::prove_loaded;
use frit_cosim::loaded::Design;
use frit_cosim::messages::Design as MessagesDesign;
use frit_rtl::loaded::command;
use frit_rtl::messages::command as messages_command;
use serde_json::json;

/// Verifies the design of a demand or of a user's schedule, and says what came of it.
pub fn run(asked: &Asked) -> Result<Verdict> {
    if asked.args.formal {
        return prove(asked);
    }
    say(asked, &[()], |()| one(asked))
}

/// Refuses options that mean nothing for a loaded schedule.
fn refuse_others(asked: &Asked, more: &[(&str, bool)]) -> Result<()> {
    let args = asked.args;
    let given = [
        ("--exchanges", args.exchanges != 1),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
        ("--reset", args.streams.asks_reset()),
    ];
    refuse(&args.loaded, &given)?;
    refuse(&args.loaded, more)
}

/// Proves the hardware of a loaded schedule for all programs. A fault needs no lemmas to be found.
fn prove(asked: &Asked) -> Result<Verdict> {
    let args = asked.args;
    let more = [
        ("--axis beside --formal", args.streams.axis),
        ("--netlist beside --formal", args.netlist.is_some()),
    ];
    refuse_others(asked, &more)?;
    let hardware = proved(&args.design, &args.width, &args.loaded)?;
    let fault = args.fault.as_deref().map(str::parse::<LoadedFault>).transpose()?;
    let mut netlist = hardware.netlist();
    if let Some(fault) = fault {
        plant(&mut netlist, hardware.shape(), fault)?;
    }
    let files = files(&netlist, Style::Unrolled);
    super::formal::alone(asked, hardware.design_name(), |ground| {
        Ok(vec![prove_loaded(ground, &hardware, &files, fault.is_none())?])
    })
}

fn one(asked: &Asked) -> Result<Verified> {
    let args = asked.args;
    refuse_others(asked, &[])?;
    if args.streams.axis {
        return streams(asked);
    }
    let fault = args.fault.as_deref().map(str::parse::<LoadedFault>).transpose()?;
    let (trial, system) = trial(&args.design, &args.width, &args.loaded)?;
    let (shape, width, phases) = (trial.shape(), trial.width, trial.phases.len());
    let (entries, rounds) = (trial.program.entries.len(), trial.program.rounds());
    let design = Design::new(trial, fault, None)?;
    let command = command(design.hardware());
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
    let told = Told { system, what, members, words: ["words", "cycle"] };
    verify_recorded(asked, (design.name(), false), mapping(args), &design, told)
}

/// Messages of any length around it.
fn streams(asked: &Asked) -> Result<Verified> {
    let args = asked.args;
    let fault = args.fault.as_deref().map(str::parse::<MessagesFault>).transpose()?;
    let (trial, system) = messages(&args.design, &args.width, &args.loaded, &args.streams)?;
    let (shape, width, length, phases) = (trial.shape(), trial.width, trial.length, trial.phases.len());
    let (entries, rounds) = (trial.program.entries.len(), trial.program.rounds());
    let design = MessagesDesign::new(trial, fault, None)?;
    let what = format!(
        "messages of 1 to {length} words, {rounds} rounds in {entries} of {} entries, {phases} phases, {width} bits{}",
        shape.entries(),
        netlist_note(args.netlist)
    );
    let members = vec![
        ("command", json!(messages_command(design.messages()))),
        ("terminals", json!(shape.terminals())),
        ("width", json!(width)),
        ("length", json!(length)),
        ("entries", json!(shape.entries())),
        ("program_entries", json!(entries)),
        ("rounds", json!(rounds)),
        ("fault", json!(args.fault)),
        ("netlist", json!(netlist_name(args.netlist))),
    ];
    let told = Told { system, what, members, words: ["words", "cycle"] };
    verify_recorded(asked, (design.name(), false), mapping(args), &design, told)
}
