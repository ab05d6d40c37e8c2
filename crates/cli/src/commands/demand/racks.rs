//! Two levels: `frit demand --racks`.

use super::plan::{self, Whose};
use crate::args::DemandArgs;
use crate::demand::need_compared;
use crate::memory;
use crate::progress::Share;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_demand::Demand;
use frit_demand::plan_file::MAX_PLANES;
use frit_demand::racks::{Planned, Racks};
use frit_network::facts;
use frit_network::facts::Facts;
use frit_trace::output::write_files;
use frit_traffic::pace::Pace;

/// The racks that are asked for.
pub fn racks(args: &DemandArgs, demand: &Demand) -> Result<Option<Racks>> {
    let Some(racks) = args.racks.racks else { return Ok(None) };
    let racks = Racks::new(demand.terminals(), racks, args.racks.uplinks, args.delta)?;
    if racks.uplinks > MAX_PLANES {
        let ports = racks.uplinks;
        bail!(
            "a rack of {ports} terminals has {ports} uplinks by default; give --uplinks, at most {MAX_PLANES}"
        );
    }
    let files = args.plan.schedule.is_some() || args.plan.check.is_some();
    match (&args.racks.circuits, files) {
        (Some(_), false) => {
            bail!("--circuits is the second file of a plan; add --schedule or --check, or leave it out")
        }
        (None, true) => {
            bail!("a plan of racks is two files; add --circuits FILE, for that of the optical switches")
        }
        _ => Ok(Some(racks)),
    }
}

/// Plans both levels, writes the plans if they are asked for, or checks those that are given; the facts.
pub fn facts(ui: &Ui, args: &DemandArgs, racks: Racks, demand: &Demand, pace: Option<Pace>) -> Result<Facts> {
    need_compared(demand)?;
    let between = racks.between(demand)?;
    let mut facts = facts! {
        "racks": racks.racks, "uplinks": racks.uplinks, "planes": racks.uplinks,
        "words_between_racks": between.total(), "time_lower_bound": racks.bound(demand)?,
    };
    let circuits = args.racks.circuits.as_deref();
    if let (Some(terminals), Some(path)) = (&args.plan.check, circuits) {
        let within = DemandArgs { delta: 0, planes: Some(1), ..args.clone() };
        let optical = DemandArgs { planes: Some(racks.uplinks), ..args.clone() };
        let terminals = plan::read(&within, terminals, demand, Whose::Ports)?;
        let planned = Planned { terminals, circuits: plan::read(&optical, path, &between, Whose::Uplinks)? };
        let fault = racks.check(demand, &planned).err().map(|fault| fault.to_string());
        facts.extend(plan::verdict(demand, &planned.terminals, fault));
        return Ok(facts);
    }
    memory::need(
        "the plan of these racks",
        racks.bytes(demand),
        "give a demand of fewer words or terminals",
    )?;
    let files = match (&args.plan.schedule, circuits) {
        (Some(path), Some(circuits)) => Some([
            (path.as_path(), plan::form(args, path, pace)?),
            (circuits, plan::form(args, circuits, pace)?),
        ]),
        _ => None,
    };
    let share = Share::new(ui, "planning");
    let (planned, alone) = racks.plan(demand, &mut |done, of| share.at(done, of))?;
    drop(share);
    if let Some([(path, form), (circuits, its_form)]) = files {
        let terminals = plan::bytes(form, &planned.terminals, demand, pace)?;
        let joined = plan::bytes(its_form, &planned.circuits, &between, pace)?;
        write_files([(path.into(), terminals), (circuits.into(), joined)])?;
    }
    facts.extend(facts! { "planner": "racks" });
    facts.extend(plan::described(demand, &planned.terminals));
    facts.extend(facts! { "circuits": planned.circuits.rows.len(), "alone_cycles": alone });
    Ok(facts)
}
