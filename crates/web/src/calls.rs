//! The questions of the page.

use crate::asked::{Asked, AskedDesign, need};
use crate::base64;
use crate::zip::zip;
use anyhow::{Context, Result, bail};
use frit_design::compare::table::{Entry, MEASURED_UP_TO, Measured, entry};
use frit_design::film::{self, routed as routed_film};
use frit_design::generate::{self, Form, Tops, Written};
use frit_design::packets::{self, KINDS};
use frit_design::reports::{self, DilatedFigures};
use frit_design::{catalog, dress, estimate, package};
use frit_model::multibutterfly::BUFFER_BYTES;
use frit_network::options::{OptionSpec, Row, Values};
use frit_network::{RoundIdx, facts};
use frit_permute::streamed_row;
use frit_router::Router;
use frit_router::dilated::packets::check as check_packets;
use frit_router::dilated::{Dilated, Packets, Parameters, Shunt};
use frit_router::multibutterfly::problem::check as check_messages;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Multibutterfly, NodeEvent, Parameters as NodeParameters, Problem};
use frit_schedule::{Plan, user};
use frit_trace::output::{SUMS_FILE, sums};
use frit_trace::trace::DeliveriesCsv;
use frit_traffic::Payload;
use frit_traffic::event::EventsCsv;
use frit_view::film::Body;
use frit_view::still::{Moment, planned as still};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

mod beside;
mod plot;
mod search;
mod uneven;

use beside::{check, compare, diff};

/// A question: what it is called, and what answers it.
type Question = (&'static str, fn(Value) -> Result<Value>);

const QUESTIONS: &[Question] = &[
    ("systems", |_| Ok(systems())),
    ("figures", |input| of_design(&read(input)?)),
    ("page", |input| page(&read(input)?)),
    ("deliveries", |input| deliveries(&read(input)?)),
    ("drawing", |input| drawing(read(input)?)),
    ("files", |input| files(&read(input)?)),
    ("compare", |input| compare(&read(input)?)),
    ("plot", |input| plot::plot(&read(input)?)),
    ("demand", |input| uneven::uneven(&read(input)?)),
    ("carried", |input| uneven::carried(&read(input)?)),
    ("demand_schedule", |input| uneven::schedule(&read(input)?)),
    ("check", |input| check(&read(input)?)),
    ("search", |input| search::search(&read(input)?)),
    ("diff", |input| diff(read(input)?)),
];

/// Answers `{"call": NAME, "input": {…}}` with `{"answer": …}` or `{"error": TEXT}`.
pub fn call(text: &str) -> String {
    let value = match answer(text) {
        Ok(value) => json!({ "answer": value }),
        Err(error) => json!({ "error": format!("{error:#}") }),
    };
    value.to_string()
}

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    call: String,
    #[serde(default)]
    input: Value,
}

fn answer(text: &str) -> Result<Value> {
    let Call { call, input } =
        serde_json::from_str(text).context("the question is not of the form {\"call\", \"input\"}")?;
    match QUESTIONS.iter().find(|(name, _)| *name == call) {
        Some((_, answer)) => answer(input),
        None => {
            let known: Vec<&str> = QUESTIONS.iter().map(|(name, _)| *name).collect();
            bail!("{call:?} is not a question; the questions are: {}", known.join(", "))
        }
    }
}

fn read<T: DeserializeOwned>(input: Value) -> Result<T> {
    serde_json::from_value(input).context("the input of the question")
}

/// The table of systems: what the form is made of.
fn systems() -> Value {
    let rows = catalog::rows().chain([&user::ROW]);
    let systems: Vec<Value> = rows
        .map(|row| {
            let mut about = catalog::about(row, catalog::kind(row));
            if streamed_row(row.key).is_some() {
                let around = dress::OPTIONS.iter().map(catalog::option);
                about["options"]
                    .as_array_mut()
                    .into_iter()
                    .for_each(|options| options.extend(around.clone()));
            }
            about["example"] = row.example.into();
            about["traffic"] = traffic_of(row).into();
            for (spec, option) in
                row.options.iter().zip(about["options"].as_array_mut().into_iter().flatten())
            {
                option["takes_file"] = spec.values.takes_file().into();
                option["text"] = example_text(spec).into();
            }
            about
        })
        .collect();
    let (version, demands, carriers) = (env!("CARGO_PKG_VERSION"), uneven::kinds(), uneven::carriers());
    json!({ "version": version, "systems": systems, "measured_up_to": MEASURED_UP_TO, "demands": demands, "carriers": carriers })
}

