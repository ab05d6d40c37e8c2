//! Which questions are asked, in what order and for how long, and what is settled already.
//!
//! Questions are asked one after the other with a budget of conflicts, then again with four times as many, and so on until one is
//! answered yes, the last is answered no, or the time is over. Questions with a shift come first: the longer their orbits, the smaller they are. The last,
//! *any rounds whatever*, is cut by where input 1 goes in round 0, so that a part that is settled need not be asked again.

use crate::bound::{Bound, best};
use crate::question::{Clauses, Question, Rounds};
use crate::shifts::{Shift, shifts};
use batsat::clause::Kind;
use batsat::{Callbacks, Lit as SolverLit};
use frit_network::{Network, SwitchState};
use rustsat::OutOfMemory;
use rustsat::instances::ManageVars;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal, Var};
use std::collections::BTreeSet;
use std::io::Write;
use std::rc::Rc;
use std::time::Instant;

/// Conflicts that a question may take the first time.
const FIRST_BUDGET: u64 = 20_000;
/// How many times as many each next time.
const GROWTH: u64 = 4;
/// Kinds of orbits that are tried with each shift.
const ORBITS: usize = 4;
/// Variables of places in one question; with their clauses they take about a kilobyte each.
pub const LARGEST: u64 = 2_000_000;

/// Someone who is told what is going on.
pub type Listener = Rc<dyn Fn(&Progress)>;

/// What is searched for, and how.
#[derive(Clone, Default)]
pub struct Options {
    /// When to stop; without it the search goes on until it has the answer.
    pub until: Option<Instant>,
    /// Questions that are settled: they have no exchange ([`Progress::Settled`]).
    pub settled: BTreeSet<String>,
    /// Told what is going on.
    pub tell: Option<Listener>,
}

/// What is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A question is asked.
    Asked {
        /// Its name.
        name: String,
        /// Its variables.
        variables: u32,
        /// Its clauses.
        clauses: usize,
    },
    /// So many conflicts in it so far.
    Conflicts(u64),
    /// There is no exchange of this kind.
    Settled(String),
}

/// What the search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// What counting says.
    pub bound: Bound,
    /// Conflicts of the solver in all.
    pub conflicts: u64,
    /// Questions that it left open.
    pub open: Vec<String>,
}

/// Has the network an exchange of so many rounds?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes: this, of the question of this name.
    Found(Exchange),
    /// No: counting forbids it.
    Counted,
    /// No: the solver has looked at all there are.
    Exhausted,
    /// Nobody knows.
    Open,
}

/// An exchange that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The question that it answers.
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

/// The questions about exchanges of `rounds` rounds, in the order in which they are asked; the last is about any.
pub fn questions(network: &Network, rounds: u32) -> Vec<Question> {
    let mut questions = Vec::new();
    for shift in shifts(network).into_iter().filter(|shift| shift.order() > 1) {
        let kinds = orbits(rounds, shift.order());
        questions.extend(kinds.into_iter().map(|orbits| Question { shift: shift.clone(), orbits }));
    }
    let still: Shift = shifts(network).pop().expect("the one that moves nothing");
    questions.push(Question::whole(still, rounds));
    questions
}

/// The ways to make `rounds` of divisors of `order`, those of the fewest parts first.
fn orbits(rounds: u32, order: u32) -> Vec<Vec<u32>> {
    fn of(left: u32, parts: u32, divisors: &[u32], taken: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        if parts == 0 {
            all.extend((left == 0).then(|| taken.clone()));
            return;
        }
        for (at, &divisor) in divisors.iter().enumerate() {
            // The others are no longer than this one, and no shorter than 1.
            if all.len() < ORBITS && divisor * parts >= left && left >= divisor + parts - 1 {
                taken.push(divisor);
                of(left - divisor, parts - 1, &divisors[at..], taken, all);
                taken.pop();
            }
        }
    }
    let divisors: Vec<u32> = (1..=order).rev().filter(|divisor| order.is_multiple_of(*divisor)).collect();
    let fewest = rounds.div_ceil(order);
    let mut all = Vec::new();
    for parts in fewest..=fewest + 2 {
        of(rounds, parts, &divisors, &mut Vec::new(), &mut all);
    }
    // A kind whose longest orbit is shorter than the shift allows is one of a longer shift.
    all.retain(|orbits| orbits[0] == order);
    all
}

