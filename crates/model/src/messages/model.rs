//! The ports of messages around a loaded schedule, cycle by cycle.

use super::script::{Phase, Word, lanes};
use super::{Event, MessageMark, MessagesRun, data};
use crate::crossbar::script::picks;
use crate::loaded::Loader;
use crate::loaded::script::{AFTER, seed};
use frit_demand::loadable::Loadable;
use frit_demand::program::Shape;
use frit_traffic::drawn::draw;
use std::collections::VecDeque;

/// A word on its way: its terminal and number there, and whether it is the last of its message.
#[derive(Clone, Copy, Debug)]
struct Flit {
    source: u32,
    k: u32,
    last: bool,
}

#[derive(Default)]
struct Input {
    /// Beats that were taken.
    taken: usize,
    offering: bool,
    /// The beat that is held, and its number.
    held: Option<(Word, u32)>,
    full: bool,
    /// The message that has begun, or what of it is dropped.
    message: Option<Vec<Flit>>,
    dropping: bool,
    /// The messages of the set that is loaded, by destination.
    set: Vec<Option<VecDeque<Flit>>>,
    /// The messages of the set whose exchange runs.
    sending: Vec<Option<VecDeque<Flit>>>,
}

impl Input {
    /// The beat that was held is stored; whether there is an error.
    fn store(&mut self, source: u32, length: u32) -> bool {
        let Some((word, k)) = self.held.filter(|_| !self.full) else { return false };
        let mut wrong = false;
        let begun = self.message.is_some() || self.dropping;
        if !word.empty {
            let message = self.message.get_or_insert_default();
            let twice = !begun && self.set[word.dest as usize].is_some();
            if !self.dropping && !twice {
                let ends = message.len() as u32 + 1 == length;
                message.push(Flit { source, k, last: word.last || ends });
                wrong |= ends && !word.last;
                if word.last || ends {
                    self.set[word.dest as usize] = self.message.take().map(VecDeque::from);
                }
                self.dropping = ends && !word.last;
            } else {
                self.dropping = !word.last;
                self.message = None;
            }
            wrong |= twice;
        }
        if word.set {
            wrong |= if word.empty { begun } else { !word.last };
            (self.message, self.dropping, self.full) = (None, false, true);
        }
        wrong
    }
}

/// A message that has arrived.
struct Arrived {
    bank: bool,
    words: VecDeque<Flit>,
}

#[derive(Default)]
struct Output {
    /// Words of messages that are not complete, by source.
    parts: Vec<Vec<Flit>>,
    queue: VecDeque<Arrived>,
    /// The message that arrived in the last cycle.
    arrived: Option<Arrived>,
    /// The message that leaves; the word of it behind the one that is offered; the one that is offered.
    leaving: Option<Arrived>,
    read: Option<Flit>,
    shown: Option<Flit>,
    /// Whether messages of each bank are there, or come.
    held: [bool; 2],
}

/// A round that is due.
struct Round {
    cycle: u64,
    to: Vec<u16>,
    reached: Vec<u32>,
    last: bool,
}

pub(super) struct Model<'a> {
    on: &'a Loadable,
    shape: Shape,
    width: u32,
    length: u32,
    at: usize,
    phase: &'a Phase,
    loader: Loader,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    rounds: VecDeque<Round>,
    /// Words under way: the cycle of their arrival, and where.
    coming: VecDeque<(u64, u32, Flit)>,
    done: VecDeque<u64>,
    control: Control,
    events: Vec<Event>,
    last: u64,
}

/// What the control knows.
#[derive(Default)]
struct Control {
    started: u32,
    under_way: u32,
    complete: bool,
    room: bool,
    owed: bool,
    /// The sets were handed over in the last cycle.
    taken: bool,
    sending: bool,
    /// An exchange ended in the last cycle.
    ended: bool,
    /// Whether the outputs had messages of each bank, in the last cycle and in the one before.
    held: [[bool; 2]; 2],
    /// The banks of the next exchange and of the words that arrive.
    starting: bool,
    arriving: bool,
}

impl<'a> Model<'a> {
    pub(super) fn new(on: &'a Loadable, width: u32, length: u32, at: usize, phase: &'a Phase) -> Self {
        let shape = on.shape();
        let none = || (0..1usize << shape.terminal_bits()).map(|_| None).collect::<Vec<_>>();
        let input = |_| Input { set: none(), sending: none(), ..Input::default() };
        let output = |_| Output { parts: vec![Vec::new(); shape.terminals() as usize], ..Output::default() };
        Model {
            on,
            shape,
            width,
            length,
            at,
            phase,
            loader: Loader::default(),
            inputs: (0..shape.terminals()).map(input).collect(),
            outputs: (0..shape.terminals()).map(output).collect(),
            rounds: VecDeque::new(),
            coming: VecDeque::new(),
            done: VecDeque::new(),
            control: Control::default(),
            events: Vec::new(),
            last: 0,
        }
    }

