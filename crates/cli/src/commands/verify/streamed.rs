//! `frit verify` of streamed systems.

use super::routed::{Asked, Told, Verified, say, verify_recorded};
use super::{mapping, netlist_name, netlist_note};
use crate::Verdict;
use crate::args::VerifyArgs;
use crate::design::{Chosen, Design};
use crate::streamed::{HAS_STREAMS, need, refuse};
use anyhow::{Result, bail};
use frit_cosim::permute::{self, PermuteFault};
use frit_permute::Streamed;
use frit_rtl::permute::command;
use serde_json::json;

/// Verifies designs one after the other, and says what came of it.
pub fn run(asked: &Asked, designs: &[Chosen]) -> Result<Verdict> {
    say(asked, designs, |chosen| match &chosen.design {
        Design::Streamed(plan) => one(asked, chosen, plan, designs.len() > 1),
        _ => bail!("streamed and other systems cannot be verified together"),
    })
}

fn one(asked: &Asked, chosen: &Chosen, plan: &Streamed, many: bool) -> Result<Verified> {
    let args = asked.args;
    refuse_options_of_exchanges(args, plan)?;
    if plan.largest().is_some() && args.netlist.is_some() {
        bail!(
            "--netlist maps a core of one size, and dims=runtime has a top with registers as well; leave --netlist out"
        );
    }
    let width = chosen.width(&args.width)?;
    need(&format!("the verification of {}", plan.name()), 4 * plan.order.words())?;
    let fault = args.fault.as_deref().map(str::parse::<PermuteFault>).transpose()?;
    let design = permute::Design::new(plan, width, fault)?;
    let what = format!(
        "{} words a data set, {} a cycle, {width} bits{}",
        plan.order.words(),
        plan.lanes,
        netlist_note(args.netlist)
    );
    let members = vec![
        ("command", json!(command(plan, width))),
        ("lanes", json!(plan.lanes)),
        ("width", json!(width)),
        ("words", json!(plan.order.words())),
        ("latency", json!(plan.latency())),
        ("fault", json!(args.fault)),
    ];
    let told = Told { system: plan.row.key, what, members, words: ["beats", "cycle"] };
    let mut verified = verify_recorded(asked, (design.name(), many), mapping(args), &design, told)?;
    verified.members.push(("netlist", json!(netlist_name(args.netlist))));
    Ok(verified)
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
