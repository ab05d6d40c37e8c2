//! `frit simulate`.

use super::streamed;
use crate::Verdict;
use crate::args::{RoundRange, SimulateArgs};
use crate::design::design;
use crate::distinct::distinct;
use crate::memory::{self, estimate};
use crate::payload::{Messages, check_payload_size, messages};
use crate::registry;
use crate::summary;
use crate::ui::{HEAD, Ui};
use anyhow::{Result, bail};
use frit_model::fast::{Fast, exchange_with_progress};
use frit_schedule::{Faults, Plan};
use frit_trace::output::{OutputFile, write_file};
use frit_trace::trace::{DeliveriesCsv, SettingsCsv, Tee};
use frit_trace::wave_file::write_model_wave;
use frit_traffic::Payload;
use frit_traffic::npy::to_npy;
use frit_traffic::pace::Pace;
use frit_traffic::payload::{to_bin, to_csv};
use frit_traffic::trace::{Delivery, Observer, Setting};
use indicatif::ProgressBar;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is written to files has rows for every message: above this they would be terabytes.
const MAX_WRITTEN_TERMINALS: u32 = 16384;

/// The model follows faults message by message.
const MAX_FAULTY_TERMINALS: u32 = 4096;

/// Memory that a run may take beside its plan.
const MAX_BYTES: u64 = 1 << 30;

pub fn run(ui: &Ui, args: &SimulateArgs) -> Result<Verdict> {
    let pace = args.pace.pace()?;
    if let Some(path) = &args.demand {
        return super::demand::simulate(ui, args, path, pace);
    }
    let design = design(&args.design)?;
    registry::refuse("simulate", design.row, &args.design)?;
    if let (Some(_), Some(fault)) = (design.streamed(), args.fault.first()) {
        bail!(
            "--fault {fault}: the model follows faults of an exchange only; frit verify {} --fault plants those of a stream",
            design.row.key
        );
    }
    if let Some(plan) = design.streamed() {
        return streamed::simulate(ui, args, plan);
    }
    let width = design.width(&args.width)?;
    let plan = Plan { exchanges: args.exchanges, ..design.into_plan()? };
    let faults = Faults::parse(&plan, &args.fault)?;
    if !faults.is_empty() && plan.network.terminals() > MAX_FAULTY_TERMINALS {
        bail!(
            "{} terminals: what faults do is followed message by message, up to {MAX_FAULTY_TERMINALS} terminals; use a smaller -n",
            plan.network.terminals()
        );
    }
    let plan = &Plan { faults, ..plan };
    let terminals = plan.network.terminals();
    if let Some(rounds) = args.rounds {
        return run_rounds(ui, args, plan, width, (rounds, pace));
    }
    check_size(args, plan)?;
    distinct([
        ("--settings", args.settings.as_deref()),
        ("--deliveries", args.deliveries.as_deref()),
        ("--received", args.received.as_deref()),
        ("--wave", args.wave.as_deref()),
    ])?;
    if args.wave.is_some() || args.payload.payload.is_some() {
        check_payload_size(terminals, width)?; // without a payload a wave has words that are zero
    }
    need_memory(args, plan, width)?;
    let messages = messages(&args.payload, plan, width)?;
    if args.received.is_some() && messages.is_none() {
        bail!("--received needs words to exchange; add --payload FILE or --payload random");
    }
    if width > 64
        && args.received.as_ref().is_some_and(|path| path.extension().is_some_and(|end| end == "npy"))
    {
        bail!("an .npy file has words of at most 64 bits, not {width}; give --received a .bin or .csv file");
    }
    let outcome = simulate(ui, args, plan, width, messages.as_ref())?;
    if let (Some(path), Some(messages), Some(received)) = (&args.received, &messages, &outcome.received) {
        write_received(path, &received.resized(plan.served()), messages)?;
    }
    if let Some(path) = &args.wave {
        let zero = || Payload::zero(terminals, width);
        write_model_wave(path, plan, &messages.as_ref().map_or_else(zero, |m| m.payload.clone()))?;
    }
    let mut facts = summary::facts(plan, width, &outcome.run);
    if args.payload.payload.as_deref() == Some("random") {
        facts.insert("seed".into(), args.payload.seed.into());
    }
    if let Some(pace) = pace {
        pace.add_of(&mut facts, "delivered", "cycles_total");
    }
    if let Some(messages) = &messages {
        facts.insert("payload".into(), messages.origin.as_str().into());
    }
    ui.report(args.format, &facts, || {
        format!("{HEAD}{}{HEAD:#}\n{}", plan.name(), summary::text(plan, &facts))
    })?;
    Ok(Verdict::of(outcome.run.ok()))
}

