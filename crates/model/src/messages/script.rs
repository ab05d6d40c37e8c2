//! What every engine does with messages of any length around a loaded schedule: phases with a reset of one cycle before each.
//!
//! Clock cycle 0 of a phase is the first after its reset. In each cycle there is one draw ([`frit_traffic::drawn`]), and [`picks`](crate::crossbar::script::picks) says by it
//! which lanes do what they do: each input offers a beat, each output is taken, the sender of the programs offers a beat, and an exchange is
//! started if one can be. What is offered stays until it is taken. During a reset everything is offered. What is not valid is ones.

use crate::crossbar::script::ALWAYS;
use crate::loaded::script::{Beat, beats, drawn};
use frit_demand::loadable::{Job, Loadable};
use frit_network::{Refusal, SwitchState, TerminalIdx};
use frit_traffic::random::SplitMix64;

/// A beat of the stream of a terminal; its word is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The destination of its message.
    pub dest: u32,
    /// Whether it is the last of its message.
    pub last: bool,
    /// Whether it is the last of its set: of the messages of an exchange.
    pub set: bool,
    /// Whether it has no word and only ends a set.
    pub empty: bool,
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What it is for: a phrase.
    pub what: &'static str,
    /// The programs, one after the other.
    pub programs: Vec<Beat>,
    /// The beats of each terminal.
    pub words: Vec<Vec<Word>>,
    /// How many exchanges are started.
    pub exchanges: u32,
    /// Of 256 cycles, those in which an input offers a beat if it has none on offer.
    pub offering: u32,
    /// Of 256 cycles, those in which an output is taken.
    pub taking: u32,
    /// Of 256 cycles, those in which the sender of the programs offers a beat if it has none on offer.
    pub loading: u32,
    /// Of 256 cycles in which an exchange can be started, those in which it is.
    pub starting: u32,
    /// A start in this cycle, whether or not one can be.
    pub early: Option<u64>,
    /// The phase ends after so many cycles; else when everything is over.
    pub cut: Option<u64>,
}

/// The lanes of [`picks`](crate::crossbar::script::picks): inputs from 0 on, outputs from N on, then these.
pub fn lanes(terminals: u32) -> [u32; 2] {
    [2 * terminals, 2 * terminals + 1]
}

/// Messages of a set in an order that is drawn, one beat behind the other: each is so long as its pair says, `length` at most.
fn set(row: &[u32], length: u32, random: &mut SplitMix64) -> Vec<Word> {
    let order = random.permutation(row.len() as u32);
    let message = |dest: u32| {
        let words = row[dest as usize].min(length);
        (1..=words).map(move |word| Word { dest, last: word == words, set: false, empty: false })
    };
    let mut words: Vec<Word> = order.into_iter().flat_map(message).collect();
    match words.last_mut() {
        Some(last) => last.set = true,
        None => words.push(Word { dest: random.below(row.len() as u32), last: true, set: true, empty: true }),
    }
    words
}

/// Sets of all terminals for these exchanges.
fn sets(jobs: &[&Job], length: u32, seed: u64) -> Vec<Vec<Word>> {
    let n = jobs.first().map_or(0, |job| job.program.shape.terminals() as usize);
    let mut random = SplitMix64(seed);
    let terminal = |source: usize| {
        let row = |job: &&Job| job.words[source * n..(source + 1) * n].to_vec();
        let rows: Vec<Vec<u32>> = jobs.iter().map(row).collect();
        rows.iter().flat_map(|row| set(row, length, &mut random)).collect()
    };
    (0..n).map(terminal).collect()
}

/// Exchanges one after the other, without pauses.
fn phase(what: &'static str, jobs: &[&Job], length: u32, seed: u64) -> Phase {
    Phase {
        what,
        programs: jobs.iter().flat_map(|job| beats(&job.program.words())).collect(),
        words: sets(jobs, length, seed),
        exchanges: jobs.len() as u32,
        offering: ALWAYS,
        taking: ALWAYS,
        loading: ALWAYS,
        starting: ALWAYS,
        early: None,
        cut: None,
    }
}

