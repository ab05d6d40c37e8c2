//! `frit schedule user --network FILE --algorithm exact`: has the network an exchange of so many rounds?

mod state;

use crate::args::{DesignArgs, ExactArgs, ScheduleArgs, ScheduleFormat};
use crate::design::lone_network;
use crate::distinct::distinct;
use crate::memory;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Context, Result, bail};
use frit_network::Network;
use frit_schedule::{Plan, user};
use frit_search::bound::Bound;
use frit_search::proof;
use frit_search::search::{self, Answer, Exchange, Listener, Options, Outcome, Progress};
use frit_trace::output::OutputFile;
use serde_json::json;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The option of the system `user` that asks for a search.
pub(super) const ASKED: &str = "algorithm=exact";
/// Larger networks have more places than the search has room for.
const MAX_TERMINALS: u32 = 256;
/// Bytes that a variable of places takes, with its clauses.
const OF_A_VARIABLE: u64 = 1 << 10;
/// Names of questions that are printed.
const SHOWN: usize = 4;
/// Places that are printed of a weight.
const PRINTED: usize = 12;

/// The exchange as a plan, or a report that there is none: its text and nothing more to do.
pub(super) enum Found {
    /// This, and what is said of it.
    Plan(Box<Plan>, String),
    /// None; this is to be printed.
    None(String),
}

pub(super) fn run(ui: &Ui, args: &ScheduleArgs, design: &DesignArgs) -> Result<Found> {
    let ExactArgs { rounds, seconds, state, proof } = &args.exact;
    let (network, file) = lone_network(design, ASKED)?;
    let terminals = network.terminals();
    if terminals != network.lanes() {
        bail!(
            "the network has {terminals} terminals and {} lanes; --algorithm exact needs a network with one lane for each terminal",
            network.lanes()
        );
    }
    if terminals > MAX_TERMINALS {
        bail!(
            "{terminals} terminals are too many; --algorithm exact takes networks of up to {MAX_TERMINALS} terminals"
        );
    }
    let rounds = rounds.unwrap_or(terminals);
    let most = 4 * terminals;
    if !(1..=most).contains(&rounds) {
        bail!("--rounds {rounds} is out of range; give 1 to {most} (four times the number of terminals)");
    }
    let seconds = seconds.unwrap_or(60.0);
    if seconds.is_nan() || seconds <= 0.0 {
        bail!("--seconds {seconds} is not a time; give a number greater than 0");
    }
    let bytes = search::largest(&network, rounds) * OF_A_VARIABLE;
    memory::need("the largest question", bytes, "use a smaller network, or fewer rounds")?;
    // A time beyond what the clock can tell is no limit.
    let until = Duration::try_from_secs_f64(seconds).ok().and_then(|time| Instant::now().checked_add(time));
    let bar = ui.progress("searching", None);
    let shown = bar.clone();
    let tell: Listener = Rc::new(move |progress| match progress {
        Progress::Asked { name, variables, clauses } => {
            shown.set_message(format!("{name} ({variables} variables, {clauses} clauses)"));
        }
        Progress::Conflicts(conflicts) => shown.set_prefix(conflicts.to_string()),
        Progress::Settled(_) | Progress::Left(..) => (),
    });
    let options = Options { until, tell: Some(tell), ..Options::default() };
    let outcome = match (state, proof) {
        (_, Some(path)) => with_proof(ui, &network, rounds, &options, path, &file),
        (Some(path), None) => state::search(ui, &network, rounds, options, path),
        (None, None) => Ok(search::exchange(&network, rounds, &options)?),
    }?;
    bar.finish_and_clear();
    ui.note(&format!("{} conflicts", outcome.conflicts));
    let believed = state.as_deref().filter(|_| outcome.believed > 0);
    match &outcome.answer {
        Answer::Found(exchange) => {
            let plan = plan(&network, exchange, &outcome.bound)?;
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
                let by = match none {
                    Answer::Apart { .. } => Some("reach"),
                    Answer::Counted => Some("counting"),
                    Answer::Exhausted if outcome.believed > 0 => Some("state"),
                    Answer::Exhausted => Some("search"),
                    Answer::Found(_) | Answer::Open => None,
                };
                let apart = match none {
                    Answer::Apart { input, output } => Some([input, output]),
                    _ => None,
                };
                let value = json!({
                    "network": network.name().as_str(), "terminals": terminals, "rounds_asked": rounds, "answer": answer, "by": by,
                    "at_least": outcome.bound, "open": outcome.open, "too_large": outcome.too_large, "apart": apart,
                    "questions": outcome.questions, "settled_before": outcome.believed, "rests_on": believed,
                });
                format!("{}\n", serde_json::to_string_pretty(&value)?)
            }
            _ => none_text(&network, rounds, &outcome, believed),
        })),
    }
}

