//! Traffic on a planned system, whose rounds repeat.

use super::report::{Point, RouteReport};
use crate::args::RouteArgs;
use crate::limits::RELATION_TERMINALS;
use crate::memory::{self, estimate};
use crate::share::{self, Runs};
use crate::traffic::{Defaults, Kind, Traffic};
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_design::reports;
use frit_model::h_relation::{Routed, closed_form, cost, cost_ticking, simulate_ticking};
use frit_model::{Cost, Statistics};
use frit_network::facts;
use frit_schedule::{Phases, Plan};
use frit_traffic::relation::Relation;
use rayon::prelude::*;
use serde_json::json;

/// In the engine of single steps there are two counters for each pair of terminals.
const MAX_TERMINALS_STEPS: u32 = 4096;

/// The most packets in all, in closed form and step by step: drawing more takes minutes.
const MAX_PACKETS: u64 = 1 << 32;
const MAX_PACKETS_STEPS: u64 = 1 << 28;

/// How one run went.
struct Run {
    seed: Option<u64>,
    cost: Cost,
    /// What the step-by-step simulator found; none if only the closed form was asked.
    routed: Option<Routed>,
    /// Whether that is also what the closed form says; none where no round serves some pair.
    agrees: Option<bool>,
}

/// Routes the traffic that the arguments ask for.
pub fn route(ui: &Ui, args: &RouteArgs, plan: &Plan) -> Result<RouteReport> {
    let terminals = plan.network.terminals();
    if plan.has_spare() {
        bail!(
            "{} has spare terminals, but relations are routed on complete networks only; leave --pad out, or give -n {terminals}",
            plan.name()
        );
    }
    // Only systolic routing has a closed form that needs no look at every slot.
    let steps = args.steps || plan.systolic().is_none();
    let limit = if steps { MAX_TERMINALS_STEPS } else { RELATION_TERMINALS };
    if terminals > limit {
        let how = if steps { "step by step" } else { "in closed form" };
        bail!("{terminals} terminals are too many to route relations {how}; use -n up to {limit}");
    }
    let defaults = Defaults { kind: "random", per_source: terminals, seeds: 5 };
    let traffic = Traffic::new(&args.traffic, terminals, &defaults)?;
    if steps {
        let bytes = estimate::relation_in_steps(terminals, traffic.kind != Kind::Random);
        let what = format!("a relation on {} step by step", plan.name());
        memory::need_each(&what, traffic.seeds.len(), bytes, "use a smaller -n")?;
    }
    if let Some(per_source) = traffic.per_source {
        few_enough(per_source, terminals, if steps { MAX_PACKETS_STEPS } else { MAX_PACKETS })?;
    }
    let bar = Runs::new(ui, traffic.seeds.len());
    let runs: Vec<Run> = traffic
        .seeds
        .par_iter()
        .map(|&seed| {
            let bar = bar.begin();
            Ok(run(plan, seed, &traffic.relation(terminals, seed)?, steps, bar))
        })
        .collect::<Result<_>>()?;
    drop(bar);
    Ok(report(plan, &traffic, &runs, steps))
}

/// Refuses more packets in all than can be drawn in some minutes.
fn few_enough(per_source: u32, terminals: u32, limit: u64) -> Result<()> {
    let most = limit / u64::from(terminals);
    if u64::from(per_source) > most {
        bail!(
            "--per-source {per_source}: {terminals} terminals would send more than {limit} packets in all; give 1 to {most}"
        );
    }
    Ok(())
}

fn run(plan: &Plan, seed: Option<u64>, relation: &Relation, steps: bool, mut bar: share::Run) -> Run {
    match plan.systolic() {
        Some(systolic) if !steps => {
            let sources = relation.terminals().into();
            let cost = cost_ticking(systolic, relation, &mut |source| bar.at(source.into(), sources));
            Run { seed, cost, routed: None, agrees: None }
        }
        systolic => {
            let closed = match systolic {
                Some(systolic) => Some(cost(systolic, relation)),
                None => closed_form(plan, relation),
            };
            // Where no round serves some pair, nobody knows how many steps there will be.
            let last = closed.map_or(u64::MAX, |cost| cost.steps);
            let routed = simulate_ticking(plan, relation, &mut |step| bar.at(step, last));
            Run {
                seed,
                cost: routed.cost,
                agrees: closed.map(|cost| cost == routed.cost),
                routed: Some(routed),
            }
        }
    }
}

