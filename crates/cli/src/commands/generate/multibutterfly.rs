//! `frit generate multibutterfly`.

use super::super::multibutterfly::{problem, refuse};
use super::{form, routed};
use crate::Verdict;
use crate::args::{FabricStyle, GenerateArgs};
use crate::ui::Ui;
use anyhow::Result;
use frit_design::generate;
use frit_router::multibutterfly::Multibutterfly;

pub fn run(ui: &Ui, args: &GenerateArgs, system: &Multibutterfly) -> Result<Verdict> {
    refuse(&[
        ("--width", args.width.width.is_some()),
        ("--payload", args.payload.payload.is_some()),
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--fabric-style compact", args.fabric_style == FabricStyle::Compact),
    ])?;
    let (problem, command) = problem(&args.packets, system, args.payload.seed)?;
    let written = generate::multibutterfly(&problem, &command, &form(args))?;
    routed::write(ui, args, written)
}
