//! h-relations on the multibutterfly.

use super::log::Log;
use super::report::{Point, RouteReport};
use crate::args::RouteArgs;
use crate::multibutterfly::{members as run_members, need_memory, order, room};
use crate::share::{self, Runs};
use crate::traffic::from_file;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_design::reports;
use frit_model::multibutterfly::{
    MultibutterflyOutcome, StandingRequest, Stuck, run_again, simulate_ticking,
};
use frit_network::facts;
use frit_network::multibutterfly::shape::side_name;
use frit_router::multibutterfly::problem::check;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, NodeEvent, Parameters, Problem};
use frit_traffic::Messages;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Sides that the text names.
const NAMED: usize = 8;

/// Where the messages come from.
enum Source {
    Rule(Traffic),
    File(Messages),
}

/// The figures of a run, as the table has them.
const COLUMNS: &str = "stages delivered stuck W:max_w raw:max_raw fill:max_fill through:max_through link:max_link late requests ghosts_deleted word_steps digest";
/// Those of the CSV file.
const CSV: &str = "ok stages delivered total max_raw max_fill max_w max_through max_link late requests ghosts_deleted word_steps digest h";

/// Routes the traffic that the arguments ask for.
pub fn route(ui: &Ui, args: &RouteArgs, system: &Multibutterfly) -> Result<RouteReport> {
    if args.wave.is_some() {
        bail!(
            "--wave: the model of the multibutterfly has phases, no cycles; frit verify multibutterfly --wave FORMAT -o DIR keeps rust-hdl's waveform"
        );
    }
    let traffic = &args.traffic;
    let names = Traffic::ALL.map(|(name, _)| name);
    if traffic.hot.is_some() || traffic.percent.is_some() {
        bail!(
            "--hot and --percent do not apply to multibutterfly, which has no hot-spot traffic; its kinds of traffic are {}, or a file",
            names.join(", ")
        );
    }
    if args.direct {
        bail!(
            "--direct does not apply to multibutterfly, whose messages have no intermediate rows; leave it out"
        );
    }
    let offered = traffic.per_source.unwrap_or(system.parameters.offered);
    let parameters = Parameters { offered, ..system.parameters };
    let shape = parameters.shape()?;
    let name = traffic.traffic.as_deref().unwrap_or(names[0]);
    let source = match Traffic::named(name) {
        Some(rule) => Source::Rule(rule),
        None => Source::File(from_file(name, traffic.text.as_deref(), shape.rows(), &names)?),
    };
    if matches!(source, Source::File(_)) && traffic.per_source.is_some() {
        bail!(
            "--per-source applies only to random traffic; {name} already lists the messages; leave --per-source out"
        );
    }
    let seeds: Vec<u64> = match (traffic.seed, traffic.seeds) {
        (None, Some(seeds)) => seeds.iter().collect(),
        (seed, _) => vec![seed.unwrap_or(1)],
    };
    if (args.events.is_some() || args.seen.is_some()) && seeds.len() > 1 {
        bail!("--events records one run only; give one --seed");
    }
    // Before any message is drawn.
    let count = match &source {
        Source::Rule(_) => u64::from(offered) * u64::from(parameters.active_rows()),
        Source::File(messages) => messages.len() as u64,
    };
    check(&parameters, count)?;
    need_memory(&parameters, count, seeds.len(), args.steps)?;
    let bar = Runs::new(ui, seeds.len());
    let points = seeds.par_iter().map(|&seed| {
        let bar = bar.begin();
        let parameters = Parameters { seed, ..parameters };
        let messages = match &source {
            Source::Rule(rule) => &rule.messages(&parameters),
            Source::File(messages) => messages,
        };
        let problem = match &system.wiring {
            Some(wiring) => Problem::on(Arc::clone(wiring), parameters, messages)?,
            None => Problem::new(parameters, messages)?,
        };
        Ok(point(&runs(problem, system.rerun, args, bar)?))
    });
    let points = points.collect::<Result<Vec<Point>>>()?;
    let drawn = matches!(source, Source::Rule(_));
    Ok(RouteReport {
        title: title(&parameters, name),
        members: reports::multibutterfly_traffic(system, &parameters, name, drawn),
        columns: COLUMNS,
        csv: CSV,
        points,
        notes: notes(&parameters),
    })
}

