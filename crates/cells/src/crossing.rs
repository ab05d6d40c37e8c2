//! Runs `D_crossbar` on the rust-hdl network: the phases of a [`Trial`]; and deliberate faults.

use crate::fault::{by_name, invert};
use crate::netlist::simulate::{NamedNet, SimulateError, Simulated};
use crate::netlist::{Expr, Netlist, Part};
use frit_demand::crossbar::Shape;
use frit_demand::crossbar::script::{Access, Phase, picks};
use frit_demand::crossbar::seen::{Event, Ran, Trial, What, part};
use frit_demand::script::seed;
use frit_traffic::drawn::{draw, hexadecimal};
use std::str::FromStr;

/// Runs the phases of all engines, each for as many cycles as the model: what is seen at the ports, in order.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(trial: &Trial, netlist: &Netlist) -> Result<Vec<Event>, SimulateError> {
    let mut design = Simulated::new(netlist)?;
    let ports = Ports::new(&design);
    let mut events = Vec::new();
    for (at, (phase, ran)) in trial.phases.iter().zip(&trial.ran).enumerate() {
        let n = trial.shape.terminals() as usize;
        let bench = Bench {
            shape: trial.shape,
            width: trial.width,
            at,
            phase,
            design: &mut design,
            ports: &ports,
            offered: vec![false; n],
            sent: vec![0; n],
            host: Host { at: 0, begins: pause(phase, 0), taken: [false; 2], seen: false },
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

struct Ports {
    clk: NamedNet,
    rst: NamedNet,
    /// valid, ready, address; valid, ready, word, strobes; valid, ready, response.
    write: [NamedNet; 10],
    /// valid, ready, address; valid, ready, word, response.
    read: [NamedNet; 7],
    /// valid, ready, data, last.
    inputs: [NamedNet; 4],
    outputs: [NamedNet; 4],
    error: NamedNet,
}

impl Ports {
    fn new(design: &Simulated) -> Ports {
        let port =
            |name: &str| design.find("", name).unwrap_or_else(|| panic!("D_crossbar has a port {name}"));
        let axil = |name: &str| port(&format!("s_axil_{name}"));
        let write = [
            "awvalid", "awready", "awaddr", "wvalid", "wready", "wdata", "wstrb", "bvalid", "bready", "bresp",
        ];
        let read = ["arvalid", "arready", "araddr", "rvalid", "rready", "rdata", "rresp"];
        let inputs = ["tvalid_i", "tready_o", "tdata_i", "tlast_i"];
        let outputs = ["tvalid_o", "tready_i", "tdata_o", "tlast_o"];
        Ports {
            clk: port("clk_i"),
            rst: port("rst_i"),
            write: write.map(axil),
            read: read.map(axil),
            inputs: inputs.map(|name| port(&format!("s_axis_{name}"))),
            outputs: outputs.map(|name| port(&format!("m_axis_{name}"))),
            error: port("error_o"),
        }
    }
}

/// The access that is under way.
struct Host {
    at: usize,
    begins: u64,
    /// Whether its address and its word were taken.
    taken: [bool; 2],
    /// Whether its response was seen.
    seen: bool,
}

struct Bench<'a> {
    shape: Shape,
    width: u32,
    at: usize,
    phase: &'a Phase,
    design: &'a mut Simulated,
    ports: &'a Ports,
    offered: Vec<bool>,
    sent: Vec<u32>,
    host: Host,
    events: Vec<Event>,
}

impl Bench<'_> {
    fn get(&self, net: &NamedNet, lane: u32) -> u64 {
        self.design.get(net, lane as usize)
    }

    fn set(&mut self, net: &NamedNet, value: u64) {
        self.design.set(net, 0, value);
    }

    fn edge(&mut self) -> Result<(), SimulateError> {
        for level in [1, 0] {
            self.design.set(&self.ports.clk, 0, level);
            self.design.settle()?;
        }
        Ok(())
    }

    /// Everything is offered and taken in the cycle of the reset.
    fn reset(&mut self) -> Result<(), SimulateError> {
        let ports = self.ports;
        for net in
            [&ports.rst, &ports.write[0], &ports.write[3], &ports.write[8], &ports.read[0], &ports.read[4]]
        {
            self.set(net, 1);
        }
        for lane in 0..self.shape.terminals() as usize {
            self.design.set(&ports.inputs[0], lane, 1);
            self.design.set(&ports.outputs[1], lane, 1);
        }
        self.design.settle()?;
        self.edge()?;
        self.set(&ports.rst, 0);
        self.design.settle()
    }

    fn run(mut self, ran: &Ran) -> Result<Vec<Event>, SimulateError> {
        self.reset()?;
        let (mut state, mut error) = (seed(self.at), 0);
        for cycle in 0..ran.cycles {
            state = draw(state);
            self.drive(cycle, state, cycle >= ran.quiet);
            self.design.settle()?;
            self.respond(cycle);
            let high = self.get(&self.ports.error, 0);
            if high > std::mem::replace(&mut error, high) {
                self.note(cycle, What::Error, 0, String::new());
            }
            self.words(cycle);
            self.edge()?;
        }
        self.events.sort();
        Ok(self.events)
    }

    fn note(&mut self, cycle: u64, what: What, place: u32, data: String) {
        self.events.push(Event { phase: self.at, cycle, what, place, data });
    }

    /// What the inputs are in a cycle.
    fn drive(&mut self, cycle: u64, state: u32, quiet: bool) {
        let (ports, n, width) = (self.ports, self.shape.terminals(), self.width);
        for lane in 0..n {
            let at = lane as usize;
            self.offered[at] |= !quiet && picks(state, lane, self.phase.offering);
            let k = self.sent[at];
            let bits =
                (0..=width / 32).map(|block| u64::from(part(width, self.at, lane, k, block)) << (32 * block));
            let word = if self.offered[at] { bits.sum() } else { u64::MAX };
            self.design.set(&ports.inputs[0], at, self.offered[at].into());
            self.design.set(&ports.inputs[2], at, word & u64::MAX >> (64 - width));
            self.design.set(&ports.inputs[3], at, word >> width & 1);
            let taken = quiet || picks(state, n + lane, self.phase.taking);
            self.design.set(&ports.outputs[1], at, taken.into());
        }
        for (lane, ready) in (0..).zip([&ports.write[8], &ports.read[4]]) {
            self.set(ready, picks(state, 2 * n + lane, self.phase.answering).into());
        }
        let access = self.phase.accesses.get(self.host.at).copied();
        let now = |late: u32| cycle >= self.host.begins + u64::from(late);
        let of = |write: bool, half: usize| {
            access.filter(|access| access.write == write && !self.host.taken[half] && now(access.late[half]))
        };
        let [address, word, read] = [of(true, 0), of(true, 1), of(false, 0)];
        let byte = |access: Option<Access>| access.map_or(0x7ff, |access| access.address.into());
        self.set(&ports.write[0], address.is_some().into());
        self.set(&ports.write[2], byte(address));
        self.set(&ports.write[3], word.is_some().into());
        self.set(&ports.write[5], word.map_or(u32::MAX, |access| access.word).into());
        self.set(&ports.write[6], word.map_or(15, |access| access.strobes).into());
        self.set(&ports.read[0], read.is_some().into());
        self.set(&ports.read[2], byte(read));
    }

    /// What the host sees in a cycle.
    fn respond(&mut self, cycle: u64) {
        let (ports, high) = (self.ports, |bench: &Self, net: &NamedNet| bench.get(net, 0) == 1);
        let takes = [[&ports.write[0], &ports.write[1]], [&ports.write[3], &ports.write[4]]];
        for (half, [valid, ready]) in takes.into_iter().enumerate() {
            self.host.taken[half] |= high(self, valid) && high(self, ready);
        }
        self.host.taken[0] |= high(self, &ports.read[0]) && high(self, &ports.read[1]);
        let [answers, reads] = [&ports.write[7], &ports.read[3]].map(|net| high(self, net));
        if (answers || reads) && !std::mem::replace(&mut self.host.seen, true) {
            if answers {
                self.note(cycle, What::Response, self.get(&ports.write[9], 0) as u32, String::new());
            }
            if reads {
                let data = format!("{:08x}", self.get(&ports.read[5], 0));
                self.note(cycle, What::Read, self.get(&ports.read[6], 0) as u32, data);
            }
        }
        if (answers && high(self, &ports.write[8])) || (reads && high(self, &ports.read[4])) {
            let at = self.host.at + 1;
            self.host =
                Host { at, begins: cycle + 1 + pause(self.phase, at), taken: [false; 2], seen: false };
        }
    }

    /// The words that are taken in a cycle.
    fn words(&mut self, cycle: u64) {
        let ports = self.ports;
        for (what, streams) in [(What::In, &ports.inputs), (What::Out, &ports.outputs)] {
            for lane in 0..self.shape.terminals() {
                if self.get(&streams[0], lane) & self.get(&streams[1], lane) == 0 {
                    continue;
                }
                let word = self.get(&streams[2], lane) | self.get(&streams[3], lane) << self.width;
                let data = hexadecimal(1, self.width + 1, |_, part| (word >> (32 * part)) as u32);
                self.note(cycle, what, lane, data);
                if what == What::In {
                    self.offered[lane as usize] = false;
                    self.sent[lane as usize] += 1;
                }
            }
        }
    }
}

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossbarFault {
    /// The settings of a stage are inverted for the words, and not for the way back.
    Setting(u32),
    /// Inputs take words whether or not there is room.
    Room,
    /// The settings change at once, while words are in the network.
    Early,
    /// Inputs do not compare the first bit of the number that they hear.
    Number,
    /// A commit does not close the inputs.
    Close,
}

