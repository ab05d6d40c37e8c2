//! A network whose schedule is loaded, cycle by cycle, from its contract: when programs are taken and exchanges start, when each word
//! arrives and where, and which errors are seen. It knows nothing of counters and memories.
//!
//! Entry j is read in cycle X_j, stands in the output of the memory from cycle Q_j on, is next from cycle N_j on and sets the network in
//! the run_j cycles from C_j on. A start in cycle t gives X_0 = t + 1, and
//!
//! Q_j = max(X_j + 1, N_{j−1}), N_j = max(Q_j + 1, C_{j−1}), C_j = max(N_j + 1, C_{j−1} + run_{j−1}), X_{j+1} = Q_j.
//!
//! In a round of cycle c terminals are asked for words, in cycle c + 1 they give them, and in cycle c + S + 1, with S
//! stages of switches, the words arrive.

pub mod script;
pub mod trials;

use crate::event::{self, marks};
use frit_demand::loadable::{Job, Loadable};
use frit_demand::program::{Entry, MAX_RUN, Program, Shape};
use frit_network::Refusal;
use frit_traffic::drawn::{block, draw, hexadecimal};
use script::{AFTER, Beat, Phase, phases, seed};
use std::ops::Range;
use trials::trials;

marks! {
    /// What can be seen at the ports.
    LoadedMark {
        /// An exchange is started.
        Start = "start",
        /// `error_load_o` rises.
        Load = "load" at "error_load_o",
        /// `error_start_o` rises.
        Early = "early" at "error_start_o",
        /// `error_stray_o` rises.
        Stray = "stray" at "error_stray_o",
        /// The last round of an exchange arrives.
        Done = "done" at "done_o",
        /// A word arrives.
        Word = "word",
    }
}

/// Something seen at the ports.
pub type Event = event::Event<LoadedMark>;

/// A phase that was run.
pub type LoadedRun = event::PhaseRun<LoadedMark>;

/// Hardware, and what is done with it and seen there.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The network, and its memory.
    pub on: Loadable,
    /// Bits of a word.
    pub width: u32,
    /// The program of the demand.
    pub program: Program,
    /// What is done.
    pub phases: Vec<Phase>,
    /// How many of the phases all engines run; the emitted testbench runs the others alone.
    pub compared: usize,
    /// How many of these, the last ones, it runs only if it is asked to.
    pub long: usize,
    /// What is seen in each phase.
    pub ran: Vec<LoadedRun>,
}

impl Trial {
    /// The trial of a job, beside another one.
    ///
    /// # Errors
    ///
    /// If a program does not fit the memory.
    pub fn new(on: Loadable, width: u32, jobs: [Job; 2]) -> Result<Trial, Refusal> {
        let mut phases = phases(&on, &jobs)?;
        let compared = phases.len();
        phases.extend(trials(&on)?);
        let long = trials::long(&on)?;
        phases.extend_from_slice(&long);
        let ran = run(&on, width, &phases);
        let [Job { program, .. }, _] = jobs;
        Ok(Trial { on, width, program, phases, compared, long: long.len(), ran })
    }

    /// The sizes.
    pub fn shape(&self) -> Shape {
        self.on.shape()
    }

    /// All that every engine sees.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.ran[..self.compared].iter().flat_map(|ran| &ran.events)
    }
}

/// The word number `k` of a pair of terminals in hexadecimal.
pub fn data(shape: Shape, width: u32, phase: usize, (source, destination): (u32, u32), k: u32) -> String {
    let pair = source * shape.terminals() + destination;
    hexadecimal(1, width, |_, part| block(phase as u64, pair.into(), k.into(), part.into()))
}

/// Runs all phases, with words of `width` bits.
pub fn run(on: &Loadable, width: u32, phases: &[Phase]) -> Vec<LoadedRun> {
    phases.iter().enumerate().map(|(at, phase)| Model::new(on, width, at, phase).run()).collect()
}

/// A program on its way into a bank.
#[derive(Default)]
struct Loading {
    words: Vec<u32>,
    dropping: bool,
    full: Option<Program>,
    /// The cycle from which on a program that is complete is known to be so. No word is taken in the one before.
    known: u64,
}