/// All runs of a problem: one, or several if it is to be run again while it is stuck. The events written are those of the last.
fn runs(
    problem: Problem,
    rerun: bool,
    args: &RouteArgs,
    mut bar: share::Run,
) -> Result<Vec<(Problem, MultibutterflyOutcome)>> {
    let mut last = None;
    let mut once = |problem: &Problem| {
        let log = last.insert(Log::new::<NodeEvent>(args));
        let mut see = log.wanted().then_some(|event: &NodeEvent| log.write(event));
        // A phase of each column more, about, until the last message is under way.
        let phases = problem.parameters().least_phases() + 2 * problem.network().shape().dimensions();
        let see = see.as_mut().map(|see| see as &mut dyn FnMut(&NodeEvent));
        simulate_ticking(problem, args.steps, &room, see, &mut |phase| bar.at(phase, phases.into()))
    };
    let runs = if rerun {
        run_again(problem, once)?
    } else {
        let outcome = once(&problem)?;
        vec![(problem, outcome)]
    };
    last.map_or(Ok(()), |log| log.finish(args))?;
    Ok(runs)
}

fn title(p: &Parameters, traffic: &str) -> String {
    let active = if p.stride == 1 { "every row".into() } else { format!("every {}th row", p.stride) };
    let sizes = if p.strict { "sizes above counts" } else { "sizes not below counts" };
    let payload = if p.payload == 0 { "words".into() } else { format!("{} bits, two a round", p.payload) };
    let force = if p.force { ", forced" } else { "" };
    format!(
        "multibutterfly {}: d {}, R {}, h {} ({} from {active}), Z {}, Y {}, {sizes}, splitters of {} free, {payload}, {}{force}; {traffic} traffic",
        p.rows,
        p.degree,
        p.committed,
        p.threshold,
        p.offered,
        p.requests,
        p.moves,
        p.free,
        order(p)
    )
}

fn point(runs: &[(Problem, MultibutterflyOutcome)]) -> Point {
    let (problem, outcome) = runs.last().expect("there is a run");
    let mut faults: Vec<String> = outcome.stuck.iter().take(NAMED).map(stuck_text).collect();
    if outcome.stuck.len() > NAMED {
        faults.push(format!("{} more sides of splitters are stuck", outcome.stuck.len() - NAMED));
    }
    if !outcome.ok() {
        let missing = outcome.total - outcome.delivered;
        let h = problem.parameters().threshold;
        faults.push(format!("{missing} of {} messages never arrive with h = {h}", outcome.total));
    }
    let earlier = runs[..runs.len() - 1].iter().map(|(problem, outcome)| {
        json!({ "h": problem.parameters().threshold, "stages": outcome.phases, "delivered": outcome.delivered })
    });
    let mut members = run_members(problem.parameters(), outcome);
    members.extend(facts! {
        "earlier": earlier.collect::<Vec<_>>(), "undelivered": outcome.undelivered,
        "stuck": outcome.stuck.iter().map(stuck).collect::<Vec<_>>(),
    });
    Point {
        seed: Some(problem.parameters().seed),
        shown: vec![("stuck", outcome.stuck.len().to_string())],
        members,
        faults,
    }
}

fn stuck(stuck: &Stuck) -> Value {
    let request = |r: &StandingRequest| json!({ "row": r.row, "size": r.size, "messages": r.messages });
    json!({
        "column": stuck.side.column, "splitter": stuck.side.number, "side": side_name(stuck.side.side),
        "since": stuck.since, "requests": stuck.requests.iter().map(request).collect::<Vec<_>>(),
    })
}

fn stuck_text(stuck: &Stuck) -> String {
    let rows: Vec<String> =
        stuck.requests.iter().take(NAMED).map(|r| format!("row {} (W {})", r.row, r.size)).collect();
    let more = stuck.requests.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "{} has been stuck since phase {}: {}{more} ask for ever",
        stuck.side,
        stuck.since,
        rows.join(", ")
    )
}

fn notes(p: &Parameters) -> Vec<String> {
    let phases = p.rows.ilog2();
    let mut notes = vec![format!("lower bound: {phases} phases, one for each column")];
    if let Some(bound) = p.paper_bound() {
        notes.push(format!(
            "the paper's bounds, if its expansion condition holds: W up to {bound}, up to {} messages through a node",
            2 * bound
        ));
    }
    notes
}
