//! What holds of the registers of a design in each state of the circuit that watches it, found by symbolic simulation.
//!
//! The watching circuit counts the cycles of a run, so it has few states, and in each of them a register of a controller has
//! one value, while a register of the fabric has the word that some other register or input has. From the first state on, every
//! state is simulated for one cycle with all that is not known as symbols, and what follows of the next state is joined to
//! what was found of it before, until nothing changes. Each finding is a *lemma*: "in this state this register is 0", or
//! "is equal to that one". They are only a proposal: [`Findings::with_lemmas`] makes them outputs that must never rise, and a
//! model checker proves them with the rest.

use super::aiger::{Aig, Literal};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A state of the watching circuit.
pub type Key = Vec<bool>;
/// The registers in one: constants 0 and 1, or a class of equal ones (its number times two, plus one if inverted).
type State = Vec<u32>;

/// What the simulation is told.
pub struct Watch<'a> {
    /// The design with the circuit that watches it.
    pub aig: &'a Aig,
    /// The latches of that circuit's state.
    pub key: &'a [u32],
    /// Inputs on which its next state depends, or signals that are taken to be free as inputs are: then more is possible than
    /// in the design, and what is found holds in it.
    pub control: &'a [Literal],
    /// So many outputs, the first ones, must never rise.
    pub violations: usize,
}

/// What was found.
pub struct Findings {
    states: BTreeMap<Key, State>,
    /// The outputs that were not shown to stay low.
    pub open: BTreeSet<usize>,
}

/// Why the simulation gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// The next state is not decided by the state and the control inputs.
    State,
    /// There are too many states.
    Many,
}

/// States of the watching circuit: a run of 2^16 cycles is longer than any that is proved.
const MOST: usize = 1 << 16;

/// Simulates until nothing changes.
pub fn find(watch: &Watch) -> Result<Findings, NotFound> {
    let start: State = vec![0; watch.aig.latches.len()];
    let first: Key = vec![false; watch.key.len()];
    let mut states = BTreeMap::from([(first.clone(), start)]);
    let mut work = BTreeSet::from([first]);
    let mut open: BTreeMap<Key, BTreeSet<usize>> = BTreeMap::new();
    while let Some(key) = work.pop_first() {
        let state = states[&key].clone();
        let mut rising = BTreeSet::new();
        for choice in 0..1u32 << watch.control.len() {
            let mut step = Step::new(watch, &state, choice);
            let violations = watch.aig.outputs[..watch.violations].iter().map(|output| step.literal(*output));
            let violations: Vec<u32> = violations.collect();
            rising.extend((0..watch.violations).filter(|&at| violations[at] != 0));
            // What comes after a violation is nobody's concern.
            if violations.contains(&1) {
                continue;
            }
            let next = step.next();
            let value = |latch: &u32| match next[*latch as usize] {
                known @ 0..=1 => Ok(known == 1),
                _ => Err(NotFound::State),
            };
            let to: Key = watch.key.iter().map(value).collect::<Result<_, _>>()?;
            let joined = match states.get(&to) {
                Some(before) => join(before, &next),
                None => next,
            };
            if states.get(&to) != Some(&joined) {
                states.insert(to.clone(), joined);
                work.insert(to);
            }
        }
        open.insert(key, rising);
        if states.len() > MOST {
            return Err(NotFound::Many);
        }
    }
    Ok(Findings { states, open: open.into_values().flatten().collect() })
}

/// One cycle from one state.
struct Step<'a> {
    aig: &'a Aig,
    /// For each variable a constant, or the number of a symbol or of an AND of them, times two, plus one if inverted.
    values: Vec<u32>,
}

