//! `frit demand`, and `frit simulate --demand`.

pub mod plan;
mod racks;

use self::plan::Whose;
use crate::Verdict;
use crate::args::{DemandArgs, DemandForm, DesignArgs, PaceArgs, SimulateArgs};
use crate::demand::make::{kind, make_with_origin};
use crate::demand::{demand, most_rounds, need_compared, need_plan, within_memory};
use crate::design::{asked_size, asks_stuck, design};
use crate::distinct::distinct;
use crate::kind::loaded::program;
use crate::progress::Share;
use crate::table::pairs;
use crate::ui::{BAD, HEAD, Ui};
use anyhow::{Result, bail};
use frit_demand::peel::permutations_ticking;
use frit_demand::read::{Origin, Reading};
use frit_demand::run::{Arrival, Observer, run as run_exchange};
use frit_demand::two_hop::{self, TwoHop};
use frit_demand::{Demand, Exchange, Fault, Machine, Report, around, chakra, cyclic, exchange, write};
use frit_network::facts::{Facts, rows};
use frit_network::options::Row;
use frit_network::{RoundIdx, TerminalIdx, facts};
use frit_rtl::loaded::memh;
use frit_schedule::{Plan, user};
use frit_trace::output::{OutputFile, write_file, write_files};
use frit_trace::trace::DeliveriesCsv;
use frit_traffic::pace::Pace;
use frit_traffic::trace::{Delivery, Observer as _};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn run(ui: &Ui, args: &DemandArgs) -> Result<Verdict> {
    let file = kind(&args.what).is_none().then_some(Path::new(&args.what));
    let read = [file, args.routes.as_deref(), args.plan.reuse.as_deref()];
    let circuits = args.racks.circuits.as_deref();
    let written = [("-o", args.output.as_deref()), ("--schedule", args.plan.schedule.as_deref())];
    let written = written.into_iter().chain([("--circuits", circuits.filter(|_| args.plan.check.is_none()))]);
    distinct(written.clone())?;
    // Files that are read may be one; none of them is written over.
    for path in read.into_iter().flatten().chain(args.more.iter().map(PathBuf::as_path)) {
        distinct([("the input", Some(path))].into_iter().chain(written.clone()))?;
    }
    let (made, origin) = make_with_origin(args)?;
    let pace = pace(args, origin)?;
    let racks = racks::racks(args, &made)?;
    let given = args.plan.check.as_ref().or(args.plan.reuse.as_ref()).filter(|_| racks.is_none());
    let given = given.map(|path| plan::read(args, path, &made, Whose::Terminals)).transpose()?;
    if let Some(path) = &args.output {
        save(args, path, &made)?;
    }
    let planes = args.planes.or(given.as_ref().map(|plan| plan.planes));
    let args = &DemandArgs { planes, ..args.clone() };
    let mut facts = described(args, &made);
    if let Some(coflows) = origin.coflows {
        facts.extend(facts! { "coflows": coflows.merged, "coflows_in_trace": coflows.all });
    }
    if let Some(bytes) = origin.bytes {
        facts.extend(facts! { "bytes": bytes });
    }
    if let Some(racks) = racks {
        facts.extend(racks::facts(ui, args, racks, &made, pace)?);
    } else if let Some(path) = &args.plan.schedule {
        facts.extend(plan::schedule(ui, args, path, &made, pace, given.as_ref())?);
    } else if let Some(plan) = given {
        facts.extend(plan::checked(&made, &plan, args.delta));
    }
    let carried = facts.get("fault").is_none_or(Value::is_null);
    // Words that are not delivered have no time.
    if let Some(pace) = pace.filter(|_| carried) {
        let planned = facts.contains_key("schedule_cycles");
        pace.add_of(&mut facts, "words", if planned { "schedule_cycles" } else { "time_lower_bound" });
    }
    ui.report(args.format, &facts, || text(args, &facts))?;
    Ok(Verdict::of(carried))
}

/// The pace that is asked for. The bytes of a word alone are for files of flows, and for traces that have bytes.
fn pace(args: &DemandArgs, origin: Origin) -> Result<Option<Pace>> {
    let PaceArgs { word_bytes: Some(_), link: None, clock: None } = &args.pace else {
        return Ok(args.pace.pace()?);
    };
    if args.output.is_none() && origin.bytes.is_none() {
        bail!(
            "--word-bytes alone is for files of flows; add --link 400G or --clock 250M, or -o FILE.cm, or leave it out"
        );
    }
    Ok(None)
}

