//! What every engine does with a network whose schedule is loaded: phases with a reset before each.
//!
//! Clock cycle 0 of a phase is the first after its reset. In each cycle there is one draw ([`frit_traffic::drawn`]): its lowest 8 bits say
//! whether the sender of the programs offers a beat, the next 8 whether an exchange is started as soon as one can be. A terminal that
//! is asked for a word for terminal d sends the next word for d if the exchange has one left for this pair.

use crate::demand::Demand;
use crate::peel::Held;
use crate::program::{Program, ProgramError, Shape};
use frit_network::SwitchState;

/// A beat of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Its word.
    pub word: u32,
    /// `tlast`.
    pub last: bool,
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What it is for: a phrase.
    pub what: &'static str,
    /// The programs, one after the other.
    pub beats: Vec<Beat>,
    /// Of 256 cycles, those in which the sender offers a beat if it has none on offer.
    pub offering: u32,
    /// Of 256 cycles in which an exchange can be started, those in which it is.
    pub starting: u32,
    /// A start in this cycle, whether or not a program is loaded; no other start comes before.
    pub early: Option<u64>,
    /// For each exchange the words of each pair, row = source.
    pub words: Vec<Vec<u32>>,
    /// The phase ends after so many cycles; else when everything is over.
    pub cut: Option<u64>,
}

/// Nobody pauses.
pub const STEADY: u32 = 256;

/// Cycles behind the last event of a phase.
pub const AFTER: u64 = 4;

/// The seed of a phase's pauses.
pub fn seed(phase: usize) -> u32 {
    0x6c07_8965 ^ (phase as u32).wrapping_mul(0x9e37_79b9)
}

/// A program and the words of its exchange.
#[derive(Clone, Debug)]
struct Job {
    program: Program,
    words: Vec<u32>,
}

/// The phases for a demand and its plan: it runs beside the plan of the transposed demand, and short programs are damaged in all ways.
///
/// # Errors
///
/// If the plan does not fit the memory.
pub fn phases(shape: Shape, demand: &Demand, held: &[Held]) -> Result<Vec<Phase>, ProgramError> {
    let whole = Job { program: Program::new(shape, held)?, words: demand.matrix().to_vec() };
    let n = shape.terminals();
    let transposed = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
    let back = Job {
        program: Program::new(shape, &inverse(held))?,
        words: transposed.map(|(row, column)| demand.words(column, row)).collect(),
    };
    let (short, other) = (brief(shape, held)?, brief(shape, &inverse(held))?);
    let cut = whole.program.words().len() as u64 + 6 + whole.program.rounds() / 2;
    let mut phases = vec![
        Phase { cut: Some(cut), ..phase("a reset in the middle of an exchange", &[&whole]) },
        phase("three exchanges without a gap", &[&whole, &back, &short]),
        Phase { offering: 120, starting: 24, ..phase("two exchanges with pauses", &[&whole, &back]) },
        Phase { early: Some(2), ..phase("a start before a program is loaded", &[&short, &other]) },
        conflict(shape, &short, &other),
    ];
    let good = short.program.words();
    let count = good[0];
    let with = |at: usize, word: u32| {
        let mut words = good.clone();
        words[at] = word;
        words
    };
    let longer: Vec<u32> = good.iter().copied().chain([good[1]]).collect();
    let damaged = [
        ("a program that is cut off", good[..good.len() - 1].to_vec()),
        ("a program that ends after its first word", good[..1].to_vec()),
        ("a program with a word too many", longer),
        ("a program of no entry", with(0, 0)),
        ("a program too long for the memory", with(0, shape.entries() as u32 + 1)),
        ("a program with more entries than it says", with(0, count - 1)),
        ("an entry that is held for no round", with(1, good[1] & 0xffff_0000)),
    ];
    for (what, words) in damaged {
        let mut damaged = phase(what, &[&other]);
        damaged.beats.splice(0..0, beats(&words));
        phases.push(damaged);
    }
    Ok(phases)
}

fn phase(what: &'static str, jobs: &[&Job]) -> Phase {
    Phase {
        what,
        beats: jobs.iter().flat_map(|job| beats(&job.program.words())).collect(),
        offering: STEADY,
        starting: STEADY,
        early: None,
        words: jobs.iter().map(|job| job.words.clone()).collect(),
        cut: None,
    }
}

/// A program as beats.
fn beats(words: &[u32]) -> Vec<Beat> {
    let beat = |(at, &word): (usize, &u32)| Beat { word, last: at + 1 == words.len() };
    words.iter().enumerate().map(beat).collect()
}

/// The plan of the transposed demand: the inverse permutations, the last one first.
fn inverse(held: &[Held]) -> Vec<Held> {
    let one = |held: &Held| {
        let mut to = vec![0; held.to.len()];
        (0..).zip(&held.to).for_each(|(from, &at)| to[usize::from(at)] = from);
        Held { to, hold: held.hold }
    };
    held.iter().rev().map(one).collect()
}

/// The first two permutations of a plan for a few rounds, and a word for each of them.
fn brief(shape: Shape, held: &[Held]) -> Result<Job, ProgramError> {
    let first = held.first().ok_or(ProgramError::Empty)?;
    let second = held.get(1).unwrap_or(first);
    let held = [Held { hold: 3, ..first.clone() }, Held { hold: 1, ..second.clone() }];
    let n = shape.terminals() as usize;
    let mut words = vec![0; n * n];
    for Held { to, hold } in &held {
        to.iter().enumerate().for_each(|(from, &to)| words[from * n + usize::from(to)] += hold);
    }
    Ok(Job { program: Program::new(shape, &held)?, words })
}

/// A program whose first entry sets a switch of the last stage the wrong way, before one without a fault.
fn conflict(shape: Shape, short: &Job, other: &Job) -> Phase {
    let mut wrong = short.clone();
    let last = shape.stages() as usize - 1;
    let state = &mut wrong.program.entries[0].states[last][0];
    *state = SwitchState::from_bit(!state.bit());
    phase("a switch that is set the wrong way", &[&wrong, other])
}