fn check_size(args: &SimulateArgs, plan: &Plan) -> Result<()> {
    let terminals = plan.network.terminals();
    let files = [&args.settings, &args.deliveries, &args.received, &args.wave];
    if terminals > MAX_WRITTEN_TERMINALS && files.iter().any(|file| file.is_some()) {
        bail!(
            "{terminals} terminals are too many to write settings, deliveries, words or waves (at most {MAX_WRITTEN_TERMINALS}); leave these options out, or use a smaller -n"
        );
    }
    check_memory(plan, 0..plan.rounds)
}

/// Refuses a run for which there is no memory, with its words: what is sent, what is received, and that once more as a file;
/// a waveform has words of its own.
fn need_memory(args: &SimulateArgs, plan: &Plan, width: u32) -> Result<()> {
    let terminals = plan.network.terminals();
    let sent = if args.payload.payload.is_some() { 2 } else { 0 };
    let copies = sent + if args.wave.is_some() { 2 } else { 0 };
    let received = args.received.as_deref().map_or(0, |path| {
        let binary = path.extension().is_some_and(|extension| extension == "bin");
        estimate::words_in_file(terminals, width, binary)
    });
    let needed = copies * estimate::words(terminals, width) + received + estimate::run(plan, 0..plan.rounds);
    let what = format!("the exchange of {} with its words", plan.name());
    memory::need(&what, needed, "use a smaller -n or -w, or select rounds with --rounds")
}

fn check_memory(plan: &Plan, rounds: Range<u32>) -> Result<()> {
    let bytes = |rounds: &Range<u32>| frit_model::fast::bytes(plan, rounds.clone());
    let needed = bytes(&rounds);
    if needed > MAX_BYTES {
        let all = 0..plan.rounds;
        let what = match rounds != all && bytes(&all) <= MAX_BYTES {
            true => "all rounds (leave --rounds out), which need no such table, or fewer rounds",
            false => "fewer rounds with --rounds FIRST..LAST",
        };
        bail!(
            "{} terminals: the table of pairs that arrive in {} rounds needs {} GiB, more than the {} GiB allowed; choose {what}, or use a smaller -n",
            plan.network.terminals(),
            rounds.len(),
            needed.div_ceil(1 << 30),
            MAX_BYTES >> 30
        );
    }
    Ok(())
}

fn run_rounds(
    ui: &Ui,
    args: &SimulateArgs,
    plan: &Plan,
    width: u32,
    (RoundRange { first, last }, pace): (RoundRange, Option<Pace>),
) -> Result<Verdict> {
    if last >= plan.rounds {
        bail!(
            "--rounds {first}..{last} is out of range; {} has rounds 0 to {}",
            plan.name(),
            plan.rounds - 1
        );
    }
    check_memory(plan, first..last + 1)?;
    let what = format!("a run of {}, rounds {first} to {last}", plan.name());
    memory::need(&what, estimate::run(plan, first..last + 1), "use a smaller -n, or fewer rounds")?;
    let Some(fast) = Fast::new(plan, first..last + 1) else {
        bail!("{} can only run all its rounds; leave --rounds out", plan.name());
    };
    let bar = ui.progress(&plan.name(), Some(u64::from(last - first + 1)));
    let start = Instant::now();
    let checked = fast.run(&|rounds| bar.inc(rounds));
    bar.finish_and_clear();
    note_speed(ui, checked.sent * plan.phases.count(), checked.hops, start.elapsed());
    let mut facts = summary::facts_of_rounds(plan, width, &checked);
    if let Some(pace) = pace {
        pace.add_of(&mut facts, "delivered", "cycles_total");
    }
    let text = || format!("{HEAD}{}{HEAD:#}\n{}", plan.name(), summary::text_of_rounds(plan, &facts));
    ui.report(args.format, &facts, text)?;
    Ok(Verdict::of(checked.clean()))
}