/// Writes a demand to its file, or its traces to one file for each terminal.
fn save(args: &DemandArgs, path: &Path, demand: &Demand) -> Result<()> {
    let by_name = || match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => DemandForm::Json,
        Some("npy") => DemandForm::Npy,
        Some("cm") => DemandForm::Htsim,
        Some("et") => DemandForm::Chakra,
        Some("memh") => DemandForm::Program,
        _ => DemandForm::Csv,
    };
    let form = args.form.unwrap_or_else(by_name);
    if args.entries.is_some() && form != DemandForm::Program {
        bail!("--entries applies to programs only; add --form program, or leave it out");
    }
    let bytes = args.pace.word_bytes.unwrap_or(4);
    let bytes = match form {
        DemandForm::Csv => write::csv(demand).into(),
        DemandForm::List => write::list(demand).into(),
        DemandForm::Json => write::json(demand).into(),
        DemandForm::Npy => write::npy(demand),
        DemandForm::Htsim => write::htsim(demand, bytes).into(),
        DemandForm::Program => memh(&program(demand, args.entries)?.words()).into(),
        DemandForm::Chakra => {
            // A .et at the end of the name comes behind the number of the terminal.
            let name = if path.extension().is_some_and(|end| end == "et") {
                path.with_extension("")
            } else {
                path.into()
            };
            let trace = |terminal| {
                let mut file = name.clone().into_os_string();
                file.push(format!(".{terminal}.et"));
                (file.into(), chakra::trace(demand, terminal, bytes))
            };
            return Ok(write_files(TerminalIdx::all(demand.terminals()).map(trace))?);
        }
    };
    Ok(write_file(path, bytes)?)
}

pub fn described(args: &DemandArgs, demand: &Demand) -> Facts {
    let (time, planes) = demand.time_bound(args.delta, args.planes.unwrap_or(1));
    facts! {
        "terminals": demand.terminals(), "words": demand.total(), "h": demand.h(), "skew": demand.skew(),
        "nonzeros": demand.nonzeros(), "most_sent": demand.sent().iter().max(),
        "most_received": demand.received().iter().max(), "least_configurations": demand.least_configurations(),
        "rounds_lower_bound": demand.h(), "cycles_lower_bound_benes": benes_bound(demand),
        "delta": args.delta, "planes": planes, "time_lower_bound": time as f64 / f64::from(planes),
    }
}

/// The cycles of an exchange on the Beneš network, if it has this size.
fn benes_bound(demand: &Demand) -> Option<u64> {
    let n = demand.terminals();
    (n.is_power_of_two() && n >= 4).then(|| demand.cycles_bound(2 * n.trailing_zeros() - 1, 1))
}

