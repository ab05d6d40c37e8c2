//! `frit verify --crossbar`.

use super::routed::{Asked, Told, Verified, say, verify_recorded};
use super::{mapping, netlist_name, netlist_note};
use crate::Verdict;
use crate::crossbar::{SYSTEM, proved, refuse, trial};
use anyhow::Result;
use frit_cells::crossing::{CrossbarFault, plant};
use frit_cells::netlist::print::{Style, files};
use frit_cosim::crossbar::Design;
use frit_cosim::formal::prove_crossbar;
use frit_rtl::crossbar::command;
use serde_json::json;

/// Verifies a crossbar, and says what came of it.
pub fn run(asked: &Asked) -> Result<Verdict> {
    if asked.args.formal {
        return prove(asked);
    }
    say(asked, &[()], |()| one(asked))
}

/// Refuses options that mean nothing for a crossbar.
fn refuse_others(asked: &Asked, more: &[(&str, bool)]) -> Result<()> {
    let args = asked.args;
    let given = [
        ("--axis", args.streams.axis),
        ("--exchanges", args.exchanges != 1),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
        ("--reset", args.streams.asks_reset()),
    ];
    refuse(&args.loaded, &given)?;
    refuse(&args.loaded, more)
}

/// Proves a crossbar for all settings and words. A fault needs no lemmas to be found.
fn prove(asked: &Asked) -> Result<Verdict> {
    let args = asked.args;
    let more = [
        ("--netlist beside --formal", args.netlist.is_some()),
        ("--sources beside --formal", args.crossbar.sources.is_some()),
    ];
    refuse_others(asked, &more)?;
    let hardware = proved(&args.design, &args.width)?;
    let fault = args.fault.as_deref().map(str::parse::<CrossbarFault>).transpose()?;
    let mut netlist = hardware.netlist();
    if let Some(fault) = fault {
        plant(&mut netlist, hardware.shape, fault)?;
    }
    let files = files(&netlist, Style::Unrolled);
    super::formal::alone(asked, hardware.design_name(), |ground| {
        Ok(vec![prove_crossbar(ground, &hardware, &files, fault.is_none())?])
    })
}

fn one(asked: &Asked) -> Result<Verified> {
    let args = asked.args;
    refuse_others(asked, &[])?;
    let fault = args.fault.as_deref().map(str::parse::<CrossbarFault>).transpose()?;
    let trial = trial(&args.design, &args.width, &args.crossbar)?;
    let (shape, width, phases) = (trial.shape, trial.width, trial.phases.len());
    let accesses: usize = trial.phases.iter().map(|phase| phase.accesses.len()).sum();
    let design = Design::new(trial, fault, None)?;
    let what = format!(
        "{phases} phases, {accesses} accesses to registers, {width} bits{}",
        netlist_note(args.netlist)
    );
    let members = vec![
        ("command", json!(command(design.hardware()))),
        ("terminals", json!(shape.terminals())),
        ("width", json!(width)),
        ("phases", json!(phases)),
        ("accesses", json!(accesses)),
        ("fault", json!(args.fault)),
        ("netlist", json!(netlist_name(args.netlist))),
    ];
    let told = Told { system: SYSTEM, what, members, words: ["words", "cycle"] };
    verify_recorded(asked, (design.name(), false), mapping(args), &design, told)
}
