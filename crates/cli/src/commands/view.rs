//! `frit view`: a run as a page that plays it, or as a drawing.

use crate::Verdict;
use crate::args::ViewArgs;
use crate::design::{design, refuse_baseline};
use crate::memory;
use crate::registry;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_design::film::{self, FilmRun, MAX_FAULTY, MAX_TERMINALS, beside, bytes, of_model, with_fault};
use frit_network::RoundIdx;
use frit_router::Router;
use frit_schedule::Plan;
use frit_trace::output::{open, write_file};
use frit_trace::trace::{read_deliveries, read_settings};
use frit_traffic::trace::Recorder;
use frit_view::Film;
use frit_view::film::Body;
use frit_view::still::{Moment, planned};
use std::path::Path;

pub mod routed;
mod uneven;
mod words;

pub fn run(ui: &Ui, args: &ViewArgs, routed: impl Fn(&dyn Router) -> Result<Film>) -> Result<Verdict> {
    let drawn = args.still.is_some() || args.round.is_some() || args.timeline;
    check_ending(&args.output, if drawn { "svg" } else { "html" })?;
    let save = |text: String| -> Result<()> {
        let bytes = text.len();
        write_file(&args.output, text)?;
        ui.say(&format!("{} ({} KiB)\n", args.output.display(), bytes.div_ceil(1024)))
    };
    let (film, said) = match &args.demand {
        Some(path) if args.timeline => {
            save(uneven::drawing(args, path)?)?;
            return Ok(Verdict::Fine);
        }
        Some(path) => (uneven::film(args, path)?, None),
        None => of_design(args, routed)?,
    };
    save(match (&film.body, moments(args, &film)?) {
        (Body::Planned(body) | Body::Crossbar(body), Some(moments)) => planned(&film, body, &moments),
        _ => frit_view::page(&film),
    })?;
    if let Some(compared) = said {
        ui.say(&format!("  compared: {compared}\n"))?;
    }
    if let Some(difference) = &film.difference {
        ui.say(&format!("  first difference: {difference}\n"))?;
    }
    Ok(Verdict::Fine)
}

/// The film of a design, and what of it was compared.
fn of_design(
    args: &ViewArgs,
    routed: impl Fn(&dyn Router) -> Result<Film>,
) -> Result<(Film, Option<String>)> {
    let design = design(&args.design)?;
    registry::refuse("view", design.row, &args.design)?;
    let width = design.width(&args.width)?;
    match (design.routed(), design.streamed()) {
        (Some(router), _) => Ok((routed(router)?, None)),
        (_, Some(plan)) => Ok((film::routed::streamed(plan, width)?, None)),
        (None, None) => {
            let plan = design.plan()?;
            refuse_baseline(plan.system, "a page")?;
            only_planned(args)?;
            check_size(plan, args)?;
            make(args, plan, width)
        }
    }
}

fn check_ending(path: &Path, ending: &str) -> Result<()> {
    let given = path.extension().and_then(|given| given.to_str()).unwrap_or("");
    // What is no file of its own has no ending.
    if given.eq_ignore_ascii_case(ending) || path.starts_with("/dev") {
        return Ok(());
    }
    match ending {
        "svg" => {
            bail!(
                "-o {} is not a name for a drawing; with --still, --round or --timeline give a name that ends in .svg",
                path.display()
            )
        }
        _ => bail!(
            "-o {} is not a name for a page; give a name that ends in .html (--still, --round or --timeline makes a drawing)",
            path.display()
        ),
    }
}

fn only_planned(args: &ViewArgs) -> Result<()> {
    if args.seed.is_some() && args.deliveries.is_none() {
        bail!(
            "--seed does not apply to {}, which has no random traffic; use it with routed systems, or with the words of --deliveries",
            args.design.system
        );
    }
    Ok(())
}

