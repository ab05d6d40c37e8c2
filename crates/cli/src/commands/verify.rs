//! `frit verify`.

use super::dilated::refuse_packets;
use super::summary;
use crate::Verdict;
use crate::args::{EngineArg, FamilyArg, Format, VerifyArgs};
use crate::design::{Chosen, designs};
use crate::emitted::{self, engine, family, style_compared};
use crate::payload::{messages, random};
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::Result;
use frit_cells::design::axis::Streams;
use frit_cosim::tools::{Missing, ToolPath};
use frit_cosim::verify::{
    Config, Engine, EngineReport, ExchangeReport, Mapping, State, StreamReport, seconds, verify,
    verify_streams,
};
use frit_design::generate::style_name;
use frit_router::Router;
use frit_schedule::{Phases, Plan};
use frit_trace::output::{Workplace, refuse_links};
use serde_json::{Map, Value, json};
use std::path::Path;

mod crossbar;
pub(super) mod dilated;
mod formal;
mod loaded;
pub(super) mod multibutterfly;
pub mod routed;
mod streamed;
mod streams;

/// Where a design is verified: in the folder that the arguments name, of several designs one for each below it.
fn workplace(args: &VerifyArgs, design: &str, many: bool) -> Result<Workplace> {
    if let (Some(path), true) = (&args.output, many) {
        refuse_links(path, Path::new(design))?;
    }
    let below = args.output.as_deref().map(|path| if many { path.join(design) } else { path.into() });
    Ok(Workplace::new(below.as_deref(), "frit-verify-")?)
}

/// A verified design.
struct Verified {
    plan: Plan,
    width: u32,
    origin: String,
    netlist: Option<FamilyArg>,
    report: ExchangeReport,
    streams: Option<StreamReport>,
    folder: Workplace,
}

impl Verified {
    fn agrees(&self) -> bool {
        self.report.agrees() && self.streams.as_ref().is_none_or(StreamReport::agrees)
    }
}

pub fn run(
    ui: &Ui,
    args: &VerifyArgs,
    routed: impl Fn(&routed::VerifyRequest, &dyn Router, bool) -> Result<routed::Verified>,
) -> Result<Verdict> {
    let tools = ToolPath::from_environment();
    if args.crossbar.crossbar {
        require(args, &tools)?;
        return crossbar::run(&routed::VerifyRequest { ui, args, tools: &tools });
    }
    if args.loaded.asked() {
        require(args, &tools)?;
        return loaded::run(&routed::VerifyRequest { ui, args, tools: &tools });
    }
    let designs = designs(&args.design)?;
    require(args, &tools)?;
    let many = designs.len() > 1;
    let mut all = Vec::new();
    if designs.iter().any(|chosen| chosen.streamed().is_some()) && !args.formal {
        return streamed::run(&routed::VerifyRequest { ui, args, tools: &tools }, &designs);
    }
    if designs.iter().any(|chosen| chosen.routed().is_some()) {
        let asked = routed::VerifyRequest { ui, args, tools: &tools };
        return routed::run(&asked, &designs, |router| routed(&asked, router, many));
    }
    if args.formal {
        return formal::run(ui, args, &tools, designs);
    }
    refuse_packets(&args.design.system, &args.packets)?;
    for design in designs {
        all.push(verify_one(ui, args, &tools, design, many)?);
        if let (Some(last), Format::Text) = (all.last(), args.format) {
            ui.print(&text(ui, last))?;
        }
    }
    if args.format == Format::Json {
        let mut values: Vec<Value> = all.iter().map(|v| Value::Object(json(v))).collect();
        let value = if many { Value::Array(values) } else { values.remove(0) };
        ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
    }
    let agrees = all.iter().all(Verified::agrees);
    for verified in all {
        if !verified.agrees() {
            verified.folder.keep();
        }
    }
    Ok(Verdict::of(agrees))
}

/// The netlist that the simulators are to run, if one was asked for.
fn mapping(args: &VerifyArgs) -> Option<Mapping> {
    args.netlist.map(|arg| Mapping { family: family(arg), inverted_lut: args.invert_lut })
}

/// What the first line of a report says of it.
fn netlist_note(netlist: Option<FamilyArg>) -> &'static str {
    match netlist {
        Some(FamilyArg::Ice40) => "; the simulators run its netlist for iCE40",
        Some(FamilyArg::Ecp5) => "; the simulators run its netlist for ECP5",
        None => "",
    }
}

