//! `frit route`: any traffic on any system.
//!
//! [`planned`] runs the systems whose rounds repeat; the arguments of the traffic are [`crate::traffic`]'s, and what was
//! found is printed by [`report`], so that another kind of system is one more module like `planned`.

mod planned;
mod report;

use crate::Verdict;
use crate::args::RouteArgs;
use crate::design::{Design, design};
use crate::ui::Ui;
use anyhow::Result;

pub fn run(ui: &Ui, args: &RouteArgs) -> Result<Verdict> {
    let report = match design(&args.design)?.design {
        Design::Planned(plan) => planned::route(ui, args, &plan)?,
        // None yet: a system is an arm here and a module beside `planned`.
        Design::Routed(router) => match router {},
    };
    ui.print(&report.print(args.format)?)?;
    Ok(Verdict::of(report.fine()))
}
