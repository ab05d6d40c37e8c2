//! `frit schedule` and `frit schedule check`.

mod exact;
mod permutation;

use super::demand::plan::plan;
use super::network::states;
use crate::Verdict;
use crate::args::{DesignArgs, ExactArgs, ScheduleArgs, ScheduleCommand, ScheduleFormat};
use crate::demand::demand;
use crate::design::{asked_size, design, is_user};
use crate::kind::loaded::program;
use crate::memory::{self, estimate};
use crate::progress::Share;
use crate::summary;
use crate::table::{self, pairs};
use crate::ui::{BAD, GOOD, HEAD, Ui, pretty};
use anyhow::{Result, bail};
use frit_demand::Machine;
use frit_demand::exchange::STORED;
use frit_demand::few::Fabric;
use frit_demand::plan_file::Row;
use frit_demand::read::Reading;
use frit_network::{LaneIdx, RoundIdx, StageIdx};
use frit_rtl::loaded;
use frit_schedule::check::check_plan;
use frit_schedule::flattened::{self, Hop};
use frit_schedule::route::Conflict;
use frit_schedule::{Control, Plan, certificate, latin, user};
use serde_json::{Value, json};
use std::path::Path;

/// Destinations that are printed at a time; they are held in memory, as JSON with their labels in 350 bytes each.
fn max_printed(format: ScheduleFormat) -> u64 {
    if format == ScheduleFormat::Json { 1 << 22 } else { 1 << 24 }
}

/// The checker marks every pair (source, destination): above this it would not fit.
const MAX_CHECKED_TERMINALS: u32 = 1 << 16;

/// Bytes at the peak for a hop of a path that is printed.
const PATH_HOP: u64 = 80;

/// Bytes at the peak for an entry that is printed, of one round or of many.
fn printed_entry(format: ScheduleFormat, one: bool) -> u64 {
    match format {
        ScheduleFormat::Text if one => 400,
        ScheduleFormat::Text => 16,
        ScheduleFormat::Json => 512,
        ScheduleFormat::Csv => 48,
        ScheduleFormat::Memh => 6,
    }
}

pub fn run(ui: &Ui, args: &ScheduleArgs) -> Result<Verdict> {
    if let Some(ScheduleCommand::Check(check)) = &args.check_other {
        return permutation::check(ui, check);
    }
    let Some(arguments) = &args.design.0 else {
        bail!("the system is missing; frit systems lists the systems")
    };
    if let Some(path) = &args.demand {
        return held(ui, args, arguments, path);
    }
    let plan = if arguments.options.given.iter().any(|given| given == exact::ASKED) && is_user(arguments) {
        match exact::run(ui, args, arguments)? {
            exact::Found::Plan(plan, text) => {
                if args.format == ScheduleFormat::Text {
                    ui.print(&text)?;
                }
                *plan
            }
            exact::Found::None(text) => {
                ui.print(&text)?;
                return Ok(Verdict::Failed);
            }
        }
    } else if args.exact != ExactArgs::default() {
        bail!(
            "--rounds, --seconds, --state and --proof apply to a search only; use them with frit schedule user --network FILE --algorithm exact"
        );
    } else {
        design(arguments)?.into_plan()?
    };
    let lanes = plan.network.lanes();
    if args.check {
        if plan.network.terminals() > MAX_CHECKED_TERMINALS {
            bail!(
                "{} terminals are too many for --check (at most {MAX_CHECKED_TERMINALS}); route one round with --round K",
                plan.network.terminals()
            );
        }
        // Where each word stood in each column of the Latin square, and which pairs came.
        let what = format!("a check of {}", plan.name());
        memory::need(&what, 5 * u64::from(plan.network.terminals()).pow(2), "use a smaller -n")?;
        return check_schedule(ui, &plan, args.format);
    }
    let one = args.round.map(RoundIdx);
    if let Some(round) = one {
        states(&plan, round)?; // the round exists
        if args.paths {
            let bytes = PATH_HOP * u64::from(lanes) * u64::from(plan.hops());
            memory::need(&format!("the paths of a round of {}", plan.name()), bytes, "use a smaller -n")?;
            return print_paths(ui, &plan, round, args.format);
        }
    } else if u64::from(plan.rounds) * u64::from(lanes) > max_printed(args.format) {
        bail!(
            "{} rounds of {lanes} destinations are too many to print (at most {} destinations); print one round with --round K",
            plan.rounds,
            max_printed(args.format)
        );
    }
    let count = one.map_or(plan.rounds, |_| 1);
    let printed = u64::from(count) * u64::from(lanes) * printed_entry(args.format, count == 1);
    let routed = if count == 1 { estimate::routed_round(&plan) } else { 0 };
    memory::need(
        &format!("the printed schedule of {}", plan.name()),
        printed + routed,
        "use a smaller -n, or one round with --round",
    )?;
    let rounds: Vec<RoundIdx> = one.map_or_else(|| RoundIdx::all(plan.rounds).collect(), |round| vec![round]);
    ui.print(&match args.format {
        // A single round is shown as if it had been asked for.
        ScheduleFormat::Text => text(&plan, &rounds, one.or((plan.rounds == 1).then_some(RoundIdx(0))))?,
        ScheduleFormat::Json => {
            let rows: Result<Vec<Value>> = rounds.iter().map(|&round| round_json(&plan, round)).collect();
            let value = json!({
                "format": user::FORMAT, "system": plan.system, "options": plan.options,
                "terminals": plan.network.terminals(), "rounds": rows?,
            });
            pretty(&value)?
        }
        ScheduleFormat::Csv => csv(&plan, &rounds),
        ScheduleFormat::Memh => memh(&plan, &rounds),
    })?;
    Ok(Verdict::Fine)
}

