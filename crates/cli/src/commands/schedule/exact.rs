//! `frit schedule user --network FILE --algorithm exact`: has the network an exchange of so many rounds?

mod state;

use crate::args::{DesignArgs, ExactArgs, ScheduleArgs, ScheduleFormat};
use crate::design::lone_network;
use crate::distinct::distinct;
use crate::memory;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN, pretty};
use anyhow::{Context, Result, bail};
use frit_design::exact::{self, Verdict};
use frit_network::Network;
use frit_schedule::Plan;
use frit_search::proof;
use frit_search::search::{self, Answer, Listener, Options, Outcome, Progress};
use frit_trace::output::OutputFile;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The option of the system `user` that asks for a search.
pub(super) const ASKED: &str = "algorithm=exact";

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
    let (rounds, bytes) = exact::asked(&network, *rounds)?;
    let seconds = seconds.unwrap_or(60.0);
    if seconds.is_nan() || seconds <= 0.0 {
        bail!("--seconds {seconds} is not a time; give a number greater than 0");
    }
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
    let believed = state.as_deref().filter(|_| outcome.believed > 0).map(|path| path.display().to_string());
    let said = exact::said(rounds, &outcome, believed.as_deref());
    let colour = match said.verdict {
        Verdict::Found => GOOD,
        Verdict::None => BAD,
        Verdict::Open => WARN,
    };
    let (name, lines) = (network.name(), said.lines.join("\n  "));
    let text = format!("{HEAD}{name}{HEAD:#}: {colour}{}{colour:#}{}\n  {lines}\n", said.answer, said.by);
    Ok(match &outcome.answer {
        Answer::Found(found) => Found::Plan(Box::new(exact::plan(&network, found, &outcome.bound)), text),
        _ if args.format == ScheduleFormat::Json => {
            let answer = exact::json(&network, rounds, &outcome, believed.as_deref());
            Found::None(pretty(&answer)?)
        }
        _ => Found::None(text),
    })
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