/// The phases for a job beside another one, for messages of at most `length` words.
///
/// # Errors
///
/// If a program does not fit the memory.
pub fn phases(on: &Loadable, [whole, back]: &[Job; 2], length: u32) -> Result<Vec<Phase>, Refusal> {
    let small = |seed: u64| -> Result<Job, Refusal> {
        let mut random = SplitMix64(seed ^ 0x5e75);
        let runs: Vec<u32> =
            (0..on.shape().entries().min(6)).map(|_| 1 + random.below(length.min(5))).collect();
        drawn(on, seed, &runs)
    };
    let [some, other, third] = [small(1)?, small(2)?, small(3)?];
    let half = Job { words: whole.words.iter().map(|words| words.div_ceil(2)).collect(), ..whole.clone() };
    let none = Job { words: vec![0; whole.words.len()], ..some.clone() };
    let rounds = whole.program.rounds() + whole.program.words().len() as u64;
    let mut phases = vec![
        phase("exchanges without a gap", &[whole, back, &some], length, 1),
        Phase {
            offering: 130,
            taking: 130,
            loading: 90,
            starting: 30,
            ..phase("pauses on all sides", &[whole, back, &other], length, 2)
        },
        Phase { taking: 30, ..phase("outputs that stand still", &[&some, &other, &third, back], length, 3) },
        phase("messages that are shorter than their rounds", &[&half, &some], length, 4),
        phase("no message at all", &[&none, &some, &none], length, 5),
        Phase { early: Some(3), ..phase("a start before a set is complete", &[&some, &other], length, 6) },
        Phase {
            cut: Some(rounds + 12),
            ..phase("a reset in the middle of an exchange", &[whole, back], length, 7)
        },
        unsent(&some, &other, length),
        longest(on, length, 90)?,
        Phase { offering: 150, taking: 150, starting: 60, ..longest(on, length, 120)? },
        cut_off(&some, &other, length),
    ];
    for mistake in Mistake::ALL {
        phases.extend(damaged(on, &other, length, mistake)?);
    }
    phases.extend(left_over(on, &other, length)?);
    phases.extend(any_start(on, length)?);
    let n = on.shape().terminals();
    for terminal in (0..n).step_by(n.div_ceil(8) as usize) {
        phases.push(astray(on, &other, length, terminal)?);
    }
    phases.extend(brief(on, length)?);
    let mut random = SplitMix64(u64::from(length) << 32 | u64::from(on.shape().terminals()));
    for seed in 10..18 {
        let jobs = [small(seed)?, small(seed + 10)?, small(seed + 20)?, small(seed + 30)?];
        let mut rate = || [ALWAYS, 160, 60][random.below(3) as usize];
        let rates = [rate(), rate(), rate(), rate()];
        let cut = (seed % 2 == 1).then(|| 40 + u64::from(random.below(80)));
        let all: Vec<&Job> = jobs.iter().collect();
        let [offering, taking, loading, starting] = rates;
        phases.push(Phase {
            offering,
            taking,
            loading,
            starting,
            cut,
            ..phase("drawn programs and pauses", &all, length, seed)
        });
    }
    Ok(phases)
}

/// A program with fewer rounds than its messages have words.
fn unsent(some: &Job, other: &Job, length: u32) -> Phase {
    let mut short = some.clone();
    short.program.entries.truncate(1);
    short.program.entries[0].run = 1;
    phase("an exchange that ends before its messages", &[&short, other, &short], length, 9)
}

/// What can be wrong with a message.
#[derive(Clone, Copy)]
enum Mistake {
    /// A second one for a destination.
    Twice,
    /// One that is too long.
    TooLong,
    /// The last beat of a set is not the last of its message.
    NoLast,
    /// A beat without a word ends a set within a message.
    CutOff,
}

impl Mistake {
    const ALL: [Mistake; 4] = [Mistake::Twice, Mistake::TooLong, Mistake::NoLast, Mistake::CutOff];

    /// What it is: a phrase.
    fn name(self) -> &'static str {
        match self {
            Mistake::Twice => "a second message for a destination",
            Mistake::TooLong => "a message that is too long",
            Mistake::NoLast => "a set whose last message has no end",
            Mistake::CutOff => "a set that ends within a message, without a word",
        }
    }

    /// Makes it in the first set of a stream.
    fn make(self, stream: &mut Vec<Word>, dest: u32, length: u32) {
        let word = |last: bool| Word { dest, last, set: false, empty: false };
        let ends = stream.iter().position(|word| word.set).expect("a set has an end");
        match self {
            // Behind the first message one of a word, a beat without a word, and longer and shorter ones again.
            Mistake::Twice => {
                let first = (length > 1).then(|| word(false));
                let others =
                    [word(true), Word { empty: true, ..word(true) }, word(true), word(false), word(true)];
                stream.splice(0..0, first.into_iter().chain(others));
            }
            Mistake::TooLong => drop(stream.splice(0..0, (1..length + 4).map(|at| word(at == length + 3)))),
            Mistake::NoLast => stream[ends].last = false,
            Mistake::CutOff => {
                (stream[ends].last, stream[ends].set) = (false, false);
                stream.insert(ends + 1, Word { set: true, empty: true, ..word(true) });
            }
        }
    }
}