fn example_text(spec: &OptionSpec) -> Option<&'static str> {
    match spec.values {
        Values::Numbers { example, .. } => Some(example),
        Values::Stuck | Values::Choice => Some(""),
        _ => None,
    }
}

/// The rules for traffic that a routed system has, the default first.
fn traffic_of(row: &Row) -> Vec<&'static str> {
    match row.key {
        key if key == frit_router::dilated::row::ROW.key => KINDS.to_vec(),
        key if key == frit_router::multibutterfly::row::ROW.key => {
            Traffic::ALL.map(|(name, _)| name).to_vec()
        }
        _ => vec![],
    }
}

/// Traffic on a routed system, and the command that writes its files.
enum Given {
    Dilated(Packets, String),
    Multibutterfly(Box<Problem>, String),
}

impl Given {
    fn new(router: &dyn Router, asked: &Asked) -> Result<Self> {
        if let Some(system) = router.of::<Dilated>() {
            return Self::dilated(system, asked);
        }
        match router.of::<Multibutterfly>() {
            Some(system) => Self::multibutterfly(system, asked),
            None => bail!("this page does not know {}; use the command frit", router.row().key),
        }
    }

    fn dilated(system: &Dilated, asked: &Asked) -> Result<Self> {
        let kind = asked.traffic.as_deref().unwrap_or(KINDS[0]);
        if !KINDS.contains(&kind) {
            bail!("{kind:?} is not a traffic of dilated; give one of {}", KINDS.join(", "));
        }
        let parameters = Parameters { seed: asked.seed(), ..system.parameters };
        let count = u64::from(system.per_input) * parameters.rows;
        check_packets(&parameters, count)?;
        need(&format!("a run of dilated with {count} packets"), estimate::dilated(&parameters, count, true))?;
        let packets = packets::by_rule(parameters, kind, system.per_input)?;
        let command = packets::dilated_command(&packets, kind, Some(system.per_input));
        Ok(Given::Dilated(packets, command))
    }

    fn multibutterfly(system: &Multibutterfly, asked: &Asked) -> Result<Self> {
        let Some((name, rule)) = packets::rule(asked.traffic.as_deref()) else {
            bail!(
                "{:?} is not a traffic of multibutterfly; give one of {}",
                asked.traffic.as_deref().unwrap_or_default(),
                Traffic::ALL.map(|(name, _)| name).join(", ")
            );
        };
        if system.rerun {
            bail!("rerun=yes runs several networks one after the other; use frit route, or rerun=no here");
        }
        let parameters = NodeParameters { seed: asked.seed(), ..system.parameters };
        let count = u64::from(parameters.offered) * u64::from(parameters.active_rows());
        let shape = check_messages(&parameters, count)?;
        let bytes = estimate::multibutterfly(&parameters, shape, count, true);
        need(&format!("a run of multibutterfly with {count} messages"), bytes)?;
        let problem = packets::problem(system, parameters, &rule.messages(&parameters))?;
        let command = packets::multibutterfly_command(&parameters, name, system.wiring.is_some());
        Ok(Given::Multibutterfly(Box::new(problem), command))
    }
}

/// How many buffers the plain engine may have.
fn room() -> u64 {
    crate::asked::ROOM / BUFFER_BYTES
}

/// The command that writes the files of a planned system.
fn planned_command(plan: &Plan, width: u32) -> String {
    format!("frit generate {} -w {width}", plan.arguments())
}

