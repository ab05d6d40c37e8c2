//! Plans of configurations: `frit demand --schedule` and `--check`, and `frit schedule benes --demand`.

use crate::args::{DemandArgs, PlanForm, PlannerArg};
use crate::demand::{contents, need_compared, need_plan};
use crate::memory;
use crate::progress::Share;
use crate::ui::Ui;
use anyhow::{Context, Result, bail};
use frit_demand::check::check;
use frit_demand::few::{self, Fabric};
use frit_demand::peel::permutations_ticking;
use frit_demand::plan_file::{self, PlanFile, Row};
use frit_demand::{Demand, plan_forms};
use frit_network::facts;
use frit_network::facts::Facts;
use frit_trace::output::OutputFile;
use frit_traffic::pace::Pace;
use std::io::Write;
use std::path::Path;

/// The plan of a planner, by default the shortest that is known, within the memory that there is; and which planner made it. `tick` is told how
/// far the plan is, and of how much.
pub fn plan(
    demand: &Demand,
    planner: Option<PlannerArg>,
    fabric: Fabric,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<(PlanFile, &'static str)> {
    let plain = fabric.delta == 0 && fabric.planes == 1 && fabric.matchings.is_none();
    let planner = planner.unwrap_or(if plain { PlannerArg::Exact } else { PlannerArg::Few });
    if fabric.matchings.is_some() && planner != PlannerArg::Few {
        bail!("--matchings applies to the planner few only; give --planner few, or leave it out");
    }
    match planner {
        PlannerArg::Few => need_compared(demand)?,
        _ => need_plan(demand)?,
    }
    let (held, name) = match planner {
        PlannerArg::Few => {
            let few = few::plan_ticking(demand, fabric, tick)?;
            return Ok((PlanFile::new(demand.terminals(), fabric.delta, few), "few"));
        }
        PlannerArg::Exact => (permutations_ticking(demand, tick), "exact"),
        PlannerArg::Cover => (few::cover(demand.terminals() as usize, demand.matrix().to_vec()), "cover"),
        PlannerArg::Birkhoff => (few::birkhoff(demand), "birkhoff"),
    };
    Ok((PlanFile::new(demand.terminals(), fabric.delta, few::spread(&held, fabric)), name))
}

/// Writes a plan, made from the configurations of `last` if that is given; its facts.
pub fn schedule(
    ui: &Ui,
    args: &DemandArgs,
    path: &Path,
    demand: &Demand,
    pace: Option<Pace>,
    last: Option<&PlanFile>,
) -> Result<Facts> {
    let form = form(args, path, pace)?;
    let fabric =
        Fabric { delta: args.delta, planes: args.planes.unwrap_or(1), matchings: args.plan.matchings };
    let share = Share::new(ui, "planning");
    let (plan, planner) = match last {
        Some(last) => {
            need_compared(demand)?;
            let few = few::again(demand, &last.held(), fabric)?;
            (PlanFile::new(demand.terminals(), fabric.delta, few), "reuse")
        }
        None => plan(demand, args.plan.planner, fabric, &mut |done, of| share.at(done, of))?,
    };
    drop(share);
    write(path, form, &plan, demand, pace)?;
    let mut facts = facts! { "planner": planner };
    facts.extend(described(demand, &plan));
    if let Some(last) = last {
        let same = |row: &Row, last: &Row| {
            last.circuits().next().is_some() && last.circuits().all(|(source, to)| row.to[source] == to)
        };
        let kept = plan.rows.iter().filter(|row| last.rows.iter().any(|last| same(row, last))).count();
        facts.extend(facts! { "configurations_kept": kept, "configurations_new": plan.rows.len() - kept });
    }
    Ok(facts)
}

/// The form of a file.
pub fn form(args: &DemandArgs, path: &Path, pace: Option<Pace>) -> Result<PlanForm> {
    let by_name = || match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => PlanForm::Json,
        Some("cm") => PlanForm::Htsim,
        _ => PlanForm::Csv,
    };
    let form = args.plan.schedule_form.unwrap_or_else(by_name);
    if form == PlanForm::Htsim && pace.is_none() {
        bail!(
            "flows of htsim start at a time in picoseconds, but a cycle has no length yet; add --word-bytes 4096 --link 400G, or give another --schedule-form"
        );
    }
    Ok(form)
}

