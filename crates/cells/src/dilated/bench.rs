//! The bench: it drives the design, pass by pass, and holds the packets in between.

use super::{Complaint, Run};
use crate::bench::PeriodObserver;
use crate::design::dilated::{Hardware, switch_name};
use crate::netlist::simulate::{NamedNet, Simulated};
use frit_network::Refusal;
use frit_router::dilated::Packets;
use std::collections::BTreeMap;

pub(super) const NOBODY: usize = usize::MAX;

/// The nets of a switch.
pub(super) struct Probes {
    pub take: NamedNet,
    pub edge: NamedNet,
    pub front: NamedNet,
    pub valid: NamedNet,
    pub pop: NamedNet,
    pub room: NamedNet,
}

/// What is known of a packet in this pass.
#[derive(Clone, Default)]
pub(super) struct Held {
    /// The bits that it brings into the pass.
    pub bits: Vec<bool>,
    /// How many of them have been taken.
    pub sent: usize,
    /// The bits that have come out.
    pub came: Vec<bool>,
}

pub(super) struct DilatedBench<'a> {
    pub packets: &'a Packets,
    pub hardware: &'a Hardware,
    pub design: Simulated,
    pub ports: BTreeMap<&'static str, NamedNet>,
    pub probes: Vec<Probes>,
    /// The pass, and the step in which it began.
    pub pass: u32,
    pub origin: u32,
    /// The packets that start in each row in this pass.
    pub starting: Vec<Vec<usize>>,
    /// Those that have come out whole, in their order.
    pub whole: Vec<Vec<usize>>,
    /// The packets by their numbers.
    pub held: Vec<Held>,
    /// Whose worm an edge has, and the bits of it that have left the edge.
    pub owner: Vec<usize>,
    pub passed: Vec<u32>,
    /// Edges that their worms have left in this step.
    pub ended: Vec<usize>,
    /// Steps of this pass until the last bit that came out.
    pub last_out: u64,
    pub found: Run,
    /// The periods since the first of reset, and who sees them.
    period: u64,
    periods: &'a mut dyn PeriodObserver,
}

const PORTS: [&str; 12] = [
    "clk_i",
    "rst_i",
    "start_i",
    "busy_o",
    "done_o",
    "stuck_o",
    "steps_o",
    "inject_valid_i",
    "inject_bit_i",
    "inject_pop_o",
    "sink_valid_o",
    "sink_bit_o",
];
/// The ports that a design with released edges has besides.
const LAST: &str = "inject_last_i";
pub(super) const SINK_LAST: &str = "sink_last_o";

