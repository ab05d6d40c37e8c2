//! What is seen at the ports of a crossbar, cycle by cycle, from its contract. It knows nothing of switches, counters and memories.
//!
//! A write whose halves are both offered in cycle c takes effect in cycle c + 1, and its response comes in cycle c + 2; while a commit is
//! under way writes wait. The word of a read whose address is offered in cycle c comes in cycle c + 3, with the value of cycle c + 1. A commit that takes effect in cycle t closes all inputs from cycle t + 1 on. Inputs that lead to an output which
//! wants them are open again from cycle t + 2S + n + 3 on, with S stages of switches and n bits of a terminal's number. An open input is ready in a cycle
//! if its output had room S + 1 cycles before. A word that is taken in cycle c comes to the queue of its output in cycle c + S.

pub mod script;
#[cfg(test)]
mod tests;

use crate::event::{self, marks};
use crate::loaded::script::seed;
use frit_demand::crossbar::{COMMIT, OFF, Shape, address, unpacked};
use frit_demand::loadable::Loadable;
use frit_demand::program;
use frit_traffic::drawn::{block, draw, hexadecimal};
use script::{Access, Phase, phases, picks};
use std::collections::VecDeque;

marks! {
    /// What can be seen at the ports.
    CrossbarMark {
        /// An address or the word of an access is taken; the place is 1 for the address of a write, 2 for its word, 4 for the address of a
        /// read, or their sum.
        Taken = "taken",
        /// The response to a write is offered.
        Response = "response",
        /// The word of a read is offered.
        Read = "read",
        /// `error_o` rises.
        Error = "error",
        /// `error_o` falls.
        Cleared = "cleared",
        /// An input takes a word.
        In = "in",
        /// A word is taken from an output.
        Out = "out",
    }
}

/// Something seen at the ports.
pub type Event = event::Event<CrossbarMark>;

/// A phase that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossbarRun {
    /// Its events.
    pub events: Vec<Event>,
    /// From this cycle on no input begins an offer, and all outputs are taken.
    pub quiet: u64,
    /// Its cycles.
    pub cycles: u64,
}

/// A crossbar, and what is done with it and seen there.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The sizes.
    pub shape: Shape,
    /// Bits of a word.
    pub width: u32,
    /// The sources of the first phase with words.
    pub sources: Vec<Option<u32>>,
    /// What is done.
    pub phases: Vec<Phase>,
    /// What is seen in each phase.
    pub ran: Vec<CrossbarRun>,
}

impl Trial {
    /// The trial of these sources, beside others.
    pub fn new(shape: Shape, width: u32, sources: Vec<Option<u32>>) -> Trial {
        let phases = phases(shape, &sources);
        let ran =
            phases.iter().enumerate().map(|(at, phase)| Model::new(shape, width, at, phase).run()).collect();
        Trial { shape, width, sources, phases, ran }
    }

    /// All that every engine sees.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.ran.iter().flat_map(|ran| &ran.events)
    }
}

/// Whether word `k` of an input is the last of its message.
pub fn last(phase: usize, input: u32, k: u32) -> bool {
    block(phase as u64, input.into(), k.into(), 99) & 3 == 0
}

/// Word `k` of an input and its `tlast`, as ports of up to 64 bits have them.
pub fn word(width: u32, phase: usize, input: u32, k: u32) -> [u64; 2] {
    let part = |at| u128::from(part(width, phase, input, k, at)) << (32 * at);
    let bits: u128 = (0..=width / 32).map(part).sum();
    [bits as u64 & u64::MAX >> (64 - width), (bits >> width) as u64 & 1]
}

/// Bits 32·`part` and up of word `k` of an input, with its `tlast` above the word.
pub fn part(width: u32, phase: usize, input: u32, k: u32, part: u32) -> u32 {
    part_with(width, phase, input, k, part, last(phase, input, k))
}

