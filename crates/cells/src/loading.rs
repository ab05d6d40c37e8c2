//! Runs `D_loaded` on the rust-hdl network: the phases of a [`Trial`]; and deliberate faults.

use crate::fault::{by_name, invert};
use crate::netlist::Netlist;
use crate::netlist::simulate::{NamedNet, SimulateError, Simulated};
use frit_demand::loaded::{Event, Trial, What};
use frit_demand::program::Shape;
use frit_demand::script::{Beat, Phase, noise, seed};
use frit_network::TerminalIdx;
use frit_traffic::drawn::{draw, hexadecimal, word};
use std::str::FromStr;

/// Runs the phases of all engines, each for as many cycles as the model: what is seen at the ports, in order.
///
/// # Errors
///
/// If rust-hdl cannot simulate the design.
pub fn run(trial: &Trial, netlist: &Netlist) -> Result<Vec<Event>, SimulateError> {
    let (shape, width) = (trial.shape(), trial.width);
    let mut design = Simulated::new(netlist)?;
    let ports = Ports::new(&design);
    let mut events = Vec::new();
    for (at, (phase, ran)) in trial.phases[..trial.compared].iter().zip(&trial.ran).enumerate() {
        let bench = Bench { shape, width, at, phase, design: &mut design, ports: &ports };
        events.extend(bench.run(ran.cycles)?);
    }
    Ok(events)
}

struct Ports {
    clk: NamedNet,
    rst: NamedNet,
    /// valid, ready, data, last.
    stream: [NamedNet; 4],
    start: NamedNet,
    ready: NamedNet,
    /// ready, last, destination; valid, data.
    send: [NamedNet; 5],
    /// valid, source, data.
    recv: [NamedNet; 3],
    /// What rises, and what it is.
    marks: [(NamedNet, What); 4],
}

impl Ports {
    fn new(design: &Simulated) -> Ports {
        let port = |name: &str| design.find("", name).unwrap_or_else(|| panic!("D_loaded has a port {name}"));
        let marks = [
            ("error_load_o", What::Load),
            ("error_start_o", What::Early),
            ("error_stray_o", What::Stray),
            ("done_o", What::Done),
        ];
        Ports {
            clk: port("clk_i"),
            rst: port("rst_i"),
            stream: ["s_axis_tvalid_i", "s_axis_tready_o", "s_axis_tdata_i", "s_axis_tlast_i"].map(port),
            start: port("start_i"),
            ready: port("ready_o"),
            send: ["send_ready_o", "send_last_o", "send_dest_o", "send_valid_i", "send_data_i"].map(port),
            recv: ["recv_valid_o", "recv_source_o", "recv_data_o"].map(port),
            marks: marks.map(|(name, what)| (port(name), what)),
        }
    }
}

struct Bench<'a> {
    shape: Shape,
    width: u32,
    at: usize,
    phase: &'a Phase,
    design: &'a mut Simulated,
    ports: &'a Ports,
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