/// Its member of JSON.
fn netlist_name(netlist: Option<FamilyArg>) -> Option<&'static str> {
    netlist.map(|family| match family {
        FamilyArg::Ice40 => "ice40",
        FamilyArg::Ecp5 => "ecp5",
    })
}

/// The engines to run: those asked for and those required, or all.
fn engines(args: &VerifyArgs) -> Vec<Engine> {
    if args.engines.is_empty() {
        return Engine::ALL.to_vec();
    }
    args.engines.iter().chain(&args.require).map(|arg| engine(*arg)).collect()
}

/// The engines that must run, with the option that names them: one asked for by name is not left out in silence.
fn required(args: &VerifyArgs) -> impl Iterator<Item = (&'static str, EngineArg)> {
    let named =
        |option, list: &'_ [EngineArg]| list.iter().map(move |arg| (option, *arg)).collect::<Vec<_>>();
    named("--require", &args.require).into_iter().chain(named("--engines", &args.engines))
}

/// A required simulator without its tools is an error before anything runs.
fn require(args: &VerifyArgs, tools: &ToolPath) -> Result<(), Missing> {
    emitted::need_tools(required(args).map(|(_, arg)| engine(arg)), tools)
}

/// Bits of a word, and the streams, if they are verified besides.
fn asked_streams(args: &VerifyArgs, data_bits: u32) -> Result<(u32, Option<Streams>)> {
    if args.streams.asks_reset() && !args.streams.axis {
        anyhow::bail!(
            "--reset applies to tops with streams only; pass --axis, or run frit generate --reset, which writes a testbench of its own"
        );
    }
    Ok((args.streams.word_bits(data_bits)?, args.streams.streams(data_bits)?))
}