/// The same with this `tlast`.
pub fn part_with(width: u32, phase: usize, input: u32, k: u32, part: u32, last: bool) -> u32 {
    let word = block(phase as u64, input.into(), k.into(), part.into());
    match width / 32 == part {
        true => word & !(u32::MAX << (width % 32)) | u32::from(last) << (width % 32),
        false => word,
    }
}

/// An output: its words on the way, in the queue and at the port.
#[derive(Default)]
struct Output {
    /// The cycle in which a word comes to the queue; the word.
    coming: VecDeque<(u64, (u32, u32))>,
    queue: VecDeque<(u32, u32)>,
    shown: Option<(u32, u32)>,
    /// Words that came up to each cycle, and those that left the queue.
    came: Vec<u32>,
    left: Vec<u32>,
}

impl Output {
    /// Whether there is room in a cycle: of words that came two cycles before, and that left the queue three cycles before.
    fn room(&self, cycle: i64, limit: u32) -> bool {
        let at = |counts: &[u32], cycle: i64| usize::try_from(cycle).map_or(0, |cycle| counts[cycle]);
        at(&self.came, cycle - 2) - at(&self.left, cycle - 3) < limit
    }

    /// A cycle passes.
    fn step(&mut self, cycle: u64, taken: bool) {
        let leaves = !self.queue.is_empty() && (taken || self.shown.is_none());
        self.shown = match leaves {
            true => self.queue.pop_front(),
            false => self.shown.filter(|_| !taken),
        };
        let comes = self.coming.front().is_some_and(|(due, _)| *due == cycle);
        if comes {
            self.queue.extend(self.coming.pop_front().map(|(_, word)| word));
        }
        let count = |counts: &[u32], more| counts.last().copied().unwrap_or(0) + u32::from(more);
        self.came.push(count(&self.came, comes));
        self.left.push(count(&self.left, leaves));
    }
}

/// The host: the access that it offers, and the responses that it has not taken.
struct Host {
    /// Which access.
    at: usize,
    /// The cycle from which on it is offered.
    begins: u64,
    /// The cycle in which it is taken: a write takes effect, and a read has the value of this cycle.
    taken: Option<u64>,
    /// The first cycles of the responses to a write and to a read that are due or wait.
    due: [Option<u64>; 2],
}

struct Model<'a> {
    shape: Shape,
    width: u32,
    at: usize,
    phase: &'a Phase,
    on: Loadable,
    host: Host,
    /// What the registers hold: sources, settings.
    wanted: Vec<u32>,
    settings: Vec<u32>,
    /// The cycle in which the last commit took effect, and what it leads to.
    commit: Option<u64>,
    leads: Vec<Option<u32>>,
    wrong: bool,
    offered: Vec<bool>,
    sent: Vec<u32>,
    outputs: Vec<Output>,
    events: Vec<Event>,
}

impl<'a> Model<'a> {
    fn new(shape: Shape, width: u32, at: usize, phase: &'a Phase) -> Self {
        let n = shape.terminals() as usize;
        let on =
            Loadable::benes(program::Shape::new(n as u64, 2).expect("a crossbar has the size of a network"));
        let begins = phase.accesses.first().map_or(0, |access| access.pause.into());
        Model {
            shape,
            width,
            at,
            phase,
            on,
            host: Host { at: 0, begins, taken: None, due: [None; 2] },
            wanted: vec![OFF; n],
            settings: vec![0; shape.setting_words().len()],
            commit: None,
            leads: vec![None; n],
            wrong: false,
            offered: vec![false; n],
            sent: vec![0; n],
            outputs: (0..n).map(|_| Output::default()).collect(),
            events: Vec::new(),
        }
    }

