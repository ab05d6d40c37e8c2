//! `frit generate` of streamed systems.

use super::{form, routed};
use crate::Verdict;
use crate::args::GenerateArgs;
use crate::design::Chosen;
use crate::streamed::{HAS_STREAMS, need, refuse};
use crate::ui::Ui;
use anyhow::Result;
use frit_design::generate;
use frit_permute::Streamed;

/// Writes the files of a design.
pub fn run(ui: &Ui, args: &GenerateArgs, chosen: &Chosen, plan: &Streamed) -> Result<Verdict> {
    let given = [
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--units", args.units),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
    ];
    refuse(plan, &given, HAS_STREAMS)?;
    let width = chosen.width(&args.width)?;
    need(&format!("the files of {}", plan.name()), plan.order.words())?;
    let written = generate::streamed(plan, width, &form(args))?;
    routed::write(ui, args, written)
}
