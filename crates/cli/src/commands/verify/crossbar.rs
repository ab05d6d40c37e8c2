//! `frit verify --crossbar`.

use super::routed::{Verified, VerifyRequest, say, verify_device};
use crate::Verdict;
use crate::crossbar::{SYSTEM, proved, refuse, trial};
use anyhow::Result;
use frit_cells::netlist::print::{Style, files};
use frit_cosim::formal::Contract;
use frit_device::crossbar::{self, Crossbar};

/// Verifies a crossbar, and says what came of it.
pub fn run(asked: &VerifyRequest) -> Result<Verdict> {
    if asked.args.formal {
        return prove(asked);
    }
    say(asked, &[()], |()| one(asked))
}

/// Refuses options that mean nothing for a crossbar.
fn refuse_others(asked: &VerifyRequest, more: &[(&str, bool)]) -> Result<()> {
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
fn prove(asked: &VerifyRequest) -> Result<Verdict> {
    let args = asked.args;
    let more = [
        ("--netlist beside --formal", args.netlist.is_some()),
        ("--sources beside --formal", args.crossbar.sources.is_some()),
    ];
    refuse_others(asked, &more)?;
    let hardware = proved(&args.design, &args.width)?;
    let netlist = crossbar::netlist(&hardware, args.fault.as_deref())?;
    let files = files(&netlist, Style::Unrolled);
    super::formal::alone(asked, hardware.design_name(), |ground| {
        Ok(vec![Contract::crossbar(&hardware).prove(ground, &files, args.fault.is_none())?])
    })
}

fn one(asked: &VerifyRequest) -> Result<Verified> {
    let args = asked.args;
    refuse_others(asked, &[])?;
    let trial = trial(&args.design, &args.width, &args.crossbar)?;
    verify_device(asked, SYSTEM, "words", false, &Crossbar::new(trial, args.fault.as_deref(), None)?)
}
