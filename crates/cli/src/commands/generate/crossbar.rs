//! `frit generate --crossbar`.

use super::{form, routed};
use crate::Verdict;
use crate::args::GenerateArgs;
use crate::crossbar::{refuse, trial};
use crate::ui::Ui;
use anyhow::Result;
use frit_design::generate;

/// Writes the files of a design.
pub fn run(ui: &Ui, args: &GenerateArgs) -> Result<Verdict> {
    let given = [
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--units", args.units),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
    ];
    refuse(&args.loaded, &given)?;
    let trial = trial(&args.design, &args.width, &args.crossbar)?;
    routed::write(ui, args, generate::crossbar(trial, &form(args))?)
}