/// A mistake at each terminal, of 8 at most, and no other in its phase. A very long message is too long at one terminal only.
fn damaged(on: &Loadable, other: &Job, length: u32, mistake: Mistake) -> Result<Vec<Phase>, Refusal> {
    // Rounds for more words than a message may have; or so few that a message without an end is not too long as well.
    let runs = match mistake {
        Mistake::Twice => [4, 2],
        Mistake::TooLong => [length + 4, 2],
        Mistake::NoLast | Mistake::CutOff => [1, 1],
    };
    let (n, some) = (on.shape().terminals(), drawn(on, 8, &runs)?);
    let step = if runs[0] > 64 { n } else { n.div_ceil(8) };
    let one = |terminal: u32| {
        let mut phase = phase(mistake.name(), &[&some, other], length, 8);
        let dest = some.program.entries[0].to[terminal as usize].into();
        mistake.make(&mut phase.words[terminal as usize], dest, length);
        phase
    };
    Ok((0..n).step_by(step as usize).map(one).collect())
}

/// At each terminal, of 8 at most, one message is left at the end of an exchange: for another destination than that of the last round (each of
/// 8 at most), or for this one, with a word more than it has rounds.
fn left_over(on: &Loadable, other: &Job, length: u32) -> Result<Vec<Phase>, Refusal> {
    let (n, short) = (on.shape().terminals(), drawn(on, 9, &[1])?);
    let one = |terminal: u32, dest: u32, words: u32| {
        let mut left = short.clone();
        left.words[(terminal * n + dest) as usize] = words;
        phase("a message that is left at the end of an exchange", &[&left, other], length, 9)
    };
    let each = |terminal: u32| {
        let dest = u32::from(short.program.entries[0].to[terminal as usize]);
        let more = (length > 1).then(|| one(terminal, dest, 2));
        let others = if n <= 8 { 1..n } else { 1..2 };
        more.into_iter().chain(others.map(move |next| one(terminal, (dest + next) % n, 1)))
    };
    Ok((0..n).step_by(n.div_ceil(8) as usize).flat_map(each).collect())
}

/// A start in each cycle, of 24 at most, of three exchanges: before sets and programs are complete, while sets wait, while words are sent, and at the end.
fn any_start(on: &Loadable, length: u32) -> Result<Vec<Phase>, Refusal> {
    let jobs = [drawn(on, 51, &[2, 1])?, drawn(on, 52, &[1])?, drawn(on, 53, &[3])?];
    let cycles: u64 =
        jobs.iter().map(|job| job.program.words().len() as u64 + job.program.rounds() + 6).sum();
    let one = |early| Phase {
        early: Some(early),
        ..phase("a start in any cycle", &[&jobs[0], &jobs[1], &jobs[2]], length, 13)
    };
    Ok((0..cycles).step_by(cycles.div_ceil(24) as usize).map(one).collect())
}

/// The longest messages, from each terminal to two others, in both banks: so many exchanges that short memories are used in every place.
fn longest(on: &Loadable, length: u32, seed: u64) -> Result<Phase, Refusal> {
    let exchanges = if length <= 16 { 24 } else { 4 };
    let jobs =
        (0..exchanges).map(|job| drawn(on, seed + job, &[length; 2])).collect::<Result<Vec<_>, _>>()?;
    let jobs: Vec<&Job> = jobs.iter().collect();
    Ok(phase("the longest messages", &jobs, length, 12))
}

/// Exchanges of one round or two, of a word each: as many under way as may be, while outputs take their words at once, now and then, or seldom.
fn brief(on: &Loadable, length: u32) -> Result<Vec<Phase>, Refusal> {
    let one = |(seed, taking): (u64, u32)| {
        let runs = |job: u64| if job % 3 == seed % 3 { vec![1, 1] } else { vec![1] };
        let jobs = (0..8).map(|job| drawn(on, 200 + 10 * seed + job, &runs(job)));
        let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
        let jobs: Vec<&Job> = jobs.iter().collect();
        Ok(Phase { taking, ..phase("exchanges of one round and of two", &jobs, length, 14 + seed) })
    };
    (0..).zip([ALWAYS, ALWAYS, 128, 40, 20]).map(one).collect()
}

/// A switch of the last stage is set the wrong way, and only the words for this terminal go astray.
fn astray(on: &Loadable, other: &Job, length: u32, terminal: u32) -> Result<Phase, Refusal> {
    let mut wrong = drawn(on, 77 + u64::from(terminal), &[length.min(3)])?;
    let states = wrong.program.entries[0].states.last_mut().expect("a network has a stage");
    let state = &mut states[on.last_switch(TerminalIdx(terminal)) as usize];
    *state = SwitchState::from_bit(!state.bit());
    let n = on.shape().terminals();
    let meant = |(pair, words): (u32, &mut u32)| *words *= u32::from(pair % n == terminal);
    (0..).zip(&mut wrong.words).for_each(meant);
    Ok(phase("a switch that is set the wrong way", &[other, &wrong, other], length, 10))
}

/// A program that is cut off, before whole ones.
fn cut_off(some: &Job, other: &Job, length: u32) -> Phase {
    let mut phase = phase("a program that is cut off", &[some, other], length, 11);
    let words = other.program.words();
    phase.programs.splice(0..0, beats(&words[..words.len() - 1]));
    phase
}
