//! `frit simulate`.

use super::summary;
use crate::Verdict;
use crate::args::{Format, SimulateArgs};
use crate::design::{Messages, check_payload_size, design, messages};
use crate::ui::{HEAD, Ui};
use anyhow::{Result, bail};
use frit_cosim::output::{OutputFile, write_file};
use frit_cosim::trace::{DeliveriesCsv, SettingsCsv, Tee};
use frit_cosim::wave_file::write_model_wave;
use frit_schedule::payload::{to_bin, to_csv};
use frit_schedule::trace::{Delivery, Observer, Setting};
use frit_schedule::{Payload, Plan};
use indicatif::ProgressBar;
use std::path::Path;

/// The reference engine keeps every pair (source, destination): above this it would not fit.
const MAX_TERMINALS: u32 = 16384;

pub fn run(ui: &Ui, args: &SimulateArgs) -> Result<Verdict> {
    let design = design(&args.design)?;
    let plan = &design.plan;
    let width = design.width(&args.width)?;
    let terminals = plan.network.terminals();
    if terminals > MAX_TERMINALS {
        bail!("{terminals} terminals: the model runs exchanges of up to {MAX_TERMINALS} terminals");
    }
    if args.wave.is_some() {
        check_payload_size(terminals, width)?; // without a payload the words are zero
    }
    let messages = messages(&args.payload, terminals, width)?;
    if args.received.is_some() && messages.is_none() {
        bail!("--received needs words to exchange: add --payload FILE or --payload random");
    }
    let outcome = simulate(ui, args, plan, width, messages.as_ref())?;
    if let (Some(path), Some(messages), Some(received)) = (&args.received, &messages, &outcome.received) {
        write_received(path, received, messages)?;
    }
    if let Some(path) = &args.wave {
        let zero = || Payload::zero(terminals, width);
        write_model_wave(path, plan, &messages.as_ref().map_or_else(zero, |m| m.payload.clone()))?;
    }
    match args.format {
        Format::Json => {
            let mut members = summary::json(plan, width, &outcome.run);
            if args.payload.payload.as_deref() == Some("random") {
                members.insert("seed".into(), args.payload.seed.into());
            }
            if let Some(fault) = &outcome.run.first_fault {
                members.insert("first_fault".into(), fault.to_string().into());
            }
            ui.print(&format!("{}\n", serde_json::to_string_pretty(&members)?))?;
        }
        Format::Text => {
            let mut text = format!("{HEAD}{}{HEAD:#}\n{}", plan.name(), summary::text(plan, &outcome.run));
            if let Some(messages) = &messages {
                text += &format!("  payload    {} ({width} bits)\n", messages.origin);
            }
            ui.print(&text)?;
        }
    }
    Ok(Verdict::of(outcome.run.ok()))
}

/// Moves a progress bar with the cycles.
struct Progress<'a> {
    bar: &'a ProgressBar,
    cycle: u64,
}

impl Progress<'_> {
    fn reach(&mut self, cycle: u64) {
        if cycle != self.cycle {
            self.cycle = cycle;
            self.bar.set_position(cycle);
        }
    }
}

impl Observer for Progress<'_> {
    fn setting(&mut self, setting: Setting) {
        self.reach(setting.cycle);
    }
    fn delivery(&mut self, delivery: &Delivery) {
        self.reach(delivery.cycle);
    }
}

fn simulate(
    ui: &Ui,
    args: &SimulateArgs,
    plan: &Plan,
    width: u32,
    messages: Option<&Messages>,
) -> Result<frit_model::Outcome> {
    let create = |path: &Path| OutputFile::create(path);
    let mut settings = args.settings.as_deref().map(create).transpose()?.map(SettingsCsv::new);
    let mut deliveries =
        args.deliveries.as_deref().map(create).transpose()?.map(|file| DeliveriesCsv::new(file, width));
    let bar = ui.progress(&plan.name(), Some(plan.cycles()));
    let mut progress = Progress { bar: &bar, cycle: 0 };
    let mut observers: Vec<&mut dyn Observer> = vec![];
    if !bar.is_hidden() {
        observers.push(&mut progress);
    }
    observers.extend(settings.as_mut().map(|s| s as &mut dyn Observer));
    observers.extend(deliveries.as_mut().map(|d| d as &mut dyn Observer));
    let outcome = frit_model::exchange(plan, messages.map(|m| &m.payload), &mut Tee(observers));
    bar.finish_and_clear();
    if let (Some(path), Some(csv)) = (&args.settings, settings) {
        csv.finish().map_err(|e| OutputFile::error(path, e))?.finish()?;
    }
    if let (Some(path), Some(csv)) = (&args.deliveries, deliveries) {
        csv.finish().map_err(|e| OutputFile::error(path, e))?.finish()?;
    }
    Ok(outcome)
}

/// Writes what was received, as the payload was written: CSV in its notation, or raw words for `.bin`.
fn write_received(path: &Path, received: &Payload, messages: &Messages) -> Result<()> {
    if path.extension().is_some_and(|extension| extension == "bin") {
        write_file(path, to_bin(received))?;
    } else {
        write_file(path, to_csv(received, messages.notation))?;
    }
    Ok(())
}
