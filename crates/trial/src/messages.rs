//! Runs `D_axis` with messages of any length on the rust-hdl network: the phases of a [`Trial`].

use crate::agent::{Core, Marks, Stream, Way};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::NamedNet;
use frit_model::crossbar::part_with;
use frit_model::crossbar::script::picks;
use frit_model::loaded::script::seed;
use frit_model::messages::script::{Phase, lanes};
use frit_model::messages::{Event, MessageMark, Trial};
use frit_network::Refusal;
use frit_traffic::drawn::draw;

/// Runs the phases, each for as many cycles as the model: what is seen at the ports, in order.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(trial: &Trial, netlist: &Netlist) -> Result<Vec<Event>, Refusal> {
    let mut core = Core::new(netlist)?;
    let ports = MessagesPorts {
        start: core.port("start_i"),
        ready: core.port("ready_o"),
        program: core.stream("program_axis_", Way::In, ["tdata", "tlast"]),
        inputs: core.stream("s_axis_", Way::In, ["tdata", "tdest", "tlast", "tuser"]),
        outputs: core.stream("m_axis_", Way::Out, ["tdata", "tid", "tlast"]),
    };
    let mut marks = Marks::new(&core);
    let mut events = Vec::new();
    for (at, (phase, ran)) in trial.phases.iter().zip(&trial.ran).enumerate() {
        let n = trial.shape().terminals() as usize;
        let bench = MessagesBench {
            width: trial.width,
            dest_ones: u64::MAX >> (64 - trial.shape().terminal_bits()),
            at,
            phase,
            core: &mut core,
            ports: &ports,
            marks: &mut marks,
            offered: vec![false; n],
            taken: vec![0; n],
            events: Vec::new(),
        };
        events.extend(bench.run(ran.cycles)?);
    }
    Ok(events)
}

struct MessagesPorts {
    start: NamedNet,
    ready: NamedNet,
    program: Stream<2>,
    /// data, destination, last, user.
    inputs: Stream<4>,
    outputs: Stream<3>,
}

struct MessagesBench<'a> {
    width: u32,
    dest_ones: u64,
    at: usize,
    phase: &'a Phase,
    core: &'a mut Core,
    ports: &'a MessagesPorts,
    marks: &'a mut Marks<MessageMark>,
    offered: Vec<bool>,
    taken: Vec<usize>,
    events: Vec<Event>,
}

impl MessagesBench<'_> {
    fn lanes(&self) -> u32 {
        self.offered.len() as u32
    }

    /// Everything is offered and taken in the cycle of the reset.
    fn reset(&mut self) -> Result<(), Refusal> {
        let ports = self.ports;
        self.marks.forget();
        self.core.reset_with(&[&ports.program.valid, &ports.start, &ports.inputs.valid, &ports.outputs.ready])
    }

    fn run(mut self, cycles: u64) -> Result<Vec<Event>, Refusal> {
        self.reset()?;
        let n = self.lanes();
        let [loading, starting] = lanes(n);
        let (mut programs, mut offering, mut started, mut state) = (0, false, 0, seed(self.at));
        for cycle in 0..cycles {
            state = draw(state);
            offering |= programs < self.phase.programs.len() && picks(state, loading, self.phase.loading);
            let beat = self.phase.programs.get(programs).filter(|_| offering);
            let payload =
                [beat.map_or(u32::MAX, |beat| beat.word).into(), beat.is_none_or(|beat| beat.last).into()];
            self.ports.program.offer(self.core, 0, offering, payload);
            (0..n).for_each(|lane| self.drive(lane, state));
            self.core.set(&self.ports.start, 0, 0);
            self.core.settle()?;
            let ready = self.core.high(&self.ports.ready);
            let wanted = started < self.phase.exchanges && picks(state, starting, self.phase.starting);
            let start = self.phase.early == Some(cycle) || ready && wanted;
            self.core.set(&self.ports.start, 0, start.into());
            self.core.settle()?;
            if start && ready {
                started += 1;
                self.events.push(Event::mark(self.at, cycle, MessageMark::Start));
            }
            if self.ports.program.taken(self.core, 0).is_some() {
                (offering, programs) = (false, programs + 1);
            }
            let said = self.marks.said(self.core);
            self.events.extend(said.into_iter().map(|what| Event::mark(self.at, cycle, what)));
            (0..n).for_each(|lane| self.words(cycle, lane));
            self.core.edge()?;
        }
        self.events.sort();
        Ok(self.events)
    }

    /// What the inputs of a terminal are in a cycle.
    fn drive(&mut self, lane: u32, state: u32) {
        let (at, width) = (lane as usize, self.width);
        let words = &self.phase.words[at];
        self.offered[at] |= self.taken[at] < words.len() && picks(state, lane, self.phase.offering);
        let word = words.get(self.taken[at]).filter(|_| self.offered[at]);
        let k = self.taken[at] as u32;
        let bits = (0..width.div_ceil(32))
            .map(|block| u64::from(part_with(width, self.at, lane, k, block, false)) << (32 * block));
        let data = if word.is_some() { bits.sum() } else { u64::MAX };
        let payload = [
            data & u64::MAX >> (64 - width),
            word.map_or(self.dest_ones, |word| word.dest.into()),
            word.is_none_or(|word| word.last).into(),
            word.map_or(3, |word| u64::from(word.set) | u64::from(word.empty) << 1),
        ];
        self.ports.inputs.offer(self.core, lane, word.is_some(), payload);
        let taken = picks(state, self.lanes() + lane, self.phase.taking);
        self.core.set(&self.ports.outputs.ready, lane, taken.into());
    }

    /// The beats of a terminal that are taken in a cycle.
    fn words(&mut self, cycle: u64, lane: u32) {
        if let Some([data, _, last, _]) = self.ports.inputs.taken(self.core, lane) {
            self.offered[lane as usize] = false;
            self.taken[lane as usize] += 1;
            self.word(cycle, MessageMark::In, [lane, 0], [data, last]);
        }
        if let Some([data, source, last]) = self.ports.outputs.taken(self.core, lane) {
            self.word(cycle, MessageMark::Out, [lane, source as u32], [data, last]);
        }
    }

    fn word(&mut self, cycle: u64, what: MessageMark, place: [u32; 2], [data, last]: [u64; 2]) {
        let word = u128::from(data) | u128::from(last) << self.width;
        self.events.push(Event::word(self.at, cycle, what, place, self.width + 1, word));
    }
}