fn text(args: &DemandArgs, facts: &Facts) -> String {
    let number = |fact: &str| facts.get(fact).and_then(Value::as_f64).unwrap_or_default();
    let cycles = match facts["cycles_lower_bound_benes"].is_null() {
        false => "{cycles_lower_bound_benes} (h + 2n - 2)",
        true => "none: benes has no {terminals} terminals",
    };
    let from = match kind(&args.what) {
        Some(_) if args.routes.is_none() => format!("{}, seed {}", args.what, args.seed.unwrap_or(1)),
        _ if args.more.is_empty() => args.what.clone(),
        _ => format!("{} and {} more", args.what, args.more.len()),
    };
    let networks = match args.racks.racks {
        Some(_) => "{racks} racks, uplinks of each: {uplinks}",
        None if args.planes.unwrap_or(1) == 1 => "one plane",
        None => "{planes} planes",
    };
    let switching =
        if args.delta == 0 { "no switching time" } else { "{delta} cycles for each configuration" };
    let bound = grouped(number("time_lower_bound").ceil() as u64);
    let scheduled = facts.contains_key("schedule_cycles");
    let fails = facts.get("fault").is_some_and(|fault| !fault.is_null());
    let ratio = number("schedule_cycles") / number("time_lower_bound").max(1.0);
    let plan = format!(
        "{} cycles, {{configurations}} configurations{}{}",
        grouped(number("schedule_cycles") as u64),
        if facts.contains_key("planner") { " (planner {planner})" } else { "" },
        // A plan that leaves words out may be shorter than the bound.
        if fails || number("time_lower_bound") == 0.0 {
            String::new()
        } else {
            format!("; {ratio:.3} times the lower bound")
        }
    );
    let imbalance = format!(
        "{} cycles more than if every terminal sent and received the same number of words",
        grouped(number("imbalance_cycles") as u64)
    );
    let alone = format!("{} cycles", grouped(number("alone_cycles") as u64));
    let wrong = format!("{BAD}{{fault}}{BAD:#}");
    let time = match scheduled {
        true => "{time_us} us by the schedule, {gb_per_s} GB/s in all",
        false => "{time_us} us at the lower bound, {gb_per_s} GB/s in all",
    };
    let bound = format!("{bound} cycles ({networks}, {switching})");
    let nonzeros = format!("{{nonzeros}} of {}", number("terminals").powi(2));
    let skew = format!("{:.3}", number("skew"));
    let mut lines = vec![
        ("terminals", "{terminals}"),
        ("coflows", "{coflows} of {coflows_in_trace} in the trace"),
        ("bytes", "{bytes}"),
        ("words", "{words}"),
        ("pairs with words", &nonzeros),
        ("most sent, received", "{most_sent}, {most_received}"),
        ("h", "{h}"),
        ("skew", &skew),
        ("least rounds", "{rounds_lower_bound}"),
        ("least configurations", "{least_configurations}"),
        ("least cycles, benes", cycles),
        ("words between racks", "{words_between_racks}"),
        ("lower bound", &bound),
    ];
    if scheduled {
        lines.extend([
            ("schedule", plan.as_str()),
            ("reused", "{configurations_kept} configurations of the last plan; {configurations_new} are new"),
            ("check", "all {delivered} words are delivered"),
            ("check", &wrong),
            ("imbalance", &imbalance),
        ]);
        if facts.contains_key("alone_cycles") {
            lines.push(("each level alone", &alone));
        }
    }
    lines.push(("time", time));
    format!("{HEAD}{from}{HEAD:#}\n{}", pairs(&rows(facts, &lines)))
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

/// Writes deliveries. The payload of a word is its number among the words of its pair, modulo 2^width.
struct Rows<W: Write> {
    csv: DeliveriesCsv<W>,
    width: u32,
    /// What the cycles of a second exchange begin with.
    from: u64,
}

impl<W: Write> Observer for Rows<W> {
    fn arrival(&mut self, Arrival { cycle, output, source, round, word, .. }: Arrival) {
        let number = u64::from(word) & u64::MAX >> (64 - self.width.min(64));
        self.csv.delivery(&Delivery {
            cycle: cycle + self.from,
            output,
            source,
            round: RoundIdx(round as u32),
            first: word == 0,
            payload: Some(vec![number]),
        });
    }
}

/// Says how far a run is: by its words if each of them is written, else by the states of the network.
struct Sending<'a, W: Write> {
    rows: Option<Rows<W>>,
    sent: u64,
    words: u64,
    share: &'a Share,
}

impl<W: Write> Observer for Sending<'_, W> {
    fn arrival(&mut self, arrival: Arrival) {
        self.rows.iter_mut().for_each(|rows| rows.arrival(arrival));
        self.sent += 1;
        if self.sent.is_multiple_of(1 << 12) {
            self.share.at(self.sent, self.words);
        }
    }
    fn wants(&self) -> bool {
        self.rows.is_some()
    }
    fn state(&mut self, done: u64, of: u64) {
        if self.rows.is_none() && done.is_multiple_of(1 << 6) {
            self.share.at(done, of);
        }
    }
}

/// What carries a demand.
#[allow(clippy::large_enum_variant)] // one for each run of the command
pub enum Carried {
    Once(Exchange),
    /// Two exchanges, one behind the other.
    Twice(TwoHop),
}

/// What carries a demand, on which system.
pub struct Carriage {
    system: &'static str,
    options: Value,
    pub carried: Carried,
}

