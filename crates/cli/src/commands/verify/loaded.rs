//! `frit verify --demand` and `--entries`.

use super::routed::{Verified, VerifyRequest, say, verify_device};
use crate::Verdict;
use crate::loaded::{messages, proved, refuse, trial};
use anyhow::Result;
use frit_cells::netlist::print::{Style, files};
use frit_cosim::formal::Contract;
use frit_device::loaded::{self, Loaded};
use frit_device::messages::Messages;

/// Verifies the design of a demand or of a user's schedule, and says what came of it.
pub fn run(asked: &VerifyRequest) -> Result<Verdict> {
    if asked.args.formal {
        return prove(asked);
    }
    say(asked, &[()], |()| one(asked))
}

/// Refuses options that mean nothing for a loaded schedule.
fn refuse_others(asked: &VerifyRequest, more: &[(&str, bool)]) -> Result<()> {
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
fn prove(asked: &VerifyRequest) -> Result<Verdict> {
    let args = asked.args;
    let more = [
        ("--axis beside --formal", args.streams.axis),
        ("--netlist beside --formal", args.netlist.is_some()),
    ];
    refuse_others(asked, &more)?;
    let hardware = proved(&args.design, &args.width, &args.loaded)?;
    let netlist = loaded::netlist(&hardware, args.fault.as_deref())?;
    let files = files(&netlist, Style::Unrolled);
    super::formal::alone(asked, hardware.design_name(), |ground| {
        Ok(vec![Contract::loaded(&hardware).prove(ground, &files, args.fault.is_none())?])
    })
}

fn one(asked: &VerifyRequest) -> Result<Verified> {
    let args = asked.args;
    refuse_others(asked, &[])?;
    if args.streams.axis {
        let (trial, system) = messages(&args.design, &args.width, &args.loaded, &args.streams)?;
        return verify_device(
            asked,
            system,
            "words",
            false,
            &Messages::new(trial, args.fault.as_deref(), None)?,
        );
    }
    let (trial, system) = trial(&args.design, &args.width, &args.loaded)?;
    verify_device(asked, system, "words", false, &Loaded::new(trial, args.fault.as_deref(), None)?)
}
