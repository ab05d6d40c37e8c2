//! What `frit verify` says of a core, whichever it is.

use super::{engines, mapping, netlist_name, netlist_note, required, waveforms, workplace};
use crate::args::VerifyArgs;
use crate::emitted::engine;
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Result, bail};
use frit_cosim::recorded;
use frit_cosim::routed::{Config, Routed};
use frit_cosim::tools::ToolPath;
use frit_cosim::verify::{Engine, EngineReport, State, seconds};
use frit_device::Recorded;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_trace::output::Workplace;
use serde_json::json;
use std::time::{Duration, Instant};

pub struct Verified {
    pub design: String,
    /// What was verified, in a line.
    pub what: String,
    /// What is said of it in JSON, before the engines.
    pub members: Facts,
    /// An engine's figure, in what differences are counted, and what is different.
    pub words: [&'static str; 3],
    /// The paper's figure.
    pub paper: Option<u64>,
    /// In which of several runs a difference is.
    pub of_run: Option<Box<dyn Fn(u32) -> String>>,
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Whether the model itself is as it must be.
    pub complete: bool,
    /// What is said behind the engines, as text and in JSON, and whether it is as it must be.
    pub behind: (String, Facts, bool),
    /// Time to write the design, and in all.
    pub times: [Duration; 2],
    /// Where its files are.
    pub folder: Workplace,
}

/// What is asked.
pub struct VerifyRequest<'a> {
    pub ui: &'a Ui,
    pub args: &'a VerifyArgs,
    pub tools: &'a ToolPath,
}

/// Which system a core is of, and whether there are several, each in a folder of its name.
#[derive(Clone, Copy)]
pub struct Named {
    pub system: &'static str,
    pub many: bool,
}

/// What a system says of a design whose campaign is over.
pub struct Summary {
    /// What was verified, in a line.
    pub what: String,
    /// What is said of it in JSON, before the engines.
    pub members: Facts,
    /// An engine's figure, and in what differences are counted.
    pub words: [&'static str; 2],
}

/// Verifies one design, in a folder of its name if there are several. The model runs in `design`.
pub fn verify<R: Routed>(
    asked: &VerifyRequest,
    core: Named,
    name: &str,
    command: &str,
    design: impl FnOnce() -> Result<R>,
    told: impl FnOnce(&R) -> Summary,
) -> Result<Verified> {
    let VerifyRequest { ui, args, tools } = *asked;
    let folder = workplace(args, name, core.many)?;
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
    check_required(args, |engine| not_run(&report.engines, engine))?;
    let Summary { what, members, words: [figure, unit] } = told(&design);
    let mut about = facts! { "system": core.system, "design": design.name(), "command": command };
    about.extend(members);
    about.extend(facts! { "agrees": report.agrees(), "netlist": netlist_name(args.netlist) });
    Ok(Verified {
        design: design.name(),
        what: format!("{what}{}", netlist_note(args.netlist)),
        members: about,
        words: [figure, unit, "what"],
        times: [report.generate, report.total],
        ..Verified::new(report.engines, folder)
    })
}

/// Verifies a core, in a folder of its name if there are several.
pub fn verify_device(asked: &VerifyRequest, core: Named, device: &dyn Recorded) -> Result<Verified> {
    let VerifyRequest { ui, args, tools } = *asked;
    let name = device.name();
    let folder = workplace(args, &name, core.many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let report = recorded::verify(device, &engines(args), mapping(args), folder.path(), tools, &progress);
    bar.finish_and_clear();
    let (report, folder) = or_keep(report, folder)?;
    check_required(args, |engine| not_run(&report.engines, engine))?;
    let agrees = report.engines.iter().all(|engine| engine.agrees() != Some(false));
    let mut members = facts! { "system": core.system, "design": name, "command": device.command() };
    members.extend(device.facts());
    members.extend(facts! { "fault": args.fault, "netlist": netlist_name(args.netlist), "agrees": agrees });
    Ok(Verified {
        what: format!("{}{}", device.trial(), netlist_note(args.netlist)),
        members,
        words: [device.recording().figure, "cycle", "what"],
        times: [report.generate, report.total],
        design: name,
        ..Verified::new(report.engines, folder)
    })
}

/// The report and its folder. The folder of what failed is kept if the error names a log in it.
pub fn or_keep<T, E: Into<anyhow::Error>>(report: Result<T, E>, folder: Workplace) -> Result<(T, Workplace)> {
    match report {
        Ok(report) => Ok((report, folder)),
        Err(error) => {
            let error = error.into();
            folder.keep_if_named(&format!("{error:#}"));
            Err(error)
        }
    }
}

/// Refuses a run without an engine that the arguments name: `not_run` says why an engine was left out, if it was.
pub fn check_required<'a>(args: &VerifyArgs, not_run: impl Fn(Engine) -> Option<&'a str>) -> Result<()> {
    for (option, arg) in required(args) {
        if let Some(why) = not_run(engine(arg)) {
            bail!("{option} {} was not run: {why}", engine(arg).name());
        }
    }
    Ok(())
}

/// Why an engine was not run, if it was to be.
pub fn not_run(engines: &[EngineReport], engine: Engine) -> Option<&str> {
    engines.iter().find(|found| found.engine == engine)?.state.not_run()
}

impl Verified {
    /// A report in which all but the engines is empty.
    pub fn new(engines: Vec<EngineReport>, folder: Workplace) -> Self {
        Verified {
            design: String::new(),
            what: String::new(),
            members: Facts::new(),
            words: ["", "", ""],
            paper: None,
            of_run: None,
            engines,
            complete: true,
            behind: (String::new(), Facts::new(), true),
            times: [Duration::ZERO; 2],
            folder,
        }
    }