/// `frit simulate --demand`.
pub fn simulate(ui: &Ui, args: &SimulateArgs, path: &Path, pace: Option<Pace>) -> Result<Verdict> {
    if args.width.width.is_some() && args.deliveries.is_none() {
        bail!(
            "-w has no effect with --demand unless deliveries are written; add --deliveries FILE, or leave -w out"
        );
    }
    let (row, asked) = size(&args.design)?;
    // Only the demand of a system that is none of these has the size of its file.
    let reading = Reading { terminals: asked, ..Reading::default() };
    let demand = demand(path, reading)?;
    let planning = Share::new(ui, &format!("{}: planning", row.key));
    let carriage = carriage(args, row.key, &demand, &mut |done, of| planning.at(done, of))?;
    drop(planning);
    let width = crate::design::width(args.width.width.as_deref(), 32)?;
    let sending = Share::new(ui, &format!("{}: sending", row.key));
    let result = send(args, &demand, &carriage.carried, width, &sending)?;
    drop(sending);
    let fault = result.as_ref().err().map(Fault::to_string);
    let mut members = summary(&carriage, &demand, &result);
    if let Some(pace) = pace {
        pace.add_of(&mut members, "delivered", "cycles");
    }
    ui.report(args.format, &members, || simulated(&members, fault.as_deref()))?;
    Ok(Verdict::of(fault.is_none()))
}

/// The system, and the terminals that a demand for it must have, if they are known: a network of the user's says them itself.
pub fn size(asked: &DesignArgs) -> Result<(&'static Row, Option<u64>)> {
    let (row, given) = asked_size(asked)?;
    if row.key == user::KEY {
        return Ok((row, Some(design(asked)?.plan()?.served().into())));
    }
    Ok((row, given))
}

