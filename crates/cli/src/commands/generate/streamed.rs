//! `frit generate` of streamed systems.

use super::{form, routed};
use crate::Verdict;
use crate::args::{CellsArg, GenerateArgs};
use crate::design::Chosen;
use crate::streamed::{HAS_STREAMS, need, refuse};
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_design::generate;
use frit_permute::Streamed;

/// Writes the files of a design.
pub fn run(ui: &Ui, args: &GenerateArgs, chosen: &Chosen, plan: &Streamed) -> Result<Verdict> {
    let given = [
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
        ("--cells prefix", args.cells == CellsArg::Prefix),
    ];
    refuse(plan, &given, HAS_STREAMS)?;
    if args.fault.is_some() {
        bail!("--fault of {} is for frit verify; leave it out", plan.row.key);
    }
    let width = chosen.width(&args.width)?;
    need(&format!("the files of {}", plan.name()), plan.order.words())?;
    let written = generate::streamed(plan, width, &form(args))?;
    routed::write(ui, args, written)
}
