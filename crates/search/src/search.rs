//! Which questions are asked, in what order and for how long, and what is settled already.
//!
//! Questions are asked one after the other with a budget of conflicts, then again with four times as many, and so on until one is
//! answered yes, the last is answered no, or the time is over. Questions with a shift come first: the longer their orbits, the smaller they are; with each shift those
//! of just so many rounds, then some of fewer, the last of which is done again. The last question, *any rounds whatever*, is cut by where input 1
//! goes in round 0, so that a part that is settled need not be asked again.

use crate::bound::{Bound, apart, best};
use crate::order::questions;
use crate::question::{Clauses, Question, Rounds};
use crate::solver::{Limits, Reply, solve};
use frit_network::{Network, SwitchState};
use rustsat::OutOfMemory;
use rustsat::instances::ManageVars;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use web_time::Instant;

/// Conflicts that a question may take the first time.
const FIRST_BUDGET: u64 = 20_000;
/// How many times as many each next time.
const GROWTH: u64 = 4;
/// Variables of places in the largest question that is asked; with their clauses they take about a kilobyte each.
pub const LARGEST: u64 = 2_000_000;

/// Someone who is told what is going on.
pub type Listener = Rc<dyn Fn(&Progress)>;

#[derive(Clone, Default)]
pub struct Options {
    /// When to stop; without it the search goes on until it has the answer.
    pub until: Option<Instant>,
    /// Questions that are settled: they have no exchange ([`Progress::Settled`]).
    pub settled: BTreeSet<String>,
    /// Questions that were left open, with the conflicts that they were given ([`Progress::Left`]): they are asked again only for more,
    /// and those that the time cut off behind the others.
    pub left: BTreeMap<String, u64>,
    /// Told what is going on.
    pub tell: Option<Listener>,
}

impl Options {
    fn over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// When half of the time that there is will be over.
    pub(crate) fn half_time(&self) -> Option<Instant> {
        let now = Instant::now();
        self.until.map(|until| now + until.saturating_duration_since(now) / 2)
    }

    pub(crate) fn limits(&self, conflicts: u64) -> Limits {
        let tell = self.tell.clone().map(|tell| -> Rc<dyn Fn(u64)> {
            Rc::new(move |conflicts| tell(&Progress::Conflicts(conflicts)))
        });
        Limits { until: self.until, conflicts, tell }
    }

    fn tell(&self, progress: Progress) {
        self.tell.iter().for_each(|tell| tell(&progress));
    }
}

/// What is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    Asked {
        name: String,
        variables: u32,
        clauses: usize,
    },
    /// So many conflicts in it so far.
    Conflicts(u64),
    /// There is no exchange of this kind.
    Settled(String),
    /// Nobody knows after so many conflicts.
    Left(String, u64),
}

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub answer: Answer,
    pub bound: Bound,
    pub conflicts: u64,
    /// Questions that it left open for lack of time.
    pub open: Vec<String>,
    /// Questions that were not asked: they have more than [`LARGEST`] variables of places.
    pub too_large: Vec<String>,
    pub questions: usize,
    /// Those of them that were settled before ([`Options::settled`]).
    pub believed: usize,
}

/// Has the network an exchange of so many rounds?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Yes: this, of the question of this name.
    Found(Exchange),
    /// No: no path joins these two.
    Apart { input: u32, output: u32 },
    /// No: counting forbids it.
    Counted,
    /// No: the solver has looked at all there are.
    Exhausted,
    #[default]
    Open,
}

/// An exchange that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    pub question: String,
    /// Where every message is.
    pub rounds: Rounds,
}

impl Exchange {
    /// The states of all switches in each round, `states[round][stage][switch]`.
    pub fn states(&self, network: &Network) -> Vec<Vec<Vec<SwitchState>>> {
        let places = crate::Places::of(network);
        let stage = |round: &Vec<Vec<u32>>, stage: usize| {
            let mut row = vec![SwitchState::Straight; network.switches_per_stage() as usize];
            for (&x, &y) in round[stage].iter().zip(&round[stage + 1]) {
                row[y as usize / 2] = SwitchState::from_bit((places.port(stage, x) ^ y) & 1 == 1);
            }
            row
        };
        let round = |round| (0..places.stages()).map(|at| stage(round, at)).collect();
        self.rounds.iter().map(round).collect()
    }
}

type Part = (Question, Option<u32>);

/// Looks for an exchange of `rounds` rounds.
pub fn exchange(network: &Network, rounds: u32, options: &Options) -> Result<Outcome, OutOfMemory> {
    let mut outcome = Outcome { bound: best(network, options.half_time()), ..Outcome::default() };
    match without_solver(network, rounds, &outcome.bound) {
        Some(answer) => {
            outcome.answer = answer;
            Ok(outcome)
        }
        None => search(network, rounds, options, outcome),
    }
}

