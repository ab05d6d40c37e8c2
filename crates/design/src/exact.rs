//! Has a network an exchange of so many rounds? What may be asked, what is said of the answer, and the exchange that was found as a plan.

use frit_network::{Network, Refusal, SwitchState, refuse};
use frit_schedule::{Plan, user};
use frit_search::bound::Bound;
use frit_search::search::{self, Answer, Exchange, Outcome};
use serde_json::{Value, json};

/// Larger networks have more places than the search has room for.
const MAX_TERMINALS: u32 = 256;
/// Bytes that a variable of places takes, with its clauses.
const OF_A_VARIABLE: u64 = 1 << 10;
/// Names of questions that are told.
const SHOWN: usize = 4;
/// Places that are told of a weight.
const PRINTED: usize = 12;

/// The number of rounds to look for, and the bytes that the largest question takes.
///
/// # Errors
/// If this network, or this number, is not searched for.
pub fn asked(network: &Network, rounds: Option<u32>) -> Result<(u32, u64), Refusal> {
    let (terminals, lanes) = (network.terminals(), network.lanes());
    if terminals != lanes {
        refuse!(
            "the network has {terminals} terminals and {lanes} lanes; --algorithm exact needs a network with one lane for each terminal"
        );
    }
    if terminals > MAX_TERMINALS {
        refuse!(
            "{terminals} terminals are too many; --algorithm exact takes networks of up to {MAX_TERMINALS} terminals"
        );
    }
    let (given, most) = (rounds.unwrap_or(terminals), 4 * terminals);
    if !(1..=most).contains(&given) {
        refuse!("--rounds {given} is out of range; give 1 to {most} (four times the number of terminals)");
    }
    Ok((given, search::largest(network, given) * OF_A_VARIABLE))
}

/// Whether there is an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Found,
    None,
    Open,
}

impl Verdict {
    pub fn key(self) -> &'static str {
        match self {
            Verdict::Found => "found",
            Verdict::None => "impossible",
            Verdict::Open => "open",
        }
    }
}

/// What is said of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Whether there is an exchange.
    pub verdict: Verdict,
    pub answer: String,
    /// What the answer rests on; it goes on in the same line.
    pub by: String,
    pub lines: Vec<String>,
}

fn verdict(outcome: &Outcome) -> Verdict {
    match outcome.answer {
        Answer::Found(_) => Verdict::Found,
        Answer::Open => Verdict::Open,
        Answer::Apart { .. } | Answer::Counted | Answer::Exhausted => Verdict::None,
    }
}

/// What is said of the answer. `rests_on` names the file that settles some of its questions.
pub fn said(rounds: u32, outcome: &Outcome, rests_on: Option<&str>) -> Said {
    let none = format!("no exchange of {rounds} rounds");
    let verdict = verdict(outcome);
    let (answer, by) = match (&outcome.answer, rests_on) {
        (Answer::Found(exchange), _) => {
            (format!("an exchange of {rounds} rounds"), format!(" ({})", exchange.question))
        }
        (Answer::Open, _) => {
            let why = why_open(outcome);
            ("open".into(), format!(" whether there is an exchange of {rounds} rounds: {why}"))
        }
        (Answer::Apart { .. }, _) => (format!("{none}, and none of any other number"), String::new()),
        (Answer::Exhausted, Some(path)) => (none, format!(" if {path} is right")),
        (Answer::Exhausted, None) => (none, ": the search has tried every case".into()),
        (Answer::Counted, _) => (none, ", by counting".into()),
    };
    let mut lines = vec![match &outcome.answer {
        Answer::Apart { input, output } => format!("no path from input {input} to output {output}"),
        // An exchange of fewer rounds is one of these with the last round repeated.
        Answer::Exhausted if rests_on.is_none() => {
            let counted = at_least(&outcome.bound);
            format!("at least {} rounds, by this search; by counting {counted}", rounds + 1)
        }
        _ => at_least(&outcome.bound),
    }];
    if verdict != Verdict::Found {
        lines.extend(rests_on.map(|path| believed(path, outcome)));
        lines.extend(names("not settled", &outcome.open));
        lines.extend(names("skipped", &outcome.too_large));
    }
    Said { verdict, answer, by, lines }
}

/// The first few of some questions.
fn names(what: &str, names: &[String]) -> Option<String> {
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (!names.is_empty()).then(|| format!("{what}: {}{more}", shown.join("; ")))
}

/// What of the answer is not this run's own.
fn believed(path: &str, outcome: &Outcome) -> String {
    let Outcome { believed, questions, .. } = outcome;
    format!(
        "{believed} of {questions} questions are not asked: {path} says that they are settled; without --state all are asked"
    )
}

/// The answer that is no exchange, as `frit schedule user --algorithm exact --format json` has it.
pub fn json(network: &Network, rounds: u32, outcome: &Outcome, rests_on: Option<&str>) -> Value {
    let by = match &outcome.answer {
        Answer::Apart { .. } => Some("reach"),
        Answer::Counted => Some("counting"),
        Answer::Exhausted if outcome.believed > 0 => Some("state"),
        Answer::Exhausted => Some("search"),
        Answer::Found(_) | Answer::Open => None,
    };
    let apart = match outcome.answer {
        Answer::Apart { input, output } => Some([input, output]),
        _ => None,
    };
    json!({
        "network": network.name().as_str(), "terminals": network.terminals(), "rounds_asked": rounds, "answer": verdict(outcome).key(), "by": by,
        "at_least": outcome.bound, "open": outcome.open, "too_large": outcome.too_large, "apart": apart,
        "questions": outcome.questions, "settled_before": outcome.believed, "rests_on": rests_on,
    })
}

/// Why nobody knows.
fn why_open(outcome: &Outcome) -> String {
    let mut why = Vec::new();
    if !outcome.open.is_empty() {
        why.push("the time limit ran out (--seconds)".to_string());
    }
    if !outcome.too_large.is_empty() {
        let limit = search::LARGEST;
        why.push(format!("a question has more than {limit} variables for places and was skipped"));
    }
    why.join("; ")
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
            format!("{}{more} after stage {}{times}", shown.join(", "), weight.stages - 1)
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

/// An exchange as the schedule of the system `user` (JSON, docs/formats.md).
pub fn schedule(network: &Network, exchange: &Exchange) -> String {
    let row = |row: &Vec<SwitchState>| -> String {
        row.iter().map(|state| if state.bit() { '1' } else { '0' }).collect()
    };
    let round = |round: &Vec<Vec<_>>| json!({"states": round.iter().map(row).collect::<Vec<_>>()});
    let rounds: Vec<Value> = exchange.states(network).iter().map(round).collect();
    json!({"format": user::FORMAT, "rounds": rounds}).to_string()
}

/// The plan of an exchange. It is routed on the bare network here, whatever the search says. Its bound is the best that is known: that of
/// the search, if it asks for more rounds than there are terminals.
///
/// # Panics
/// If the search found what is no exchange.
pub fn plan(network: &Network, exchange: &Exchange, bound: &Bound) -> Plan {
    let made = user::plan(network.clone(), &schedule(network, exchange));
    let mut plan = made.expect("the search finds settings of this network");
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
    plan
}
