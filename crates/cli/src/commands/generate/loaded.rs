//! `frit generate --demand` and `--entries`.

use super::{form, routed};
use crate::Verdict;
use crate::args::GenerateArgs;
use crate::loaded::{messages, refuse, trial};
use crate::ui::Ui;
use anyhow::Result;
use frit_design::generate;

/// Writes the files of a design.
pub fn run(ui: &Ui, args: &GenerateArgs) -> Result<Verdict> {
    let given = [
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--units", args.units),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
    ];
    refuse(&args.loaded, &given)?;
    if args.streams.axis {
        let (trial, _) = messages(&args.design, &args.width, &args.loaded, &args.streams)?;
        return routed::write(ui, args, generate::messages(trial, &form(args))?);
    }
    let (trial, _) = trial(&args.design, &args.width, &args.loaded)?;
    routed::write(ui, args, generate::loaded(trial, &form(args))?)
}