/// Plans what carries the demand; `tick` is told how far the plan is, and of how much.
pub fn carriage(
    args: &SimulateArgs,
    system: &'static str,
    demand: &Demand,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<Carriage> {
    let (carried, options) = if args.two_hop {
        need_compared(demand)?;
        let plan = plan_of(&args.design, demand)?;
        let options = json!(plan.options);
        let two = two_hop::plan_ticking(demand, plan, most_rounds(true), tick);
        (Carried::Twice(within_memory(two, true)?), options)
    } else {
        let (exchange, options) = exchange(&args.design, system, demand, None, tick)?;
        (Carried::Once(exchange), options)
    };
    Ok(Carriage { system, options, carried })
}

/// One exchange that carries the demand, and the options of its system. Where each round is stored it has at most `most` words
/// (rounds times lanes), or as many as there is memory for.
pub fn exchange(
    asked: &DesignArgs,
    system: &str,
    demand: &Demand,
    most: Option<u64>,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<(Exchange, Value)> {
    need_plan(demand)?;
    if !exchange::STORED.contains(&system) {
        let plan = plan_of(asked, demand)?;
        let options = json!(plan.options);
        let lanes = u64::from(plan.network.lanes());
        return Ok(match most {
            Some(words) => (cyclic::plan_ticking(demand, plan, words / lanes, tick)?, options),
            None => {
                let planned = cyclic::plan_ticking(demand, plan, most_rounds(false), tick);
                (within_memory(planned, false)?, options)
            }
        });
    }
    if let Some(stuck) = asks_stuck(asked, "--demand, whose permutations are routed")? {
        let held = permutations_ticking(demand, tick);
        return Ok((around::exchange(demand, held, &stuck)?, json!({ "stuck": stuck.name() })));
    }
    if !asked.options.given.is_empty() {
        bail!(
            "options of {system} do not apply with --demand, whose permutations are routed; leave them out"
        );
    }
    let machine = Machine::stored(system, demand.terminals())?;
    Ok((Exchange::held(machine, permutations_ticking(demand, tick)), json!({})))
}

/// The plan of the system's own exchange. Without a size it has that of the demand.
fn plan_of(asked: &DesignArgs, demand: &Demand) -> Result<Plan> {
    let mut asked = asked.clone();
    asked.terminals.get_or_insert_with(|| demand.terminals().to_string());
    design(&asked)?.into_plan()
}

/// Runs the exchange, or both, and writes the deliveries that are asked for: with two exchanges those of the second.
fn send(
    args: &SimulateArgs,
    demand: &Demand,
    carried: &Carried,
    width: u32,
    sending: &Share,
) -> Result<Result<Report, Fault>> {
    let file = args.deliveries.as_deref().map(OutputFile::create).transpose()?;
    let rows = file.map(|file| Rows { csv: DeliveriesCsv::new(file, width), width, from: 0 });
    if rows.is_some() && matches!(carried, Carried::Twice(_)) {
        bail!("--deliveries does not apply to --two-hop, where words arrive twice; leave one of them out");
    }
    let mut observer = Sending { rows, sent: 0, words: demand.total(), share: sending };
    let result = carry(demand, carried, &mut observer);
    if let (Some(path), Some(rows)) = (&args.deliveries, observer.rows) {
        rows.csv.finish().map_err(|error| OutputFile::error(path, error))?.finish()?;
    }
    Ok(result)
}

/// Sends every word. The observer is told of those of a single exchange, and how far the run is.
pub fn carry(demand: &Demand, carried: &Carried, observer: &mut dyn Observer) -> Result<Report, Fault> {
    match carried {
        Carried::Once(exchange) => run_exchange(demand, exchange, observer),
        Carried::Twice(two) => {
            let mut tick = |done, of| observer.state(done, of);
            two_hop::check_ticking(demand, two, &mut tick).map(|[first, second]| Report {
                words: second.words,
                cycles: two.cycles(),
                rounds: first.rounds + second.rounds,
                configurations: first.configurations,
            })
        }
    }
}

/// The members of JSON that say how a demand was carried.
pub fn summary(carriage: &Carriage, demand: &Demand, result: &Result<Report, Fault>) -> Facts {
    let Carriage { system, options, carried } = carriage;
    let (system, report) = (*system, result.as_ref().ok());
    let (exchange, planner, rounds) = match carried {
        Carried::Once(exchange) if exchange::STORED.contains(&system) => {
            let planner = if exchange.machine.plan().is_some() { "around" } else { "exact" };
            (exchange, planner, exchange.rounds())
        }
        Carried::Once(exchange) => (exchange, "lengths", exchange.rounds()),
        Carried::Twice(two) => {
            (&two.exchanges[0], "two-hop", two.exchanges.each_ref().map(Exchange::rounds).iter().sum())
        }
    };
    let machine = &exchange.machine;
    let buffer_words = match carried {
        Carried::Once(_) => 0,
        Carried::Twice(two) => two.buffer_words,
    };
    let delivered = report.map_or(0, |report| report.words);
    let cycles = match (report, carried) {
        (Some(report), _) => report.cycles,
        (None, Carried::Once(exchange)) => exchange.cycles(),
        (None, Carried::Twice(two)) => two.cycles(),
    };
    let mut facts = facts! {
        "system": system, "options": options, "planner": planner, "terminals": demand.terminals(),
        "words": demand.total(), "h": demand.h(), "rounds": rounds, "configurations": exchange.slots.len(),
        "latency": machine.latency(), "cycles": cycles,
        "cycles_lower_bound": demand.cycles_bound(machine.latency(), machine.lanes_per_terminal()),
        "settings_bits": exchange.stored_bits(), "buffer_words": buffer_words, "delivered": delivered,
        "missing": demand.total() - delivered,
    };
    if let Err(fault) = result {
        facts.insert("first_fault".into(), fault.to_string().into());
    }
    facts
}

fn simulated(facts: &Facts, fault: Option<&str>) -> String {
    let lines = [
        ("planner", "{planner}"),
        ("words", "{delivered} of {words} delivered"),
        ("rounds", "{rounds}; h is {h}"),
        ("cycles", "{cycles}; the lower bound is {cycles_lower_bound}"),
        ("time", "{time_us} us; {gb_per_s} GB/s in all"),
        ("configurations", "{configurations} in {settings_bits} bits"),
        ("buffers", "{buffer_words} words at a terminal"),
    ];
    let title = facts::text(facts, "{system}, {terminals} terminals").unwrap_or_default();
    let mut text = format!("{HEAD}{title}{HEAD:#}\n{}", pairs(&rows(facts, &lines)));
    if let Some(fault) = fault {
        text += &format!("  {BAD}fault{BAD:#}           {fault}\n");
    }
    text
}
