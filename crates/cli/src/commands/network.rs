//! `frit network`. The networks of routed systems have a module each.

pub mod dilated;
pub mod multibutterfly;
mod planned;

use crate::Verdict;
use crate::args::{NetworkArgs, NetworkFormat};
use crate::design::{design, refuse_baseline};
use crate::memory::{self, estimate};
use crate::registry;
use crate::table::pairs;
use crate::ui::{HEAD, Ui};
use anyhow::{Result, bail};
use frit_network::export::{json_bytes, to_json};
use frit_network::{RoundIdx, SwitchState};
use frit_router::Router;
use frit_schedule::check::route_round;
use frit_schedule::{Plan, flattened};
use frit_trace::output::write_file;

/// Above this a drawing takes gigabytes and no viewer shows it.
const MAX_DRAWN_SWITCHES: u64 = 1 << 18;

pub fn run(ui: &Ui, args: &NetworkArgs, routed: impl Fn(&dyn Router) -> Result<String>) -> Result<Verdict> {
    let design = design(&args.design)?;
    registry::refuse("network", design.row, &args.design)?;
    if let Some(router) = design.routed() {
        return give(ui, args, routed(router)?);
    }
    let plan = design.into_plan()?;
    refuse_baseline(plan.system, "a network of switches")?;
    match args.format {
        NetworkFormat::Svg => {}
        NetworkFormat::Text if !args.states => {}
        _ if args.states => bail!("--states makes a drawing; pass --format svg"),
        _ if args.path.is_some() => bail!("--path has no output in this format; pass --format text or svg"),
        _ => {}
    }
    // A round of a network that is passed twice has states for both passes.
    memory::need("the network with a stage for each hop", estimate::unrolled(&plan), "use a smaller -n")?;
    let unrolled = plan.unrolled();
    let network = if args.round.is_some() || args.path.is_some() { unrolled.as_ref() } else { &plan.network };
    let drawn = matches!(args.format, NetworkFormat::Dot | NetworkFormat::Svg);
    if drawn && network.switches() > MAX_DRAWN_SWITCHES {
        bail!(
            "{} switches are too many to draw (at most {MAX_DRAWN_SWITCHES}); use a smaller -n, or --format json for the tables",
            network.switches()
        );
    }
    let text = match args.format {
        NetworkFormat::Json => json_bytes(network),
        NetworkFormat::Dot | NetworkFormat::Svg => estimate::drawing(network, args.messages),
        NetworkFormat::Text => 0,
    };
    let routed = args.round.map_or(0, |_| estimate::routed_round(&plan));
    memory::need(&format!("the text of {}", plan.name()), text + routed, "use a smaller -n")?;
    let round = args.round.map(RoundIdx);
    let states = round.map(|round| states(&plan, round)).transpose()?;
    let path = args.path.map(|pair| planned::path(&plan, pair)).transpose()?;
    let title = planned::title(&plan, network, round, path.as_ref());
    let text = match args.format {
        NetworkFormat::Json => to_json(network),
        NetworkFormat::Dot => planned::dot(&plan, network, states.as_deref()),
        NetworkFormat::Svg if args.states => planned::switch_states(&plan),
        NetworkFormat::Svg => {
            let labels = round.filter(|_| args.messages);
            planned::svg(&plan, &title, states.as_deref(), labels, path.as_ref())
        }
        NetworkFormat::Text => {
            let mut rows = vec![
                ("terminals", network.terminals().to_string()),
                ("lanes", network.lanes().to_string()),
                ("stages", network.stages().to_string()),
                ("switches", format!("{} ({} a stage)", network.switches(), network.switches_per_stage())),
                ("wires", wires(&plan)),
            ];
            if plan.system == flattened::KEY {
                let (routers, dimensions) = (network.terminals() / 2, network.terminals().ilog2() - 1);
                let channels = routers * dimensions;
                rows.push((
                    "routers",
                    format!("{routers} of {dimensions} dimensions, {channels} channels (row r of switches is router r)"),
                ));
            }
            if let Some(second) = plan.second_pass {
                let way = if second.wait == 0 {
                    "wired straight back".into()
                } else {
                    format!("back through FIFOs, {} cycles", second.wait)
                };
                rows.push(("second pass", format!("from the end of {} stages {way}", second.after)));
            }
            if let Some(states) = &states {
                let count = states.iter().flatten().filter(|state| state.bit()).count();
                rows.push(("cross", format!("{count} of {} switches in this round", network.switches())));
            }
            if let Some(path) = &path {
                rows.push(("path", path.in_words(&plan)));
            }
            format!("{HEAD}{title}{HEAD:#}\n{}", pairs(&rows))
        }
    };
    give(ui, args, text)
}

/// Refuses what only the multibutterfly shows, and traffic without a step.
/// Writes the text where it was asked for.
fn give(ui: &Ui, args: &NetworkArgs, text: String) -> Result<Verdict> {
    match &args.output {
        Some(path) => {
            write_file(path, text)?;
            ui.say(&format!("{}\n", path.display()))?;
        }
        None => ui.print(&text)?,
    }
    Ok(Verdict::Fine)
}

/// The wires of the plan, and what they are if not all of them lie between stages.
fn wires(plan: &Plan) -> String {
    let (wires, between) = (plan.wires(), plan.network.wires_between_stages());
    let lanes = plan.network.lanes();
    if plan.entry_delay > 0 {
        let edges = wires + u64::from(lanes);
        return format!(
            "{wires} ({between} between stages, {lanes} from the terminals; {edges} with those to the terminals, as the paper counts)"
        );
    }
    match plan.second_pass {
        Some(_) => format!("{wires} ({between} between stages, {lanes} back to the inputs)"),
        None => format!("{wires} between stages"),
    }
}

pub fn states(plan: &Plan, round: RoundIdx) -> Result<Vec<Vec<SwitchState>>> {
    if round.0 >= plan.rounds {
        bail!("--round {round} is out of range; {} has rounds 0 to {}", plan.name(), plan.rounds - 1);
    }
    match route_round(plan, round) {
        Ok(routed) => Ok(routed.states),
        Err(conflict) => bail!("the schedule has a conflict: {conflict}"),
    }
}