/// That there is none, if no solver need be asked.
pub(crate) fn without_solver(network: &Network, rounds: u32, bound: &Bound) -> Option<Answer> {
    match apart(network) {
        Some((input, output)) => Some(Answer::Apart { input, output }),
        None => (bound.rounds > rounds).then_some(Answer::Counted),
    }
}

/// Asks the solver, whatever counting says.
///
/// Every question is first asked with few conflicts, and again with a larger budget only after all the others were asked: an easy
/// question behind a hard one is found early, and the time spent on questions that stay open is at most a share of the whole.
fn search(
    network: &Network,
    rounds: u32,
    options: &Options,
    mut outcome: Outcome,
) -> Result<Outcome, OutOfMemory> {
    let mut open = parts(network, rounds, outcome.bound.rounds);
    outcome.questions = open.len();
    // What the state file settles is believed; the outcome says how much that was.
    open.retain(|(question, part)| !options.settled.contains(&name(question, *part)));
    outcome.believed = outcome.questions - open.len();
    let too_large = |(question, _): &Part| question.size(network) > LARGEST;
    let given = |name: &str| options.left.get(name).copied().unwrap_or_default();
    let mut budget = FIRST_BUDGET;
    loop {
        // A question that ran out of time in an earlier run waits for those that were never asked. Otherwise each run of the same
        // length would end in the same place.
        open.sort_by_key(|(question, part)| (1..budget).contains(&given(&name(question, *part))));
        let mut left: Vec<Part> = Vec::new();
        // Clauses are large, and the parts of a question stand one behind the other: only the last question's are kept.
        let mut built: Option<(Question, Clauses)> = None;
        // The solver refuted this question without using the assumption of a part, so its other parts need not be asked.
        let mut refuted: Option<Question> = None;
        for (question, part) in open {
            let name = name(&question, part);
            if refuted.as_ref() == Some(&question) {
                options.tell(Progress::Settled(name));
                continue;
            }
            // An earlier run has given it as many conflicts as this pass would.
            let tried = (budget..u64::MAX).contains(&given(&name));
            if tried || options.over() || question.size(network) > LARGEST {
                left.push((question, part));
                continue;
            }
            let clauses = match built.take().filter(|(of, _)| *of == question) {
                Some((_, clauses)) => clauses,
                None => question.clauses(network)?,
            };
            let (reply, conflicts) = ask(&clauses, &name, part, budget, options);
            outcome.conflicts += conflicts;
            match reply {
                Reply::Rounds(mut found) => {
                    // A question may be about fewer rounds. The last one again does no harm: its pairs are served twice.
                    let last = found.last().expect("a round").clone();
                    found.resize(rounds as usize, last);
                    outcome.answer = Answer::Found(Exchange { question: question.name(), rounds: found });
                    return Ok(outcome);
                }
                Reply::None { at_all } => {
                    if at_all {
                        // Parts that this pass has put off are settled, too.
                        left.retain(|(other, part)| {
                            let settled = *other == question;
                            if settled {
                                options.tell(Progress::Settled(self::name(other, *part)));
                            }
                            !settled
                        });
                        refuted = Some(question.clone());
                    }
                    options.tell(Progress::Settled(name));
                }
                Reply::Stopped => {
                    options.tell(Progress::Left(name, conflicts));
                    left.push((question.clone(), part));
                }
            }
            built = Some((question, clauses));
        }
        // The whole question asks for any rounds at all: if it is settled, smaller questions that stay open change nothing.
        if !left.iter().any(|(question, _)| question.is_whole()) {
            outcome.answer = Answer::Exhausted;
            return Ok(outcome);
        }
        // A larger budget helps neither when the time is over nor with questions that are never built.
        if options.over() || left.iter().all(too_large) {
            let (large, open): (Vec<Part>, Vec<Part>) = left.into_iter().partition(too_large);
            let names =
                |parts: Vec<Part>| parts.iter().map(|(question, part)| name(question, *part)).collect();
            (outcome.open, outcome.too_large) = (names(open), names(large));
            return Ok(outcome);
        }
        open = left;
        budget = budget.saturating_mul(GROWTH);
    }
}

/// What is asked: all questions, the last in parts.
fn parts(network: &Network, rounds: u32, least: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for question in questions(network, rounds, least) {
        match question.is_whole() {
            true => parts.extend((0..network.lanes()).map(|part| (question.clone(), Some(part)))),
            false => parts.push((question, None)),
        }
    }
    parts
}

/// Variables of places in the largest question about so many rounds that is asked.
pub fn largest(network: &Network, rounds: u32) -> u64 {
    let sizes = questions(network, rounds, rounds).into_iter().map(|question| question.size(network));
    sizes.filter(|&size| size <= LARGEST).max().unwrap_or_default()
}

