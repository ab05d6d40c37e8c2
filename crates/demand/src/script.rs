//! What every engine does with a network whose schedule is loaded: phases with a reset of one cycle before each.
//!
//! Clock cycle 0 of a phase is the first after its reset. In each cycle there is one draw ([`frit_traffic::drawn`]): its lowest 8 bits say
//! whether the sender of the programs offers a beat, the next 8 whether an exchange is started as soon as one can be. A terminal that
//! is asked for a word for terminal d sends the next word for d if the exchange has one left for this pair. In a cycle after no round all
//! terminals give words that must be ignored if [`noise`] says so. Data that are not valid are ones.

use crate::demand::Demand;
use crate::peel::Held;
use crate::program::{MAX_RUN, Program, ProgramError, RUN_BITS, Shape};
use frit_network::SwitchState;
use frit_traffic::random::SplitMix64;

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

/// Whether terminals that are not asked give words in the next cycle, by the draw of this one.
pub fn noise(draw: u32) -> bool {
    draw >> 16 & 1 == 1
}

/// A program and the words of its exchange.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program.
    pub program: Program,
    /// The words of each pair, row = source.
    pub words: Vec<u32>,
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
        every_place(shape)?,
        wrong_counts(shape, &short),
    ];
    phases.extend(long_runs(shape)?);
    phases.extend(conflicts(shape, &other)?);
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

/// Programs that are loaded one after the other, each as soon as there is a bank for it, and their exchanges, without pauses.
pub fn phase(what: &'static str, jobs: &[&Job]) -> Phase {
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
    filled(shape, &held)
}

/// A plan, and a word for each terminal in each of its rounds.
fn filled(shape: Shape, held: &[Held]) -> Result<Job, ProgramError> {
    let n = shape.terminals() as usize;
    let mut words = vec![0; n * n];
    for Held { to, hold } in held {
        to.iter().enumerate().for_each(|(from, &to)| words[from * n + usize::from(to)] += hold);
    }
    Ok(Job { program: Program::new(shape, held)?, words })
}

/// Permutations that are drawn, each held for so many rounds, and a word for each terminal in each round.
fn drawn(shape: Shape, seed: u64, runs: &[u32]) -> Result<Job, ProgramError> {
    let mut random = SplitMix64(seed);
    let n = shape.terminals();
    let held: Vec<Held> = runs
        .iter()
        .map(|&hold| Held { to: random.permutation(n).into_iter().map(|to| to as u16).collect(), hold })
        .collect();
    filled(shape, &held)
}

/// Three programs that fill the banks, or 64 entries of them.
fn every_place(shape: Shape) -> Result<Phase, ProgramError> {
    let entries = shape.entries().min(64) as u32;
    let runs: Vec<u32> = (0..entries).map(|entry| 1 + entry % 3 % 2).collect();
    let jobs = (1..4).map(|seed| drawn(shape, seed, &runs)).collect::<Result<Vec<_>, _>>()?;
    let jobs: Vec<&Job> = jobs.iter().collect();
    Ok(Phase { what: "three programs of all entries", ..phase("", &jobs) })
}

/// Run lengths with each bit, of which a reset ends all but the first rounds.
fn long_runs(shape: Shape) -> Result<Vec<Phase>, ProgramError> {
    let one = |bit: u32| {
        let job = drawn(shape, bit.into(), &[(1 << bit) + 3, 1 << bit])?;
        let cut = job.program.words().len() as u64 + 16 + 2 * u64::from(shape.terminal_bits());
        Ok(Phase { cut: Some(cut), ..phase("a reset in the middle of a long run", &[&job]) })
    };
    (2..RUN_BITS).map(one).collect()
}

/// Programs of one entry that say they have too many, by each bit of the count.
fn wrong_counts(shape: Shape, good: &Job) -> Phase {
    let entry = &good.program.words()[1..=shape.beats() as usize];
    let count = |bit: u32| beats(&[&[1 << bit | 1], entry].concat());
    let mut wrong = phase("programs that say they have too many entries", &[good]);
    wrong.beats.splice(0..0, (shape.entry_bits()..u32::BITS).flat_map(count));
    wrong
}

/// A switch of the last stage is set the wrong way: for each terminal, of 16 at most, and with a reset while words go astray.
fn conflicts(shape: Shape, other: &Job) -> Result<Vec<Phase>, ProgramError> {
    let what = "a switch that is set the wrong way";
    let n = shape.terminals();
    let wrong = |seed: u32, run: u32, switch: u32| -> Result<Job, ProgramError> {
        let mut job = drawn(shape, seed.into(), &[run])?;
        let state = &mut job.program.entries[0].states[shape.stages() as usize - 1][switch as usize];
        *state = SwitchState::from_bit(!state.bit());
        Ok(job)
    };
    let one = |terminal: u32| {
        let mut job = wrong(terminal, 2, terminal / 2)?;
        // Only the words for this terminal, which come to the one beside it.
        let meant = |(pair, words): (u32, &mut u32)| *words *= u32::from(pair % n == terminal);
        (0..).zip(&mut job.words).for_each(meant);
        Ok(phase(what, &[&job, other]))
    };
    let mut phases = (0..n).step_by(n.div_ceil(16) as usize).map(one).collect::<Result<Vec<_>, _>>()?;
    let long = wrong(n, MAX_RUN, 0)?;
    let cut = long.program.words().len() as u64 + 12 + 2 * u64::from(shape.terminal_bits());
    phases.push(Phase { cut: Some(cut), ..phase("a reset while words go astray", &[&long]) });
    Ok(phases)
}
