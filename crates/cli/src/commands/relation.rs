//! `frit relation`.

use crate::Verdict;
use crate::args::{RelationArgs, RelationFormat, Seeds};
use crate::design::design;
use crate::table;
use crate::ui::{BAD, HEAD, Ui};
use anyhow::{Context, Result, bail};
use frit_cosim::output;
use frit_model::h_relation::{Routed, cost, simulate};
use frit_model::{Cost, Statistics};
use frit_schedule::{Phases, Plan};
use frit_traffic::relation::{Relation, RelationError};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

/// Rows of N counts are filled for each of N sources: above this that takes minutes.
pub const MAX_TERMINALS: u32 = 65536;
/// Step by step there are two counters for each pair of terminals.
const MAX_TERMINALS_STEPS: u32 = 4096;
/// Seeds when nobody says.
const DEFAULT_SEEDS: u64 = 5;
/// Percent of the packets that go to the hot spot when nobody says.
pub const DEFAULT_PERCENT: u32 = 20;

/// How a relation went.
struct Point {
    /// None if nothing is random.
    seed: Option<u64>,
    cost: Cost,
    /// What the step-by-step simulator found.
    routed: Option<Routed>,
    /// Whether that is also what the closed form says, if there is one.
    agrees: Option<bool>,
}

pub fn run(ui: &Ui, args: &RelationArgs) -> Result<Verdict> {
    let plan = design(&args.design)?.into_plan()?;
    let terminals = plan.network.terminals();
    // Only systolic routing has a closed form.
    let steps = args.steps || plan.systolic().is_none();
    let limit = if steps { MAX_TERMINALS_STEPS } else { MAX_TERMINALS };
    if terminals > limit {
        let how = if steps { "step by step" } else { "in closed form" };
        bail!("{terminals} terminals: relations are routed {how} for up to {limit} terminals");
    }
    if plan.phases != Phases::One {
        bail!(
            "{} has a phase that prepares, so its sources cannot buffer by destination; take obf or rls",
            plan.name()
        );
    }
    let (seeds, relation) = relations(args, terminals)?;
    let bar = ui.progress(&format!("{} relations", seeds.len()), Some(seeds.len() as u64));
    let points: Vec<Point> = seeds
        .into_par_iter()
        .map(|seed| {
            let point = point(&plan, seed, &relation(seed)?, steps);
            bar.inc(1);
            Ok(point)
        })
        .collect::<Result<_>>()?;
    bar.finish_and_clear();
    let fine = points.iter().all(|p| p.routed.as_ref().is_none_or(Routed::ok) && p.agrees != Some(false));
    ui.print(&match args.format {
        RelationFormat::Text => text(args, &plan, &points),
        RelationFormat::Json => json_text(args, &plan, &points)?,
        RelationFormat::Csv => csv(&points),
    })?;
    Ok(Verdict::of(fine))
}

/// The seeds of the relations that the arguments ask for, and what makes a relation of a seed.
#[allow(clippy::type_complexity)]
fn relations(
    args: &RelationArgs,
    terminals: u32,
) -> Result<(Vec<Option<u64>>, Box<dyn Fn(Option<u64>) -> Result<Relation, RelationError> + Sync>)> {
    let h = args.per_source.unwrap_or(terminals);
    if args.relation != "hot-spot" && (args.hot.is_some() || args.percent.is_some()) {
        bail!("--hot and --percent belong to --relation hot-spot, not to {}", args.relation);
    }
    let (hot, percent) = (args.hot.unwrap_or(0), args.percent.unwrap_or(DEFAULT_PERCENT));
    let seeds = args.seeds.unwrap_or(Seeds::count(DEFAULT_SEEDS)).iter().map(Some).collect();
    Ok(match args.relation.as_str() {
        "random" => (seeds, Box::new(move |seed| Ok(Relation::random(terminals, h, seed.unwrap_or(0))))),
        "permutation" => {
            (seeds, Box::new(move |seed| Ok(Relation::permutation(terminals, h, seed.unwrap_or(0)))))
        }
        "hot-spot" => {
            (seeds, Box::new(move |seed| Relation::hot_spot(terminals, h, seed.unwrap_or(0), hot, percent)))
        }
        name => {
            if !Path::new(name).exists() {
                bail!("--relation {name}: none of random, permutation, hot-spot, nor a file that exists");
            }
            if args.per_source.is_some() || args.seeds.is_some() {
                bail!(
                    "--per-source and --seeds belong to random relations; {name} says which packets there are"
                );
            }
            let text = String::from_utf8_lossy(&output::read(Path::new(name))?).into_owned();
            let relation = Relation::parse(&text, terminals).context(name.to_string())?;
            (vec![None], Box::new(move |_| Ok(relation.clone())))
        }
    })
}