fn check_size(plan: &Plan, args: &ViewArgs) -> Result<()> {
    let terminals = plan.network.terminals();
    if terminals > MAX_TERMINALS {
        bail!("{terminals} terminals are too many to show; give -n up to {MAX_TERMINALS}");
    }
    if args.fault.is_some() && terminals > MAX_FAULTY {
        bail!("{terminals} terminals are too many to simulate with --fault; give -n up to {MAX_FAULTY}");
    }
    let bytes = bytes(plan, args.fault.is_some() || args.settings.is_some());
    memory::need(&format!("the film of {}", plan.name()), bytes, "use a smaller -n")
}

/// What is shown: what the model does, or what something else did beside it; and then what of the two was compared.
fn make(args: &ViewArgs, plan: &Plan, width: u32) -> Result<(Film, Option<String>)> {
    let mut ran = match (&args.fault, &args.settings, &args.deliveries) {
        (Some(fault), ..) => with_fault(plan, fault, width)?,
        (_, Some(settings), Some(deliveries)) => {
            let recorder = read(plan, settings, deliveries)?;
            let sent = words::sent(args, plan, width, &recorder)?;
            FilmRun {
                name: "what was read from files".into(),
                given: words::arguments(args),
                recorder,
                ways: None,
                complaint: None,
                compared: sent.compared(),
                payload: sent.payload(),
            }
        }
        _ => return Ok((of_model(plan), None)),
    };
    if let Some(width) = &args.width.width {
        ran.given += &format!(" -w {width}");
    }
    Ok((beside(plan, width, &ran), Some(ran.compared)))
}

/// What an engine has written; all of it has a place in the exchange.
fn read(plan: &Plan, settings: &Path, deliveries: &Path) -> Result<Recorder> {
    let name = |path: &Path| path.display().to_string();
    let recorder = Recorder {
        settings: read_settings(open(settings)?, &name(settings))?,
        deliveries: read_deliveries(open(deliveries)?, &name(deliveries))?,
    };
    let (last, stages, switches) = (plan.cycles(), plan.network.stages(), plan.network.switches_per_stage());
    let stray =
        recorder.settings.iter().find(|s| s.cycle > last || s.stage >= stages || s.switch >= switches);
    if let Some(stray) = stray {
        bail!(
            "{}: cycle {}, stage {}, switch {}: {} has cycles 0 to {last}, {stages} stages of {switches} switches; give the files of one exchange of this design",
            name(settings),
            stray.cycle,
            stray.stage,
            stray.switch,
            plan.name()
        );
    }
    let (terminals, rounds) = (plan.served(), plan.rounds);
    let stray = recorder
        .deliveries
        .iter()
        .find(|d| d.cycle > last || d.output >= terminals || d.source >= terminals || d.round.0 >= rounds);
    if let Some(stray) = stray {
        bail!(
            "{}: cycle {}, output {}, source {}, round {}: {} has cycles 0 to {last}, {terminals} terminals, {rounds} rounds; give the files of one exchange of this design",
            name(deliveries),
            stray.cycle,
            stray.output,
            stray.source,
            stray.round,
            plan.name()
        );
    }
    Ok(recorder)
}

/// What is to be drawn, if not a page is asked for.
fn moments(args: &ViewArgs, film: &Film) -> Result<Option<Vec<Moment>>> {
    let (Body::Planned(body) | Body::Crossbar(body)) = &film.body else { return Ok(None) };
    if let Some(cycle) = args.still {
        if cycle > film.last {
            bail!("--still {cycle} is out of range; {} has cycles 0 to {}", film.title, film.last);
        }
        return Ok(Some(vec![Moment::Cycle(cycle)]));
    }
    let Some(rounds) = args.round else { return Ok(None) };
    let known = body.injected.len() as u32;
    if known == 0 {
        bail!("{} has no rounds to draw", film.title);
    }
    if rounds.last >= known {
        bail!("--round {} is out of range; {} has rounds 0 to {}", rounds.last, film.title, known - 1);
    }
    Ok(Some((rounds.first..=rounds.last).map(|round| Moment::Round(RoundIdx(round))).collect()))
}
