//! One question for the SAT solver: is there an exchange made of so many *base rounds* and their images under a shift?
//!
//! A base round of orbit o stands for o rounds: itself and what it becomes when it is shifted by t, 2t, … (t the shift of the
//! question). If o is less than the order of the shift, the base round must be its own image after o of them.
//!
//! Variables: a message from source s is in place x of column k. Clauses: it is in one place of each column, behind a stage in one of
//! the two that its switch leads to, no two messages are in one place; and each source reaches each output in some round, if there are as
//! many rounds as outputs in one round only.

use crate::Places;
use crate::shifts::Shift;
use frit_network::Network;
use rustsat::OutOfMemory;
use rustsat::encodings::am1::{Encode, Ladder};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::{Lit, Var};

/// Of one exchange: `rounds[r][k][s]` is the place of column k in which the message of source s is in round r.
pub type Rounds = Vec<Vec<Vec<u32>>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub shift: Shift,
    /// How many rounds each base round stands for, the most first; each divides the order of the shift.
    pub orbits: Vec<u32>,
}

impl Question {
    /// Any rounds whatever: nothing is shifted, each round is its own base. `None` of it means that there is no exchange.
    pub fn whole(shift: Shift, rounds: u32) -> Question {
        Question { shift, orbits: vec![1; rounds as usize] }
    }

    /// Whether it asks for any rounds whatever.
    pub fn is_whole(&self) -> bool {
        self.shift.order() == 1
    }

    pub fn rounds(&self) -> u32 {
        self.orbits.iter().sum()
    }

    /// As it stands in reports and in files of what is settled: "shift 1: 20 + 2 x 2".
    pub fn name(&self) -> String {
        if self.is_whole() {
            return format!("any {} rounds", self.rounds());
        }
        let alike = |orbits: &[u32]| match orbits {
            [orbit] => orbit.to_string(),
            _ => format!("{} x {}", orbits.len(), orbits[0]),
        };
        let orbits: Vec<String> = self.orbits.chunk_by(|a, b| a == b).map(alike).collect();
        format!("shift {}: {}", self.shift.by, orbits.join(" + "))
    }

    /// Variables of places, about.
    pub fn size(&self, network: &Network) -> u64 {
        let sources = |orbit: &u32| u64::from(self.shift.by * orbit);
        let columns = u64::from(network.stages()) + 1;
        self.orbits.iter().map(sources).sum::<u64>() * columns * u64::from(network.lanes())
    }

    pub fn clauses(&self, network: &Network) -> Result<Clauses, OutOfMemory> {
        let places = Places::of(network);
        let mut clauses = Clauses {
            variables: BasicVarManager::default(),
            cnf: Cnf::default(),
            bases: Vec::new(),
            question: self.clone(),
            places,
        };
        for &orbit in &self.orbits {
            clauses.base(orbit)?;
        }
        clauses.coverage()?;
        Ok(clauses)
    }
}

pub struct Clauses {
    pub variables: BasicVarManager,
    pub cnf: Cnf,
    bases: Vec<Base>,
    question: Question,
    places: Places,
}

/// The variables of a base round.
struct Base {
    /// `at[k][s][x]`, for the sources that are not images of others.
    at: Vec<Vec<Vec<Option<Var>>>>,
    /// `back[i][k][x]`: where place x is taken by i of the shifts that leave the base round as it is, done backwards.
    back: Vec<Vec<Vec<u32>>>,
}

impl Base {
    /// The variable that says that the message of `source` is in place `x`, if it can be there.
    fn at(&self, column: usize, source: u32, x: u32) -> Option<Var> {
        let own = self.at[column].len() as u32;
        let x = self.back[(source / own) as usize][column][x as usize];
        self.at[column][(source % own) as usize][x as usize]
    }
}