/// An entry that has its cycles.
#[derive(Clone, Copy, Default)]
struct Placed {
    read: u64,
    next: u64,
    first: u64,
    run: u64,
}

/// What loads programs and starts them.
#[derive(Default)]
pub(crate) struct Loader {
    loading: Loading,
    /// The last entry of the exchanges that were started.
    before: Placed,
}

impl Loader {
    /// Whether an exchange can be started.
    pub fn may_start(&self, cycle: u64) -> bool {
        self.loading.full.is_some() && cycle >= self.loading.known.max(self.before.read)
    }

    /// Whether a beat of a program is taken if one is offered.
    pub fn takes(&self, cycle: u64) -> bool {
        self.loading.full.is_none() && cycle + 1 != self.loading.known
    }

    /// A beat is taken; the cycle in which the error rises, if it is one.
    pub fn beat(&mut self, shape: Shape, cycle: u64, beat: Beat) -> Option<u64> {
        // Through the register of the word, and that of what it comes to.
        let known = cycle + 2;
        if beat.last {
            self.loading.known = known;
        }
        if self.loading.dropping {
            self.loading.dropping = !beat.last;
            return None;
        }
        self.loading.words.push(beat.word);
        let words = &self.loading.words;
        let (count, beats) = (words[0], shape.beats() as usize);
        let length = 1 + count as usize * beats;
        let fits = (1..=shape.entries()).contains(&count.into());
        let begins = words.len() > 1 && (words.len() - 2).is_multiple_of(beats);
        let no_round = begins && beat.word & MAX_RUN == 0;
        if !fits || no_round || beat.last != (words.len() == length) {
            self.loading = Loading { dropping: !beat.last, known: self.loading.known, ..Loading::default() };
            return Some(known);
        }
        if beat.last {
            let program = Program::read(shape, words).expect("its words were counted");
            self.loading = Loading { full: Some(program), known, ..Loading::default() };
        }
        None
    }

    /// An exchange starts: its entries with the cycles of their rounds.
    pub fn start(&mut self, cycle: u64) -> Vec<(Entry, Range<u64>)> {
        let program = self.loading.full.take().expect("a program is loaded");
        let mut address = cycle + 1;
        let place = |entry: Entry| {
            let before = self.before;
            let read = (address + 1).max(before.next);
            let next = (read + 1).max(before.first);
            let first = (next + 1).max(before.first + before.run);
            self.before = Placed { read, next, first, run: entry.run.into() };
            address = read;
            let rounds = first..first + u64::from(entry.run);
            (entry, rounds)
        };
        program.entries.into_iter().map(place).collect()
    }
}

struct Model<'a> {
    on: &'a Loadable,
    shape: Shape,
    width: u32,
    at: usize,
    phase: &'a Phase,
    loader: Loader,
    started: usize,
    /// Words of each pair that were sent.
    sent: Vec<u32>,
    events: Vec<Event>,
    /// The cycle of the last one.
    last: u64,
}

impl<'a> Model<'a> {
    fn new(on: &'a Loadable, width: u32, at: usize, phase: &'a Phase) -> Self {
        let shape = on.shape();
        let sent = vec![0; (shape.terminals() * shape.terminals()) as usize];
        let (loader, events) = (Loader::default(), Vec::new());
        Model { on, shape, width, at, phase, loader, started: 0, sent, events, last: 0 }
    }

    fn run(mut self) -> LoadedRun {
        let (mut taken, mut offering, mut state) = (0, false, seed(self.at));
        let mut cycle = 0;
        loop {
            state = draw(state);
            offering |= taken < self.phase.beats.len() && state & 0xff < self.phase.offering;
            let may = self.loader.may_start(cycle);
            let early = self.phase.early == Some(cycle);
            let wanted = self.started < self.phase.words.len();
            let takes = offering && self.loader.takes(cycle);
            if may && (early || wanted && state >> 8 & 0xff < self.phase.starting) {
                self.start(cycle);
            } else if early {
                self.note(cycle + 1, LoadedMark::Early);
            }
            if takes {
                if let Some(known) = self.loader.beat(self.shape, cycle, self.phase.beats[taken]) {
                    self.note(known, LoadedMark::Load);
                }
                (offering, taken) = (false, taken + 1);
            }
            cycle += 1;
            let over = taken == self.phase.beats.len() && self.started == self.phase.words.len();
            let ends = self.phase.cut.unwrap_or(self.last + AFTER);
            if cycle >= ends && (over || self.phase.cut.is_some()) {
                break;
            }
            assert!(cycle < 1 << 32, "a phase ends");
        }
        self.events.retain(|event| event.cycle < cycle);
        self.events.sort();
        LoadedRun { events: self.events, cycles: cycle }
    }