fn verify_one(ui: &Ui, args: &VerifyArgs, tools: &ToolPath, design: Chosen, many: bool) -> Result<Verified> {
    let data_bits = design.width(&args.width)?;
    let (width, streams) = asked_streams(args, data_bits)?;
    let plan = Plan { exchanges: args.exchanges, ..design.into_plan()? };
    let engines = engines(args);
    emitted::check(&plan, width, engines.len())?;
    let messages = match messages(&args.payload, &plan, width)? {
        Some(messages) => messages,
        None => random(&args.payload, &plan, width)?,
    };
    let name = plan.design_name(width);
    let folder = workplace(args, &name, many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let config = Config {
        plan: &plan,
        payload: &messages.payload,
        engines: &engines,
        folder: folder.path(),
        fault: args.fault.as_deref(),
        wave: args.wave.kind(),
        style: style_compared(args.fabric_style, &plan, args.netlist.is_some()),
        netlist: mapping(args),
        tools,
        progress: &progress,
    };
    let report = verify(&config);
    let streams = match (&report, streams) {
        (Ok(_), Some(streams)) => Some(verify_streams(&config, streams)),
        _ => None,
    };
    bar.finish_and_clear();
    let found = report.and_then(|report| Ok((report, streams.transpose()?)));
    let (report, streams) = match found {
        Ok(found) => found,
        Err(error) => {
            folder.keep_if_named(&error.to_string());
            return Err(error.into());
        }
    };
    for (option, arg) in required(args) {
        let engine = engine(arg);
        let stream = streams.iter().flat_map(|report| &report.engines).find(|other| other.engine == engine);
        let of_exchange = report.engine(engine).and_then(|report| report.state.not_run());
        if let Some(why) = of_exchange.or_else(|| stream?.state.not_run()) {
            anyhow::bail!("{option} {} was not run: {why}", engine.name());
        }
    }
    Ok(Verified { plan, width, origin: messages.origin, netlist: args.netlist, report, streams, folder })
}

fn text(ui: &Ui, verified: &Verified) -> String {
    let Verified { plan, report, folder, .. } = verified;
    let mut rows = Vec::new();
    let mut notes = String::new();
    for engine in &report.engines {
        let name = engine.engine.name().to_string();
        let paper = plan.figures.cycles_paper.to_string();
        let row = match &engine.state {
            State::NotRun { why } => {
                notes += &format!("  {name}: not run: {why}\n");
                vec![name, "-".into(), paper, format!("{WARN}not run{WARN:#}"), String::new()]
            }
            State::Ran { kept: cycles, times, .. } => {
                let agrees = match (engine.engine, engine.agrees()) {
                    (Engine::Model, _) if report.run.ok() => "reference".to_string(),
                    (Engine::Model, _) => format!("{BAD}incomplete{BAD:#}"),
                    (_, Some(true)) => format!("{GOOD}yes{GOOD:#}"),
                    _ => format!("{BAD}no{BAD:#}"),
                };
                let parts: Vec<String> =
                    times.iter().map(|(part, time)| format!("{part} {}", seconds(*time))).collect();
                vec![name, cycles.to_string(), paper, agrees, parts.join(", ")]
            }
        };
        rows.push(row);
    }
    let netlist = netlist_note(verified.netlist);
    let mut text = format!("{HEAD}{}{HEAD:#}: {}{netlist}\n", report.design, verified.origin);
    text += &table::render(&["engine", "cycles", "paper", "agrees", "time"], &rows);
    text += &notes;
    for engine in &report.engines {
        text += &difference(verified, engine);
    }
    if let Some(streams) = &verified.streams {
        text += &streams::text(streams);
    }
    if !report.run.ok() {
        text += &summary::text(plan, &report.run);
    }
    if folder.is_named() || !verified.agrees() {
        text += &format!("  files: {}\n", folder.path().display());
    }
    if ui.verbose() {
        text += &format!("  generate {}, total {}\n", seconds(report.generate), seconds(report.total));
    }
    text
}

/// The first difference of an engine: where, what, and which waveforms to open.
fn difference(verified: &Verified, engine: &EngineReport) -> String {
    let State::Ran { first_difference: Some(d), wave, .. } = &engine.state else { return String::new() };
    let name = engine.engine.name();
    let mut text =
        format!("\n{BAD}{name} differs{BAD:#} first in cycle {}{}\n", d.cycle, of_run(verified, d.run));
    text +=
        &table::pairs(&[("signal", d.signal.clone()), ("model", d.expected.clone()), (name, d.got.clone())]);
    text + &waveforms(&verified.report.engines, wave.as_deref())
}

/// Which waveforms to open: the reference's, which is the first that there is, and that of an engine that differs.
fn waveforms(engines: &[EngineReport], wave: Option<&Path>) -> String {
    let first = engines.iter().find_map(|report| match &report.state {
        State::Ran { wave, .. } => wave.as_deref(),
        State::NotRun { .. } => None,
    });
    let (Some(a), Some(b)) = (first, wave) else { return String::new() };
    if a == b {
        return format!("  waveform: {}\n", shown(b));
    }
    let (a, b) = (shown(a), shown(b));
    format!("  waveforms: {a} {b}\n  try: frit diff --common {a} {b}\n")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn of_run(verified: &Verified, run: u32) -> String {
    match verified.plan.phases {
        Phases::One => String::new(),
        Phases::PrepareAndSend => {
            let timeline = frit_schedule::Timeline::new(&verified.plan, verified.width);
            if run < timeline.prepare_runs {
                format!(" of prepare run {run}")
            } else {
                " of the run that carries the messages".into()
            }
        }
    }
}

fn json(verified: &Verified) -> Map<String, Value> {
    let report = &verified.report;
    let mut members = summary::json(&verified.plan, verified.width, &report.run);
    members.insert("design".into(), report.design.clone().into());
    members.insert("payload".into(), verified.origin.clone().into());
    members.insert("fabric_style".into(), style_name(report.style).into());
    members.insert("agrees".into(), verified.agrees().into());
    members.insert("netlist".into(), netlist_name(verified.netlist).into());
    for engine in &report.engines {
        let value = match &engine.state {
            State::NotRun { why } => json!({"ran": false, "agrees": null, "reason": why}),
            State::Ran { kept: cycles, first_difference, wave, times } => {
                let first = first_difference.as_ref().map(|d| {
                    json!({
                        "run": d.run, "cycle": d.cycle, "signal": d.signal,
                        "expected": d.expected, "got": d.got,
                    })
                });
                let seconds: Map<String, Value> =
                    times.iter().map(|(part, time)| (part.to_string(), time.as_secs_f64().into())).collect();
                json!({
                    "ran": true, "cycles": cycles, "agrees": engine.agrees(),
                    "first_difference": first, "wave": wave, "seconds": seconds,
                })
            }
        };
        members.insert(engine.engine.key().into(), value);
    }
    if let Some(streams) = &verified.streams {
        members.insert("streams".into(), streams::json(streams));
    }
    members
}
