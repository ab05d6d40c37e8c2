//! `frit generate --demand`.

use super::{form, routed};
use crate::Verdict;
use crate::args::GenerateArgs;
use crate::loaded::{refuse, trial};
use crate::ui::Ui;
use anyhow::Result;
use frit_design::generate;
use std::path::Path;

/// Writes the files of a design.
pub fn run(ui: &Ui, args: &GenerateArgs, path: &Path) -> Result<Verdict> {
    refuse(&[
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
    ])?;
    let trial = trial(&args.design, &args.width, &args.loaded, path)?;
    routed::write(ui, args, generate::loaded(trial, &form(args))?)
}