impl<'a> Step<'a> {
    fn new(watch: &Watch<'a>, state: &State, choice: u32) -> Self {
        let aig = watch.aig;
        let mut values = Vec::with_capacity(aig.variables() as usize);
        values.push(0);
        let classes = 1 + state.iter().map(|class| class / 2).max().unwrap_or(0);
        values.extend((0..aig.inputs).map(|input| 2 * (classes + input)));
        values.extend(state);
        let forced = |(at, literal): (u32, &Literal)| (literal / 2, (choice >> at & 1) ^ (literal & 1));
        let forced: BTreeMap<u32, u32> = (0..).zip(watch.control).map(forced).collect();
        for (&variable, &value) in forced.range(..aig.first_and()) {
            values[variable as usize] = value;
        }
        let mut ands = HashMap::new();
        let mut symbols = classes + aig.inputs;
        let mut step = Step { aig, values };
        for &[a, b] in &aig.ands {
            let (a, b) = (step.literal(a), step.literal(b));
            let own = step.values.len() as u32;
            if let Some(&value) = forced.get(&own) {
                step.values.push(value);
                continue;
            }
            let value = match (a.min(b), a.max(b)) {
                (0, _) => 0,
                (1, b) => b,
                (a, b) if a == b => a,
                (a, b) if a ^ 1 == b => 0,
                pair => *ands.entry(pair).or_insert_with(|| {
                    symbols += 1;
                    2 * (symbols - 1)
                }),
            };
            step.values.push(value);
        }
        step
    }

    fn literal(&self, literal: Literal) -> u32 {
        self.values[literal as usize / 2] ^ (literal & 1)
    }

    /// The registers after it, their classes numbered in the order in which they appear.
    fn next(&mut self) -> State {
        number(self.aig.latches.iter().map(|latch| {
            let value = self.literal(latch.next);
            ((value / 2, 0), value & 1)
        }))
    }
}

/// What holds in both.
fn join(a: &State, b: &State) -> State {
    number(a.iter().zip(b).map(|(a, b)| ((a / 2, b / 2 * 2 + ((a ^ b) & 1)), a & 1)))
}

/// Classes of equal names, with a sign each. The name of constants is (0, 0).
fn number(names: impl Iterator<Item = ((u32, u32), u32)>) -> State {
    let mut numbers: HashMap<(u32, u32), (u32, u32)> = HashMap::from([((0, 0), (0, 0))]);
    names
        .map(|(name, sign)| {
            let fresh = numbers.len() as u32;
            let (number, first_sign) = *numbers.entry(name).or_insert((fresh, sign));
            2 * number + (sign ^ first_sign)
        })
        .collect()
}

impl Findings {
    /// How many states the watching circuit has, the first one included.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    pub fn lemmas(&self) -> usize {
        self.states.values().map(|state| equalities(state).count()).sum()
    }

    /// The design with one output: a violation, a lemma that does not hold, or a state that was not found.
    pub fn with_lemmas(&self, watch: &Watch) -> Aig {
        let mut aig = watch.aig.clone();
        let mut bad = aig.outputs[..watch.violations].to_vec();
        let mut known = Vec::new();
        for (key, state) in &self.states {
            let bits: Vec<Literal> =
                watch.key.iter().zip(key).map(|(latch, bit)| aig.latch(*latch) ^ u32::from(!bit)).collect();
            let here = aig.and_all(&bits);
            known.push(here);
            let mut differ = Vec::new();
            for (latch, other) in equalities(state) {
                let (latch, other) = (aig.latch(latch), other.literal(&aig));
                differ.push(if other < 2 { latch ^ other } else { aig.differ(latch, other) });
            }
            let any = aig.or_all(&differ);
            bad.push(aig.and(here, any));
        }
        bad.push(aig.or_all(&known) ^ 1);
        let bad = aig.or_all(&bad);
        aig.outputs = vec![bad];
        aig
    }
}

/// What a latch is equal to.
enum Other {
    Constant(u32),
    Latch { number: u32, inverted: u32 },
}

impl Other {
    fn literal(&self, aig: &Aig) -> Literal {
        match *self {
            Other::Constant(value) => value,
            Other::Latch { number, inverted } => aig.latch(number) ^ inverted,
        }
    }
}