/// The facts of a design, which of them to read first, where they come from, and the command that writes its files.
fn of_design(asked: &Asked) -> Result<Value> {
    let (row, width) = (asked.row()?, asked.width()?);
    let (mut fault, mut bound_reason, mut formula) = (None, None, row.cycles.to_string());
    let (first, figures, mut command) = match asked.design()? {
        AskedDesign::Planned(plan) => {
            need(&format!("a run of {}", plan.name()), estimate::run(&plan, 0..plan.rounds))?;
            let Entry { mut facts, measured, .. } = entry(&plan, Some(width));
            let (luts, ffs) = package::floor(&plan, width);
            facts.extend(facts! { "floor_luts": luts, "floor_ffs": ffs });
            if let Measured::Incomplete(first) = measured {
                fault = Some(first);
            }
            ("cycles", facts, planned_command(&plan, width))
        }
        AskedDesign::Routed(router) => match Given::new(router.as_ref(), asked)? {
            Given::Dilated(packets, command) => {
                let outcome = frit_model::dilated::simulate(&packets);
                bound_reason = Some(format!("lower bound: {}", reports::closed_form(packets.parameters())));
                ("steps", reports::dilated(&packets, &outcome, &DilatedFigures::of(&packets)), command)
            }
            Given::Multibutterfly(problem, command) => {
                let outcome = frit_model::multibutterfly::simulate(&problem, &room)?;
                ("stages", reports::multibutterfly(problem.parameters(), &outcome), command)
            }
        },
        AskedDesign::Streamed(plan) => {
            need(&format!("a run of {}", plan.name()), 256 * plan.order.words())?;
            fault = frit_permute::check(&plan).err().map(|fault| fault.to_string());
            // The formula of the row is that of the rate.
            formula = format!(
                "{} in memories + {} registers; a data set begins every {} cycles",
                plan.waits(),
                plan.registers(),
                plan.cycles
            );
            ("latency", plan.facts(Some(width)), generate::streamed_command(&plan, width, asked.dress()?))
        }
    };
    if let Some(fault) = &asked.fault {
        command += &format!(" --fault {fault}");
    }
    Ok(json!({
        "kind": catalog::kind(row), "title": row.title, "formula": formula, "command": command, "driven": row.drivers, "paper": row.paper,
        "fault": fault, "bound_reason": bound_reason, "first": first, "figures": figures,
    }))
}

/// The page that plays the run.
fn page(asked: &Asked) -> Result<Value> {
    let film = match asked.design()? {
        AskedDesign::Planned(plan) => of_exchange(&plan, asked)?,
        AskedDesign::Routed(router) => {
            if asked.fault.is_some() {
                bail!("a fault is not shown on {}; leave it out, or download its files", asked.system);
            }
            match Given::new(router.as_ref(), asked)? {
                Given::Dilated(packets, command) => {
                    let parameters = packets.parameters();
                    let payload = format!("payload={}", parameters.payload);
                    routed_film::check(packets.network().edges(), packets.packets().len())?;
                    routed_film::check_steps(parameters.least_steps(), "steps", &payload)?;
                    routed_film::dilated(&packets, &command)
                }
                Given::Multibutterfly(problem, command) => {
                    let parameters = problem.parameters();
                    let payload = format!("x={}", parameters.payload);
                    routed_film::check(problem.network().shape().edges(), problem.messages().len())?;
                    routed_film::check_steps(parameters.least_phases().into(), "phases", &payload)?;
                    routed_film::multibutterfly(&problem, &command)
                }
            }
        }
        AskedDesign::Streamed(plan) => {
            if asked.fault.is_some() {
                bail!("a fault is not shown on {}; leave it out", asked.system);
            }
            routed_film::streamed(&plan, asked.width()?)?
        }
    };
    let html = frit_view::page(&film);
    Ok(json!({ "title": film.title, "html": html, "command": film.command, "difference": film.difference }))
}

fn of_exchange(plan: &Plan, asked: &Asked) -> Result<frit_view::Film> {
    let terminals = plan.network.terminals();
    let most = if asked.fault.is_some() { film::MAX_FAULTY } else { film::MAX_TERMINALS };
    if terminals > most {
        bail!("{terminals} terminals are too many to play; make N at most {most}");
    }
    need(&format!("the film of {}", plan.name()), film::bytes(plan, asked.fault.is_some()))?;
    let Some(fault) = &asked.fault else { return Ok(film::of_model(plan)) };
    let mut ran = film::with_fault(plan, fault, asked.width()?)?;
    if let Some(width) = asked.w {
        ran.given += &format!(" -w {width}");
    }
    Ok(film::beside(plan, asked.width()?, &ran))
}

