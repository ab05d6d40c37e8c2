//! Runs `D_crossbar` on the rust-hdl network: the phases of a [`Trial`].

use crate::agent::{Core, Stream, Way};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::NamedNet;
use frit_demand::crossbar::Shape;
use frit_model::crossbar::script::{Access, Phase, picks};
use frit_model::crossbar::{CrossbarMark, CrossbarRun, Event, Trial, word};
use frit_model::loaded::script::seed;
use frit_network::Refusal;
use frit_traffic::drawn::draw;

/// Runs the phases of all engines, each for as many cycles as the model: what is seen at the ports, in order.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(trial: &Trial, netlist: &Netlist) -> Result<Vec<Event>, Refusal> {
    let mut core = Core::new(netlist)?;
    let ports = CrossbarPorts::new(&core);
    let mut events = Vec::new();
    for (at, (phase, ran)) in trial.phases.iter().zip(&trial.ran).enumerate() {
        let n = trial.shape.terminals() as usize;
        let bench = CrossbarBench {
            shape: trial.shape,
            width: trial.width,
            at,
            phase,
            core: &mut core,
            ports: &ports,
            offered: vec![false; n],
            sent: vec![0; n],
            host: Host {
                at: 0,
                begins: pause(phase, 0),
                taken: [false; 2],
                due: [false; 2],
                seen: [false; 2],
            },
            events: Vec::new(),
        };
        events.extend(bench.run(ran)?);
    }
    Ok(events)
}

/// Cycles before an access.
fn pause(phase: &Phase, at: usize) -> u64 {
    phase.accesses.get(at).map_or(0, |access| access.pause.into())
}

struct CrossbarPorts {
    /// valid, ready, address; valid, ready, word, strobes; valid, ready, response.
    write: [NamedNet; 10],
    /// valid, ready, address; valid, ready, word, response.
    read: [NamedNet; 7],
    inputs: Stream<2>,
    outputs: Stream<2>,
    error: NamedNet,
}

impl CrossbarPorts {
    fn new(core: &Core) -> CrossbarPorts {
        let write = [
            "awvalid", "awready", "awaddr", "wvalid", "wready", "wdata", "wstrb", "bvalid", "bready", "bresp",
        ];
        let read = ["arvalid", "arready", "araddr", "rvalid", "rready", "rdata", "rresp"];
        CrossbarPorts {
            write: core.ports("s_axil_", write),
            read: core.ports("s_axil_", read),
            inputs: core.stream("s_axis_", Way::In, ["tdata", "tlast"]),
            outputs: core.stream("m_axis_", Way::Out, ["tdata", "tlast"]),
            error: core.port("error_o"),
        }
    }
}

/// The access that is offered, and the responses to writes and to reads.
struct Host {
    at: usize,
    begins: u64,
    /// Whether its address and its word were taken.
    taken: [bool; 2],
    /// Whether a response is due, or waits to be taken.
    due: [bool; 2],
    /// Whether it was seen.
    seen: [bool; 2],
}

struct CrossbarBench<'a> {
    shape: Shape,
    width: u32,
    at: usize,
    phase: &'a Phase,
    core: &'a mut Core,
    ports: &'a CrossbarPorts,
    offered: Vec<bool>,
    sent: Vec<u32>,
    host: Host,
    events: Vec<Event>,
}

