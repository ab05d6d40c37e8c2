//! `frit route`: any traffic on any system.
//!
//! [`planned`] runs the systems whose rounds repeat, each routed system has a module; the arguments of the traffic are
//! [`crate::traffic`]'s, and what was found is printed by [`report`].

pub mod dilated;
mod log;
pub mod multibutterfly;
mod planned;
pub mod report;

use crate::Verdict;
use crate::args::RouteArgs;
use crate::design::design;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_router::Router;
use report::RouteReport;

pub fn run(
    ui: &Ui,
    args: &RouteArgs,
    routed: impl Fn(&dyn Router) -> Result<RouteReport>,
) -> Result<Verdict> {
    let report = report(ui, args, routed)?;
    ui.print(&report.print(args.format)?)?;
    Ok(Verdict::of(report.fine()))
}

/// Routes, and says how it went.
pub fn report(
    ui: &Ui,
    args: &RouteArgs,
    routed: impl Fn(&dyn Router) -> Result<RouteReport>,
) -> Result<RouteReport> {
    let design = design(&args.design)?;
    match design.routed() {
        Some(router) => routed(router),
        None if args.direct || args.events.is_some() || args.seen.is_some() => {
            bail!(
                "--direct and --events do not apply to {}, whose paths are planned; use them with routed systems",
                args.design.system
            )
        }
        None if args.wave.is_some() => {
            bail!(
                "--wave does not apply here: it needs a routed system; frit simulate {} --wave writes a waveform of the exchange",
                args.design.system
            )
        }
        None => planned::route(ui, args, design.plan()?),
    }
}