/// The lemmas of a state: latches with what they are equal to, each class as a chain to its first latch.
fn equalities(state: &State) -> impl Iterator<Item = (u32, Other)> {
    let mut firsts: HashMap<u32, u32> = HashMap::new();
    state.iter().enumerate().filter_map(move |(latch, &value)| {
        let latch = latch as u32;
        if value < 2 {
            return Some((latch, Other::Constant(value)));
        }
        // The first of a class is numbered without a sign.
        match firsts.get(&(value / 2)) {
            Some(&number) => Some((latch, Other::Latch { number, inverted: value & 1 })),
            None => {
                firsts.insert(value / 2, latch);
                None
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::aiger::Latch;
    use super::*;

    /// A bit that input 0 sets, and what input 1 was when it was last high, twice: `other` says what the second one takes.
    fn example(other: impl Fn(&mut Aig) -> Literal) -> Aig {
        let mut aig = Aig { inputs: 2, latches: vec![Latch { next: 0 }; 3], ..Aig::default() };
        aig.latches[0].next = aig.input(0);
        aig.latches[1].next = aig.input(1);
        aig.latches[2].next = other(&mut aig);
        let (a, b) = (aig.latch(1), aig.latch(2));
        let differ = aig.differ(a, b);
        let bad = aig.and(differ, aig.latch(0));
        aig.outputs.push(bad);
        aig
    }

    fn watch(aig: &Aig) -> Watch<'_> {
        Watch { aig, key: &[0], control: &[2], violations: 1 }
    }

    #[test]
    fn equal_words_are_found_where_they_are_equal() {
        // Equal whenever input 0 is high.
        let aig = example(|aig| aig.and(aig.input(0), aig.input(1)));
        let findings = find(&watch(&aig)).unwrap();
        assert!(findings.open.is_empty());
        // In state 0: the state and latch 2 are 0. In state 1: the state is 1, the others are equal.
        assert_eq!((findings.states(), findings.lemmas()), (2, 4));
        let proof = findings.with_lemmas(&watch(&aig));
        assert_eq!((proof.outputs.len(), proof.latches.len()), (1, 3));
    }

    #[test]
    fn a_wrong_word_is_left_open() {
        let aig = example(|aig| aig.input(1) ^ 1);
        assert_eq!(find(&watch(&aig)).unwrap().open, BTreeSet::from([0]));
        let aig = example(|aig| aig.input(0));
        assert_eq!(find(&watch(&aig)).unwrap().open, BTreeSet::from([0]));
    }

    #[test]
    fn a_state_that_words_decide_is_refused() {
        let mut aig = example(|aig| aig.input(1));
        aig.latches[0].next = aig.input(1);
        assert_eq!(find(&watch(&aig)).err(), Some(NotFound::State));
    }

    #[test]
    fn a_signal_may_be_taken_to_be_free() {
        let mut aig = example(|aig| aig.input(1));
        let both = aig.and(aig.input(0), aig.input(1));
        aig.latches[0].next = both;
        let free = Watch { aig: &aig, key: &[0], control: &[both], violations: 1 };
        assert_eq!(find(&free).unwrap().states(), 2);
        assert_eq!(find(&watch(&aig)).err(), Some(NotFound::State));
    }

    #[test]
    fn nothing_comes_after_a_violation() {
        let mut aig = example(|aig| aig.input(1));
        aig.outputs = vec![aig.input(0)];
        let findings = find(&watch(&aig)).unwrap();
        assert_eq!((findings.states(), findings.open.len()), (1, 1));
    }

    #[test]
    fn joining_keeps_what_holds_in_both() {
        // 0, equal, inverted; then 1, equal, inverted: the constant is lost, both relations stay.
        assert_eq!(join(&vec![0, 2, 2, 3], &vec![0, 4, 4, 5]), [0, 2, 2, 3]);
        assert_eq!(join(&vec![0, 0, 1], &vec![1, 1, 0]), [2, 2, 3]);
        assert_eq!(join(&vec![0, 2, 2], &vec![0, 2, 4]), [0, 2, 4]);
    }
}
