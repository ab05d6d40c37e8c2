//! `frit verify` of a routed system: a router of worms under every engine.

use super::super::generate::{chosen, style_name};
use super::super::worms::{is_large, packets, refuse};
use super::{engine, engines, mapping, netlist_name, netlist_note, required, shown, waveforms, workplace};
use crate::Verdict;
use crate::args::{EngineArg, FamilyArg, Format, VerifyArgs};
use crate::design::{Chosen, Design};
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Result, bail};
use frit_cells::design::dilated::Hardware;
use frit_cells::worm_fault::WormFault;
use frit_cosim::output::Workplace;
use frit_cosim::tools::ToolPath;
use frit_cosim::verify::{Engine, EngineReport, State, seconds};
use frit_cosim::worms::{Config, WormsReport, verify_worms};
use frit_router::Router;
use frit_router::dilated::Dilated;
use serde_json::{Map, Value, json};

/// A verified design.
struct Verified {
    command: String,
    netlist: Option<FamilyArg>,
    report: WormsReport,
    folder: Workplace,
}

pub fn run(ui: &Ui, args: &VerifyArgs, tools: &ToolPath, designs: &[Chosen]) -> Result<Verdict> {
    refuse(
        &args.design.system,
        &[
            ("--width", args.width.width.is_some()),
            ("--payload", args.payload.payload.is_some()),
            ("--axis", args.streams.streams().is_some()),
        ],
    )?;
    let many = designs.len() > 1;
    let mut all = Vec::new();
    for chosen in designs {
        let Design::Routed(Router::Dilated(system)) = &chosen.design else {
            unreachable!("the sizes of one system are designs of one kind");
        };
        let verified = verify_one(ui, args, tools, system, many)?;
        if args.format == Format::Text {
            ui.print(&text(ui, &verified))?;
        }
        all.push(verified);
    }
    if args.format == Format::Json {
        let mut values: Vec<Value> = all.iter().map(|verified| Value::Object(json(verified))).collect();
        let value = if many { Value::Array(values) } else { values.remove(0) };
        ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
    }
    let agrees = all.iter().all(|verified| verified.report.agrees());
    for verified in all.into_iter().filter(|verified| !verified.report.agrees()) {
        verified.folder.keep();
    }
    Ok(Verdict::of(agrees))
}

fn verify_one(
    ui: &Ui,
    args: &VerifyArgs,
    tools: &ToolPath,
    system: &Dilated,
    many: bool,
) -> Result<Verified> {
    let (packets, command) = packets(&args.packets, system, args.payload.seed)?;
    let hardware = Hardware::new(&packets)?;
    let name = hardware.design_name();
    let folder = workplace(args, &name, many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let engines = engines(args);
    let report = verify_worms(&Config {
        packets: &packets,
        engines: &engines,
        folder: folder.path(),
        // Yosys is given what it would be given for a board.
        style: chosen(args.fabric_style, args.netlist.is_none() && is_large(&hardware)),
        fault: args.fault.as_deref().map(str::parse::<WormFault>).transpose()?,
        wave: args.wave.kind(),
        netlist: mapping(args),
        command: &command,
        tools,
        progress: &progress,
    });
    bar.finish_and_clear();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            // It names a log in the folder.
            folder.keep();
            return Err(error.into());
        }
    };
    for (option, arg) in required(args) {
        let not_run =
            |arg: EngineArg| report.engines.iter().find(|found| found.engine == engine(arg))?.state.not_run();
        if let Some(why) = not_run(arg) {
            bail!("{option} {}: it was not run: {why}", engine(arg).name());
        }
    }
    Ok(Verified { command, netlist: args.netlist, report, folder })
}

fn text(ui: &Ui, verified: &Verified) -> String {
    let Verified { report, folder, .. } = verified;
    let (mut rows, mut notes) = (Vec::new(), String::new());
    for found in &report.engines {
        let name = found.engine.name().to_string();
        rows.push(match &found.state {
            State::NotRun { why } => {
                notes += &format!("  {name}: not run: {why}\n");
                vec![name, "-".into(), format!("{WARN}not run{WARN:#}"), String::new()]
            }
            State::Ran { kept: steps, times, .. } => {
                let agrees = match (found.engine, found.agrees()) {
                    (Engine::Model, _) => "reference".to_string(),
                    (_, Some(true)) => format!("{GOOD}yes{GOOD:#}"),
                    _ => format!("{BAD}no{BAD:#}"),
                };
                let parts: Vec<String> =
                    times.iter().map(|(part, time)| format!("{part} {}", seconds(*time))).collect();
                vec![name, steps.to_string(), agrees, parts.join(", ")]
            }
        });
    }
    let arrive = report.packets - report.left;
    let mut text = format!(
        "{HEAD}{}{HEAD:#}: {arrive} of {} packets arrive, {} shunts{}\n",
        report.design,
        report.packets,
        report.shunts,
        netlist_note(verified.netlist)
    );
    text += &table::render(&["engine", "steps", "agrees", "time"], &rows);
    text += &notes;
    text += &report.engines.iter().map(|found| difference(report, found)).collect::<String>();
    if folder.is_named() || !report.agrees() {
        text += &format!("  files: {}\n", shown(folder.path()));
    }
    if ui.verbose() {
        text += &format!("  generate {}, total {}\n", seconds(report.generate), seconds(report.total));
    }
    text
}

/// The first difference of an engine: in which step, what, and which waveforms to open.
fn difference(report: &WormsReport, found: &EngineReport) -> String {
    let State::Ran { first_difference: Some(d), wave, .. } = &found.state else { return String::new() };
    let name = found.engine.name();
    let pairs = [("what", d.signal.clone()), ("model", d.expected.clone()), (name, d.got.clone())];
    let waves = waveforms(&report.engines, wave.as_deref());
    format!("\n{BAD}{name} differs{BAD:#} first in step {}\n{}{waves}", d.cycle, table::pairs(&pairs))
}

fn json(verified: &Verified) -> Map<String, Value> {
    let report = &verified.report;
    let members = [
        ("system", json!("dilated")),
        ("design", json!(report.design)),
        ("command", json!(verified.command)),
        ("steps", json!(report.steps)),
        ("packets", json!(report.packets)),
        ("delivered", json!(report.packets - report.left)),
        ("blocked", json!(report.left)),
        ("shunts", json!(report.shunts)),
        ("fabric_style", json!(style_name(report.style))),
        ("agrees", json!(report.agrees())),
        ("netlist", json!(netlist_name(verified.netlist))),
    ];
    let mut members: Map<String, Value> =
        members.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    for found in &report.engines {
        let value = match &found.state {
            State::NotRun { why } => json!({"ran": false, "agrees": null, "reason": why}),
            State::Ran { kept: steps, first_difference, wave, times } => {
                let first = first_difference.as_ref().map(
                    |d| json!({"step": d.cycle, "what": d.signal, "expected": d.expected, "got": d.got}),
                );
                let seconds: Map<String, Value> =
                    times.iter().map(|(part, time)| (part.to_string(), time.as_secs_f64().into())).collect();
                json!({
                    "ran": true, "steps": steps, "agrees": found.agrees(), "first_difference": first,
                    "wave": wave, "seconds": seconds,
                })
            }
        };
        members.insert(found.engine.key().into(), value);
    }
    members
}