    /// An error or a mark; an error stays, so it rises once.
    fn note(&mut self, cycle: u64, what: LoadedMark) {
        self.last = self.last.max(cycle);
        let same = self.events.iter_mut().find(|event| event.what == what);
        match same.filter(|_| matches!(what, LoadedMark::Load | LoadedMark::Early | LoadedMark::Stray)) {
            Some(event) => event.cycle = event.cycle.min(cycle),
            None => self.events.push(Event::mark(self.at, cycle, what)),
        }
    }

    /// An exchange starts: all its rounds have their cycles.
    fn start(&mut self, cycle: u64) {
        self.note(cycle, LoadedMark::Start);
        let mut left =
            self.phase.words.get(self.started).cloned().unwrap_or_else(|| vec![0; self.sent.len()]);
        self.started += 1;
        let mut last = cycle;
        for (entry, rounds) in self.loader.start(cycle) {
            let reached = self.on.reached(&entry.states);
            last = rounds.end - 1;
            // What comes behind the end of the phase is not seen.
            for round in rounds.start..rounds.end.min(self.phase.cut.unwrap_or(u64::MAX)) {
                self.round(round, &entry.to, &reached, &mut left);
            }
        }
        self.note(last + u64::from(self.shape.latency()), LoadedMark::Done);
    }