    /// No engine disagrees, and the model is as it must be.
    fn agrees(&self) -> bool {
        self.complete && self.behind.2 && self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }

    /// Its report as text and as members of JSON, whether all is as it must be, and where its files are.
    pub fn said(self, ui: &Ui) -> (String, Facts, bool, Workplace) {
        (self.text(ui), self.json(), self.agrees(), self.folder)
    }

    fn text(&self, ui: &Ui) -> String {
        let Verified { design, what, words: [figure, ..], paper, engines, folder, times, .. } = self;
        let (mut rows, mut notes) = (Vec::new(), String::new());
        for found in engines {
            let name = found.engine.name().to_string();
            let (kept, agrees, times) = match &found.state {
                State::NotRun { why } => {
                    notes += &format!("  {name}: not run: {why}\n");
                    ("-".into(), format!("{WARN}not run{WARN:#}"), String::new())
                }
                State::Ran { kept, times, .. } => {
                    let agrees = match (found.engine, found.agrees()) {
                        (Engine::Model, _) if self.complete => "reference".to_string(),
                        (Engine::Model, _) => format!("{BAD}incomplete{BAD:#}"),
                        (_, Some(true)) => format!("{GOOD}yes{GOOD:#}"),
                        _ => format!("{BAD}no{BAD:#}"),
                    };
                    let parts: Vec<String> =
                        times.iter().map(|(part, time)| format!("{part} {}", seconds(*time))).collect();
                    (kept.to_string(), agrees, parts.join(", "))
                }
            };
            let paper = paper.map(|paper| paper.to_string());
            rows.push(
                [Some(name), Some(kept), paper, Some(agrees), Some(times)].into_iter().flatten().collect(),
            );
        }
        let head = [Some("engine"), Some(figure), paper.map(|_| "paper"), Some("agrees"), Some("time")];
        let mut text = format!("{HEAD}{design}{HEAD:#}: {what}\n");
        text += &table::render(&head.into_iter().flatten().collect::<Vec<_>>(), &rows);
        text += &notes;
        text += &engines.iter().map(|found| self.difference(found)).collect::<String>();
        text += &self.behind.0;
        if folder.is_named() || !self.agrees() {
            text += &format!("  files: {}\n", folder.path().display());
        }
        if ui.verbose() {
            text += &format!("  generate {}, total {}\n", seconds(times[0]), seconds(times[1]));
        }
        text
    }

    /// The first difference of an engine: when, what, and which waveforms to open.
    fn difference(&self, found: &EngineReport) -> String {
        let State::Ran { first_difference: Some(d), wave, .. } = &found.state else { return String::new() };
        let (name, [_, unit, what]) = (found.engine.name(), self.words);
        let pairs = [(what, d.signal.clone()), ("model", d.expected.clone()), (name, d.got.clone())];
        let (pairs, waves) = (table::pairs(&pairs), waveforms(&self.engines, wave.as_deref()));
        let of_run = self.of_run.as_ref().map(|of_run| of_run(d.run)).unwrap_or_default();
        format!("\n{BAD}{name} differs{BAD:#} first in {unit} {}{of_run}\n{pairs}{waves}", d.cycle)
    }

    fn json(&self) -> Facts {
        let [figure, unit, what] = self.words;
        let mut members = self.members.clone();
        for found in &self.engines {
            let value = match &found.state {
                State::NotRun { why } => json!({"ran": false, "agrees": null, "reason": why}),
                State::Ran { kept, first_difference, wave, times } => {
                    let first = first_difference.as_ref().map(|d| {
                        let run = self.of_run.as_ref().map(|_| ("run".into(), d.run.into()));
                        let mut first = Facts::from_iter(run);
                        first.extend(
                            facts! { unit: d.cycle, what: d.signal, "expected": d.expected, "got": d.got },
                        );
                        first
                    });
                    let seconds: Facts = times
                        .iter()
                        .map(|(part, time)| (part.to_string(), time.as_secs_f64().into()))
                        .collect();
                    json!({
                        "ran": true, figure: kept, "agrees": found.agrees(), "first_difference": first,
                        "wave": wave, "seconds": seconds,
                    })
                }
            };
            members.insert(found.engine.key().into(), value);
        }
        members.extend(self.behind.1.clone());
        members
    }
}