impl Bench<'_> {
    fn get(&self, net: &NamedNet, lane: u32) -> u64 {
        self.design.get(net, lane as usize)
    }

    fn edge(&mut self) -> Result<(), SimulateError> {
        for level in [1, 0] {
            self.design.set(&self.ports.clk, 0, level);
            self.design.settle()?;
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), SimulateError> {
        let ports = self.ports;
        self.design.set(&ports.clk, 0, 0);
        for (net, level) in [(&ports.rst, 1), (&ports.stream[0], 1), (&ports.start, 1)] {
            self.design.set(net, 0, level);
        }
        (0..self.shape.terminals()).for_each(|lane| self.design.set(&ports.send[3], lane as usize, 1));
        self.design.settle()?;
        self.edge()?;
        for net in [&ports.rst, &ports.stream[0], &ports.start] {
            self.design.set(net, 0, 0);
        }
        self.design.settle()
    }

    fn run(mut self, cycles: u64) -> Result<Vec<Event>, SimulateError> {
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
        let (mut events, mut seen) = (Vec::new(), [false; 3]);
        for cycle in 0..cycles {
            state = draw(state);
            offering |= taken < self.phase.beats.len() && state & 0xff < self.phase.offering;
            self.drive(self.phase.beats.get(taken).filter(|_| offering).copied(), &words.given);
            self.design.settle()?;
            let early = self.phase.early == Some(cycle);
            let waits = self.phase.early.is_some_and(|early| cycle <= early);
            let ready = self.get(&self.ports.ready, 0) == 1;
            let wanted =
                !waits && started < self.phase.words.len() && state >> 8 & 0xff < self.phase.starting;
            let start = early || ready && wanted;
            self.design.set(&self.ports.start, 0, start.into());
            self.design.settle()?;
            if start && ready {
                started += 1;
                events.push(Event::new(self.at, cycle, What::Start));
            }
            if offering && self.get(&self.ports.stream[1], 0) == 1 {
                (offering, taken) = (false, taken + 1);
            }
            self.look(cycle, &mut seen, &mut events);
            self.asked(&mut words, noise(state));
            self.edge()?;
        }
        Ok(events)
    }

    fn drive(&mut self, beat: Option<Beat>, given: &[Option<u64>]) {
        let (ports, ones) = (self.ports, u64::MAX >> (64 - self.width));
        self.design.set(&ports.stream[0], 0, beat.is_some().into());
        self.design.set(&ports.stream[2], 0, beat.map_or(u32::MAX, |beat| beat.word).into());
        self.design.set(&ports.stream[3], 0, beat.is_none_or(|beat| beat.last).into());
        for (lane, word) in given.iter().enumerate() {
            self.design.set(&ports.send[3], lane, word.is_some().into());
            self.design.set(&ports.send[4], lane, word.unwrap_or(ones));
        }
    }

    /// What is seen in a cycle.
    fn look(&self, cycle: u64, seen: &mut [bool; 3], events: &mut Vec<Event>) {
        for (k, (net, what)) in self.ports.marks.iter().enumerate() {
            let high = self.get(net, 0) == 1;
            let before = seen.get_mut(k).is_some_and(|seen| std::mem::replace(seen, high));
            if high && !before {
                events.push(Event::new(self.at, cycle, *what));
            }
        }
        for terminal in 0..self.shape.terminals() {
            if self.get(&self.ports.recv[0], terminal) == 1 {
                let [source, data] = [1, 2].map(|k| self.get(&self.ports.recv[k], terminal));
                let data = hexadecimal(1, self.width, |_, part| (data >> (32 * part)) as u32);
                let (phase, what, source) = (self.at, What::Word, source as u32);
                events.push(Event { phase, cycle, what, terminal: TerminalIdx(terminal), source, data });
            }
        }
    }

    /// What the terminals give in the next cycle.
    fn asked(&self, words: &mut Words, noise: bool) {
        let n = self.shape.terminals();
        words.given.fill(None);
        if self.get(&self.ports.send[0], 0) == 0 {
            words.given.fill(noise.then_some(u64::MAX >> (64 - self.width)));
            return;
        }
        for source in 0..n {
            let pair = source * n + self.get(&self.ports.send[2], source) as u32;
            let (left, sent) = (&mut words.left[pair as usize], &mut words.sent[pair as usize]);
            if *left > 0 {
                let given = word(self.at as u64, pair.into(), (*sent).into(), self.width);
                words.given[source as usize] = Some(given);
                (*left, *sent) = (*left - 1, *sent + 1);
            }
        }
        if self.get(&self.ports.send[1], 0) == 1 {
            words.exchange += 1;
            match self.phase.words.get(words.exchange) {
                Some(next) => words.left.clone_from(next),
                None => words.left.fill(0),
            }
        }
    }
}

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadedFault {
    /// The settings of a stage are inverted.
    Setting(u32),
    /// The bank that is being loaded runs.
    Bank,
    /// Run lengths are inverted.
    Run,
    /// The numbers of entries are inverted when they are written.
    Entry,
    /// Terminals take only words whose destination has all bits of their number inverted.
    Label,
}

/// Why there is no such fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadedFaultError {
    /// Not one of the faults.
    #[error(
        "--fault {0:?} is not a fault of a loaded schedule; give setting:STAGE, bank, run, entry or label"
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

impl FromStr for LoadedFault {
    type Err = LoadedFaultError;

    fn from_str(text: &str) -> Result<Self, LoadedFaultError> {
        let others = [
            ("bank", LoadedFault::Bank),
            ("run", LoadedFault::Run),
            ("entry", LoadedFault::Entry),
            ("label", LoadedFault::Label),
        ];
        by_name(text, LoadedFault::Setting, &others).ok_or_else(|| LoadedFaultError::Unknown(text.into()))
    }
}

/// Plants a fault in `D_loaded`.
///
/// # Errors
///
/// If it has no place there.
pub fn plant(netlist: &mut Netlist, shape: Shape, fault: LoadedFault) -> Result<(), LoadedFaultError> {
    // Instances whose name begins so, the port, and which of its parts are inverted.
    let (start, port, at) = match fault {
        LoadedFault::Setting(stage) if stage < shape.stages() => (format!("u_switch_{stage}_"), "state_i", 0),
        LoadedFault::Setting(given) => {
            return Err(LoadedFaultError::Stage { given, last: shape.stages() - 1 });
        }
        LoadedFault::Bank => ("u_memory_".into(), "read_address_i", 0),
        LoadedFault::Run => ("u_fetch".into(), "run_i", 0),
        LoadedFault::Entry => ("u_memory_".into(), "write_address_i", 1),
        LoadedFault::Label => ("u_sink_".into(), "dest_i", 0),
    };
    let module = netlist.modules.last_mut().expect("D_loaded");
    for instance in module.instances.iter_mut().filter(|instance| instance.name.starts_with(&start)) {
        let lanes = instance.input_mut(port).expect("a port of this name");
        invert(&mut lanes[0], at).expect("a net");
    }
    Ok(())
}