/// Looks for an exchange of `rounds` rounds.
pub fn exchange(network: &Network, rounds: u32, options: &Options) -> Result<Outcome, OutOfMemory> {
    let bound = best(network);
    let mut outcome = Outcome { answer: Answer::Open, bound, conflicts: 0, open: Vec::new() };
    if outcome.bound.rounds > rounds {
        outcome.answer = Answer::Counted;
        return Ok(outcome);
    }
    let mut open: Vec<(Question, Option<u32>)> = Vec::new();
    for question in questions(network, rounds) {
        match question.is_whole() {
            true => open.extend((0..network.lanes()).map(|part| (question.clone(), Some(part)))),
            false => open.push((question, None)),
        }
    }
    open.retain(|(question, part)| !options.settled.contains(&name(question, *part)));
    let mut budget = FIRST_BUDGET;
    loop {
        let mut left = Vec::new();
        let mut built: Option<(Question, Clauses)> = None;
        for (question, part) in open {
            let over = options.until.is_some_and(|until| Instant::now() >= until);
            if over || question.size(network) > LARGEST {
                left.push((question, part));
                continue;
            }
            let clauses = match built.take().filter(|(of, _)| *of == question) {
                Some((_, clauses)) => clauses,
                None => question.clauses(network)?,
            };
            let (answer, conflicts) = ask(&clauses, &question, part, budget, options);
            outcome.conflicts += conflicts;
            let tell = |progress| options.tell.iter().for_each(|tell| tell(&progress));
            match answer {
                Some(Some(rounds)) => {
                    outcome.answer = Answer::Found(Exchange { question: question.name(), rounds });
                    return Ok(outcome);
                }
                Some(None) => tell(Progress::Settled(name(&question, part))),
                None => left.push((question.clone(), part)),
            }
            built = Some((question, clauses));
        }
        if !left.iter().any(|(question, _)| question.is_whole()) {
            outcome.answer = Answer::Exhausted;
            return Ok(outcome);
        }
        let over = options.until.is_some_and(|until| Instant::now() >= until);
        if over || left.iter().all(|(question, _)| question.size(network) > LARGEST) {
            outcome.open = left.iter().map(|(question, part)| name(question, *part)).collect();
            return Ok(outcome);
        }
        open = left;
        budget *= GROWTH;
    }
}

/// Asks for any exchange of `rounds` rounds in one piece, and writes a proof in DRAT if there is none. The clauses go to `formula`, in
/// DIMACS.
pub fn proof(
    network: &Network,
    rounds: u32,
    options: &Options,
    formula: &mut dyn Write,
    steps: Box<dyn Write>,
) -> Result<Outcome, ProofError> {
    let question = questions(network, rounds).pop().expect("the last is about any");
    let clauses = question.clauses(network)?;
    let mut formula = formula;
    clauses.cnf.write_dimacs(&mut formula, clauses.variables.n_used())?;
    let mut solver = solver(&clauses, u64::MAX, options);
    solver.batsat_mut().cb_mut().proof = Some(steps);
    let answer = settle(&mut solver, &[], &clauses);
    let watch = solver.batsat_mut().cb_mut();
    let mut steps = watch.proof.take().expect("the steps");
    if let Some(error) = watch.failed.take() {
        return Err(error.into());
    }
    steps.write_all(b"0\n")?;
    steps.flush()?;
    let answer = match answer {
        Some(Some(rounds)) => Answer::Found(Exchange { question: question.name(), rounds }),
        Some(None) => Answer::Exhausted,
        None => Answer::Open,
    };
    let open = if answer == Answer::Open { vec![question.name()] } else { Vec::new() };
    Ok(Outcome { answer, bound: best(network), conflicts: watch.learnt, open })
}

/// What can go wrong where a proof is written.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The clauses do not fit into memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// The question, or the part of it in which input 1 goes to output `part` in round 0.
fn name(question: &Question, part: Option<u32>) -> String {
    let part = part.map(|output| format!(", input 1 to output {output} in round 0"));
    format!("{}{}", question.name(), part.unwrap_or_default())
}

