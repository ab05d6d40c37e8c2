//! `frit schedule user --network FILE --algorithm exact`: has the network an exchange of so many rounds?

use crate::args::{DesignArgs, ExactArgs, ScheduleArgs, ScheduleFormat};
use crate::design::lone_network;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Context, Result, bail};
use frit_cosim::output::{self, FileError, OutputFile};
use frit_network::Network;
use frit_network::export::to_json;
use frit_network::name::{beginning, ends};
use frit_schedule::{Plan, user};
use frit_search::bound::Bound;
use frit_search::search::{self, Answer, Exchange, Listener, Options, Outcome, Progress};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The option of the system `user` that asks for a search.
pub(super) const ASKED: &str = "algorithm=exact";
/// Larger networks have more places than the search has room for.
const MAX_TERMINALS: u32 = 256;
/// Places that are printed of a weight.
const PRINTED: usize = 12;
/// The `format` member of a file of what is settled.
const FORMAT: &str = "fritillary-search-1";

/// What a search has settled, in a file.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    format: String,
    rounds: u32,
    network: Value,
    settled: BTreeSet<String>,
}

/// The exchange as a plan, or a report that there is none: its text and nothing more to do.
pub(super) enum Found {
    /// This, and what is said of it.
    Plan(Box<Plan>, String),
    /// None; this is to be printed.
    None(String),
}

pub(super) fn run(ui: &Ui, args: &ScheduleArgs, design: &DesignArgs) -> Result<Found> {
    let ExactArgs { rounds, seconds, state, proof } = &args.exact;
    let network = lone_network(design, ASKED)?;
    let terminals = network.terminals();
    if terminals != network.lanes() {
        bail!(
            "the network has {terminals} terminals and {} lanes; --algorithm exact takes one with a lane for each terminal",
            network.lanes()
        );
    }
    if terminals > MAX_TERMINALS {
        bail!("{terminals} terminals: --algorithm exact takes networks of up to {MAX_TERMINALS}");
    }
    let rounds = rounds.unwrap_or(terminals);
    let most = 4 * terminals;
    if !(1..=most).contains(&rounds) {
        bail!("--rounds {rounds}: 1 to {most} (four times the terminals)");
    }
    let seconds = seconds.unwrap_or(60.0);
    if seconds.is_nan() || seconds <= 0.0 {
        bail!("--seconds {seconds}: a time greater than 0");
    }
    // A time beyond what the clock can tell is no limit.
    let until = Duration::try_from_secs_f64(seconds).ok().and_then(|time| Instant::now().checked_add(time));
    let bar = ui.progress("searching", None);
    let shown = bar.clone();
    let tell: Listener = Rc::new(move |progress| match progress {
        Progress::Asked { name, variables, clauses } => {
            shown.set_message(format!("{name} ({variables} variables, {clauses} clauses)"));
        }
        Progress::Conflicts(conflicts) => shown.set_prefix(conflicts.to_string()),
        Progress::Settled(_) => (),
    });
    let options = Options { until, settled: BTreeSet::new(), tell: Some(tell) };
    let outcome = match (state, proof) {
        (_, Some(path)) => with_proof(&network, rounds, &options, path),
        (Some(path), None) => with_state(&network, rounds, options, path),
        (None, None) => Ok(search::exchange(&network, rounds, &options)?),
    }?;
    bar.finish_and_clear();
    ui.note(&format!("{} conflicts", outcome.conflicts));
    match &outcome.answer {
        Answer::Found(exchange) => {
            let plan = plan(&network, exchange)?;
            let text = format!(
                "{HEAD}{}{HEAD:#}: {GOOD}an exchange of {rounds} rounds{GOOD:#} ({})\n  {}\n",
                network.name(),
                exchange.question,
                at_least(&outcome.bound)
            );
            Ok(Found::Plan(Box::new(plan), text))
        }
        none => Ok(Found::None(match args.format {
            ScheduleFormat::Json => {
                let answer = match none {
                    Answer::Open => "open",
                    _ => "impossible",
                };
                let by = (*none == Answer::Counted)
                    .then_some("counting")
                    .or((*none == Answer::Exhausted).then_some("search"));
                let value = json!({
                    "network": network.name().as_str(), "terminals": terminals, "rounds": rounds, "answer": answer, "by": by,
                    "at_least": outcome.bound, "open": outcome.open,
                });
                format!("{}\n", serde_json::to_string_pretty(&value)?)
            }
            _ => none_text(&network, rounds, &outcome),
        })),
    }
}

fn none_text(network: &Network, rounds: u32, outcome: &Outcome) -> String {
    let name = network.name();
    let bound = at_least(&outcome.bound);
    match &outcome.answer {
        Answer::Open => {
            let shown: Vec<&str> = outcome.open.iter().take(4).map(String::as_str).collect();
            let more = outcome.open.len().saturating_sub(shown.len());
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            format!(
                "{HEAD}{name}{HEAD:#}: {WARN}open{WARN:#} whether there is an exchange of {rounds} rounds: the time is over (--seconds)\n  {bound}\n  not settled: {}{more}\n",
                shown.join("; ")
            )
        }
        Answer::Exhausted => format!(
            "{HEAD}{name}{HEAD:#}: {BAD}no exchange of {rounds} rounds{BAD:#}: the search has seen all there are\n  {bound}\n"
        ),
        _ => format!(
            "{HEAD}{name}{HEAD:#}: {BAD}no exchange of {rounds} rounds{BAD:#}, by counting\n  {bound}\n"
        ),
    }
}

