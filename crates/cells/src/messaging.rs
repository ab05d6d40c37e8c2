//! Runs `D_axis` with messages of any length on the rust-hdl network: the phases of a [`Trial`]; and deliberate faults.

use crate::fault::{by_name, invert};
use crate::netlist::simulate::{NamedNet, SimulateError, Simulated};
use crate::netlist::{Expr, Netlist};
use frit_demand::crossbar::script::picks;
use frit_demand::crossbar::seen::part_with;
use frit_demand::messages::script::{Phase, lanes};
use frit_demand::messages::{Event, Trial, What};
use frit_demand::script::seed;
use frit_traffic::drawn::{draw, hexadecimal};
use std::str::FromStr;

/// Runs the phases, each for as many cycles as the model: what is seen at the ports, in order.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(trial: &Trial, netlist: &Netlist) -> Result<Vec<Event>, SimulateError> {
    let mut design = Simulated::new(netlist)?;
    let ports = Ports::new(&design);
    let mut events = Vec::new();
    for (at, (phase, ran)) in trial.phases.iter().zip(&trial.ran).enumerate() {
        let n = trial.shape().terminals() as usize;
        let bench = Bench {
            width: trial.width,
            dest_ones: u64::MAX >> (64 - trial.shape().terminal_bits()),
            at,
            phase,
            design: &mut design,
            ports: &ports,
            offered: vec![false; n],
            taken: vec![0; n],
            events: Vec::new(),
        };
        events.extend(bench.run(ran.cycles)?);
    }
    Ok(events)
}

struct Ports {
    clk: NamedNet,
    rst: NamedNet,
    start: NamedNet,
    ready: NamedNet,
    /// valid, ready, data, last.
    program: [NamedNet; 4],
    /// valid, ready, data, destination, last, user.
    inputs: [NamedNet; 6],
    /// valid, ready, data, source, last.
    outputs: [NamedNet; 5],
    /// What rises, and what it is.
    marks: [(NamedNet, What); 6],
}

impl Ports {
    fn new(design: &Simulated) -> Ports {
        let port = |name: &str| design.find("", name).unwrap_or_else(|| panic!("D_axis has a port {name}"));
        let inputs = ["tvalid_i", "tready_o", "tdata_i", "tdest_i", "tlast_i", "tuser_i"];
        let outputs = ["tvalid_o", "tready_i", "tdata_o", "tid_o", "tlast_o"];
        let marks = [
            ("error_load_o", What::Load),
            ("error_start_o", What::Early),
            ("error_stray_o", What::Stray),
            ("error_message_o", What::Message),
            ("error_left_o", What::Left),
            ("done_o", What::Done),
        ];
        Ports {
            clk: port("clk_i"),
            rst: port("rst_i"),
            start: port("start_i"),
            ready: port("ready_o"),
            program: ["tvalid_i", "tready_o", "tdata_i", "tlast_i"]
                .map(|name| port(&format!("program_axis_{name}"))),
            inputs: inputs.map(|name| port(&format!("s_axis_{name}"))),
            outputs: outputs.map(|name| port(&format!("m_axis_{name}"))),
            marks: marks.map(|(name, what)| (port(name), what)),
        }
    }
}

struct Bench<'a> {
    width: u32,
    dest_ones: u64,
    at: usize,
    phase: &'a Phase,
    design: &'a mut Simulated,
    ports: &'a Ports,
    offered: Vec<bool>,
    taken: Vec<usize>,
    events: Vec<Event>,
}