    fn run(mut self) -> CrossbarRun {
        let (mut state, mut cycle) = (seed(self.at), 0);
        let mut quiet = if self.phase.accesses.is_empty() { self.phase.run } else { u64::MAX };
        let ends = loop {
            let end = self.phase.cut.unwrap_or(quiet.saturating_add(self.shape.drain()));
            if cycle == end {
                break end;
            }
            state = draw(state);
            self.streams(cycle, state, cycle >= quiet);
            let responses =
                [0, 1].map(|lane| picks(state, 2 * self.shape.terminals() + lane, self.phase.answering));
            if self.host(cycle, responses) {
                quiet = cycle + self.phase.run;
            }
            if self.wrong && self.age(cycle) == Some(u64::from(self.shape.last_age())) {
                self.note(cycle, CrossbarMark::Error, 0, String::new());
            }
            cycle += 1;
        };
        self.events.retain(|event| event.cycle < ends);
        self.events.sort();
        CrossbarRun { events: self.events, quiet, cycles: ends }
    }

    fn note(&mut self, cycle: u64, what: CrossbarMark, place: u32, data: String) {
        self.events.push(Event { phase: self.at, cycle, what, place, source: 0, data });
    }

    /// Cycles since the last commit took effect.
    fn age(&self, cycle: u64) -> Option<u64> {
        self.commit.map(|commit| cycle - commit)
    }

    fn busy(&self, cycle: u64) -> bool {
        self.age(cycle).is_some_and(|age| (1..=self.shape.last_age().into()).contains(&age))
    }

    /// The output to which an open input leads.
    fn open(&self, cycle: u64, input: u32) -> Option<u32> {
        let age = self.age(cycle)?;
        self.leads[input as usize].filter(|_| age >= u64::from(self.shape.opens()))
    }

    /// The inputs and the outputs in a cycle.
    fn streams(&mut self, cycle: u64, state: u32, quiet: bool) {
        let n = self.shape.terminals();
        for input in 0..n {
            let begins = !quiet && picks(state, input, self.phase.offering);
            let at = input as usize;
            self.offered[at] |= begins;
            let said = cycle as i64 - i64::from(self.shape.groups()) - 1;
            let Some(output) = self.open(cycle, input) else { continue };
            if self.offered[at] && self.outputs[output as usize].room(said, self.shape.limit()) {
                let word = (input, self.sent[at]);
                self.outputs[output as usize]
                    .coming
                    .push_back((cycle + u64::from(self.shape.groups()), word));
                self.note(cycle, CrossbarMark::In, input, self.data(word));
                self.sent[at] += 1;
                self.offered[at] = false;
            }
        }
        for output in 0..n {
            let taken = quiet || picks(state, n + output, self.phase.taking);
            if let Some(word) = self.outputs[output as usize].shown.filter(|_| taken) {
                self.note(cycle, CrossbarMark::Out, output, self.data(word));
            }
            self.outputs[output as usize].step(cycle, taken);
        }
    }

    fn data(&self, (input, k): (u32, u32)) -> String {
        hexadecimal(1, self.width + 1, |_, at| part(self.width, self.at, input, k, at))
    }

    /// The host in a cycle; whether its last access ends.
    fn host(&mut self, cycle: u64, takes: [bool; 2]) -> bool {
        let Some(&access) = self.phase.accesses.get(self.host.at) else { return false };
        let [to_write, to_read] = self.host.due;
        // No access is taken in the cycle in which the response to the one before is.
        let waits = access.write && to_write.is_some() || access.read && to_read.is_some();
        for (due, takes) in self.host.due.iter_mut().zip(takes) {
            *due = due.filter(|first| cycle < *first || !takes);
        }
        let late = access.late.into_iter().max().unwrap_or(0);
        if self.host.taken.is_none() {
            let refused = waits || access.write && self.busy(cycle);
            if cycle >= self.host.begins + u64::from(late) && !refused {
                self.host.taken = Some(cycle + 1);
                if access.write {
                    self.host.due[0] = Some(cycle + 2);
                }
                if access.read {
                    self.host.due[1] = Some(cycle + 3);
                }
            }
        } else if self.host.taken == Some(cycle) {
            self.take(cycle, access);
        }
        let Some(taken) = self.host.taken.filter(|taken| *taken <= cycle) else { return false };
        let next = self.phase.accesses.get(self.host.at + 1);
        if next.is_some_and(|next| next.overlaps && taken == cycle) || self.host.due == [None; 2] {
            self.host.at += 1;
            self.host.begins = cycle + 1 + next.map_or(0, |next| u64::from(next.pause));
            self.host.taken = None;
        }
        self.host.at == self.phase.accesses.len()
    }