impl<'a> DilatedBench<'a> {
    pub fn new(
        packets: &'a Packets,
        hardware: &'a Hardware,
        design: Simulated,
        periods: &'a mut dyn PeriodObserver,
    ) -> Self {
        let nets: BTreeMap<(String, &str), &NamedNet> =
            design.nets().iter().map(|net| ((net.scope.join("."), net.name.as_str()), net)).collect();
        let find = |scope: String, name: &'static str| {
            let net = nets.get(&(scope.clone(), name));
            (*net.unwrap_or_else(|| panic!("the design has a net {scope}.{name}"))).clone()
        };
        let network = hardware.network();
        let probes = (0..network.switches() as u32).map(|number| {
            let scope = format!("u_fabric.{}", switch_name(network.node(number)));
            let of = |name| find(scope.clone(), name);
            Probes {
                take: of("take"),
                edge: of("edge_taken"),
                front: of("front"),
                valid: of("valid"),
                pop: of("pop"),
                room: of("room"),
            }
        });
        let probes = probes.collect();
        let last = [LAST, SINK_LAST].into_iter().filter(|_| hardware.release());
        let ports = PORTS.into_iter().chain(last).map(|name| (name, find(String::new(), name))).collect();
        let edges = network.edges() as usize;
        let mut starting = vec![Vec::new(); network.rows() as usize];
        let mut held = Vec::new();
        for (number, packet) in packets.packets().iter().enumerate() {
            starting[packet.source as usize].push(number);
            let bits = (0..packets.packet_bits()).map(|bit| packets.bit(number, bit)).collect();
            held.push(Held { bits, ..Held::default() });
        }
        DilatedBench {
            packets,
            hardware,
            design,
            ports,
            probes,
            pass: 0,
            origin: 0,
            whole: vec![Vec::new(); starting.len()],
            starting,
            held,
            owner: vec![NOBODY; edges],
            passed: vec![0; edges],
            ended: Vec::new(),
            last_out: 0,
            found: Run::default(),
            period: 0,
            periods,
        }
    }

    pub fn port(&self, name: &str) -> bool {
        self.design.get(&self.ports[name], 0) != 0
    }

    pub fn complain(&mut self, step: u32, what: impl FnOnce() -> String) {
        if self.found.complaint.is_none() {
            self.found.complaint = Some(Complaint { step, what: what() });
        }
    }

    /// Bits of a packet that pass the queues of a level in this pass; at the sinks, bits that come out.
    pub fn bits_at(&self, level: u32) -> u32 {
        self.packets.packet_bits() - self.pass * self.hardware.network().levels() - level
    }

    /// The lower half of a period: the design is driven, and settles.
    fn drive(&mut self, reset: bool, start: bool) -> Result<(), Refusal> {
        for (port, value) in [("clk_i", false), ("rst_i", reset), ("start_i", start)] {
            self.design.set(&self.ports[port], 0, value.into());
        }
        self.offer();
        self.design.settle()?;
        self.periods.period(self.period, &self.design);
        self.period += 1;
        Ok(())
    }

    /// The rising edge at the end of a period.
    fn edge(&mut self) -> Result<(), Refusal> {
        self.design.set(&self.ports["clk_i"], 0, 1);
        self.design.settle()
    }

    /// Two periods of reset, one of rest.
    pub fn reset(&mut self) -> Result<(), Refusal> {
        for reset in [true, true, false] {
            self.drive(reset, false)?;
            self.edge()?;
        }
        Ok(())
    }

    /// Starts the design and checks it step by step. Gives whether it ended before step `limit`.
    pub fn pass(&mut self, limit: u64) -> Result<bool, Refusal> {
        self.drive(false, true)?;
        self.edge()?;
        for step in self.origin..u32::try_from(limit).unwrap_or(u32::MAX) {
            self.drive(false, false)?;
            if self.port("done_o") {
                self.end(step);
                self.edge()?;
                return Ok(true);
            }
            self.step(step);
            self.edge()?;
        }
        self.found.steps = None;
        Ok(false)
    }

    /// The barrier: what has come out whole is held at its row, in the order in which it came, and goes in again there, behind a
    /// period of rest.
    pub fn next_pass(&mut self) -> Result<(), Refusal> {
        self.pass += 1;
        self.owner.fill(NOBODY);
        self.passed.fill(0);
        self.last_out = 0;
        let whole = vec![Vec::new(); self.whole.len()];
        self.starting = std::mem::replace(&mut self.whole, whole);
        for row in &mut self.starting {
            // A faulty design may bring a row more packets than it has inputs.
            row.truncate(self.hardware.per_input() as usize);
        }
        for held in &mut self.held {
            (held.sent, held.bits) = (0, std::mem::take(&mut held.came));
        }
        self.drive(false, false)?;
        self.edge()
    }

    /// Shows the next bit of every packet.
    fn offer(&mut self) {
        for (row, packets) in self.starting.iter().enumerate() {
            let (mut valid, mut bits, mut last) = (0, 0, 0);
            for (place, &packet) in packets.iter().enumerate() {
                let held = &self.held[packet];
                if let Some(&bit) = held.bits.get(held.sent) {
                    valid |= 1 << place;
                    bits |= u64::from(bit) << place;
                    last |= u64::from(held.sent + 1 == held.bits.len()) << place;
                }
            }
            for (port, value) in [("inject_valid_i", valid), ("inject_bit_i", bits), (LAST, last)] {
                if let Some(net) = self.ports.get(port) {
                    self.design.set(net, row, value);
                }
            }
        }
    }
}