impl Clauses {
    fn base(&mut self, orbit: u32) -> Result<(), OutOfMemory> {
        let lanes = self.places.lanes();
        let (shift, stages) = (self.question.shift.clone(), self.places.stages());
        let own = shift.by * orbit;
        let reach: Vec<Vec<Vec<bool>>> = (0..own).map(|source| self.places.reach(source)).collect();
        let mut at = Vec::new();
        for column in 0..=stages {
            let mut rows = Vec::new();
            for seen in &reach {
                let variable = |&seen: &bool| seen.then(|| self.variables.new_var());
                rows.push(seen[column].iter().map(variable).collect::<Vec<_>>());
            }
            at.push(rows);
        }
        // Backwards i · own: as often as there is left to a full turn.
        let times = |i: u32| (shift.order() - i * orbit) % shift.order();
        let back = (0..lanes / own).map(|i| shift.power(times(i))).collect();
        let base = Base { at, back };
        for column in 0..=stages {
            for source in 0..own {
                let anywhere: Vec<Lit> =
                    (0..lanes).filter_map(|x| Some(base.at(column, source, x)?.pos_lit())).collect();
                self.one_of(anywhere)?;
            }
            for x in 0..lanes {
                let anyone: Vec<Lit> =
                    (0..lanes).filter_map(|source| Some(base.at(column, source, x)?.pos_lit())).collect();
                self.one_of(anyone)?;
            }
        }
        for stage in 0..stages {
            for source in 0..own {
                for x in 0..lanes {
                    let Some(here) = base.at(stage, source, x) else { continue };
                    let behind = self.places.next(stage, x).map(|y| base.at(stage + 1, source, y));
                    let mut clause = vec![here.neg_lit()];
                    clause.extend(behind.into_iter().flatten().map(|there| there.pos_lit()));
                    self.cnf.add_clause(clause.into_iter().collect());
                }
                // And it came from one of the switch's inputs.
                let mut from = vec![Vec::new(); lanes as usize];
                for x in 0..lanes {
                    if let Some(here) = base.at(stage, source, x) {
                        let behind = self.places.next(stage, x).into_iter();
                        behind.for_each(|y| from[y as usize].push(here.pos_lit()));
                    }
                }
                for (y, mut clause) in (0..lanes).zip(from) {
                    let Some(there) = base.at(stage + 1, source, y) else { continue };
                    clause.push(there.neg_lit());
                    self.cnf.add_clause(clause.into_iter().collect());
                }
            }
        }
        self.bases.push(base);
        Ok(())
    }

    /// Just one of the literals; one that is there twice cannot be.
    fn one_of(&mut self, mut literals: Vec<Lit>) -> Result<(), OutOfMemory> {
        literals.sort_unstable();
        let twice: Vec<Lit> =
            literals.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        for literal in twice {
            self.cnf.add_unit(!literal);
        }
        literals.dedup();
        self.cnf.add_clause(literals.iter().copied().collect());
        self.at_most_one(literals)
    }

    fn at_most_one(&mut self, literals: Vec<Lit>) -> Result<(), OutOfMemory> {
        if literals.len() > 1 {
            literals.into_iter().collect::<Ladder>().encode(&mut self.cnf, &mut self.variables)?;
        }
        Ok(())
    }

    /// Each pair is served. Sources that are shifted to one another have the same need.
    fn coverage(&mut self) -> Result<(), OutOfMemory> {
        let (lanes, last) = (self.places.lanes(), self.places.stages());
        let shift = self.question.shift.clone();
        let rounds = self.question.rounds();
        for source in 0..shift.by.min(lanes) {
            let mut served: Vec<Vec<Lit>> = vec![Vec::new(); lanes as usize];
            for (base, &orbit) in self.bases.iter().zip(&self.question.orbits) {
                for image in 0..orbit {
                    // In this image the source does what the one before it, shifted forwards, does in the base.
                    let forward = shift.power(image);
                    let before = (source + lanes - shift.by * image % lanes) % lanes;
                    for x in 0..lanes {
                        let output = self.places.output(forward[last][x as usize]);
                        served[output as usize].extend(base.at(last, before, x).map(Var::pos_lit));
                    }
                }
            }
            for (output, mut rounds_of) in (0..).zip(served) {
                // Of any rounds whatever, let round d be one in which source 0 reaches output d.
                if self.question.is_whole() && source == 0 && output < rounds {
                    let own = (0..lanes).filter(|&x| self.places.output(x) == output);
                    let own = own.filter_map(|x| Some(self.bases[output as usize].at(last, 0, x)?.pos_lit()));
                    self.cnf.add_clause(own.collect());
                }
                rounds_of.sort_unstable();
                rounds_of.dedup();
                self.cnf.add_clause(rounds_of.iter().copied().collect());
                if rounds == lanes {
                    self.at_most_one(rounds_of)?;
                }
            }
        }
        Ok(())
    }

    /// Says that source `source` reaches `output` in base round `base`.
    pub fn joined(&self, base: usize, source: u32, output: u32) -> Option<Lit> {
        let last = self.places.stages();
        let x = (0..self.places.lanes()).find(|&x| self.places.output(x) == output)?;
        Some(self.bases[base].at(last, source, x)?.pos_lit())
    }

    pub fn rounds(&self, holds: &dyn Fn(Var) -> bool) -> Rounds {
        let lanes = self.places.lanes();
        let shift = &self.question.shift;
        let mut rounds = Vec::new();
        for (base, &orbit) in self.bases.iter().zip(&self.question.orbits) {
            let place = |column: usize, source: u32| {
                let there = |&x: &u32| base.at(column, source, x).is_some_and(holds);
                (0..lanes).find(there).expect("each message is somewhere")
            };
            for image in 0..orbit {
                let forward = shift.power(image);
                let before = |source: u32| (source + lanes - shift.by * image % lanes) % lanes;
                let row = |column: usize| {
                    (0..lanes).map(|source| forward[column][place(column, before(source)) as usize]).collect()
                };
                rounds.push((0..=self.places.stages()).map(row).collect());
            }
        }
        rounds
    }
}