    /// An access is taken.
    fn take(&mut self, cycle: u64, access: Access) {
        let place = u32::from(access.write) * 3 + u32::from(access.read) * 4;
        self.note(cycle, CrossbarMark::Taken, place, String::new());
        if access.read {
            let value = self.value(cycle, access.address);
            let data = format!("{:08x}", value.unwrap_or(0));
            self.note(cycle + 2, CrossbarMark::Read, if value.is_some() { 0 } else { 2 }, data);
        }
        if access.write {
            let okay = access.strobes == 15 && self.write(cycle, access.address, access.word);
            self.note(cycle + 1, CrossbarMark::Response, if okay { 0 } else { 2 }, String::new());
        }
    }

    /// The place of a register of a list.
    fn index(&self, byte: u32, from: u32, count: u32) -> Option<usize> {
        let word = (byte / 4).checked_sub(from / 4)?;
        (word < count).then_some(word as usize)
    }

    /// A write takes effect, unless it is refused.
    fn write(&mut self, cycle: u64, byte: u32, word: u32) -> bool {
        let settings = self.shape.setting_words();
        if byte / 4 == address::CONTROL / 4 {
            if word & COMMIT != 0 {
                self.begin(cycle);
            }
            true
        } else if let Some(at) = self.index(byte, address::SOURCE, self.shape.terminals()) {
            let fits = word & !OFF < self.shape.terminals();
            self.wanted[at] = if fits { word } else { self.wanted[at] };
            fits
        } else if let Some(at) = self.index(byte, address::SETTINGS, settings.len() as u32) {
            let fits = u64::from(word) < 1 << settings[at];
            self.settings[at] = if fits { word } else { self.settings[at] };
            fits
        } else {
            false
        }
    }

    /// A commit takes effect.
    fn begin(&mut self, cycle: u64) {
        self.commit = Some(cycle);
        if std::mem::take(&mut self.wrong) {
            self.note(cycle + 1, CrossbarMark::Cleared, 0, String::new());
        }
        let reached = self.on.reached(&unpacked(self.shape, &self.settings));
        for (input, output) in (0..).zip(reached) {
            let wanted = self.wanted[output as usize];
            self.leads[input as usize] = (wanted == input).then_some(output);
            self.wrong |= wanted & OFF == 0 && wanted != input;
        }
    }

    /// What a register reads.
    fn value(&self, cycle: u64, byte: u32) -> Option<u32> {
        let settings = self.settings.len() as u32;
        let at = |from, count| self.index(byte, from, count);
        if byte / 4 == address::CONTROL / 4 {
            Some(u32::from(self.busy(cycle)) << 1)
        } else if byte / 4 == address::STATUS / 4 {
            let told = self.age(cycle).is_some_and(|age| age >= self.shape.last_age().into());
            Some(u32::from(self.wrong && told))
        } else if let Some(word) = at(address::OPEN, self.shape.open_words()) {
            let first = 32 * word as u32;
            let inputs = first..self.shape.terminals().min(first + 32);
            Some(inputs.map(|input| u32::from(self.open(cycle, input).is_some()) << (input - first)).sum())
        } else if let Some(at) = at(address::SOURCE, self.shape.terminals()) {
            Some(self.wanted[at])
        } else {
            at(address::SETTINGS, settings).map(|at| self.settings[at])
        }
    }
}