/// The permutations of the shortest schedule for a demand.
fn held(ui: &Ui, args: &ScheduleArgs, asked: &DesignArgs, path: &Path) -> Result<Verdict> {
    let (row, terminals) = asked_size(asked)?;
    if !STORED.contains(&row.key) || !asked.options.given.is_empty() {
        bail!(
            "--demand applies to benes and ideal without options: their rounds are permutations that are held; frit simulate {} --demand runs the rounds of another system",
            row.key
        );
    }
    let demand = demand(path, Reading { terminals, ..Reading::default() })?;
    Machine::stored(row.key, demand.terminals())?;
    let fabric = Fabric { delta: 0, planes: 1, matchings: None };
    let share = Share::new(ui, "planning");
    let (plan, _) = plan(&demand, None, fabric, &mut |done, of| share.at(done, of))?;
    drop(share);
    let mut bytes = Vec::new();
    ui.print(&match args.format {
        ScheduleFormat::Csv => {
            plan.csv(&mut bytes, None)?;
            String::from_utf8(bytes)?
        }
        ScheduleFormat::Json => {
            plan.json(&mut bytes, None)?;
            String::from_utf8(bytes)?
        }
        ScheduleFormat::Memh => loaded::memh(&program(&demand, None)?.words()),
        ScheduleFormat::Text => {
            let row = |row: &Row| {
                let to = row.to.iter().map(u16::to_string).collect::<Vec<_>>();
                vec![row.start.to_string(), row.hold.to_string(), to.join(" ")]
            };
            let rows: Vec<Vec<String>> = plan.rows.iter().map(row).collect();
            let title =
                format!("{}: {} configurations, {} rounds", path.display(), rows.len(), plan.cycles());
            format!(
                "{HEAD}{title}{HEAD:#}\n{}",
                table::render(&["start", "cycles", "destinations of sources 0, 1, …"], &rows)
            )
        }
    })?;
    Ok(Verdict::Fine)
}