/// The bound with its certificate, so that a reader can count it himself.
fn at_least(bound: &Bound) -> String {
    if bound.weights.is_empty() {
        return format!("at least {} rounds: an output takes one message a round", bound.rounds);
    }
    let places: Vec<String> = bound
        .weights
        .iter()
        .map(|weight| {
            let shown: Vec<String> = weight.places.iter().take(PRINTED).map(u32::to_string).collect();
            let more = if weight.places.len() > PRINTED { ", ..." } else { "" };
            let times = if weight.weight > 1 { format!(" ({} times)", weight.weight) } else { String::new() };
            format!("{}{more} behind stage {}{times}", shown.join(", "), weight.stages - 1)
        })
        .collect();
    format!(
        "at least {} rounds: {} times must a message pass output ports {}; a round has room for {}",
        bound.rounds,
        bound.needed,
        places.join(" and "),
        bound.carried
    )
}

/// The plan of an exchange. It is routed on the bare network here, whatever the search says.
fn plan(network: &Network, exchange: &Exchange) -> Result<Plan> {
    let row = |row: &Vec<frit_network::SwitchState>| -> String {
        row.iter().map(|state| if state.bit() { '1' } else { '0' }).collect()
    };
    let states = exchange.states(network);
    let round = |round: &Vec<Vec<_>>| json!({"states": round.iter().map(row).collect::<Vec<_>>()});
    let file = json!({"format": user::FORMAT, "rounds": states.iter().map(round).collect::<Vec<_>>()});
    let plan = user::plan(network.clone(), &file.to_string())?;
    let report = frit_schedule::check::check_plan(&plan);
    let all = u64::from(network.lanes()).pow(2);
    assert!(report.complete() && plan.pairs_due() == all, "the search found what is no exchange: {report:?}");
    Ok(plan)
}

/// The search that goes on where the file says that it was, and writes down there what it settles.
fn with_state(network: &Network, rounds: u32, mut options: Options, path: &Path) -> Result<Outcome> {
    let name = path.display();
    let wired: Value = serde_json::from_str(&to_json(network))?;
    let mut state = State { format: FORMAT.into(), rounds, network: wired, settled: BTreeSet::new() };
    if path.exists() {
        let there: State = serde_json::from_str(&output::read_text(path)?).map_err(|error| {
            // Its text may quote all of the file.
            let error = ends(&error.to_string());
            anyhow::anyhow!(
                "{name} is not a file of a search (members: format, rounds, network, settled): {error}"
            )
        })?;
        if (&there.format, there.rounds, &there.network) != (&state.format, rounds, &state.network) {
            bail!(
                "{name} is of another search ({}, {} rounds): give another file, or remove it",
                there.network["name"].as_str().map(beginning).unwrap_or_default(),
                there.rounds
            );
        }
        state = there;
    }
    options.settled = state.settled.clone();
    // Can it be written at all? That is better known now than in an hour.
    write(path, &state)?;
    let failed: Rc<RefCell<Option<FileError>>> = Rc::default();
    let (failure, target, before) = (failed.clone(), path.to_path_buf(), options.tell.take());
    let state = RefCell::new(state);
    options.tell = Some(Rc::new(move |progress| {
        before.iter().for_each(|tell| tell(progress));
        if let Progress::Settled(name) = progress {
            state.borrow_mut().settled.insert(name.clone());
            if let Err(error) = write(&target, &state.borrow()) {
                *failure.borrow_mut() = Some(error);
            }
        }
    }));
    let outcome = search::exchange(network, rounds, &options)?;
    match failed.take() {
        Some(error) => Err(error.into()),
        None => Ok(outcome),
    }
}

fn write(path: &Path, state: &State) -> Result<(), FileError> {
    let text = serde_json::to_string(state).expect("a state is JSON");
    output::write_file(path, format!("{text}\n"))
}

/// A file that the solver writes and that gets its name only if all of it is there.
#[derive(Clone)]
struct Shared(Rc<RefCell<OutputFile>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// The search for any rounds at once, with a proof if there are none: the clauses beside it, in a file that ends in .cnf.
fn with_proof(network: &Network, rounds: u32, options: &Options, path: &Path) -> Result<Outcome> {
    let formula: PathBuf = path.with_extension("cnf");
    if formula == path {
        bail!("--proof {}: the clauses have this name; let the proof end in .drat", path.display());
    }
    let mut clauses = OutputFile::create(&formula)?;
    let steps = Shared(Rc::new(RefCell::new(OutputFile::create(path)?)));
    let outcome = search::proof(network, rounds, options, &mut clauses, Box::new(steps.clone()))
        .with_context(|| format!("{} and {}", path.display(), formula.display()))?;
    if outcome.answer == Answer::Exhausted {
        clauses.finish()?;
        let steps = Rc::into_inner(steps.0).expect("the solver is gone").into_inner();
        steps.finish()?;
    }
    Ok(outcome)
}