/// What is said if no exchange was found. `believed` is the file that settles some questions.
fn none_text(network: &Network, rounds: u32, outcome: &Outcome, believed: Option<&Path>) -> String {
    let name = network.name();
    let asked = format!("no exchange of {rounds} rounds");
    let answer = match &outcome.answer {
        Answer::Open => open_text(rounds, outcome),
        Answer::Apart { .. } => format!("{BAD}{asked}{BAD:#}, and none of any other number"),
        Answer::Exhausted => match believed {
            Some(path) => format!("{BAD}{asked}{BAD:#} if {} is right", path.display()),
            None => format!("{BAD}{asked}{BAD:#}: the search has tried every case"),
        },
        Answer::Counted | Answer::Found(_) => format!("{BAD}{asked}{BAD:#}, by counting"),
    };
    let bound = match &outcome.answer {
        Answer::Apart { input, output } => format!("no path from input {input} to output {output}"),
        // An exchange of fewer rounds is one of these with the last round repeated.
        Answer::Exhausted if believed.is_none() => {
            format!(
                "at least {} rounds, by this search; by counting {}",
                rounds + 1,
                at_least(&outcome.bound)
            )
        }
        _ => at_least(&outcome.bound),
    };
    let mut lines = vec![answer, bound];
    lines.extend(believed.map(|path| rests_on(path, outcome)));
    for (what, names) in [("not settled", &outcome.open), ("skipped", &outcome.too_large)] {
        let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
        let more = match names.len() - shown.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        lines.extend((!names.is_empty()).then(|| format!("{what}: {}{more}", shown.join("; "))));
    }
    format!("{HEAD}{name}{HEAD:#}: {}\n", lines.join("\n  "))
}

/// What of the answer is not this run's own.
fn rests_on(path: &Path, outcome: &Outcome) -> String {
    let Outcome { believed, questions, .. } = outcome;
    format!(
        "{believed} of {questions} questions are not asked: {} says that they are settled; without --state all are asked",
        path.display()
    )
}

/// Why nobody knows.
fn open_text(rounds: u32, outcome: &Outcome) -> String {
    let mut why = Vec::new();
    if !outcome.open.is_empty() {
        why.push("the time limit ran out (--seconds)".to_string());
    }
    if !outcome.too_large.is_empty() {
        let limit = search::LARGEST;
        why.push(format!("a question has more than {limit} variables for places and was skipped"));
    }
    format!("{WARN}open{WARN:#} whether there is an exchange of {rounds} rounds: {}", why.join("; "))
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
        "at least {} rounds: {} passes of output ports {} are needed, and a round has room for {}",
        bound.rounds,
        bound.needed,
        places.join(" and "),
        bound.carried
    )
}

/// The plan of an exchange. It is routed on the bare network here, whatever the search says. Its bound is the best that is known: that of
/// the search, if it asks for more rounds than there are terminals.
fn plan(network: &Network, exchange: &Exchange, bound: &Bound) -> Result<Plan> {
    let row = |row: &Vec<frit_network::SwitchState>| -> String {
        row.iter().map(|state| if state.bit() { '1' } else { '0' }).collect()
    };
    let states = exchange.states(network);
    let round = |round: &Vec<Vec<_>>| json!({"states": round.iter().map(row).collect::<Vec<_>>()});
    let file = json!({"format": user::FORMAT, "rounds": states.iter().map(round).collect::<Vec<_>>()});
    let mut plan = user::plan(network.clone(), &file.to_string())?;
    let cycles = u64::from(network.stages()) + u64::from(bound.rounds) - 1;
    if cycles > plan.figures.cycles_lower_bound {
        plan.figures.cycles_lower_bound = cycles;
        plan.figures.bound_reason = format!(
            "no exchange has fewer than {} rounds, by counting; one enters a cycle, the last passes {} stages",
            bound.rounds,
            network.stages()
        );
    }
    let report = frit_schedule::check::check_plan(&plan);
    let all = u64::from(network.lanes()).pow(2);
    assert!(report.complete() && plan.pairs_due() == all, "the search found what is no exchange: {report:?}");
    Ok(plan)
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

/// Whether a file is one of clauses in DIMACS: comments, then its head.
fn holds_clauses(path: &Path) -> bool {
    let lines = File::open(path).map(|file| BufReader::new(file).lines().map_while(Result::ok));
    lines.is_ok_and(|mut lines| {
        lines.find(|line| !line.starts_with('c')).is_some_and(|line| line.starts_with("p cnf "))
    })
}

/// The search for any rounds at once, with a proof if there are none: the clauses beside it, in a file that ends in .cnf.
fn with_proof(
    ui: &Ui,
    network: &Network,
    rounds: u32,
    options: &Options,
    path: &Path,
    wires: &Path,
) -> Result<Outcome> {
    let formula: PathBuf = path.with_extension("cnf");
    if formula == path {
        bail!(
            "--proof {} is the name of the file of clauses; give a name that ends in .drat",
            path.display()
        );
    }
    distinct([("--network", Some(wires)), ("--proof", Some(path)), ("its clauses", Some(&formula))])?;
    // Nobody has named this one.
    if formula.is_file() && !holds_clauses(&formula) {
        bail!(
            "--proof {} would overwrite {}, which is not a file of clauses; give the proof another name",
            path.display(),
            formula.display()
        );
    }
    let mut clauses = OutputFile::create(&formula)?;
    let steps = Shared(Rc::new(RefCell::new(OutputFile::create(path)?)));
    let outcome = proof::proof(network, rounds, options, &mut clauses, Box::new(steps.clone()))
        .with_context(|| format!("{} and {}", path.display(), formula.display()))?;
    if outcome.answer != Answer::Exhausted {
        ui.warn(&format!(
            "{} was not written, because the solver did not prove that no exchange exists",
            path.display()
        ));
        return Ok(outcome);
    }
    // The proof is there only if its clauses are.
    clauses.finish()?;
    let steps = Rc::into_inner(steps.0).expect("the solver is gone").into_inner();
    steps.finish()?;
    Ok(outcome)
}