/// The hops of every message of a round on the flattened butterfly.
fn print_paths(ui: &Ui, plan: &Plan, round: RoundIdx, format: ScheduleFormat) -> Result<Verdict> {
    if plan.system != flattened::KEY {
        bail!(
            "--paths does not apply to {}, which has no channels between routers; use {}",
            plan.system,
            flattened::KEY
        );
    }
    let paths = flattened::paths(plan, round).map_err(|conflict| anyhow::anyhow!("{conflict}"))?;
    let text = match format {
        ScheduleFormat::Text => {
            let rows: Vec<Vec<String>> =
                paths.iter().enumerate().map(|(source, path)| path_row(plan, round, source, path)).collect();
            let header = ["source", "destination", "between routers", "path"];
            format!(
                "{HEAD}{}{HEAD:#}, round {round}: a-d>b is the channel of dimension d from router a to router b, a=b stays inside a router\n{}",
                plan.name(),
                table::render(&header, &rows)
            )
        }
        ScheduleFormat::Json => {
            let hop = |hop: &Hop| {
                json!({
                    "stage": hop.stage, "cycle": plan.acts_at(hop.stage, round), "router": hop.router,
                    "dimension": hop.channel.map(|c| c.dimension), "to": hop.channel.map(|c| c.to()),
                })
            };
            let path = |(source, path): (usize, &Vec<Hop>)| {
                let hops: Vec<Value> = path.iter().map(hop).collect();
                json!({"source": source, "destination": plan.destination(round, LaneIdx(source as u32)), "hops": hops})
            };
            let paths: Vec<Value> = paths.iter().enumerate().map(path).collect();
            let value =
                json!({"system": plan.system, "options": plan.options, "round": round, "paths": paths});
            pretty(&value)?
        }
        ScheduleFormat::Csv => {
            let mut text = String::from("source,stage,cycle,router,dimension,to\n");
            for (source, hop) in
                paths.iter().enumerate().flat_map(|(s, path)| path.iter().map(move |h| (s, h)))
            {
                let cycle = plan.acts_at(hop.stage, round);
                let (dimension, to) =
                    hop.channel.map_or(Default::default(), |c| (c.dimension.to_string(), c.to().to_string()));
                text += &format!("{source},{},{cycle},{},{dimension},{to}\n", hop.stage, hop.router);
            }
            text
        }
        ScheduleFormat::Memh => bail!("--paths has no memh output; pass --format text, json or csv"),
    };
    ui.print(&text)?;
    Ok(Verdict::Fine)
}

fn path_row(plan: &Plan, round: RoundIdx, source: usize, path: &[Hop]) -> Vec<String> {
    // Behind the last stage is the terminal itself, so that hop says nothing.
    let steps = path.split_last().map_or(path, |(_, steps)| steps).iter();
    let between = steps.clone().filter(|hop| hop.channel.is_some()).count();
    let step = |hop: &Hop| hop.channel.map_or_else(|| format!("{0}={0}", hop.router), |c| c.to_string());
    vec![
        source.to_string(),
        plan.destination(round, LaneIdx(source as u32)).to_string(),
        format!("{between} of {}", steps.len()),
        steps.map(step).collect::<Vec<_>>().join(" "),
    ]
}

fn destinations(plan: &Plan, round: RoundIdx) -> Vec<LaneIdx> {
    LaneIdx::all(plan.network.lanes()).map(|lane| plan.destination(round, lane)).collect()
}

fn bits(value: u64, width: u32) -> String {
    format!("{value:0width$b}", width = width as usize)
}

/// The label of a lane, or the control word of the round.
fn control(plan: &Plan, round: RoundIdx, lane: LaneIdx) -> String {
    match plan.label(round, lane) {
        Some(label) => bits(label, plan.hops()),
        None => plan.control_word(round).unwrap_or_default(),
    }
}