fn point(plan: &Plan, seed: Option<u64>, relation: &Relation, steps: bool) -> Point {
    let closed = plan.systolic().map(|systolic| cost(systolic, relation));
    match closed {
        Some(cost) if !steps => Point { seed, cost, routed: None, agrees: None },
        _ => {
            let routed = simulate(plan, relation);
            let agrees = closed.map(|cost| cost == routed.cost);
            Point { seed, cost: routed.cost, routed: Some(routed), agrees }
        }
    }
}

fn seed_text(point: &Point) -> String {
    point.seed.map_or("-".into(), |seed| seed.to_string())
}

/// c over the seeds.
fn statistics(points: &[Point]) -> Option<Statistics> {
    Statistics::of(&points.iter().map(|p| p.cost.cost()).collect::<Vec<_>>())
}

fn text(args: &RelationArgs, plan: &Plan, points: &[Point]) -> String {
    let steps = points.iter().any(|p| p.routed.is_some());
    let mut header =
        vec!["seed", "packets", "most sent", "most received", "largest buffer", "steps", "c = steps/h"];
    if steps {
        header.extend(["delivered", "closed form"]);
    }
    let rows: Vec<Vec<String>> = points
        .iter()
        .map(|p| {
            let c = &p.cost;
            let mut row = vec![
                seed_text(p),
                c.packets.to_string(),
                c.most_sent.to_string(),
                c.most_received.to_string(),
                c.largest_buffer.to_string(),
                c.steps.to_string(),
                format!("{:.4}", c.cost()),
            ];
            if let Some(routed) = &p.routed {
                row.push(routed.delivered.to_string());
                row.push(match p.agrees {
                    Some(true) => "the same".into(),
                    Some(false) => format!("{BAD}differs{BAD:#}"),
                    None => "none".into(),
                });
            }
            row
        })
        .collect();
    let h = points.first().map_or(0, |p| p.cost.h);
    let mut text = format!("{HEAD}{}{HEAD:#}: {} relation, h = {h}\n", plan.name(), args.relation);
    text += &table::render(&header, &rows);
    if let Some(s) = statistics(points).filter(|s| s.count > 1) {
        text += &format!(
            "c = {:.4} +- {:.4} (mean and standard deviation of {} seeds), {:.4} to {:.4}\n",
            s.mean, s.deviation, s.count, s.least, s.greatest
        );
    }
    for p in points {
        if let Some(fault) = p.routed.as_ref().and_then(|r| r.first_fault.as_ref()) {
            text += &format!("{BAD}seed {}{BAD:#}: {fault}\n", seed_text(p));
        }
    }
    text
}

fn json_text(args: &RelationArgs, plan: &Plan, points: &[Point]) -> Result<String> {
    let rows: Vec<Value> = points
        .iter()
        .map(|p| {
            let c = &p.cost;
            let mut value = json!({
                "seed": p.seed, "packets": c.packets, "most_sent": c.most_sent, "most_received": c.most_received,
                "largest_buffer": c.largest_buffer, "steps": c.steps, "cost": c.cost(),
            });
            if let Some(routed) = &p.routed {
                value["delivered"] = json!(routed.delivered);
                value["misrouted"] = json!(routed.misrouted);
                value["lost"] = json!(routed.lost);
                value["closed_form_agrees"] = json!(p.agrees);
            }
            value
        })
        .collect();
    let statistics = statistics(points);
    let value = json!({
        "system": plan.system, "options": plan.options, "terminals": plan.network.terminals(),
        "relation": args.relation, "h": points.first().map(|p| p.cost.h), "points": rows,
        "cost_mean": statistics.map(|s| s.mean), "cost_deviation": statistics.map(|s| s.deviation),
        "cost_least": statistics.map(|s| s.least), "cost_greatest": statistics.map(|s| s.greatest),
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn csv(points: &[Point]) -> String {
    let mut text = String::from("seed,h,packets,most_sent,most_received,largest_buffer,steps,cost\n");
    for p in points {
        let c = &p.cost;
        let seed = p.seed.map(|seed| seed.to_string()).unwrap_or_default();
        text += &format!(
            "{seed},{},{},{},{},{},{},{}\n",
            c.h,
            c.packets,
            c.most_sent,
            c.most_received,
            c.largest_buffer,
            c.steps,
            c.cost()
        );
    }
    text
}