/// How fast it was, on stderr: what a run takes is no result.
fn note_speed(ui: &Ui, messages: u64, hops: u64, time: Duration) {
    let seconds = time.as_secs_f64();
    let per_second = |count: u64| (count as f64 / seconds).round();
    let (messages_rate, hops_rate) = (per_second(messages), per_second(hops));
    ui.note(&format!(
        "{messages} messages in {seconds:.3} s: {messages_rate} messages/s, {hops_rate:.2e} switches passed/s"
    ));
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
    fn wants_settings(&self) -> bool {
        false
    }
    fn wants_deliveries(&self) -> bool {
        false
    }
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
) -> Result<frit_model::ExchangeOutcome> {
    let create = |path: &Path| OutputFile::create(path);
    let mut settings = args.settings.as_deref().map(create).transpose()?.map(SettingsCsv::new);
    let mut deliveries =
        args.deliveries.as_deref().map(create).transpose()?.map(|file| DeliveriesCsv::new(file, width));
    // What takes long: writing, cycle by cycle, or the run itself, round by round.
    let written = args.settings.is_some() || args.deliveries.is_some();
    let rounds = plan.rounds_in_all();
    let bar = ui.progress(&plan.name(), Some(if written { plan.cycles() } else { rounds.into() }));
    let mut progress = Progress { bar: &bar, cycle: 0 };
    let mut observers: Vec<&mut dyn Observer> = vec![];
    if written && !bar.is_hidden() {
        observers.push(&mut progress);
    }
    observers.extend(settings.as_mut().map(|s| s as &mut dyn Observer));
    observers.extend(deliveries.as_mut().map(|d| d as &mut dyn Observer));
    let rounds_done = |rounds| {
        if !written {
            bar.inc(rounds);
        }
    };
    let payload = messages.map(|m| &m.payload);
    let start = Instant::now();
    let outcome = exchange_with_progress(plan, payload, &mut Tee(observers), &rounds_done);
    bar.finish_and_clear();
    let prepared = plan.phases.count() - 1;
    let sent = (prepared * u64::from(plan.rounds) + u64::from(rounds)) * u64::from(plan.network.lanes());
    note_speed(ui, sent, sent * u64::from(plan.hops()), start.elapsed());
    if let (Some(path), Some(csv)) = (&args.settings, settings) {
        csv.finish().map_err(|e| OutputFile::error(path, e))?.finish()?;
    }
    if let (Some(path), Some(csv)) = (&args.deliveries, deliveries) {
        csv.finish().map_err(|e| OutputFile::error(path, e))?.finish()?;
    }
    Ok(outcome)
}

/// Writes what was received, as the payload was written: CSV in its notation, or raw words for `.bin`, or an array for `.npy`.
fn write_received(path: &Path, received: &Payload, messages: &Messages) -> Result<()> {
    let bytes = match path.extension().and_then(|extension| extension.to_str()) {
        Some("bin") => to_bin(received),
        Some("npy") => to_npy(&[received.terminals() as usize; 2], received.clone().into_limbs()),
        _ => to_csv(received, messages.notation).into(),
    };
    Ok(write_file(path, bytes)?)
}