/// Why there is no such fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrossbarFaultError {
    /// Not one of the faults.
    #[error("--fault {0:?} is not a fault of a crossbar; give setting:STAGE, room, early, number or close")]
    Unknown(String),
    /// No such stage.
    #[error("--fault setting:{given} has no place; the stages are 0 to {last}")]
    Stage {
        /// The stage given.
        given: u32,
        /// The last one.
        last: u32,
    },
}

impl FromStr for CrossbarFault {
    type Err = CrossbarFaultError;

    fn from_str(text: &str) -> Result<Self, CrossbarFaultError> {
        let others = [
            ("room", CrossbarFault::Room),
            ("early", CrossbarFault::Early),
            ("number", CrossbarFault::Number),
            ("close", CrossbarFault::Close),
        ];
        by_name(text, CrossbarFault::Setting, &others).ok_or_else(|| CrossbarFaultError::Unknown(text.into()))
    }
}

/// Plants a fault in `D_crossbar`.
///
/// # Errors
///
/// If it has no place there.
pub fn plant(netlist: &mut Netlist, shape: Shape, fault: CrossbarFault) -> Result<(), CrossbarFaultError> {
    let close = netlist.top().find("close").expect("the control closes the inputs");
    // Instances whose name begins so, the port, and what it is instead; none: it is inverted.
    let (start, port, instead) = match fault {
        CrossbarFault::Setting(stage) if stage < shape.stages() => {
            (format!("u_switch_{stage}_"), "state_i", None)
        }
        CrossbarFault::Setting(given) => {
            return Err(CrossbarFaultError::Stage { given, last: shape.stages() - 1 });
        }
        CrossbarFault::Room => ("u_output_".into(), "room_i", Some(Expr::constant(1, 1))),
        CrossbarFault::Early => {
            ("u_state_".into(), "step_i", Some(crate::netlist::Net { signal: close, lane: 0 }.into()))
        }
        CrossbarFault::Number => ("u_input_".into(), "check_i", None),
        CrossbarFault::Close => ("u_input_".into(), "close_i", Some(Expr::constant(0, 1))),
    };
    let module = netlist.modules.last_mut().expect("D_crossbar");
    for instance in module.instances.iter_mut().filter(|instance| instance.name.starts_with(&start)) {
        let lane = &mut instance.input_mut(port).expect("a port of this name")[0];
        match (&instead, fault) {
            (Some(instead), _) => *lane = instead.clone(),
            (None, CrossbarFault::Number) => {
                let net = lane.as_net().expect("a net");
                let top = shape.steps() - 1;
                let bits = |high, low| Part::Net { net, bits: Some((high, low)), invert: false };
                *lane = Expr::Concat(vec![bits(top, 2), Part::Const { value: 0, bits: 1 }, bits(0, 0)]);
            }
            (None, _) => invert(lane, 0).expect("a net"),
        }
    }
    Ok(())
}
