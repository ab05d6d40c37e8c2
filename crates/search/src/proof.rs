//! A proof in DRAT that there is no exchange of so many rounds, for a checker that shares no code with this.

use crate::bound::best;
use crate::order::questions;
use crate::search::{Answer, Exchange, LARGEST, Options, Outcome, without_solver};
use crate::solver::{Reply, refute};
use frit_network::Network;
use rustsat::OutOfMemory;
use rustsat::instances::ManageVars;
use std::io::Write;

/// Asks for any exchange of `rounds` rounds in one piece, and writes a proof in DRAT if there is none. The clauses go to `formula`, in
/// DIMACS.
pub fn proof(
    network: &Network,
    rounds: u32,
    options: &Options,
    formula: &mut dyn Write,
    steps: Box<dyn Write>,
) -> Result<Outcome, ProofError> {
    let question = questions(network, rounds, rounds).pop().expect("the last is about any");
    let none =
        Outcome { answer: Answer::Open, bound: best(network, options.half_time()), ..Outcome::default() };
    let unproved = |outcome: Outcome| {
        let answer = without_solver(network, rounds, &outcome.bound).unwrap_or(Answer::Open);
        Ok(Outcome { answer, ..outcome })
    };
    if question.size(network) > LARGEST {
        return unproved(Outcome { too_large: vec![question.name()], ..none });
    }
    let clauses = question.clauses(network)?;
    let mut formula = formula;
    clauses.cnf.write_dimacs(&mut formula, clauses.variables.n_used())?;
    let (reply, conflicts) = refute(&clauses, options.limits(u64::MAX), steps)?;
    let none = Outcome { conflicts, questions: 1, ..none };
    match reply {
        Reply::Rounds(rounds) => {
            let exchange = Exchange { question: question.name(), rounds };
            Ok(Outcome { answer: Answer::Found(exchange), ..none })
        }
        Reply::None { .. } => Ok(Outcome { answer: Answer::Exhausted, ..none }),
        Reply::Stopped => unproved(Outcome { open: vec![question.name()], ..none }),
    }
}

/// What can go wrong where a proof is written.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error(transparent)]
    File(#[from] std::io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::wild;
    use frit_network::shuffle_exchange;
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::rc::Rc;
    use web_time::Instant;

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
        // Counting says that 6 rounds are too few, and the solver finds that by itself.
        let network = wild();
        assert_eq!(best(&network, None).rounds, 8);
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

    #[test]
    fn a_proof_that_cannot_be_had_leaves_what_counting_says() {
        let silent = || Box::new(std::io::sink());
        let answer = |network: &Network, rounds: u32, options: &Options| {
            proof(network, rounds, options, &mut std::io::sink(), silent()).unwrap()
        };
        // 66 lanes, 66 rounds, 8 columns: beyond what is built.
        let large = shuffle_exchange(66).unwrap();
        let outcome = answer(&large, 66, &Options::default());
        assert_eq!((outcome.answer, outcome.too_large), (Answer::Open, vec!["any 66 rounds".to_string()]));
        let none = answer(&shuffle_exchange(80).unwrap(), 80, &Options::default());
        assert_eq!((none.answer, none.bound.rounds), (Answer::Counted, 128));
        let halved = Network::new("halves", 4, vec![vec![0, 1, 2, 3]; 3]).unwrap();
        let over = Options { until: Some(Instant::now()), ..Options::default() };
        assert!(matches!(answer(&halved, 4, &over).answer, Answer::Apart { .. } | Answer::Exhausted));
    }
}