    pub(super) fn run(mut self) -> MessagesRun {
        let [loading, starting] = lanes(self.shape.terminals());
        let (mut taken, mut offering, mut state) = (0, false, seed(self.at));
        let (mut cycle, mut started) = (0, false);
        loop {
            state = draw(state);
            offering |= taken < self.phase.programs.len() && picks(state, loading, self.phase.loading);
            let takes = offering && self.loader.takes(cycle);
            if started {
                self.begin(cycle);
            }
            started = self.start(cycle, picks(state, starting, self.phase.starting));
            if takes {
                if let Some(known) = self.loader.beat(self.shape, cycle, self.phase.programs[taken]) {
                    self.note(known, MessageMark::Load);
                }
                (offering, taken) = (false, taken + 1);
            }
            self.step(cycle, state, started);
            cycle += 1;
            let idle = taken == self.phase.programs.len()
                && self.control.started == self.phase.exchanges
                && self.idle();
            let ends = self.phase.cut.unwrap_or(self.last + AFTER);
            if cycle >= ends && (idle || self.phase.cut.is_some()) {
                break;
            }
            assert!(cycle < 1 << 24, "the phase {:?} ends", self.phase.what);
        }
        self.events.retain(|event| event.cycle < cycle);
        self.events.sort();
        MessagesRun { events: self.events, cycles: cycle }
    }

    /// Whether nothing is under way.
    fn idle(&self) -> bool {
        let read = |(input, words): (&Input, &Vec<Word>)| input.taken == words.len() && input.held.is_none();
        let empty = |output: &Output| {
            let waits = output.arrived.iter().chain(&output.queue).next();
            waits.is_none() && output.leaving.is_none() && output.read.is_none() && output.shown.is_none()
        };
        self.inputs.iter().zip(&self.phase.words).all(read)
            && self.outputs.iter().all(empty)
            && self.control.under_way == 0
    }

    /// An error or a mark; an error stays, so it rises once.
    fn note(&mut self, cycle: u64, what: MessageMark) {
        self.last = self.last.max(cycle);
        let same = self.events.iter_mut().find(|event| event.what == what);
        match same.filter(|_| !matches!(what, MessageMark::Start | MessageMark::Done)) {
            Some(event) => event.cycle = event.cycle.min(cycle),
            None => self.events.push(Event::mark(self.at, cycle, what)),
        }
    }

    fn word(&mut self, cycle: u64, what: MessageMark, terminal: u32, Flit { source, k, last }: Flit) {
        self.last = self.last.max(cycle);
        let data = data(self.width, self.at, source, k, last);
        let source = if what == MessageMark::In { 0 } else { source };
        self.events.push(Event { phase: self.at, cycle, what, place: terminal, source, data });
    }

    /// Whether an exchange is started in a cycle.
    fn start(&mut self, cycle: u64, picked: bool) -> bool {
        let can = self.loader.may_start(cycle) && self.control.complete && self.control.room;
        let early = self.phase.early == Some(cycle);
        let wanted = picked && self.control.started < self.phase.exchanges;
        if early && !can {
            self.note(cycle + 1, MessageMark::Early);
        }
        if !can || !(early || wanted) {
            return false;
        }
        self.note(cycle, MessageMark::Start);
        self.control.started += 1;
        true
    }

    /// The network is told of the start of the last cycle.
    fn begin(&mut self, cycle: u64) {
        for (entry, rounds) in self.loader.start(cycle) {
            let reached = self.on.reached(&entry.states);
            for cycle in rounds {
                self.rounds.push_back(Round {
                    cycle,
                    to: entry.to.clone(),
                    reached: reached.clone(),
                    last: false,
                });
            }
        }
        let last = self.rounds.back_mut().expect("a program has a round");
        last.last = true;
        let done = last.cycle + u64::from(self.shape.message_latency());
        self.done.push_back(done);
    }