/// The question, or the part of it in which input 1 goes to output `part` in round 0.
fn name(question: &Question, part: Option<u32>) -> String {
    let part = part.map(|output| format!(", input 1 to output {output} in round 0"));
    format!("{}{}", question.name(), part.unwrap_or_default())
}

/// What the solver says to a question, or a part of it, and the conflicts that this took.
fn ask(clauses: &Clauses, name: &str, part: Option<u32>, budget: u64, options: &Options) -> (Reply, u64) {
    let variables = clauses.variables.n_used();
    options.tell(Progress::Asked { name: name.into(), variables, clauses: clauses.cnf.len() });
    match part.map(|output| clauses.joined(0, 1, output)) {
        None => solve(clauses, &[], options.limits(budget)),
        Some(Some(literal)) => solve(clauses, &[literal], options.limits(budget)),
        // It does not reach this output.
        Some(None) => (Reply::None { at_all: false }, 0),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use frit_network::{butterfly, shuffle_exchange};
    use frit_schedule::check::check_plan;
    use frit_schedule::user;
    use std::cell::RefCell;

    /// The exchange as a schedule file, routed on the bare network.
    fn complete(network: &Network, exchange: &Exchange) -> bool {
        let row = |row: &Vec<SwitchState>| -> String {
            row.iter().map(|state| if state.bit() { '1' } else { '0' }).collect()
        };
        let round = |round: &Vec<Vec<SwitchState>>| serde_json::json!({"states": round.iter().map(row).collect::<Vec<_>>()});
        let rounds: Vec<_> = exchange.states(network).iter().map(round).collect();
        let file = serde_json::json!({"format": user::FORMAT, "rounds": rounds});
        let plan = user::plan(network.clone(), &file.to_string()).unwrap();
        check_plan(&plan).complete() && plan.pairs_due() == u64::from(network.lanes()).pow(2)
    }

    fn asked(network: &Network, rounds: u32) -> Outcome {
        exchange(network, rounds, &Options::default()).unwrap()
    }

    #[test]
    fn the_fewest_rounds_of_shuffle_exchange_networks_are_found() {
        let best = [(6, 6), (8, 8), (10, 10), (12, 16), (20, 24)];
        for (terminals, rounds) in best {
            let network = shuffle_exchange(terminals).unwrap();
            let outcome = asked(&network, rounds);
            let Answer::Found(exchange) = &outcome.answer else { panic!("N = {terminals}: {outcome:?}") };
            assert_eq!(exchange.rounds.len() as u32, rounds, "N = {terminals}");
            assert!(complete(&network, exchange), "N = {terminals}");
            if u64::from(rounds) > terminals {
                let fewer = asked(&network, rounds - 1);
                assert_eq!((fewer.answer, fewer.bound.rounds), (Answer::Counted, rounds), "N = {terminals}");
            }
        }
    }

    #[test]
    fn networks_without_shifts_are_searched_as_a_whole() {
        let network = butterfly(8).unwrap();
        let outcome = asked(&network, 8);
        let Answer::Found(exchange) = &outcome.answer else { panic!("{outcome:?}") };
        assert!(complete(&network, exchange));
        // One that is not as it should be is seen.
        let mut wrong = exchange.clone();
        wrong.rounds[1] = wrong.rounds[0].clone();
        assert!(!complete(&network, &wrong));
    }

    /// Four stages wired at random: counting says that an exchange has 8 rounds at least.
    pub(crate) fn wild() -> Network {
        let links = [
            [1, 4, 0, 5, 2, 3],
            [1, 3, 2, 0, 5, 4],
            [5, 0, 1, 2, 3, 4],
            [1, 5, 0, 4, 2, 3],
            [2, 5, 4, 0, 3, 1],
        ];
        Network::new("wild", 6, links.map(Vec::from).to_vec()).unwrap()
    }

    type Heard = Rc<RefCell<(BTreeSet<String>, BTreeMap<String, u64>)>>;

    /// What is settled and what is left; nothing is settled twice.
    fn listener() -> (Listener, Heard) {
        let heard = Heard::default();
        let kept = heard.clone();
        let tell: Listener = Rc::new(move |progress| match progress {
            Progress::Settled(name) => {
                assert!(kept.borrow_mut().0.insert(name.clone()), "{name} was asked twice")
            }
            Progress::Left(name, conflicts) => _ = kept.borrow_mut().1.insert(name.clone(), *conflicts),
            _ => (),
        });
        (tell, heard)
    }

    #[test]
    fn a_network_that_has_none_is_exhausted_and_parts_that_are_settled_are_not_asked_again() {
        let network = wild();
        assert_eq!(asked(&network, 6).answer, Answer::Counted);
        let (tell, heard) = listener();
        let options = Options { tell: Some(tell), ..Options::default() };
        let none = search(&network, 6, &options, Outcome::default()).unwrap();
        assert_eq!((none.answer, none.believed), (Answer::Exhausted, 0));
        let known = heard.borrow().0.clone();
        let parts = known.iter().filter(|name| name.starts_with("any 6 rounds, input 1 to output"));
        assert_eq!((parts.count(), known.len()), (6, none.questions), "{known:?}");
        let options = Options { settled: known.clone(), ..options };
        let again = search(&network, 6, &options, Outcome::default()).unwrap();
        assert_eq!((again.answer, again.conflicts), (Answer::Exhausted, 0));
        assert_eq!((again.believed, again.questions), (none.questions, none.questions));
        assert_eq!(heard.borrow().0, known);
    }

    #[test]
    fn what_is_refuted_without_its_part_refutes_all_parts() {
        // Input 1 and output 2 are apart: whatever is assumed of input 1 and another output, there is no exchange.
        let network = Network::new("apart", 4, vec![vec![0, 1, 2, 3]; 3]).unwrap();
        let (tell, heard) = listener();
        let options = Options { tell: Some(tell), ..Options::default() };
        let outcome = search(&network, 4, &options, Outcome::default()).unwrap();
        assert_eq!((outcome.answer, outcome.conflicts), (Answer::Exhausted, 0));
        assert_eq!(heard.borrow().0.len(), outcome.questions);
        // That needs no solver.
        for rounds in [4, 5, 16] {
            assert!(matches!(asked(&network, rounds).answer, Answer::Apart { .. }), "{rounds} rounds");
        }
    }

    #[test]
    fn questions_that_were_left_are_asked_again_for_more_conflicts_only() {
        let network = wild();
        let options = |left| Options { left, ..Options::default() };
        let first = search(&network, 6, &options(BTreeMap::new()), Outcome::default()).unwrap();
        let names: Vec<String> =
            parts(&network, 6, 6).iter().map(|(question, part)| name(question, *part)).collect();
        // Each was left after the first budget: what it is given now is more, and the answer the same.
        let (tell, heard) = listener();
        let left = names.iter().map(|name| (name.clone(), FIRST_BUDGET)).collect();
        let again =
            search(&network, 6, &Options { tell: Some(tell), ..options(left) }, Outcome::default()).unwrap();
        assert_eq!((again.answer, again.conflicts), (first.answer, first.conflicts));
        assert_eq!(heard.borrow().0, names.iter().cloned().collect());
        // A number that no budget exceeds does not keep it from an end.
        let left = names.iter().map(|name| (name.clone(), u64::MAX)).collect();
        assert_eq!(
            search(&network, 6, &options(left), Outcome::default()).unwrap().answer,
            Answer::Exhausted
        );
    }

    #[test]
    fn what_the_time_cut_off_waits_for_what_was_not_asked() {
        let network = shuffle_exchange(10).unwrap();
        let first = name(&parts(&network, 10, 10)[0].0, None);
        let asked = |left: &[(String, u64)]| {
            let names = Rc::new(RefCell::new(Vec::new()));
            let heard = names.clone();
            let tell: Listener = Rc::new(move |progress| {
                if let Progress::Asked { name, .. } = progress {
                    heard.borrow_mut().push(name.clone());
                }
            });
            let left = left.iter().cloned().collect();
            exchange(&network, 10, &Options { left, tell: Some(tell), ..Options::default() }).unwrap();
            names.take()
        };
        assert_eq!(asked(&[])[0], first);
        assert_ne!(asked(&[(first.clone(), 7)])[0], first);
        assert_ne!(asked(&[(first.clone(), FIRST_BUDGET)])[0], first);
    }

    #[test]
    fn fewer_rounds_with_the_last_again_are_tried_too() {
        let network = shuffle_exchange(12).unwrap();
        let names = |rounds, least| -> Vec<String> {
            questions(&network, rounds, least).iter().map(Question::name).collect()
        };
        let of_19 = names(19, 16);
        assert!(of_19.contains(&"shift 1: 12 + 4".to_string()), "{of_19:?}");
        assert!(names(40, 16).contains(&"shift 1: 12 + 4".to_string()));
        assert!(!names(40, 17).contains(&"shift 1: 12 + 4".to_string()));
        let outcome = asked(&network, 17);
        let Answer::Found(exchange) = &outcome.answer else { panic!("{outcome:?}") };
        assert_eq!(exchange.rounds.len(), 17);
        assert!(complete(&network, exchange));
    }

    #[test]
    fn out_of_time_is_open() {
        let network = shuffle_exchange(10).unwrap();
        let options = Options { until: Some(Instant::now()), ..Options::default() };
        let outcome = exchange(&network, 10, &options).unwrap();
        assert_eq!(outcome.answer, Answer::Open);
        assert_eq!(outcome.open.first().unwrap(), "shift 1: 10");
    }
}
