//! Systems that the file of a sweep names: sizes, options, widths.

use super::lists::{OneOrMore, Options, combinations};
use crate::catalog;
use crate::design::{Design, need_plan, width};
use crate::plot::figure::Ink;
use crate::stream_core::StreamCore;
use crate::streamed;
use crate::table::csv_cell;
use anyhow::{Context, Result, anyhow, bail};
use frit_cells::design;
use frit_cells::fault::{EXCHANGE, Faults, FaultsOf, count};
use frit_permute::streamed_row;
use frit_router::routed;
use frit_schedule::{Plan, Request, plan, system};
use std::collections::BTreeMap;

/// The columns that name a system.
pub const DESIGN: &str = "system options terminals";

/// A system with one value of every option, in several sizes.
pub struct Group<T> {
    pub name: String,
    pub plans: Vec<T>,
}

/// What a sweep builds.
pub enum Subject {
    Planned(Box<Plan>),
    Streamed(Box<dyn StreamCore>),
}

impl Subject {
    /// How its lines are drawn: streamed systems have no colours of their own.
    pub fn ink(&self) -> Ink {
        match self {
            Subject::Planned(plan) => ink(plan),
            Subject::Streamed(_) => Ink::Step,
        }
    }

    /// Terminals, or words a cycle.
    pub fn terminals(&self) -> u32 {
        match self {
            Subject::Planned(plan) => plan.network.terminals(),
            Subject::Streamed(core) => core.request().terminals as u32,
        }
    }

    pub fn design_name(&self, width: u32) -> String {
        match self {
            Subject::Planned(plan) => plan.design_name(width),
            Subject::Streamed(core) => core.name(width),
        }
    }

    /// The arguments of commands that give the design again.
    pub fn arguments(&self, width: u32) -> String {
        match self {
            Subject::Planned(plan) => format!("{} -w {width}", plan.arguments()),
            Subject::Streamed(core) => core.arguments(width),
        }
    }

    /// Its cells in the columns [`DESIGN`].
    pub fn key(&self) -> Vec<String> {
        match self {
            Subject::Planned(plan) => key(plan),
            Subject::Streamed(core) => streamed_key(core.as_ref()),
        }
    }

    /// The faults that it can have.
    pub fn faults(&self, width: u32) -> Box<dyn Faults> {
        match self {
            Subject::Planned(plan) => {
                let (subject, plan) = (design::build(plan, width), plan.clone());
                let count = move |argument: &str| count(&plan, argument);
                Box::new(FaultsOf { table: &EXCHANGE, subject, count })
            }
            Subject::Streamed(core) => core.faults(width),
        }
    }
}

pub fn streamed_key(core: &dyn StreamCore) -> Vec<String> {
    let Request { system, terminals, options } = core.request();
    vec![system, joined(&options), terminals.to_string()]
}

/// What stands below a plot against the numbers of terminals.
pub fn axis<'a>(subjects: impl IntoIterator<Item = &'a Subject>) -> String {
    let streamed = subjects.into_iter().any(|subject| matches!(subject, Subject::Streamed(_)));
    if streamed { "n: terminals, or words a cycle" } else { "n: terminals" }.into()
}

/// An entry of `systems`: a group for each combination of its options. A size above `most` is refused by `check`, before its
/// plan is made.
pub fn groups(
    system: &str,
    terminals: &OneOrMore<u64>,
    options: &Options,
    check: impl Fn(u64) -> Result<()>,
) -> Result<Vec<Group<Plan>>> {
    let make = |request: &Request| {
        check(request.terminals)?;
        planned(request)
    };
    each(system, "planned systems", terminals, options, make, |plan, _| stem(plan))
}

/// The same of an entry whose system may also be a streamed one.
pub fn subjects(system: &str, terminals: &OneOrMore<u64>, options: &Options) -> Result<Vec<Group<Subject>>> {
    let make = |request: &Request| {
        if let Some(added) = catalog::added(system) {
            return match added.design(request)? {
                Design::Streamed(core) => Ok(Subject::Streamed(core)),
                _ => Err(is_routed(system, "planned and streamed systems")),
            };
        }
        if streamed_row(system).is_none() {
            return Ok(Subject::Planned(Box::new(planned(request)?)));
        }
        let plan = frit_permute::streamed(request)?;
        streamed::need(&format!("a run of {}", plan.name()), 4 * plan.order.words())?;
        Ok(Subject::Streamed(Box::new(plan)))
    };
    each(system, "planned and streamed systems", terminals, options, make, |subject, options| match subject {
        Subject::Planned(plan) => stem(plan),
        Subject::Streamed(_) => format!("{system} {}", joined(options)).trim_end().to_string(),
    })
}

fn each<T>(
    system: &str,
    swept: &str,
    terminals: &OneOrMore<u64>,
    options: &Options,
    make: impl Fn(&Request) -> Result<T>,
    name: impl Fn(&T, &BTreeMap<String, String>) -> String,
) -> Result<Vec<Group<T>>> {
    if routed(system).is_some() {
        return Err(is_routed(system, swept));
    }
    let mut sizes = terminals.list().to_vec();
    sizes.sort_unstable();
    sizes.dedup();
    let mut groups = vec![];
    for options in combinations(options) {
        let request = |&terminals| Request { system: system.into(), terminals, options: options.clone() };
        let plans = sizes.iter().map(|size| make(&request(size))).collect::<Result<Vec<T>>>()?;
        let Some(first) = plans.first() else { bail!("{system}: terminals needs at least one value") };
        groups.push(Group { name: name(first, &options), plans });
    }
    if groups.is_empty() {
        bail!("{system}: every list of options needs at least one value");
    }
    Ok(groups)
}

fn is_routed(system: &str, swept: &str) -> anyhow::Error {
    anyhow!("{system} is routed, and this kind sweeps {swept}; kind = \"route\" sweeps its runs")
}

fn planned(request: &Request) -> Result<Plan> {
    need_plan(&request.system, request.terminals)?;
    Ok(plan(request)?)
}

/// The name of a plan without its size.
fn stem(plan: &Plan) -> String {
    let name = plan.name();
    name.rsplit_once("_n").map_or(name.as_str(), |(name, _)| name).replace('_', " ")
}

/// The options in a cell.
fn joined(options: &BTreeMap<String, impl std::fmt::Display>) -> String {
    let options: Vec<String> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    csv_cell(&options.join(" "))
}

/// The colour of the lines of a plan. Each system of the table has one of its own; a baseline or a user's network has not.
pub fn ink(plan: &Plan) -> Ink {
    system(plan.system).map_or(Ink::Step, |_| Ink::System(plan.system))
}

/// The cells of a plan in the columns [`DESIGN`].
pub fn key(plan: &Plan) -> Vec<String> {
    vec![plan.system.to_string(), joined(&plan.options), plan.served().to_string()]
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
        true => bail!("widths needs at least one value"),
        false => Ok(widths),
    }
}
