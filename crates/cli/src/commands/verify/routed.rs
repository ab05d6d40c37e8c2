//! What `frit verify` says of a routed system, whichever it is, and of other designs with the same form of report.

use super::{engine, engines, mapping, netlist_name, netlist_note, required, shown, waveforms, workplace};
use crate::Verdict;
use crate::args::{EngineArg, Format, VerifyArgs};
use crate::design::Chosen;
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Result, bail};
use frit_cosim::recorded;
use frit_cosim::routed::{Config, Routed};
use frit_cosim::tools::ToolPath;
use frit_cosim::verify::{Engine, EngineReport, State, seconds};
use frit_device::Recorded;
use frit_router::Router;
use frit_trace::output::Workplace;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// A verified design.
pub struct Verified {
    pub design: String,
    /// What was verified, in a line.
    pub what: String,
    /// What is said of it in JSON, before the engines.
    pub members: Vec<(&'static str, Value)>,
    /// An engine's figure, and in what differences are counted.
    pub words: [&'static str; 2],
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Time to write the design, and in all.
    pub times: [Duration; 2],
    /// Where its files are.
    pub folder: Workplace,
}

impl Verified {
    /// No engine disagrees.
    fn agrees(&self) -> bool {
        self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }
}

/// What is asked.
pub struct VerifyRequest<'a> {
    pub ui: &'a Ui,
    pub args: &'a VerifyArgs,
    pub tools: &'a ToolPath,
}

/// What a system says of a design whose campaign is over.
pub struct Summary {
    pub system: &'static str,
    /// What was verified, in a line.
    pub what: String,
    /// What is said of it in JSON, before the engines.
    pub members: Vec<(&'static str, Value)>,
    /// An engine's figure, and in what differences are counted.
    pub words: [&'static str; 2],
}

/// Verifies designs one after the other, and says what came of it.
pub fn run(
    asked: &VerifyRequest,
    designs: &[Chosen],
    verify: impl Fn(&dyn Router) -> Result<Verified>,
) -> Result<Verdict> {
    say(asked, designs, |chosen| match chosen.routed() {
        Some(router) => verify(router),
        None => bail!("routed and other systems cannot be verified together"),
    })
}

/// Verifies designs one after the other, and says what came of it.
pub fn say<D>(
    asked: &VerifyRequest,
    designs: &[D],
    verify: impl Fn(&D) -> Result<Verified>,
) -> Result<Verdict> {
    let VerifyRequest { ui, args, .. } = *asked;
    let many = designs.len() > 1;
    let mut all = Vec::new();
    for design in designs {
        let verified = verify(design)?;
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
    let agrees = all.iter().all(Verified::agrees);
    for verified in all.into_iter().filter(|verified| !verified.agrees()) {
        verified.folder.keep();
    }
    Ok(Verdict::of(agrees))
}

/// Verifies one design: its name, and whether there are several, say in which folder. The model runs in `design`.
pub fn verify<R: Routed>(
    asked: &VerifyRequest,
    (name, many): (&str, bool),
    command: &str,
    design: impl FnOnce() -> Result<R>,
    told: impl FnOnce(&R) -> Summary,
) -> Result<Verified> {
    let VerifyRequest { ui, args, tools } = *asked;
    let folder = workplace(args, name, many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    progress(Engine::Model, "running");
    let start = Instant::now();
    let design = design()?;
    let modelled = start.elapsed();
    progress(Engine::Model, "done");
    let config = Config {
        engines: &engines(args),
        folder: folder.path(),
        wave: args.wave.kind(),
        netlist: mapping(args),
        tools,
        progress: &progress,
    };
    let report = frit_cosim::routed::verify(&design, &config, modelled);
    bar.finish_and_clear();
    let (report, folder) = or_keep(report, folder)?;
    check_required(args, &report.engines)?;
    let Summary { system, what, members: own, words } = told(&design);
    let name = design.name();
    let mut members = vec![("system", json!(system)), ("design", json!(name)), ("command", json!(command))];
    members.extend(own);
    members.extend([("agrees", json!(report.agrees())), ("netlist", json!(netlist_name(args.netlist)))]);
    Ok(Verified {
        what: format!("{what}{}", netlist_note(args.netlist)),
        members,
        words,
        times: [report.generate, report.total],
        engines: report.engines,
        design: name,
        folder,
    })
}

/// Verifies a core, in a folder of its name if there are `many`; an engine's figure counts `figure`.
pub fn verify_device(
    asked: &VerifyRequest,
    system: &'static str,
    figure: &'static str,
    many: bool,
    device: &dyn Recorded,
) -> Result<Verified> {
    let VerifyRequest { ui, args, tools } = *asked;
    let name = device.name();
    let folder = workplace(args, &name, many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let report = recorded::verify(device, &engines(args), mapping(args), folder.path(), tools, &progress);
    bar.finish_and_clear();
    let (report, folder) = or_keep(report, folder)?;
    check_required(args, &report.engines)?;
    let agrees = report.engines.iter().all(|engine| engine.agrees() != Some(false));
    let mut members =
        vec![("system", json!(system)), ("design", json!(name)), ("command", json!(device.command()))];
    members.extend(device.facts());
    members.extend([
        ("fault", json!(args.fault)),
        ("netlist", json!(netlist_name(args.netlist))),
        ("agrees", json!(agrees)),
    ]);
    let what = format!("{}{}", device.trial(), netlist_note(args.netlist));
    let (engines, times) = (report.engines, [report.generate, report.total]);
    Ok(Verified { design: name, what, members, words: [figure, "cycle"], engines, times, folder })
}

/// The report and its folder. The folder of what failed is kept if the error names a log in it.
fn or_keep<T, E: Into<anyhow::Error>>(report: Result<T, E>, folder: Workplace) -> Result<(T, Workplace)> {
    match report {
        Ok(report) => Ok((report, folder)),
        Err(error) => {
            let error = error.into();
            folder.keep_if_named(&format!("{error:#}"));
            Err(error)
        }
    }
}

/// An engine that must run and was not run is an error.
fn check_required(args: &VerifyArgs, engines: &[EngineReport]) -> Result<()> {
    for (option, arg) in required(args) {
        let not_run =
            |arg: EngineArg| engines.iter().find(|found| found.engine == engine(arg))?.state.not_run();
        if let Some(why) = not_run(arg) {
            bail!("{option} {} was not run: {why}", engine(arg).name());
        }
    }
    Ok(())
}

fn text(ui: &Ui, verified: &Verified) -> String {
    let Verified { design, what, words: [figure, _], engines, folder, times, .. } = verified;
    let (mut rows, mut notes) = (Vec::new(), String::new());
    for found in engines {
        let name = found.engine.name().to_string();
        rows.push(match &found.state {
            State::NotRun { why } => {
                notes += &format!("  {name}: not run: {why}\n");
                vec![name, "-".into(), format!("{WARN}not run{WARN:#}"), String::new()]
            }
            State::Ran { kept, times, .. } => {
                let agrees = match (found.engine, found.agrees()) {
                    (Engine::Model, _) => "reference".to_string(),
                    (_, Some(true)) => format!("{GOOD}yes{GOOD:#}"),
                    _ => format!("{BAD}no{BAD:#}"),
                };
                let parts: Vec<String> =
                    times.iter().map(|(part, time)| format!("{part} {}", seconds(*time))).collect();
                vec![name, kept.to_string(), agrees, parts.join(", ")]
            }
        });
    }
    let mut text = format!("{HEAD}{design}{HEAD:#}: {what}\n");
    text += &table::render(&["engine", figure, "agrees", "time"], &rows);
    text += &notes;
    text += &engines.iter().map(|found| difference(verified, found)).collect::<String>();
    if folder.is_named() || !verified.agrees() {
        text += &format!("  files: {}\n", shown(folder.path()));
    }
    if ui.verbose() {
        text += &format!("  generate {}, total {}\n", seconds(times[0]), seconds(times[1]));
    }
    text
}

/// The first difference of an engine: when, what, and which waveforms to open.
fn difference(verified: &Verified, found: &EngineReport) -> String {
    let State::Ran { first_difference: Some(d), wave, .. } = &found.state else { return String::new() };
    let (name, [_, unit]) = (found.engine.name(), verified.words);
    let pairs = [("what", d.signal.clone()), ("model", d.expected.clone()), (name, d.got.clone())];
    let waves = waveforms(&verified.engines, wave.as_deref());
    format!("\n{BAD}{name} differs{BAD:#} first in {unit} {}\n{}{waves}", d.cycle, table::pairs(&pairs))
}

fn json(verified: &Verified) -> Map<String, Value> {
    let [figure, unit] = verified.words;
    let mut members: Map<String, Value> =
        verified.members.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    for found in &verified.engines {
        let value = match &found.state {
            State::NotRun { why } => json!({"ran": false, "agrees": null, "reason": why}),
            State::Ran { kept, first_difference, wave, times } => {
                let first = first_difference
                    .as_ref()
                    .map(|d| json!({unit: d.cycle, "what": d.signal, "expected": d.expected, "got": d.got}));
                let seconds: Map<String, Value> =
                    times.iter().map(|(part, time)| (part.to_string(), time.as_secs_f64().into())).collect();
                json!({
                    "ran": true, figure: kept, "agrees": found.agrees(), "first_difference": first,
                    "wave": wave, "seconds": seconds,
                })
            }
        };
        members.insert(found.engine.key().into(), value);
    }
    members
}
