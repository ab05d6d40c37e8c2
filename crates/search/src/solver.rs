//! The SAT solver, watched: it stops when its time or its conflicts are over, tells how far it is, and writes its proof.

use crate::question::{Clauses, Rounds};
use batsat::clause::Kind;
use batsat::{Callbacks, Lit as SolverLit};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal, Var};
use std::io::Write;
use std::rc::Rc;
use web_time::Instant;

/// When to stop, and who is told how far it is.
#[derive(Default)]
pub(crate) struct Limits {
    pub until: Option<Instant>,
    /// After so many conflicts.
    pub conflicts: u64,
    /// Told the number of conflicts now and then.
    pub tell: Option<Rc<dyn Fn(u64)>>,
}

pub(crate) enum Reply {
    Rounds(Rounds),
    None {
        /// Not even without what was assumed.
        at_all: bool,
    },
    /// Nothing: it was stopped.
    Stopped,
}

/// What the solver says if this is assumed, and the conflicts that it took.
pub(crate) fn solve(clauses: &Clauses, assumed: &[Lit], limits: Limits) -> (Reply, u64) {
    let mut solver = solver(clauses, limits);
    let reply = settle(&mut solver, assumed, clauses);
    (reply, solver.batsat_mut().cb_mut().learnt)
}

/// What the solver says, and the conflicts that it took; its steps are written down. If there is nothing, they are a proof of it.
pub(crate) fn refute(
    clauses: &Clauses,
    limits: Limits,
    steps: Box<dyn Write>,
) -> Result<(Reply, u64), std::io::Error> {
    let mut solver = solver(clauses, limits);
    solver.batsat_mut().cb_mut().proof = Some(steps);
    let reply = settle(&mut solver, &[], clauses);
    let watch = solver.batsat_mut().cb_mut();
    let mut steps = watch.proof.take().expect("the steps");
    if let Some(error) = watch.failed.take() {
        return Err(error);
    }
    steps.write_all(b"0\n")?;
    steps.flush()?;
    Ok((reply, watch.learnt))
}

type Solver = rustsat_batsat::Solver<Watch>;

fn solver(clauses: &Clauses, limits: Limits) -> Solver {
    let mut solver = Solver::default();
    for clause in &clauses.cnf {
        solver.add_clause_ref(clause).expect("a clause");
    }
    solver.batsat_mut().cb_mut().limits = limits;
    solver
}

fn settle(solver: &mut Solver, assumed: &[Lit], clauses: &Clauses) -> Reply {
    match solver.solve_assumps(assumed).expect("the solver takes any clauses") {
        SolverResult::Sat => {
            let holds = |variable: Var| matches!(solver.lit_val(variable.pos_lit()), Ok(TernaryVal::True));
            Reply::Rounds(clauses.rounds(&holds))
        }
        SolverResult::Unsat => {
            Reply::None { at_all: solver.core().expect("a refutation has a core").is_empty() }
        }
        SolverResult::Interrupted => Reply::Stopped,
    }
}

/// Looks over the solver's shoulder: stops it, tells how far it is, writes its proof.
#[derive(Default)]
struct Watch {
    limits: Limits,
    learnt: u64,
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
        if let Some(tell) = self.limits.tell.as_ref().filter(|_| self.learnt.is_multiple_of(1000)) {
            tell(self.learnt);
        }
        self.line("", clause);
    }

    fn on_delete_clause(&mut self, clause: &[SolverLit]) {
        self.line("d ", clause);
    }

    fn stop(&self) -> bool {
        let over = self.limits.until.is_some_and(|until| Instant::now() >= until);
        over || self.failed.is_some() || self.learnt >= self.limits.conflicts
    }
}