/// The columns of the table: in closed form, and step by step.
const COLUMNS: [&str; 2] = [
    "packets most_sent most_received h largest_buffer mean_wait steps c_=_steps/h:cost",
    "packets most_sent most_received h largest_buffer mean_wait steps c_=_steps/h:cost delivered left_over:undelivered closed_form:closed_form_agrees",
];

fn report(plan: &Plan, traffic: &Traffic, runs: &[Run], steps: bool) -> RouteReport {
    let prepare = match plan.phases {
        Phases::One => 0,
        Phases::PrepareAndSend => plan.cycles(),
    };
    let mut title = format!("{}: {} traffic", plan.name(), traffic.name);
    if let Some(per_source) = traffic.per_source {
        title += &format!(", {per_source} packets from each source");
    }
    let mut notes = Vec::new();
    if prepare > 0 {
        notes.push(format!(
            "plus {prepare} steps, once, for the prepare phase, in which the sources learn their destinations"
        ));
    }
    let statistics = Statistics::of(&runs.iter().map(|run| run.cost.cost()).collect::<Vec<_>>());
    if let Some(s) = statistics.filter(|s| s.count > 1) {
        notes.push(format!(
            "c = {:.4} +- {:.4} (mean and standard deviation of {} seeds), {:.4} to {:.4}",
            s.mean, s.deviation, s.count, s.least, s.greatest
        ));
    }
    let members = facts! {
        "system": plan.system, "options": plan.options, "terminals": plan.network.terminals(),
        "traffic": traffic.name, "relation": traffic.name, "per_source": traffic.per_source,
        "h": runs.iter().map(|run| run.cost.h()).max(), "prepare_steps": prepare,
        "cost_mean": statistics.map(|s| s.mean), "cost_deviation": statistics.map(|s| s.deviation),
        "cost_least": statistics.map(|s| s.least), "cost_greatest": statistics.map(|s| s.greatest),
    };
    let csv = "h packets most_sent most_received largest_buffer steps cost";
    RouteReport {
        title,
        members,
        columns: COLUMNS[usize::from(steps)],
        csv,
        points: runs.iter().map(point).collect(),
        notes,
    }
}

fn point(run: &Run) -> Point {
    let c = &run.cost;
    let agrees = match run.agrees {
        Some(true) => "the same",
        Some(false) => "differs",
        None => "none",
    };
    let shown = vec![
        ("mean_wait", format!("{:.2}", c.mean_wait())),
        ("cost", format!("{:.4}", c.cost())),
        ("closed_form_agrees", agrees.into()),
    ];
    let mut members = reports::relation(c);
    let mut faults = Vec::new();
    match &run.routed {
        // The closed form gives every packet its slot.
        None => {
            members.extend(facts! { "method": "closed form", "delivered": c.packets, "undelivered": 0 });
        }
        Some(routed) => {
            let left = routed.misrouted + routed.lost;
            let first = routed.first_undelivered;
            members.extend(facts! {
                "method": "steps", "delivered": routed.delivered, "undelivered": left,
                "misrouted": routed.misrouted, "lost": routed.lost,
                "first_undelivered": first.map(|(source, to)| json!({"source": source, "destination": to})),
                "closed_form_agrees": run.agrees,
            });
            faults.extend(routed.first_fault.as_ref().map(|fault| match fault {
                frit_traffic::trace::FirstFault::Missing { source, destination, .. } => {
                    format!("{left} packets are left over, the first from {source} to {destination}")
                }
                fault => fault.to_string(),
            }));
            if run.agrees == Some(false) {
                faults.push("the closed form gives a different result".into());
            }
        }
    }
    Point { seed: run.seed, members, shown, faults }
}