fn text(plan: &Plan, rounds: &[RoundIdx], one: Option<RoundIdx>) -> Result<String> {
    let list = |values: Vec<String>| values.join(" ");
    let row = match plan.control {
        Control::Labels(_) | Control::Stages(_) | Control::Table(_) => "destination of sources 0, 1, 2, ...",
        Control::Systolic(_) => "lane reached from lanes 0, 1, 2, ... (terminal t has lanes 2t and 2t + 1)",
    };
    let mut text = format!("{HEAD}{}{HEAD:#}: {} rounds; row: {row}\n", plan.name(), plan.rounds);
    if plan.has_spare() {
        text += &format!("The rounds are those of the whole network: {}.\n", summary::spare(plan));
    }
    let rows: Vec<Vec<String>> = rounds
        .iter()
        .map(|&round| {
            let row = list(destinations(plan, round).iter().map(LaneIdx::to_string).collect());
            let word = plan.control_word(round).unwrap_or_default();
            vec![round.to_string(), word, row]
        })
        .collect();
    let (labels, words) = (plan.self_routing(), plan.control_word(RoundIdx(0)).is_some());
    text += &if !words {
        let rows: Vec<Vec<String>> = rows.into_iter().map(|r| vec![r[0].clone(), r[2].clone()]).collect();
        table::render(&["round", "destinations"], &rows)
    } else {
        table::render(&["round", "word", "destinations"], &rows)
    };
    if let Control::Table(tables) = &plan.control {
        let bits = tables.stored_bits();
        text += &format!(
            "stored: {} bits ({} of control, {} of destinations, {} of sources)\n",
            bits.total(),
            bits.control,
            bits.destinations,
            bits.sources
        );
    }
    let Some(round) = one else { return Ok(text) };
    if labels {
        let labels: Vec<Vec<String>> = LaneIdx::all(plan.network.lanes())
            .map(|lane| {
                vec![lane.to_string(), plan.destination(round, lane).to_string(), control(plan, round, lane)]
            })
            .collect();
        text += &format!("\n{}", table::render(&["source", "destination", "label"], &labels));
    }
    let rows: Vec<Vec<String>> = states(plan, round)?
        .iter()
        .enumerate()
        .map(|(stage, row)| {
            let marks = row.iter().map(|s| if s.bit() { 'x' } else { '=' }).collect();
            vec![stage.to_string(), marks]
        })
        .collect();
    text += &format!("\n{}", table::render(&["stage", "switches (= straight, x cross)"], &rows));
    Ok(text)
}

fn round_json(plan: &Plan, round: RoundIdx) -> Result<Value> {
    let mut value = json!({"round": round, "destinations": destinations(plan, round)});
    match plan.control_word(round) {
        None if !plan.self_routing() => {} // the states say it
        None => {
            let labels = LaneIdx::all(plan.network.lanes()).map(|lane| control(plan, round, lane));
            value["labels"] = json!(labels.collect::<Vec<String>>());
        }
        Some(word) => {
            value["word"] = json!(word.trim_end_matches('~'));
            value["alternates"] = json!(word.ends_with('~'));
        }
    }
    let states: Vec<String> = states(plan, round)?
        .iter()
        .map(|row| row.iter().map(|s| if s.bit() { '1' } else { '0' }).collect())
        .collect();
    value["states"] = json!(states);
    Ok(value)
}

fn csv(plan: &Plan, rounds: &[RoundIdx]) -> String {
    let mut text = String::from("round,source,destination,control,alternates\n");
    for &round in rounds {
        let alternates = u8::from(plan.control_word(round).is_some_and(|word| word.ends_with('~')));
        for lane in LaneIdx::all(plan.network.lanes()) {
            let (destination, control) = (plan.destination(round, lane), control(plan, round, lane));
            text += &format!("{round},{lane},{destination},{},{alternates}\n", control.trim_end_matches('~'));
        }
    }
    text
}

fn memh(plan: &Plan, rounds: &[RoundIdx]) -> String {
    let digits = plan.address_bits().div_ceil(4) as usize;
    let mut text = format!("// {}: destinations, a line per round, sources 0, 1, 2, ...\n", plan.name());
    for &round in rounds {
        let row: Vec<String> =
            destinations(plan, round).iter().map(|d| format!("{:0digits$x}", d.0)).collect();
        text += &format!("{}\n", row.join(" "));
    }
    text
}

