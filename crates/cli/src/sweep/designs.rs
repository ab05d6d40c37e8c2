//! Planned systems that the file of a sweep names: sizes, options, widths.

use super::lists::{OneOrMore, Options, combinations};
use crate::design::{need_plan, width};
use anyhow::{Context, Result, bail};
use frit_router::routed;
use frit_schedule::{Plan, Request, plan};

/// Above this a list of points is a mistake.
pub const MAX_POINTS: usize = 1 << 20;

/// A system with one value of every option, in several sizes.
pub struct Group {
    /// In a legend.
    pub name: String,
    /// The sizes, rising.
    pub plans: Vec<Plan>,
}

/// An entry of `systems`: a group for each combination of its options. A size above `most` is refused by `check`, before its
/// plan is made.
pub fn groups(
    system: &str,
    terminals: &OneOrMore<u64>,
    options: &Options,
    check: impl Fn(u64) -> Result<()>,
) -> Result<Vec<Group>> {
    if routed(system).is_some() {
        bail!("{system} is routed, and this kind sweeps planned systems; kind = \"route\" sweeps its runs");
    }
    let mut sizes = terminals.list().to_vec();
    sizes.sort_unstable();
    sizes.dedup();
    let mut groups = vec![];
    for options in combinations(options) {
        let mut plans = vec![];
        for &terminals in &sizes {
            check(terminals)?;
            need_plan(system, terminals)?;
            plans.push(plan(&Request { system: system.into(), terminals, options: options.clone() })?);
        }
        let Some(first) = plans.first() else { bail!("{system}: terminals need a value at least") };
        let name = first.name();
        let name = name.rsplit_once("_n").map_or(name.as_str(), |(name, _)| name).replace('_', " ");
        groups.push(Group { name, plans });
    }
    if groups.is_empty() {
        bail!("{system}: every list of options needs a value at least");
    }
    Ok(groups)
}

/// The cells of a plan in the columns `system`, `options`, `terminals`.
pub fn key(plan: &Plan) -> Vec<String> {
    let options: Vec<String> = plan.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    vec![plan.system.to_string(), options.join(" "), plan.served().to_string()]
}

/// Bits of a word, each of which is allowed, rising.
pub fn widths(given: &OneOrMore<u64>) -> Result<Vec<u32>> {
    let mut widths: Vec<u32> = given
        .list()
        .iter()
        .map(|bits| width(Some(&bits.to_string()), 1).context("widths"))
        .collect::<Result<_>>()?;
    widths.sort_unstable();
    widths.dedup();
    match widths.is_empty() {
        true => bail!("widths need a value at least"),
        false => Ok(widths),
    }
}