/// The rounds, that there are none, or nothing; and the conflicts that this took.
fn ask(
    clauses: &Clauses,
    question: &Question,
    part: Option<u32>,
    budget: u64,
    options: &Options,
) -> (Option<Option<Rounds>>, u64) {
    if let Some(tell) = &options.tell {
        let (name, variables) = (name(question, part), clauses.variables.n_used());
        tell(&Progress::Asked { name, variables, clauses: clauses.cnf.len() });
    }
    let cut = match part.map(|output| clauses.joined(0, 1, output)) {
        None => Vec::new(),
        Some(Some(literal)) => vec![literal],
        // It does not reach this output.
        Some(None) => return (Some(None), 0),
    };
    let mut solver = solver(clauses, budget, options);
    let answer = settle(&mut solver, &cut, clauses);
    (answer, solver.batsat_mut().cb_mut().learnt)
}

type Solver = rustsat_batsat::Solver<Watch>;

fn solver(clauses: &Clauses, budget: u64, options: &Options) -> Solver {
    let mut solver = Solver::default();
    for clause in &clauses.cnf {
        solver.add_clause_ref(clause).expect("a clause");
    }
    let watch = solver.batsat_mut().cb_mut();
    (watch.budget, watch.until, watch.tell) = (budget, options.until, options.tell.clone());
    solver
}

fn settle(solver: &mut Solver, cut: &[Lit], clauses: &Clauses) -> Option<Option<Rounds>> {
    match solver.solve_assumps(cut).expect("the solver takes any clauses") {
        SolverResult::Sat => {
            let holds = |variable: Var| matches!(solver.lit_val(variable.pos_lit()), Ok(TernaryVal::True));
            Some(Some(clauses.rounds(&holds)))
        }
        SolverResult::Unsat => Some(None),
        SolverResult::Interrupted => None,
    }
}

/// Looks over the solver's shoulder: stops it, tells how far it is, writes its proof.
#[derive(Default)]
struct Watch {
    until: Option<Instant>,
    budget: u64,
    learnt: u64,
    tell: Option<Listener>,
    proof: Option<Box<dyn Write>>,
    failed: Option<std::io::Error>,
}

impl Watch {
    /// A line of the proof; after an error it writes no more.
    fn line(&mut self, head: &str, clause: &[SolverLit]) {
        let Some(proof) = self.proof.as_mut().filter(|_| self.failed.is_none()) else { return };
        let mut line = head.to_string();
        for literal in clause {
            let sign = if literal.sign() { "" } else { "-" };
            line += &format!("{sign}{} ", literal.var().idx() + 1);
        }
        self.failed = writeln!(proof, "{line}0").err();
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[SolverLit], kind: Kind) {
        if kind != Kind::Learnt {
            return;
        }
        self.learnt += 1;
        if let Some(tell) = self.tell.as_ref().filter(|_| self.learnt.is_multiple_of(1000)) {
            tell(&Progress::Conflicts(self.learnt));
        }
        self.line("", clause);
    }

    fn on_delete_clause(&mut self, clause: &[SolverLit]) {
        self.line("d ", clause);
    }

    fn stop(&self) -> bool {
        let over = self.until.is_some_and(|until| Instant::now() >= until);
        over || self.failed.is_some() || self.learnt >= self.budget
    }
}

#[cfg(test)]
mod tests {
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

    /// Two stages that only exchange within pairs, and pairs that are joined by one switch: an output that is not reached.
    fn without() -> Network {
        Network::new("apart", 4, vec![vec![0, 1, 2, 3], vec![0, 1, 2, 3], vec![0, 1, 2, 3]]).unwrap()
    }

    #[test]
    fn a_network_that_has_none_is_exhausted_and_parts_that_are_settled_are_not_asked_again() {
        let network = without();
        let settled = Rc::new(RefCell::new(BTreeSet::new()));
        let heard = settled.clone();
        let tell: Listener = Rc::new(move |progress| {
            if let Progress::Settled(name) = progress {
                assert!(heard.borrow_mut().insert(name.clone()), "{name} was asked twice");
            }
        });
        let options = Options { tell: Some(tell), ..Options::default() };
        assert_eq!(exchange(&network, 4, &options).unwrap().answer, Answer::Exhausted);
        let known = settled.borrow().clone();
        assert!(known.iter().any(|name| name.starts_with("any 4 rounds, input 1 to output")), "{known:?}");
        let again = exchange(&network, 4, &Options { settled: known.clone(), ..options }).unwrap();
        assert_eq!((again.answer, again.conflicts), (Answer::Exhausted, 0));
        assert_eq!(*settled.borrow(), known);
    }

