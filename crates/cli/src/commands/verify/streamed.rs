//! `frit verify` of streamed systems.

use super::routed::{Verified, VerifyRequest, say, verify_device};
use crate::Verdict;
use crate::args::VerifyArgs;
use crate::design::{Chosen, Design};
use crate::streamed::{HAS_STREAMS, need, refuse};
use anyhow::{Result, bail};
use frit_device::permute::Permute;
use frit_permute::Streamed;

/// Verifies designs one after the other, and says what came of it.
pub fn run(asked: &VerifyRequest, designs: &[Chosen]) -> Result<Verdict> {
    say(asked, designs, |chosen| match &chosen.design {
        Design::Streamed(plan) => one(asked, chosen, plan, designs.len() > 1),
        _ => bail!("streamed and other systems cannot be verified together"),
    })
}

fn one(asked: &VerifyRequest, chosen: &Chosen, plan: &Streamed, many: bool) -> Result<Verified> {
    let args = asked.args;
    refuse_options_of_exchanges(args, plan)?;
    if plan.largest().is_some() && args.netlist.is_some() {
        bail!(
            "--netlist maps a core of one size, and dims=runtime has a top with registers as well; leave --netlist out"
        );
    }
    let width = chosen.width(&args.width)?;
    need(&format!("the verification of {}", plan.name()), 4 * plan.order.words())?;
    let device = Permute::new(plan, width, args.fault.as_deref())?;
    verify_device(asked, plan.row.key, "beats", many, &device)
}

/// Refuses options that a streamed system does not have.
pub(super) fn refuse_options_of_exchanges(args: &VerifyArgs, plan: &Streamed) -> Result<()> {
    let given = [
        ("--axis", args.streams.axis),
        ("--exchanges", args.exchanges != 1),
        ("--payload", args.payload.payload.is_some()),
        ("--traffic", args.packets.traffic.is_some()),
        ("--reset", args.streams.asks_reset()),
    ];
    refuse(plan, &given, HAS_STREAMS)
}