impl CrossbarBench<'_> {
    fn set(&mut self, net: &NamedNet, value: u64) {
        self.core.set(net, 0, value);
    }

    /// Everything is offered and taken in the cycle of the reset.
    fn reset(&mut self) -> Result<(), Refusal> {
        let ports = self.ports;
        let (written, read) = (&ports.write, &ports.read);
        let host = [&written[0], &written[3], &written[8], &read[0], &read[4]];
        self.core.reset_with(&[&host[..], &[&ports.inputs.valid, &ports.outputs.ready]].concat())
    }

    fn run(mut self, ran: &CrossbarRun) -> Result<Vec<Event>, Refusal> {
        self.reset()?;
        let (mut state, mut error) = (seed(self.at), false);
        for cycle in 0..ran.cycles {
            state = draw(state);
            self.drive(cycle, state, cycle >= ran.quiet);
            self.core.settle()?;
            self.respond(cycle);
            let high = self.core.high(&self.ports.error);
            if high != std::mem::replace(&mut error, high) {
                let what = if high { CrossbarMark::Error } else { CrossbarMark::Cleared };
                self.note(cycle, what, 0, String::new());
            }
            self.words(cycle);
            self.core.edge()?;
        }
        self.events.sort();
        Ok(self.events)
    }

    fn note(&mut self, cycle: u64, what: CrossbarMark, place: u32, data: String) {
        self.events.push(Event { phase: self.at, cycle, what, place, source: 0, data });
    }

    /// What the inputs are in a cycle.
    fn drive(&mut self, cycle: u64, state: u32, quiet: bool) {
        let (ports, n, width) = (self.ports, self.shape.terminals(), self.width);
        for lane in 0..n {
            let at = lane as usize;
            self.offered[at] |= !quiet && picks(state, lane, self.phase.offering);
            let k = self.sent[at];
            let none = [u64::MAX >> (64 - width), 1];
            let payload = if self.offered[at] { word(width, self.at, lane, k) } else { none };
            ports.inputs.offer(self.core, lane, self.offered[at], payload);
            let taken = quiet || picks(state, n + lane, self.phase.taking);
            self.core.set(&ports.outputs.ready, lane, taken.into());
        }
        for (lane, ready) in (0..).zip([&ports.write[8], &ports.read[4]]) {
            self.set(ready, picks(state, 2 * n + lane, self.phase.answering).into());
        }
        let access = self.phase.accesses.get(self.host.at).copied();
        let now = |late: u32| cycle >= self.host.begins + u64::from(late);
        let of = |half: usize, offered: fn(&Access) -> bool| {
            access.filter(|access| offered(access) && !self.host.taken[half] && now(access.late[half]))
        };
        let [address, word] = [0, 1].map(|half| of(half, |access| access.write));
        let read = of(0, |access| access.read);
        let byte = |access: Option<Access>| access.map_or(0x7ff, |access| access.address.into());
        self.set(&ports.write[0], address.is_some().into());
        self.set(&ports.write[2], byte(address));
        self.set(&ports.write[3], word.is_some().into());
        self.set(&ports.write[5], word.map_or(u32::MAX, |access| access.word).into());
        self.set(&ports.write[6], word.map_or(15, |access| access.strobes).into());
        self.set(&ports.read[0], read.is_some().into());
        self.set(&ports.read[2], byte(read));
    }

    /// What the host sees in a cycle. An access that overlaps is offered as soon as the one before was taken, any other one when no
    /// response waits.
    fn respond(&mut self, cycle: u64) {
        let (ports, high) = (self.ports, |bench: &Self, net: &NamedNet| bench.core.high(net));
        let ready = [&ports.write[1], &ports.write[4], &ports.read[1]].map(|net| high(self, net));
        if ready != [false; 3] {
            let place = (0..).zip(ready).map(|(bit, ready)| u32::from(ready) << bit).sum();
            self.note(cycle, CrossbarMark::Taken, place, String::new());
        }
        for (kind, nets) in [&ports.write[7..], &ports.read[3..]].into_iter().enumerate() {
            let valid = high(self, &nets[0]);
            if valid && !self.host.seen[kind] {
                self.respond_with(cycle, kind);
            }
            let taken = valid && high(self, &nets[1]);
            self.host.due[kind] &= !taken;
            self.host.seen[kind] = valid && !taken;
        }
        let Some(access) = self.phase.accesses.get(self.host.at) else { return };
        let before = self.host.taken == [true; 2];
        for (half, net) in [&ports.write[0], &ports.write[3]].into_iter().enumerate() {
            self.host.taken[half] |= high(self, net) && ready[half] || high(self, &ports.read[0]) && ready[2];
        }
        let whole = self.host.taken == [true; 2];
        for (due, offered) in self.host.due.iter_mut().zip([access.write, access.read]) {
            *due |= offered && whole && !before;
        }
        let at = self.host.at + 1;
        let overlaps = self.phase.accesses.get(at).is_some_and(|next| next.overlaps) && !before;
        if whole && (overlaps || self.host.due == [false; 2]) {
            (self.host.at, self.host.begins) = (at, cycle + 1 + pause(self.phase, at));
            self.host.taken = [false; 2];
        }
    }

    /// A response to a write or, with kind 1, to a read begins.
    fn respond_with(&mut self, cycle: u64, kind: usize) {
        let (ports, of) = (self.ports, |net| self.core.get(net, 0));
        match kind {
            0 => self.note(cycle, CrossbarMark::Response, of(&ports.write[9]) as u32, String::new()),
            _ => {
                let data = format!("{:08x}", of(&ports.read[5]));
                self.note(cycle, CrossbarMark::Read, of(&ports.read[6]) as u32, data);
            }
        }
    }

    /// The words that are taken in a cycle.
    fn words(&mut self, cycle: u64) {
        let ports = self.ports;
        for (what, streams) in [(CrossbarMark::In, &ports.inputs), (CrossbarMark::Out, &ports.outputs)] {
            for (lane, word) in streams.words(self.core, self.width) {
                self.events.push(Event::word(self.at, cycle, what, [lane, 0], self.width + 1, word));
                if what == CrossbarMark::In {
                    self.offered[lane as usize] = false;
                    self.sent[lane as usize] += 1;
                }
            }
        }
    }
}