impl Bench<'_> {
    fn get(&self, net: &NamedNet, lane: usize) -> u64 {
        self.design.get(net, lane)
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
        for net in [&ports.rst, &ports.program[0], &ports.start] {
            self.design.set(net, 0, 1);
        }
        for lane in 0..self.offered.len() {
            self.design.set(&ports.inputs[0], lane, 1);
            self.design.set(&ports.outputs[1], lane, 1);
        }
        self.design.settle()?;
        self.edge()?;
        self.design.set(&ports.rst, 0, 0);
        self.design.settle()
    }

    fn run(mut self, cycles: u64) -> Result<Vec<Event>, SimulateError> {
        self.reset()?;
        let n = self.offered.len();
        let [loading, starting] = lanes(n as u32);
        let (mut programs, mut offering, mut started, mut state) = (0, false, 0, seed(self.at));
        let mut seen = [false; 5];
        for cycle in 0..cycles {
            state = draw(state);
            offering |= programs < self.phase.programs.len() && picks(state, loading, self.phase.loading);
            let beat = self.phase.programs.get(programs).filter(|_| offering);
            self.design.set(&self.ports.program[0], 0, offering.into());
            self.design.set(&self.ports.program[2], 0, beat.map_or(u32::MAX, |beat| beat.word).into());
            self.design.set(&self.ports.program[3], 0, beat.is_none_or(|beat| beat.last).into());
            (0..n).for_each(|lane| self.drive(lane, state));
            self.design.set(&self.ports.start, 0, 0);
            self.design.settle()?;
            let ready = self.get(&self.ports.ready, 0) == 1;
            let wanted = started < self.phase.exchanges && picks(state, starting, self.phase.starting);
            let start = self.phase.early == Some(cycle) || ready && wanted;
            self.design.set(&self.ports.start, 0, start.into());
            self.design.settle()?;
            if start && ready {
                started += 1;
                self.events.push(Event::mark(self.at, cycle, What::Start));
            }
            if offering && self.get(&self.ports.program[1], 0) == 1 {
                (offering, programs) = (false, programs + 1);
            }
            self.marks(cycle, &mut seen);
            (0..n).for_each(|lane| self.words(cycle, lane));
            self.edge()?;
        }
        self.events.sort();
        Ok(self.events)
    }

    /// What the inputs of a terminal are in a cycle.
    fn drive(&mut self, lane: usize, state: u32) {
        let (ports, width) = (self.ports, self.width);
        let words = &self.phase.words[lane];
        let at = lane as u32;
        self.offered[lane] |= self.taken[lane] < words.len() && picks(state, at, self.phase.offering);
        let word = words.get(self.taken[lane]).filter(|_| self.offered[lane]);
        let k = self.taken[lane] as u32;
        let bits = (0..width.div_ceil(32))
            .map(|block| u64::from(part_with(width, self.at, at, k, block, false)) << (32 * block));
        let data = if word.is_some() { bits.sum() } else { u64::MAX };
        self.design.set(&ports.inputs[0], lane, word.is_some().into());
        self.design.set(&ports.inputs[2], lane, data & u64::MAX >> (64 - width));
        self.design.set(&ports.inputs[3], lane, word.map_or(self.dest_ones, |word| word.dest.into()));
        self.design.set(&ports.inputs[4], lane, word.is_none_or(|word| word.last).into());
        let user = word.map_or(3, |word| u64::from(word.set) | u64::from(word.empty) << 1);
        self.design.set(&ports.inputs[5], lane, user);
        let taken = picks(state, (self.offered.len() + lane) as u32, self.phase.taking);
        self.design.set(&ports.outputs[1], lane, taken.into());
    }

    /// What rises in a cycle.
    fn marks(&mut self, cycle: u64, seen: &mut [bool; 5]) {
        for (k, (net, what)) in self.ports.marks.iter().enumerate() {
            let high = self.get(net, 0) == 1;
            let before = seen.get_mut(k).is_some_and(|seen| std::mem::replace(seen, high));
            if high && !before {
                self.events.push(Event::mark(self.at, cycle, *what));
            }
        }
    }

    /// The beats of a terminal that are taken in a cycle.
    fn words(&mut self, cycle: u64, lane: usize) {
        let ports = self.ports;
        let [valid, ready, data, last] = [0, 1, 2, 4].map(|k: usize| self.get(&ports.inputs[k], lane));
        if valid & ready == 1 {
            self.offered[lane] = false;
            self.taken[lane] += 1;
            self.word(cycle, What::In, [lane as u64, 0, data, last]);
        }
        let [valid, ready, data, source, last] =
            [0, 1, 2, 3, 4].map(|k: usize| self.get(&ports.outputs[k], lane));
        if valid & ready == 1 {
            self.word(cycle, What::Out, [lane as u64, source, data, last]);
        }
    }

    fn word(&mut self, cycle: u64, what: What, [terminal, source, data, last]: [u64; 4]) {
        let word = u128::from(data) | u128::from(last) << self.width;
        let data = hexadecimal(1, self.width + 1, |_, part| (word >> (32 * part)) as u32);
        let (terminal, source) = (terminal as u32, source as u32);
        self.events.push(Event { phase: self.at, cycle, what, terminal, source, data });
    }
}

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagesFault {
    /// The settings of a stage are inverted.
    Setting(u32),
    /// Rounds read the bank that is loaded.
    Bank,
    /// All words that arrive are stored at the first place of their message.
    Place,
    /// Whether a word is the last of its message is inverted.
    Last,
    /// Exchanges start while messages that have arrived are in their bank.
    Room,
    /// The sources of messages that leave are inverted.
    Source,
}

/// Why there is no such fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessagesFaultError {
    /// Not one of the faults.
    #[error(
        "--fault {0:?} is not a fault of messages around a loaded schedule; give setting:STAGE, bank, place, last, room or source"
    )]
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

impl FromStr for MessagesFault {
    type Err = MessagesFaultError;

    fn from_str(text: &str) -> Result<Self, MessagesFaultError> {
        let others = [
            ("bank", MessagesFault::Bank),
            ("place", MessagesFault::Place),
            ("last", MessagesFault::Last),
            ("room", MessagesFault::Room),
            ("source", MessagesFault::Source),
        ];
        by_name(text, MessagesFault::Setting, &others).ok_or_else(|| MessagesFaultError::Unknown(text.into()))
    }
}

/// Plants a fault in a design of messages with `stages` stages.
///
/// # Errors
///
/// If it has no place there.
pub fn plant(netlist: &mut Netlist, stages: u32, fault: MessagesFault) -> Result<(), MessagesFaultError> {
    let zero = |bits| Expr::constant(0, bits);
    // Whether it is in the core, instances whose name begins so, the port, and what it is instead; none: its first part is inverted.
    let (inside, start, port, instead) = match fault {
        MessagesFault::Setting(stage) if stage < stages => {
            (true, format!("u_switch_{stage}_"), "state_i", None)
        }
        MessagesFault::Setting(given) => return Err(MessagesFaultError::Stage { given, last: stages - 1 }),
        MessagesFault::Bank => (false, "u_messages_".into(), "read_address_i", None),
        MessagesFault::Place => (false, "u_received_".into(), "step_i", Some(zero(1))),
        MessagesFault::Last => (false, "u_send_".into(), "at_last_i", None),
        MessagesFault::Room => (false, "u_control".into(), "even_i", Some(zero(1))),
        MessagesFault::Source => (false, "u_output_".into(), "source_i", None),
    };
    let top = netlist.modules.len() - 1;
    let module = &mut netlist.modules[if inside { top - 1 } else { top }];
    for instance in module.instances.iter_mut().filter(|instance| instance.name.starts_with(&start)) {
        let lane = &mut instance.input_mut(port).expect("a port of this name")[0];
        match &instead {
            Some(instead) => *lane = instead.clone(),
            None => invert(lane, 0).expect("a net"),
        }
    }
    Ok(())
}