    #[test]
    fn out_of_time_is_open() {
        let network = shuffle_exchange(10).unwrap();
        let options = Options { until: Some(Instant::now()), ..Options::default() };
        let outcome = exchange(&network, 10, &options).unwrap();
        assert_eq!(outcome.answer, Answer::Open);
        assert_eq!(outcome.open.first().unwrap(), "shift 1: 10");
    }

    #[test]
    fn rounds_are_made_of_orbits_that_divide_the_order() {
        assert_eq!(orbits(24, 20), [vec![20, 4], vec![20, 2, 2], vec![20, 2, 1, 1]]);
        assert_eq!(orbits(36, 36)[0], [36]);
        assert_eq!(orbits(7, 2)[0], [2, 2, 2, 1]);
        for orbits in orbits(112, 92) {
            assert_eq!(orbits.iter().sum::<u32>(), 112, "{orbits:?}");
        }
    }

    /// Unit propagation: whether the clauses with these literals assumed lead to a contradiction.
    fn refuted(clauses: &[Vec<i64>], assumed: &[i64]) -> bool {
        let mut holds: BTreeSet<i64> = assumed.iter().copied().collect();
        loop {
            let before = holds.len();
            for clause in clauses {
                if clause.iter().any(|literal| holds.contains(literal)) {
                    continue;
                }
                let mut left = clause.iter().filter(|literal| !holds.contains(&-**literal));
                match (left.next(), left.next()) {
                    (None, _) => return true,
                    (Some(&literal), None) => _ = holds.insert(literal),
                    _ => (),
                }
            }
            if holds.len() == before {
                return false;
            }
        }
    }

    /// Whether each clause of the proof follows from those before it by unit propagation, and the last is empty.
    fn accepts(formula: &str, proof: &str) -> bool {
        let clause = |line: &str| -> Vec<i64> {
            let numbers = line.split_whitespace().map(|word| word.parse().unwrap());
            numbers.take_while(|&literal| literal != 0).collect()
        };
        let formula = formula.lines().filter(|line| !line.starts_with(['c', 'p']));
        let mut clauses: Vec<Vec<i64>> = formula.map(clause).collect();
        let mut last = vec![0];
        for line in proof.lines().filter(|line| !line.starts_with('d')) {
            last = clause(line);
            if !refuted(&clauses, &last.iter().map(|literal| -literal).collect::<Vec<_>>()) {
                return false;
            }
            clauses.push(last.clone());
        }
        last.is_empty()
    }

    /// A file that can be read back.
    #[derive(Clone, Default)]
    struct Kept(Rc<RefCell<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn proofs_hold_and_a_wrong_one_is_seen() {
        // Four stages wired at random: counting says that 6 rounds are too few, and the solver finds that by itself.
        let links = [
            [1, 4, 0, 5, 2, 3],
            [1, 3, 2, 0, 5, 4],
            [5, 0, 1, 2, 3, 4],
            [1, 5, 0, 4, 2, 3],
            [2, 5, 4, 0, 3, 1],
        ];
        let network = Network::new("wild", 6, links.map(Vec::from).to_vec()).unwrap();
        assert_eq!(best(&network).rounds, 8);
        let (mut formula, steps) = (Vec::new(), Kept::default());
        let outcome = proof(&network, 6, &Options::default(), &mut formula, Box::new(steps.clone())).unwrap();
        let (formula, steps) =
            (String::from_utf8(formula).unwrap(), String::from_utf8(steps.0.borrow().clone()).unwrap());
        assert_eq!(outcome.answer, Answer::Exhausted);
        assert!(accepts(&formula, &steps));
        let mut other = Vec::new();
        let whole = shuffle_exchange(6).unwrap();
        let found = proof(&whole, 6, &Options::default(), &mut other, Box::new(Kept::default())).unwrap();
        assert!(matches!(found.answer, Answer::Found(_)));
        assert!(!accepts(&String::from_utf8(other).unwrap(), &steps), "a proof of other clauses");
        assert!(!accepts(&formula, "0\n"), "no proof at all");
    }
}