/// Writes a plan of a demand.
fn write(path: &Path, form: PlanForm, plan: &PlanFile, demand: &Demand, pace: Option<Pace>) -> Result<()> {
    let slice = slice(form, plan)?;
    let mut file = OutputFile::create(path)?;
    let written = written(form, slice, plan, demand, pace, &mut file);
    written.map_err(|source| OutputFile::error(path, source))?;
    Ok(file.finish()?)
}

/// The bytes of the file of a plan.
pub fn bytes(form: PlanForm, plan: &PlanFile, demand: &Demand, pace: Option<Pace>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    written(form, slice(form, plan)?, plan, demand, pace, &mut bytes)?;
    Ok(bytes)
}

fn slice(form: PlanForm, plan: &PlanFile) -> Result<u64> {
    Ok(if form == PlanForm::Openoptics { plan_forms::slice(plan)? } else { 1 })
}

fn written(
    form: PlanForm,
    slice: u64,
    plan: &PlanFile,
    demand: &Demand,
    pace: Option<Pace>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    match (form, pace) {
        (PlanForm::Csv, _) => plan.csv(out, pace),
        (PlanForm::Openoptics, _) => plan_forms::openoptics(plan, slice, out, pace),
        (PlanForm::Openconfig, _) => plan_forms::openconfig(plan, out, pace),
        (PlanForm::Htsim, Some(pace)) => plan_forms::htsim(plan, demand, out, pace),
        (PlanForm::Json | PlanForm::Htsim, _) => plan.json(out, pace),
    }
}

/// Bytes for each line of a plan while it is read, beside those for each byte.
const READ_LINE: u64 = 160;

/// Whose plan a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Of networks that join terminals.
    Terminals,
    /// Of the terminals of racks, one port each, behind switches that change at once.
    Ports,
    /// Of the optical switches between racks.
    Uplinks,
}

/// Reads a plan. It says how many networks there are.
pub fn read(args: &DemandArgs, path: &Path, demand: &Demand, whose: Whose) -> Result<PlanFile> {
    need_plan(demand)?;
    let bytes = contents(path)?;
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    memory::need(&path.display().to_string(), READ_LINE * lines, "give a plan of fewer configurations")?;
    let plan = plan_file::read(&bytes, args.delta).with_context(|| path.display().to_string())?;
    if plan.terminals != demand.terminals() && whose == Whose::Uplinks {
        bail!(
            "{}: the plan has {} terminals, but there are {} racks; give the plan of the optical switches as --circuits, and that of the terminals as --check",
            path.display(),
            plan.terminals,
            demand.terminals()
        );
    }
    if plan.terminals != demand.terminals() {
        bail!(
            "{}: the plan has {} terminals, but the demand has {}; give a plan of this demand",
            path.display(),
            plan.terminals,
            demand.terminals()
        );
    }
    let row = |planes| plan.rows.iter().find(|row| row.plane >= planes);
    if whose == Whose::Ports {
        if plan.delta != 0 || row(1).is_some() {
            bail!(
                "{}: a configuration takes time or is of another plane than 0, so this is not the plan of the terminals of racks, which have one port behind switches that change at once; give that plan here, and that of the optical switches as --circuits",
                path.display()
            );
        }
        return Ok(plan);
    }
    if plan.delta != args.delta {
        let (delta, path) = (plan.delta, path.display());
        bail!("{path}: the plan is made for --delta {delta}, not for {}; give --delta {delta}", args.delta);
    }
    if let Some((planes, row)) = args.planes.and_then(|planes| Some((planes, row(planes)?))) {
        let option = if whose == Whose::Uplinks { "--uplinks" } else { "--planes" };
        bail!(
            "{}: a configuration is of plane {}, but {option} {planes} are given; planes count from 0",
            path.display(),
            row.plane
        );
    }
    Ok(plan)
}

/// Whether a plan carries the demand, as facts.
pub fn checked(demand: &Demand, plan: &PlanFile, delta: u32) -> Facts {
    verdict(demand, plan, check(demand, plan, delta).err().map(|fault| fault.to_string()))
}

/// What a plan delivers, or its fault, as facts.
pub fn verdict(demand: &Demand, plan: &PlanFile, fault: Option<String>) -> Facts {
    let mut facts = described(demand, plan);
    let delivered = fault.is_none().then_some(demand.total());
    facts.extend(facts! { "delivered": delivered, "fault": fault });
    facts
}

pub fn described(demand: &Demand, plan: &PlanFile) -> Facts {
    facts! {
        "configurations": plan.rows.len(), "schedule_cycles": plan.cycles(),
        "imbalance_cycles": u64::from(demand.h()) - demand.total() / u64::from(demand.terminals()),
    }
}
