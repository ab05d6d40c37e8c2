//! Runs `D_loaded` on the rust-hdl network: the phases of a [`Trial`].

use crate::agent::{Core, Marks, Stream, Way};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::NamedNet;
use frit_demand::program::Shape;
use frit_model::loaded::script::{Beat, Phase, noise, seed};
use frit_model::loaded::{Event, LoadedMark, Trial};
use frit_network::Refusal;
use frit_traffic::drawn::{draw, word};

/// Runs the phases of all engines, each for as many cycles as the model: what is seen at the ports, in order.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(trial: &Trial, netlist: &Netlist) -> Result<Vec<Event>, Refusal> {
    let (shape, width) = (trial.shape(), trial.width);
    let mut core = Core::new(netlist)?;
    let ports = LoadedPorts {
        program: core.stream("s_axis_", Way::In, ["tdata", "tlast"]),
        start: core.port("start_i"),
        ready: core.port("ready_o"),
        asks: core.port("send_ready_o"),
        last: core.port("send_last_o"),
        dest: core.port("send_dest_o"),
        send: core.ports("send_", ["valid_i", "data_i"]),
        recv: core.ports("recv_", ["valid_o", "source_o", "data_o"]),
    };
    let mut marks = Marks::new(&core);
    let mut events = Vec::new();
    for (at, (phase, ran)) in trial.phases[..trial.compared].iter().zip(&trial.ran).enumerate() {
        let bench =
            LoadedBench { shape, width, at, phase, core: &mut core, ports: &ports, marks: &mut marks };
        events.extend(bench.run(ran.cycles)?);
    }
    Ok(events)
}

struct LoadedPorts {
    program: Stream<2>,
    start: NamedNet,
    ready: NamedNet,
    asks: NamedNet,
    last: NamedNet,
    dest: NamedNet,
    send: [NamedNet; 2],
    recv: [NamedNet; 3],
}

struct LoadedBench<'a> {
    shape: Shape,
    width: u32,
    at: usize,
    phase: &'a Phase,
    core: &'a mut Core,
    ports: &'a LoadedPorts,
    marks: &'a mut Marks<LoadedMark>,
}

/// What the terminals have to send.
struct Words {
    /// The exchange of the next round.
    exchange: usize,
    /// Words left of each pair in it.
    left: Vec<u32>,
    /// Words sent of each pair.
    sent: Vec<u32>,
    /// What each terminal gives in this cycle.
    given: Vec<Option<u64>>,
}

impl LoadedBench<'_> {
    fn reset(&mut self) -> Result<(), Refusal> {
        let busy = [&self.ports.program.valid, &self.ports.start];
        self.marks.forget();
        self.core.reset_with(&[busy[0], busy[1], &self.ports.send[0]])?;
        busy.iter().for_each(|net| self.core.set(net, 0, 0));
        self.core.settle()
    }

    fn run(mut self, cycles: u64) -> Result<Vec<Event>, Refusal> {
        self.reset()?;
        let n = self.shape.terminals();
        let none = || vec![0; (n * n) as usize];
        let mut words = Words {
            exchange: 0,
            left: self.phase.words.first().cloned().unwrap_or_else(none),
            sent: none(),
            given: vec![Some(u64::MAX >> (64 - self.width)); n as usize],
        };
        let (mut taken, mut offering, mut started, mut state) = (0, false, 0, seed(self.at));
        let mut events = Vec::new();
        for cycle in 0..cycles {
            state = draw(state);
            offering |= taken < self.phase.beats.len() && state & 0xff < self.phase.offering;
            self.drive(self.phase.beats.get(taken).filter(|_| offering).copied(), &words.given);
            self.core.settle()?;
            let early = self.phase.early == Some(cycle);
            let ready = self.core.high(&self.ports.ready);
            let wanted = started < self.phase.words.len() && state >> 8 & 0xff < self.phase.starting;
            let start = early || ready && wanted;
            self.core.set(&self.ports.start, 0, start.into());
            self.core.settle()?;
            if start && ready {
                started += 1;
                events.push(Event::mark(self.at, cycle, LoadedMark::Start));
            }
            if self.ports.program.taken(self.core, 0).is_some() {
                (offering, taken) = (false, taken + 1);
            }
            let said = self.marks.said(self.core);
            events.extend(said.into_iter().map(|what| Event::mark(self.at, cycle, what)));
            self.arrivals(cycle, &mut events);
            self.asked(&mut words, noise(state));
            self.core.edge()?;
        }
        Ok(events)
    }

    fn drive(&mut self, beat: Option<Beat>, given: &[Option<u64>]) {
        let ones = u64::MAX >> (64 - self.width);
        let payload =
            [beat.map_or(u32::MAX, |beat| beat.word).into(), beat.is_none_or(|beat| beat.last).into()];
        self.ports.program.offer(self.core, 0, beat.is_some(), payload);
        let [valid, data] = &self.ports.send;
        for (lane, word) in (0..).zip(given) {
            self.core.set(valid, lane, word.is_some().into());
            self.core.set(data, lane, word.unwrap_or(ones));
        }
    }

    /// The words that arrive in a cycle.
    fn arrivals(&self, cycle: u64, events: &mut Vec<Event>) {
        for terminal in 0..self.shape.terminals() {
            let [valid, source, data] = self.ports.recv.each_ref().map(|net| self.core.get(net, terminal));
            if valid == 1 {
                let place = [terminal, source as u32];
                events.push(Event::word(self.at, cycle, LoadedMark::Word, place, self.width, data.into()));
            }
        }
    }

    /// What the terminals give in the next cycle.
    fn asked(&self, words: &mut Words, noise: bool) {
        let n = self.shape.terminals();
        words.given.fill(None);
        if !self.core.high(&self.ports.asks) {
            words.given.fill(noise.then_some(u64::MAX >> (64 - self.width)));
            return;
        }
        for source in 0..n {
            let pair = source * n + self.core.get(&self.ports.dest, source) as u32;
            let (left, sent) = (&mut words.left[pair as usize], &mut words.sent[pair as usize]);
            if *left > 0 {
                let given = word(self.at as u64, pair.into(), (*sent).into(), self.width);
                words.given[source as usize] = Some(given);
                (*left, *sent) = (*left - 1, *sent + 1);
            }
        }
        if self.core.high(&self.ports.last) {
            words.exchange += 1;
            match self.phase.words.get(words.exchange) {
                Some(next) => words.left.clone_from(next),
                None => words.left.fill(0),
            }
        }
    }
}
