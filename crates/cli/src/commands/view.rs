//! `frit view`: a run as a page that plays it, or as a drawing.

use super::dilated::refuse_packets;
use crate::Verdict;
use crate::args::ViewArgs;
use crate::design::design;
use crate::memory;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_cells::bench::{self, Complaint, PeriodObserver};
use frit_cells::fault::{PlantedFault, inject};
use frit_router::Router;
use frit_schedule::{Plan, Timeline};
use frit_trace::output::{open, write_file};
use frit_trace::trace::{TraceDifference, first_difference, read_deliveries, read_settings};
use frit_traffic::Payload;
use frit_traffic::trace::Recorder;
use frit_view::film::{Body, Film, Ways};
use frit_view::planned::{Beside, film};
use frit_view::still::{Moment, planned};
use seen::Seen;
use std::path::Path;

pub(super) mod routed;
mod seen;
mod words;

/// Above this a page has tens of megabytes and no browser plays it well.
const MAX_TERMINALS: u32 = 2048;
/// Above this rust-hdl, which runs the designs with a fault, takes minutes.
const MAX_FAULTY: u32 = 512;
/// The seed of the words of a design with a fault.
const SEED: u64 = 1;

pub fn run(ui: &Ui, args: &ViewArgs, routed: impl Fn(&dyn Router) -> Result<Film>) -> Result<Verdict> {
    let drawn = args.still.is_some() || args.round.is_some();
    check_ending(&args.output, if drawn { "svg" } else { "html" })?;
    let design = design(&args.design)?;
    let width = design.width(&args.width)?;
    let mut said = None;
    let film = match design.routed() {
        Some(router) => routed::film(args, || routed(router))?,
        None => {
            let plan = design.plan()?;
            only_planned(args)?;
            check_size(plan, args.fault.as_deref())?;
            let (film, compared) = make(args, plan, width)?;
            said = compared;
            film
        }
    };
    let text = match (&film.body, moments(args, &film)?) {
        (Body::Planned(body), Some(moments)) => planned(&film, body, &moments),
        _ => frit_view::page(&film),
    };
    let bytes = text.len();
    write_file(&args.output, text)?;
    ui.say(&format!("{} ({} KiB)\n", args.output.display(), bytes.div_ceil(1024)))?;
    if let Some(compared) = said {
        ui.say(&format!("  compared: {compared}\n"))?;
    }
    if let Some(difference) = &film.difference {
        ui.say(&format!("  first difference: {difference}\n"))?;
    }
    Ok(Verdict::Fine)
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
                "-o {} is not a name for a drawing; with --still or --round give a name that ends in .svg",
                path.display()
            )
        }
        _ => bail!(
            "-o {} is not a name for a page; give a name that ends in .html (--still or --round makes a drawing)",
            path.display()
        ),
    }
}

fn only_planned(args: &ViewArgs) -> Result<()> {
    refuse_packets(&args.design.system, &args.packets)?;
    if args.seed.is_some() && args.deliveries.is_none() {
        bail!(
            "--seed does not apply to {}, which has no random traffic; use it with routed systems, or with the words of --deliveries",
            args.design.system
        );
    }
    Ok(())
}

fn check_size(plan: &Plan, fault: Option<&str>) -> Result<()> {
    let terminals = plan.network.terminals();
    if terminals > MAX_TERMINALS {
        bail!("{terminals} terminals are too many to show; give -n up to {MAX_TERMINALS}");
    }
    if fault.is_some() && terminals > MAX_FAULTY {
        bail!("{terminals} terminals are too many to simulate with --fault; give -n up to {MAX_FAULTY}");
    }
    let (rounds, lanes) = (u64::from(plan.rounds), u64::from(plan.network.lanes()));
    let settings = rounds * lanes / 2 * u64::from(plan.hops());
    // Reported, and reported by the model beside it; then as text, twice.
    let bytes = 2 * (settings * 48 + rounds * lanes * 128) + 4 * rounds * lanes * 16;
    memory::need(&format!("the film of {}", plan.name()), bytes, "use a smaller -n")
}