    /// A round: each terminal sends a word if it has one for the destination that the round names.
    fn round(&mut self, cycle: u64, to: &[u16], reached: &[u32], left: &mut [u32]) {
        let arrives = cycle + u64::from(self.shape.latency());
        for (source, &destination) in (0..).zip(to) {
            let pair = (source * self.shape.terminals() + u32::from(destination)) as usize;
            if left[pair] == 0 {
                continue;
            }
            left[pair] -= 1;
            let k = self.sent[pair];
            self.sent[pair] += 1;
            let terminal = reached[source as usize];
            if terminal != u32::from(destination) {
                // Through the register of the terminal and that of the error.
                self.note(arrives + 2, LoadedMark::Stray);
                continue;
            }
            let data = data(self.shape, self.width, self.at, (source, terminal), k);
            let (phase, what) = (self.at, LoadedMark::Word);
            self.events.push(Event { phase, cycle: arrives, what, place: terminal, source, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loaded::script::STEADY;
    use frit_demand::demand::Demand;
    use frit_demand::generate::{Kind, generate};
    use frit_demand::peel::{Held, permutations};
    use std::collections::BTreeMap;

    fn ran(terminals: u32, kind: &Kind, seed: u64) -> (Demand, Vec<Phase>, Vec<LoadedRun>) {
        let demand = generate(kind, terminals.into(), seed).unwrap();
        let held = permutations(&demand);
        let shape = Shape::holding(terminals.into(), held.len() as u64).unwrap();
        let on = Loadable::benes(shape);
        let phases = phases(&on, &Job::permutations(shape, &demand, &held).unwrap()).unwrap();
        let ran = run(&on, 16, &phases);
        (demand, phases, ran)
    }

    fn count(ran: &LoadedRun, what: LoadedMark) -> usize {
        ran.events.iter().filter(|event| event.what == what).count()
    }

    #[test]
    fn every_word_of_a_demand_arrives_once() {
        let (demand, _, ran) = ran(8, &Kind::Zipf { words: 30, exponent: 1.0 }, 5);
        let mut got: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let done =
            ran[2].events.iter().filter(|event| event.what == LoadedMark::Done).map(|event| event.cycle);
        let [first, second] = done.collect::<Vec<_>>()[..] else { panic!("two exchanges") };
        assert!(first < second && ran[2].cycles == second + AFTER);
        for event in
            ran[2].events.iter().filter(|event| event.what == LoadedMark::Word && event.cycle <= first)
        {
            *got.entry((event.source, event.place)).or_default() += 1;
        }
        let due: BTreeMap<_, _> = demand.pairs().map(|(from, to, words)| ((from, to), words)).collect();
        assert_eq!(got, due);
    }

    #[test]
    fn rounds_follow_each_other_without_a_gap() {
        let (demand, _, ran) = ran(4, &Kind::Uniform { words: 20 }, 1);
        let of = |what| ran[1].events.iter().filter(move |event| event.what == what).map(|event| event.cycle);
        let (starts, done): (Vec<u64>, Vec<u64>) =
            (of(LoadedMark::Start).collect(), of(LoadedMark::Done).collect());
        // Idle at its start: C_0 = t + 4, and the last word of h rounds arrives 2n cycles after the last round.
        assert_eq!(done[0], starts[0] + 4 + u64::from(demand.h()) - 1 + 4);
        // One cycle is lost at most between two exchanges.
        assert!((0..2).contains(&(done[1] - done[0] - u64::from(demand.h()))), "{starts:?} {done:?}");
    }

    #[test]
    fn each_damage_is_an_error_and_the_next_exchange_is_whole() {
        let (_, phases, ran) = ran(8, &Kind::Uniform { words: 20 }, 3);
        for (phase, ran) in phases.iter().zip(&ran) {
            let errors =
                [LoadedMark::Load, LoadedMark::Early, LoadedMark::Stray].map(|what| count(ran, what));
            let due = match phase.what {
                "a start before a program is loaded" => [0, 1, 0],
                what if what.starts_with("a start in any cycle") => [0, count(ran, LoadedMark::Early), 0],
                "a switch that is set the wrong way" | "a reset while words go astray" => [0, 0, 1],
                what if what.starts_with("a program ")
                    || what.starts_with("programs that ")
                    || what.starts_with("an entry ") =>
                {
                    [1, 0, 0]
                }
                _ => [0, 0, 0],
            };
            assert_eq!(errors, due, "{}", phase.what);
            if phase.cut.is_none() {
                assert_eq!(count(ran, LoadedMark::Start), phase.words.len(), "{}", phase.what);
                assert_eq!(count(ran, LoadedMark::Done), phase.words.len(), "{}", phase.what);
                let due: u32 = phase.words.iter().flatten().sum();
                // Two words of one terminal go astray.
                let lost = if errors[2] == 1 { 2 } else { 0 };
                assert_eq!(count(ran, LoadedMark::Word) as u32, due - lost, "{}", phase.what);
            }
        }
        assert!(count(&ran[0], LoadedMark::Word) > 0 && count(&ran[0], LoadedMark::Done) == 0);
    }

    #[test]
    fn an_event_is_read_as_it_was_written() {
        let (_, _, ran) = ran(4, &Kind::Uniform { words: 5 }, 1);
        for event in ran.iter().flat_map(|ran| &ran.events) {
            assert_eq!(Event::read(&event.line()).as_ref(), Some(event));
        }
        assert_eq!(Event::read("0,1,never,0,0,"), None);
    }

    #[test]
    fn entries_of_one_round_follow_each_other() {
        let shape = Shape::new(4, 8).unwrap();
        let held: Vec<Held> =
            (0..6).map(|k| Held { to: (0..4).map(|i| i ^ (k % 4)).collect(), hold: 1 }).collect();
        let program = Program::new(shape, &held).unwrap();
        let words = program.words();
        let beat = |(at, &word): (usize, &u32)| Beat { word, last: at + 1 == words.len() };
        let mut demand = vec![0; 16];
        held.iter().for_each(|held| (0..4).for_each(|i| demand[4 * i + usize::from(held.to[i])] += 1));
        let phase = Phase {
            what: "one",
            beats: words.iter().enumerate().map(beat).collect(),
            offering: STEADY,
            starting: STEADY,
            early: None,
            words: vec![demand],
            cut: None,
        };
        let ran = run(&Loadable::benes(shape), 8, &[phase]);
        let mut cycles: Vec<u64> = ran[0]
            .events
            .iter()
            .filter(|event| event.what == LoadedMark::Word)
            .map(|event| event.cycle)
            .collect();
        assert_eq!(cycles.len(), 24);
        cycles.dedup();
        assert_eq!(cycles.len() as u64, cycles.last().unwrap() - cycles[0] + 1);
    }
}
