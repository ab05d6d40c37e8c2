//! Traffic on the dilated butterfly.

use super::log::Log;
use super::report::{Point, RouteReport};
use crate::args::{RouteArgs, RouteFormat};
use crate::dilated::{self, Figures, KINDS, Traffic, closed_form, words};
use crate::share::{self, Runs};
use crate::ui::Ui;
use anyhow::{Context, Result, bail};
use frit_cells::design::dilated::Hardware;
use frit_cosim::wave_file::write_dilated_wave;
use frit_design::reports;
use frit_model::dilated::{Blocked, DilatedOutcome, WaitsFor, simulate_ticking};
use frit_router::dilated::{Dilated, Packets, Parameters, Shunt, claims};
use rayon::prelude::*;

/// Blocked heads that the text names.
const NAMED: usize = 8;

/// Chances of an overload for which the text says how many edges a bundle needs.
const CHANCES: [f64; 3] = [0.5, 1e-3, 1e-9];

/// Routes the traffic that the arguments ask for.
pub fn route(ui: &Ui, args: &RouteArgs, system: &Dilated) -> Result<RouteReport> {
    let traffic = &args.traffic;
    if traffic.hot.is_some() || traffic.percent.is_some() {
        bail!(
            "--hot and --percent do not apply to dilated, which has no hot-spot traffic; its kinds of traffic are {}, or a file",
            KINDS.join(", ")
        );
    }
    let seeds: Vec<u64> = match (traffic.seed, traffic.seeds) {
        (None, Some(seeds)) => seeds.iter().collect(),
        (seed, _) => vec![seed.unwrap_or(1)],
    };
    let traffic = Traffic::new(
        system,
        traffic.traffic.as_deref(),
        traffic.text.as_deref(),
        traffic.per_source,
        args.direct,
    )?;
    if (args.events.is_some() || args.seen.is_some()) && seeds.len() > 1 {
        bail!("--events records one run only; give one --seed");
    }
    if args.wave.is_some() && seeds.len() > 1 {
        bail!("--wave records one run only; give one --seed");
    }
    traffic.need_memory(seeds.len(), args.steps)?;
    let bar = Runs::new(ui, seeds.len());
    let points = seeds.par_iter().map(|&seed| {
        let bar = bar.begin();
        let packets = traffic.packets(seed)?;
        let outcome = run(&packets, args, bar)?;
        if let Some(path) = &args.wave {
            write_dilated_wave(path, &packets, &Hardware::new(&packets).context("--wave")?)?;
        }
        let mut point = point(&packets, &outcome);
        if args.format == RouteFormat::Json {
            point.members.insert("blocked_heads".into(), dilated::blocked_heads(&outcome, seeds.len())?);
        }
        Ok(point)
    });
    let points = points.collect::<Result<Vec<Point>>>()?;
    let (parameters, name, per_input) = (traffic.parameters(), &traffic.name, traffic.per_input);
    Ok(RouteReport {
        title: title(parameters, name),
        members: reports::dilated_traffic(parameters, name, per_input),
        columns: "steps least:least_steps delivered blocked largest_load:max_load waits shunts digest",
        csv: "steps least_steps delivered blocked max_load waits shunts digest",
        points,
        notes: notes(parameters, per_input),
    })
}

/// Runs the packets in the fast engine, or in the plain one if it cannot or `--steps` asks for that.
fn run(packets: &Packets, args: &RouteArgs, mut bar: share::Run) -> Result<DilatedOutcome> {
    let mut log = Log::new::<Shunt>(args);
    let mut see = log.wanted().then_some(|shunt: &Shunt| log.write(shunt));
    let least = packets.parameters().least_steps();
    let see = see.as_mut().map(|see| see as &mut dyn FnMut(&Shunt));
    let outcome = simulate_ticking(packets, args.steps, see, &mut |step| bar.at(step, least));
    log.finish(args)?;
    Ok(outcome)
}

fn title(parameters: &Parameters, traffic: &str) -> String {
    let [switch, mode] = words(parameters);
    let way = if parameters.direct { "direct".into() } else { format!("{mode}, random intermediate rows") };
    let release = if parameters.release { ", edges released" } else { "" };
    format!(
        "dilated {}: bundles of {}, {switch} switches, queues of {}, payload {}, {way}{release}; {traffic} traffic",
        parameters.rows, parameters.bundle, parameters.queue, parameters.payload
    )
}

fn point(packets: &Packets, outcome: &DilatedOutcome) -> Point {
    let figures = Figures::of(packets);
    let (exact, least) = (figures.exact, figures.least);
    let mut faults: Vec<String> = outcome.blocked.iter().take(NAMED).map(blocked_text).collect();
    if outcome.blocked.len() > NAMED {
        faults.push(format!("{} more heads are blocked", outcome.blocked.len() - NAMED));
    }
    faults.extend(
        outcome.wrong.iter().map(|packet| format!("packet {packet} arrived damaged or in another row")),
    );
    if let Some(exact) = exact.filter(|&exact| exact != outcome.steps) {
        faults.push(format!("{} steps, but the closed form gives {exact}", outcome.steps));
    }
    Point {
        seed: Some(packets.parameters().seed),
        shown: vec![
            ("least_steps", format!("{least}{}", if exact.is_some() { " exactly" } else { "" })),
            ("max_load", figures.passes.iter().map(u32::to_string).collect::<Vec<_>>().join(" + ")),
        ],
        members: dilated::members(packets, outcome, &figures),
        faults,
    }
}

fn blocked_text(head: &Blocked) -> String {
    let Blocked { packet, at, waits_for } = head;
    let what = match waits_for {
        WaitsFor::Bundle(x) => format!("an unused edge of bundle {x}"),
        WaitsFor::Turn(edge) => format!("its turn, after edge {edge}"),
    };
    format!(
        "packet {packet} is blocked at level {}, row {}, bundle {}, edge {}: the packet waits for {what}",
        at.node.level, at.node.row, at.y, at.e
    )
}

fn notes(parameters: &Parameters, per_input: Option<u32>) -> Vec<String> {
    let form = closed_form(parameters);
    let mut notes = vec![format!(
        "lower bound: {form} steps; exact for strong switches and Q of 2 or more if no bundle has more packets than edges"
    )];
    if let Some(per_input) = per_input.filter(|_| !parameters.direct) {
        let n = parameters.rows.ilog2();
        let edges =
            CHANCES.map(|chance| format!("{} for {chance:e}", claims::bundle_for(n, per_input, chance)));
        notes.push(format!(
            "the chance that some bundle has more than {} packets is at most {:.1e}; edges needed for smaller chances: {}",
            parameters.bundle,
            claims::overload_bound(n, per_input, parameters.bundle).min(1.0),
            edges.join(", ")
        ));
    }
    notes
}