/// What is shown: what the model does, or what something else did beside it; and then what of the two was compared.
fn make(args: &ViewArgs, plan: &Plan, width: u32) -> Result<(Film, Option<String>)> {
    let (mut given, name, shown, payload, compared) = match (&args.fault, &args.settings, &args.deliveries) {
        (Some(fault), ..) => {
            let payload = Payload::random(plan.network.terminals(), width, SEED);
            let shown = faulty(plan, fault, &payload)?;
            let mut name = format!("the rust-hdl description with the fault {fault}");
            if shown.ways.is_none() {
                name += &format!(", two of whose messages have the same word of {width} bits");
            }
            (
                format!(" --fault {fault}"),
                name,
                shown,
                Some(payload),
                compared(" and its word", ", and every port"),
            )
        }
        (_, Some(settings), Some(deliveries)) => {
            let recorder = read(plan, settings, deliveries)?;
            let sent = words::sent(args, plan, width, &recorder)?;
            let shown = Shown { recorder, ways: None, complaint: None };
            let (given, compared) = (words::arguments(args), sent.compared());
            (given, "what was read from files".into(), shown, sent.payload(), compared)
        }
        _ => return Ok((film(plan, &modelled(plan, None), None), None)),
    };
    let model = modelled(plan, payload.as_ref());
    if let Some(width) = &args.width.width {
        given += &format!(" -w {width}");
    }
    let Shown { recorder: reported, ways, complaint } = shown;
    let timeline = Timeline::new(plan, width);
    let traces = first_difference(&model, &reported).map(|difference| {
        (timeline.period(timeline.prepare_runs, difference.cycle), in_words(plan, &difference))
    });
    let ports = complaint.map(|complaint| {
        (timeline.period(complaint.run, complaint.cycle), complained(&complaint, timeline.prepare_runs))
    });
    let first = traces.into_iter().chain(ports).min_by_key(|(period, _)| *period);
    let difference = first.map(|(_, words)| words);
    let beside = Beside {
        name: &name,
        arguments: &given,
        expected: &model,
        compared: &compared,
        difference: difference.as_deref(),
        ways: ways.as_ref(),
    };
    let film = film(plan, &reported, Some(beside));
    Ok((film, Some(compared)))
}

/// What the model reports, with words if there is a payload.
fn modelled(plan: &Plan, payload: Option<&Payload>) -> Recorder {
    let mut model = Recorder::default();
    frit_model::exchange(plan, payload, &mut model);
    model
}

/// What was compared with the model, of each delivery and besides.
fn compared(word: &str, more: &str) -> String {
    format!("the state of every switch; of every delivery its cycle, output, source, round{word}{more}")
}

/// What did it, beside the model.
struct Shown {
    recorder: Recorder,
    ways: Option<Ways>,
    /// What its ports said that the plan does not.
    complaint: Option<Complaint>,
}

/// The rust-hdl description with a fault: what it reports, and where its words were, if they tell messages apart.
fn faulty(plan: &Plan, fault: &str, payload: &Payload) -> Result<Shown> {
    let fault: PlantedFault = fault.parse()?;
    let mut netlist = frit_cells::design::build(plan, payload.width_bits());
    inject(&mut netlist, fault)?;
    let mut recorder = Recorder::default();
    let mut seen = Seen::new(plan, payload);
    let mut nobody = ();
    let periods: &mut dyn PeriodObserver = seen.as_mut().map_or(&mut nobody, |seen| seen);
    let outcome = bench::run(plan, &netlist, payload, &mut recorder, periods)?;
    Ok(Shown { recorder, ways: seen.map(Seen::ways), complaint: outcome.complaint })
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
        .find(|d| d.cycle > last || d.output >= terminals || d.source >= terminals || d.round >= rounds);
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

/// A difference, the model's side first.
fn in_words(plan: &Plan, difference: &TraceDifference) -> String {
    let TraceDifference { cycle, signal, expected, got } = difference;
    let round = plan.injecting(*cycle).map_or(String::new(), |round| format!(" (round {round} enters)"));
    format!("cycle {cycle}{round}: {signal} is {got}, expected {expected} (the model)")
}

/// What the ports said that the plan does not.
fn complained(complaint: &Complaint, prepare_runs: u32) -> String {
    let Complaint { run, cycle, signal, expected, got } = complaint;
    let run = if *run < prepare_runs { "the run before, " } else { "" };
    format!("{run}cycle {cycle}: {signal} is {got}, expected {expected} (the plan)")
}

/// What is to be drawn, if not a page is asked for.
fn moments(args: &ViewArgs, film: &Film) -> Result<Option<Vec<Moment>>> {
    let Body::Planned(body) = &film.body else { return Ok(None) };
    if let Some(cycle) = args.still {
        if cycle > film.last {
            bail!("--still {cycle} is out of range; {} has cycles 0 to {}", film.title, film.last);
        }
        return Ok(Some(vec![Moment::Cycle(cycle)]));
    }
    let Some(rounds) = args.round else { return Ok(None) };
    let known = body.injected.len() as u32;
    if rounds.last >= known {
        bail!("--round {} is out of range; {} has rounds 0 to {}", rounds.last, film.title, known - 1);
    }
    Ok(Some((rounds.first..=rounds.last).map(Moment::Round).collect()))
}