/// Routes every round on the bare network.
fn check_schedule(ui: &Ui, plan: &Plan, format: ScheduleFormat) -> Result<Verdict> {
    let bar = ui.progress("routing every round", None);
    let report = check_plan(plan);
    let (terminals, lanes) = (plan.network.terminals(), plan.network.lanes());
    let square = (plan.rounds == terminals && lanes == terminals)
        .then(|| latin::check(terminals, |round, lane| plan.destination(RoundIdx(round), LaneIdx(lane)).0));
    let certificate = match &plan.control {
        Control::Stages(rule) if !(0..plan.network.stages()).any(|s| rule.alternating_stage(StageIdx(s))) => {
            Some(certificate::stage_control(&plan.network))
        }
        _ => None,
    };
    let channels = (plan.system == flattened::KEY).then(|| channel_loads(plan)).transpose()?;
    bar.finish_and_clear();
    let figures = &plan.figures;
    if format == ScheduleFormat::Json {
        let value = json!({
            "system": plan.system, "options": plan.options, "terminals": terminals, "rounds": report.rounds,
            "complete": report.complete(), "conflicts": report.conflicts,
            "first_conflict": report.first_conflict.map(|c| c.to_string()),
            "misrouted": report.misrouted, "repeated": report.repeated, "missing": report.missing,
            "latin_square": square.as_ref().map(Result::is_ok),
            "cycles": plan.cycles(), "cycles_lower_bound": figures.cycles_lower_bound,
            "bound_reason": figures.bound_reason,
            "configurations": certificate.as_ref().map(|c| c.configurations),
            "configurations_needed": certificate.as_ref().map(|c| c.needed()),
            "channels": channels.as_ref().map(|c| json!({
                "count": c.count, "load_min": c.least, "load_max": c.most, "words_a_cycle": c.busiest,
            })),
        });
        ui.print(&pretty(&value)?)?;
        return Ok(Verdict::of(report.complete()));
    }
    if !matches!(format, ScheduleFormat::Text) {
        bail!("--check has no output in this format; pass --format text or json");
    }
    let mut rows = vec![
        ("rounds", format!("{} routed on the bare network", report.rounds)),
        (
            "conflicts",
            report.first_conflict.map_or("none".into(), |c| format!("{}, first: {c}", report.conflicts)),
        ),
        (
            "misrouted",
            report.first_misrouted.map_or("none".into(), |(round, lane, claimed, reached)| {
                format!("{}, first: round {round}, {lane} to {claimed} reached {reached}", report.misrouted)
            }),
        ),
        (
            "missing",
            report
                .first_missing
                .map_or("none".into(), |(s, d)| format!("{}, first: from {s} to {d}", report.missing)),
        ),
        ("repeated", report.repeated.to_string()),
        (
            "Latin square",
            match &square {
                Some(Ok(())) => "yes".into(),
                Some(Err(why)) => format!("no: {why}"),
                None => format!("no: {} rounds of {terminals} terminals", plan.rounds),
            },
        ),
        ("cycles", format!("{} a phase", plan.cycles())),
        ("lower bound", format!("{}: {}", figures.cycles_lower_bound, figures.bound_reason)),
    ];
    if let Some(certificate) = &certificate {
        let (needed, all) = (certificate.needed(), certificate.configurations);
        rows.push((
            "certificate",
            format!("{needed} of {all} configurations are the only configuration for some pair"),
        ));
    }
    if let Some(ChannelLoads { count, least, most, busiest }) = channels {
        rows.push((
            "channels",
            format!("{count}, each with {least} to {most} words in all and at most {busiest} a cycle"),
        ));
    }
    let verdict = if report.complete() {
        format!("{GOOD}complete{GOOD:#}")
    } else {
        format!("{BAD}not complete{BAD:#}")
    };
    ui.print(&format!("{HEAD}{}{HEAD:#}: {verdict}\n{}", plan.name(), pairs(&rows)))?;
    Ok(Verdict::of(report.complete()))
}

/// What the channels of a flattened butterfly carry.
struct ChannelLoads {
    count: usize,
    least: u64,
    most: u64,
    busiest: u64,
}

fn channel_loads(plan: &Plan) -> Result<ChannelLoads> {
    let conflict = |conflict: Conflict| anyhow::anyhow!("{conflict}");
    let loads = flattened::channel_loads(plan).map_err(conflict)?;
    let (least, most) = (loads.values().min(), loads.values().max());
    Ok(ChannelLoads {
        count: loads.len(),
        least: least.copied().unwrap_or(0),
        most: most.copied().unwrap_or(0),
        busiest: flattened::busiest_channel(plan).map_err(conflict)?,
    })
}
