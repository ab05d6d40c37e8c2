//! What every engine does with a network whose schedule is loaded: phases with a reset of one cycle before each.
//!
//! Clock cycle 0 of a phase is the first after its reset. In each cycle there is one draw ([`frit_traffic::drawn`]): its lowest 8 bits say
//! whether the sender of the programs offers a beat, the next 8 whether an exchange is started as soon as one can be. A terminal that
//! is asked for a word for terminal d sends the next word for d if the exchange has one left for this pair. In the first cycle all terminals
//! give words that must be ignored, and in a cycle after no round if [`noise`] says so. During a reset everything is offered. Data that are not valid are ones.

use frit_demand::loadable::{Job, Loadable};
use frit_demand::program::{Entry, MAX_RUN, Program, RUN_BITS};
use frit_network::{Refusal, SwitchState, TerminalIdx};
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
    /// A start in this cycle, whether or not one can be.
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

/// The phases for a job: it runs beside another one, and short programs are damaged in all ways.
///
/// # Errors
///
/// If a program does not fit the memory.
pub fn phases(on: &Loadable, [whole, back]: &[Job; 2]) -> Result<Vec<Phase>, Refusal> {
    let shape = on.shape();
    let (short, other) = (brief(whole)?, brief(back)?);
    let cut = whole.program.words().len() as u64 + 6 + whole.program.rounds() / 2;
    let mut phases = vec![
        Phase { cut: Some(cut), ..phase("a reset in the middle of an exchange", &[whole]) },
        phase("three exchanges without a gap", &[whole, back, &short]),
        Phase { offering: 120, starting: 24, ..phase("two exchanges with pauses", &[whole, back]) },
        Phase { early: Some(2), ..phase("a start before a program is loaded", &[&short, &other]) },
        every_place(on)?,
        wrong_counts(&short),
    ];
    phases.extend(long_runs(on)?);
    phases.extend(conflicts(on, &other)?);
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
    // Nothing runs, or the program before has entries that are not read yet when the next one is loaded.
    let entries = shape.entries().min(8) as usize;
    let runs = vec![8 * shape.beats() + 4; entries];
    let (slow, all) = (drawn(on, 5, &runs)?, drawn(on, 6, &vec![2; entries])?);
    for (what, words) in damaged {
        for (running, next) in [(None, &other), (Some(&slow), &all)] {
            let jobs: Vec<&Job> = running.into_iter().chain([next]).collect();
            let mut damaged = phase(what, &jobs);
            let at = running.map_or(0, |job| job.program.words().len());
            damaged.beats.splice(at..at, beats(&words));
            phases.push(damaged);
        }
    }
    phases.extend(any_start(on)?);
    Ok(phases)
}

/// A start in each cycle, of 48 at most, while two programs are loaded and run: nothing is loaded, entries are left to read, all were read.
fn any_start(on: &Loadable) -> Result<Vec<Phase>, Refusal> {
    let entries = on.shape().entries().min(8) as usize;
    let (long, brief) = (drawn(on, 41, &vec![2; entries])?, drawn(on, 42, &[2])?);
    let cycles = (long.program.words().len() + brief.program.words().len() + 2 * entries + 12) as u64;
    let one = |early| Phase { early: Some(early), ..phase("a start in any cycle", &[&long, &brief]) };
    Ok((0..cycles).step_by(cycles.div_ceil(48) as usize).map(one).collect())
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
pub(crate) fn beats(words: &[u32]) -> Vec<Beat> {
    let beat = |(at, &word): (usize, &u32)| Beat { word, last: at + 1 == words.len() };
    words.iter().enumerate().map(beat).collect()
}

/// The first two states of a program for a few rounds, and a word for each terminal in each of them.
fn brief(job: &Job) -> Result<Job, Refusal> {
    let entries = &job.program.entries;
    let first = entries.first().ok_or_else(Program::empty)?;
    let second = entries.get(1).unwrap_or(first);
    let states = [Entry { run: 3, ..first.clone() }, Entry { run: 1, ..second.clone() }];
    Job::filled(job.program.shape, states.into_iter())
}

/// States that are drawn, each held for so many rounds, and a word for each terminal in each round.
pub(crate) fn drawn(on: &Loadable, seed: u64, runs: &[u32]) -> Result<Job, Refusal> {
    let mut random = SplitMix64(seed);
    Job::filled(on.shape(), runs.iter().map(|&run| on.drawn(&mut random, run)))
}

/// Three programs that fill the banks, or 64 entries of them.
fn every_place(on: &Loadable) -> Result<Phase, Refusal> {
    let entries = on.shape().entries().min(64) as u32;
    let runs: Vec<u32> = (0..entries).map(|entry| 1 + entry % 3 % 2).collect();
    let jobs = (1..4).map(|seed| drawn(on, seed, &runs)).collect::<Result<Vec<_>, _>>()?;
    let jobs: Vec<&Job> = jobs.iter().collect();
    Ok(Phase { what: "three programs of all entries", ..phase("", &jobs) })
}

/// Run lengths with each bit, of which a reset ends all but the first rounds.
fn long_runs(on: &Loadable) -> Result<Vec<Phase>, Refusal> {
    let one = |bit: u32| {
        // Behind the bit a few rounds, after which the run would end if the bit were lost while they are counted.
        let job = drawn(on, bit.into(), &[(1 << bit) + 5, 1 << bit])?;
        let cut = job.program.words().len() as u64 + 16 + u64::from(on.shape().latency());
        Ok(Phase { cut: Some(cut), ..phase("a reset in the middle of a long run", &[&job]) })
    };
    (2..RUN_BITS).map(one).collect()
}

/// Programs of one entry that say they have too many, by each bit of the count.
fn wrong_counts(good: &Job) -> Phase {
    let shape = good.program.shape;
    let entry = &good.program.words()[1..=shape.beats() as usize];
    let count = |bit: u32| beats(&[&[1 << bit | 1], entry].concat());
    let mut wrong = phase("programs that say they have too many entries", &[good]);
    wrong.beats.splice(0..0, (shape.entry_bits()..u32::BITS).flat_map(count));
    wrong
}

/// A switch of the last stage is set the wrong way: for each terminal, of 16 at most, and with a reset while words go astray.
fn conflicts(on: &Loadable, other: &Job) -> Result<Vec<Phase>, Refusal> {
    let what = "a switch that is set the wrong way";
    let n = on.shape().terminals();
    let wrong = |seed: u32, run: u32, switch: u32| -> Result<Job, Refusal> {
        let mut job = drawn(on, seed.into(), &[run])?;
        let stages = &mut job.program.entries[0].states;
        let state = &mut stages.last_mut().expect("a network has a stage")[switch as usize];
        *state = SwitchState::from_bit(!state.bit());
        Ok(job)
    };
    let one = |terminal: u32| {
        let mut job = wrong(terminal, 2, on.last_switch(TerminalIdx(terminal)))?;
        // Only the words for this terminal, which come to the one beside it.
        let meant = |(pair, words): (u32, &mut u32)| *words *= u32::from(pair % n == terminal);
        (0..).zip(&mut job.words).for_each(meant);
        Ok(phase(what, &[&job, other]))
    };
    let mut phases = (0..n).step_by(n.div_ceil(16) as usize).map(one).collect::<Result<Vec<_>, _>>()?;
    let long = wrong(n, MAX_RUN, 0)?;
    let cut = long.program.words().len() as u64 + 12 + u64::from(on.shape().latency());
    phases.push(Phase { cut: Some(cut), ..phase("a reset while words go astray", &[&long]) });
    Ok(phases)
}