    /// All else in a cycle.
    fn step(&mut self, cycle: u64, state: u32, started: bool) {
        let round = self.rounds.pop_front_if(|round| round.cycle == cycle);
        let ends = round.as_ref().is_some_and(|round| round.last);
        let free = !self.control.sending || ends;
        let takes = self.control.owed && free;
        let done = self.done.pop_front_if(|done| *done == cycle).is_some();
        let full = self.inputs.iter().all(|input| input.full);
        self.inputs(cycle, state);
        if let Some(round) = round {
            self.round(cycle, &round);
        }
        // A set is sent from the next cycle on; an input takes another one a cycle later.
        if self.control.taken {
            self.inputs.iter_mut().for_each(|input| input.full = false);
        }
        if takes {
            for input in &mut self.inputs {
                input.sending =
                    std::mem::replace(&mut input.set, input.sending.iter().map(|_| None).collect());
            }
        }
        self.outputs(cycle, state, done);
        let held = [0, 1].map(|bank| self.outputs.iter().any(|output| output.held[bank]));
        let control = &mut self.control;
        control.complete = full && !control.owed && !control.taken && !started;
        control.taken = takes;
        let crowded = control.held[1][usize::from(control.starting)];
        control.room = !crowded && control.under_way < 2 && !control.ended && !started;
        control.held = [held, control.held[0]];
        control.ended = done;
        control.owed = started || control.owed && !free;
        control.sending = takes || control.sending && !ends;
        control.under_way = control.under_way + u32::from(started) - u32::from(done);
        control.starting ^= started;
        control.arriving ^= done;
        if done {
            self.note(cycle, MessageMark::Done);
        }
    }

    fn inputs(&mut self, cycle: u64, state: u32) {
        for terminal in 0..self.shape.terminals() {
            let beats = &self.phase.words[terminal as usize];
            let input = &mut self.inputs[terminal as usize];
            input.offering |= input.taken < beats.len() && picks(state, terminal, self.phase.offering);
            let ready = input.held.is_none() || !input.full;
            if input.store(terminal, self.length) {
                // Through the register of the input and that of the error.
                self.note(cycle + 2, MessageMark::Message);
            }
            let input = &mut self.inputs[terminal as usize];
            if !ready {
                continue;
            }
            input.held = None;
            if input.offering {
                let (k, word) = (input.taken as u32, beats[input.taken]);
                (input.held, input.offering, input.taken) = (Some((word, k)), false, input.taken + 1);
                self.word(cycle, MessageMark::In, terminal, Flit { source: terminal, k, last: word.last });
            }
        }
    }

    /// A round: each terminal sends the next word for the destination that the round names.
    fn round(&mut self, cycle: u64, round: &Round) {
        let arrives = cycle + u64::from(self.shape.message_latency());
        for (source, &dest) in (0..).zip(&round.to) {
            let input = &mut self.inputs[source as usize];
            let message = &mut input.sending[usize::from(dest)];
            let Some(flit) = message.as_mut().and_then(VecDeque::pop_front) else { continue };
            message.take_if(|words| words.is_empty());
            let terminal = round.reached[source as usize];
            match terminal == u32::from(dest) {
                true => self.coming.push_back((arrives, terminal, flit)),
                // Through the register of the error; that of the terminal is beside the one for words.
                false => self.note(arrives + 1, MessageMark::Stray),
            }
        }
        if round.last && self.inputs.iter().any(|input| input.sending.iter().any(Option::is_some)) {
            // Through the steps of the input and the register of the error.
            self.note(cycle + 3, MessageMark::Left);
        }
    }

    fn outputs(&mut self, cycle: u64, state: u32, done: bool) {
        let n = self.shape.terminals();
        for terminal in 0..n {
            let taken = picks(state, n + terminal, self.phase.taking);
            let output = &mut self.outputs[terminal as usize];
            let shown = output.shown;
            let messages = || output.queue.iter().chain(&output.leaving).chain(&output.arrived);
            output.held = [false, true].map(|bank| messages().any(|message| message.bank == bank));
            if taken || shown.is_none() {
                output.shown = output.read.take();
            }
            if let Some(message) = output.leaving.as_mut().filter(|_| output.read.is_none()) {
                output.read = message.words.pop_front();
                output.leaving.take_if(|message| message.words.is_empty());
            }
            if output.leaving.is_none() {
                output.leaving = output.queue.pop_front();
            }
            output.queue.extend(output.arrived.take());
            if let Some(flit) = shown.filter(|_| taken) {
                self.word(cycle, MessageMark::Out, terminal, flit);
            }
        }
        while let Some((_, terminal, flit)) = self.coming.pop_front_if(|(due, ..)| *due == cycle) {
            let output = &mut self.outputs[terminal as usize];
            let part = &mut output.parts[flit.source as usize];
            part.push(flit);
            if flit.last {
                let words = std::mem::take(part).into();
                output.arrived = Some(Arrived { bank: self.control.arriving, words });
                output.held[usize::from(self.control.arriving)] = true;
            }
        }
        if done {
            self.outputs.iter_mut().for_each(|output| output.parts.iter_mut().for_each(Vec::clear));
        }
    }
}
