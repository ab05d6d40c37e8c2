//! `frit generate` of a routed system: a dilated butterfly.

use super::super::dilated::{packets, refuse};
use super::{form, routed};
use crate::Verdict;
use crate::args::GenerateArgs;
use crate::ui::Ui;
use anyhow::Result;
use frit_design::generate;
use frit_router::dilated::Dilated;

pub fn run(ui: &Ui, args: &GenerateArgs, system: &Dilated) -> Result<Verdict> {
    refuse(
        &args.design.system,
        &[
            ("--width", args.width.width.is_some()),
            ("--payload", args.payload.payload.is_some()),
            ("--axis", args.streams.axis),
            ("--reset", args.streams.asks_reset()),
            ("--selftest", args.selftest.selftest),
        ],
    )?;
    let (packets, command) = packets(&args.packets, system, args.payload.seed)?;
    let written = generate::dilated(&packets, &command, &form(args))?;
    routed::write(ui, args, written)
}