/// What was delivered, or what happened, as the file that the command writes.
fn deliveries(asked: &Asked) -> Result<Value> {
    let (name, text) = match asked.design()? {
        AskedDesign::Planned(plan) => {
            need(&format!("the deliveries of {}", plan.name()), estimate::trace(&plan))?;
            let mut csv = DeliveriesCsv::new(Vec::new(), asked.width()?);
            frit_model::exchange(&plan, None, &mut csv);
            ("deliveries.csv", String::from_utf8(csv.finish()?)?)
        }
        AskedDesign::Routed(router) => match Given::new(router.as_ref(), asked)? {
            Given::Dilated(packets, _) => {
                let mut events = EventsCsv::new::<Shunt>();
                let mut see = |shunt: &Shunt| events.write(shunt);
                frit_model::dilated::simulate_ticking(&packets, false, Some(&mut see), &mut |_| ());
                ("events.csv", events.finish())
            }
            Given::Multibutterfly(problem, _) => {
                let mut events = EventsCsv::new::<NodeEvent>();
                let mut see = |event: &NodeEvent| events.write(event);
                frit_model::multibutterfly::simulate_ticking(
                    &problem,
                    false,
                    &room,
                    Some(&mut see),
                    &mut |_| (),
                )?;
                ("events.csv", events.finish())
            }
        },
        AskedDesign::Streamed(plan) => bail!("{} has a stream and no deliveries", plan.row.key),
    };
    Ok(json!({ "name": name, "text": text }))
}

/// The way of a round.
#[derive(Deserialize)]
struct Drawing {
    #[serde(flatten)]
    asked: Map<String, Value>,
    round: RoundIdx,
}

fn drawing(Drawing { asked, round }: Drawing) -> Result<Value> {
    let asked: Asked = read(Value::Object(asked))?;
    let AskedDesign::Planned(plan) = asked.design()? else {
        bail!("{} has no rounds to draw", asked.system);
    };
    let film = of_exchange(&plan, &asked)?;
    let Body::Planned(body) = &film.body else { bail!("{} has no rounds to draw", asked.system) };
    if round.idx() >= body.injected.len() {
        bail!("round {round} is out of range; {} has rounds 0 to {}", film.title, body.injected.len() - 1);
    }
    Ok(json!({ "name": format!("round{round}.svg"), "text": still(&film, body, &[Moment::Round(round)]) }))
}

/// The files of a design, as `frit generate` writes them into a folder of the design's name, each with its text; and all as a zip.
fn files(asked: &Asked) -> Result<Value> {
    let form = Form { fault: asked.fault.as_deref(), ..Form::default() };
    let written = match asked.design()? {
        AskedDesign::Planned(plan) => {
            let (plan, width) = (form.named(&plan), asked.width()?);
            let terminals = plan.network.terminals();
            if terminals > generate::MAX_TERMINALS {
                bail!(
                    "{terminals} terminals are too many to emit Verilog; make N at most {}",
                    generate::MAX_TERMINALS
                );
            }
            need(&format!("the files of {}", plan.design_name(width)), 4 * estimate::files(&plan, width))?;
            let payload = Payload::random(terminals, width, asked.seed());
            generate::exchange(&plan, width, &payload, &form, &Tops::default())?
        }
        AskedDesign::Routed(router) => match Given::new(router.as_ref(), asked)? {
            Given::Dilated(packets, command) => generate::dilated(&packets, &command, &form)?,
            Given::Multibutterfly(problem, command) => generate::multibutterfly(&problem, &command, &form)?,
        },
        AskedDesign::Streamed(plan) => {
            if asked.fault.is_some() {
                bail!("a fault of {} is for frit verify; leave it out", plan.row.key);
            }
            need(&format!("the files of {}", plan.name()), 256 * plan.order.words())?;
            let (width, dress) = (asked.width()?, asked.dress()?);
            generate::streamed(&plan, width, &form, dress)?
        }
    };
    let Written { name, files, .. } = written;
    let mut all = files;
    all.push((SUMS_FILE.into(), sums(&all)));
    all.sort();
    let entries: Vec<(String, Vec<u8>)> =
        all.iter().map(|(file, text)| (format!("{name}/{file}"), text.clone().into_bytes())).collect();
    let zipped = base64::encode(&zip(&entries));
    let files: Vec<Value> =
        all.into_iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    Ok(json!({ "name": name, "files": files, "zip": zipped }))
}
