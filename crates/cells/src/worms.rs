//! The testbench around the rust-hdl network of a dilated butterfly: it sends the packets' bits, follows every worm by the
//! shunts that it sees, and checks what comes out.
//!
//! It mirrors the SystemVerilog testbench, which has the same checks.

use crate::bench::PeriodObserver;
use crate::design::dilated::{Hardware, switch_name};
use crate::netlist::Netlist;
use crate::netlist::simulate::{NamedNet, SimulateError, Simulated};
use frit_network::dilated::InEdge;
use frit_router::dilated::{Arrival, Packets, Shunt, Switch};
use std::collections::BTreeMap;

/// What was wrong first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The bit step.
    pub step: u32,
    /// What.
    pub what: String,
}

/// What the rust-hdl network did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worms {
    /// Every shunt, in its order.
    pub shunts: Vec<Shunt>,
    /// Every bit that came out, in its order.
    pub arrivals: Vec<Arrival>,
    /// What `steps_o` said; `None` if the run did not end.
    pub steps: Option<u64>,
    /// What `stuck_o` said.
    pub stuck: bool,
    /// The packets that did not arrive, by their numbers.
    pub left: Vec<u32>,
    /// What was wrong by itself.
    pub complaint: Option<Complaint>,
}

/// Nobody's edge.
const NOBODY: usize = usize::MAX;

/// The nets of a switch.
struct Probes {
    take: NamedNet,
    edge: NamedNet,
    front: NamedNet,
    valid: NamedNet,
    pop: NamedNet,
    room: NamedNet,
}

struct Bench<'a> {
    packets: &'a Packets,
    hardware: &'a Hardware,
    design: Simulated,
    ports: BTreeMap<&'static str, NamedNet>,
    probes: Vec<Probes>,
    /// The packets of a row begin here.
    first: Vec<usize>,
    /// Whose worm an edge has.
    owner: Vec<usize>,
    /// Bits of each packet that have been taken, and that have come out.
    sent: Vec<u32>,
    received: Vec<u32>,
    found: Worms,
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

/// Runs packets through `netlist`, the hardware's own or one with a fault, for `limit` steps at most.
///
/// # Errors
/// If the logic does not settle.
pub fn run(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    limit: u64,
) -> Result<Worms, SimulateError> {
    run_observed(packets, hardware, Simulated::new(netlist)?, limit, &mut ())
}

/// The same in a design of that netlist, every period of which `periods` sees.
///
/// # Errors
/// If the logic does not settle.
pub fn run_observed(
    packets: &Packets,
    hardware: &Hardware,
    design: Simulated,
    limit: u64,
    periods: &mut dyn PeriodObserver,
) -> Result<Worms, SimulateError> {
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
    let ports = PORTS.iter().map(|&name| (name, find(String::new(), name))).collect();
    let row = |row: u32| packets.packets().partition_point(|packet| packet.source < row);
    let mut bench = Bench {
        packets,
        hardware,
        ports,
        probes,
        first: (0..=network.rows()).map(row).collect(),
        owner: vec![NOBODY; network.edges() as usize],
        sent: vec![0; packets.packets().len()],
        received: vec![0; packets.packets().len()],
        found: Worms::default(),
        design,
    };
    // Two periods of reset, one of rest, the start; then the steps.
    for period in 0..limit + 4 {
        bench.design.set(&bench.ports["clk_i"], 0, 0);
        bench.design.set(&bench.ports["rst_i"], 0, u64::from(period < 2));
        bench.design.set(&bench.ports["start_i"], 0, u64::from(period == 3));
        bench.offer();
        bench.design.settle()?;
        periods.period(period, &bench.design);
        if period >= 4 && bench.port("done_o") {
            bench.found.steps = Some(bench.design.get(&bench.ports["steps_o"], 0));
            bench.found.stuck = bench.port("stuck_o");
            break;
        }
        if let Some(step) = period.checked_sub(4) {
            bench.step(step as u32);
        }
        bench.design.set(&bench.ports["clk_i"], 0, 1);
        bench.design.settle()?;
    }
    Ok(bench.finish(limit))
}

impl Bench<'_> {
    fn port(&self, name: &str) -> bool {
        self.design.get(&self.ports[name], 0) != 0
    }

    fn complain(&mut self, step: u32, what: impl FnOnce() -> String) {
        if self.found.complaint.is_none() {
            self.found.complaint = Some(Complaint { step, what: what() });
        }
    }

    /// The packet of a place at level 0.
    fn starting(&self, row: u32, place: u32) -> Option<usize> {
        let packet = self.first[row as usize] + place as usize;
        (packet < self.first[row as usize + 1]).then_some(packet)
    }

    /// Shows the next bit of every packet.
    fn offer(&mut self) {
        for row in 0..self.hardware.network().rows() {
            let (mut valid, mut bits) = (0, 0);
            for place in 0..self.hardware.per_input() {
                let Some(packet) = self.starting(row, place) else { continue };
                if self.sent[packet] < self.packets.packet_bits() {
                    valid |= 1 << place;
                    bits |= u64::from(self.packets.bit(packet, self.sent[packet])) << place;
                }
            }
            self.design.set(&self.ports["inject_valid_i"], row as usize, valid);
            self.design.set(&self.ports["inject_bit_i"], row as usize, bits);
        }
    }

    /// What the registers and wires say in a step.
    fn step(&mut self, step: u32) {
        if !self.port("busy_o") {
            self.complain(step, || "busy_o is 0 during the run".into());
        }
        // Who sends and arrives is known before the step's shunts.
        self.moves(step);
        self.sinks(step);
        self.shunts(step);
    }

    fn moves(&mut self, step: u32) {
        let (network, bundle) = (*self.hardware.network(), self.hardware.bundle());
        for row in 0..network.rows() {
            let popped = self.design.get(&self.ports["inject_pop_o"], row as usize);
            for place in (0..self.hardware.per_input()).filter(|place| popped >> place & 1 == 1) {
                match self.starting(row, place) {
                    Some(packet) if self.sent[packet] < self.packets.packet_bits() => self.sent[packet] += 1,
                    _ => self.complain(step, || format!("row {row} takes a bit that packet {place} has not")),
                }
            }
        }
        // Both ends of an edge must agree: a bit that leaves without room there is lost, one that could go must.
        for number in 0..network.switches() as u32 {
            let node = network.node(number);
            let probes = &self.probes[number as usize];
            for input in 0..self.hardware.inputs(node.level) as usize {
                if self.design.get(&probes.valid, input) == 0 || self.design.get(&probes.take, input) != 0 {
                    continue;
                }
                let pops = self.design.get(&probes.pop, input) != 0;
                let (y, e) = (input as u32 / bundle, input as u32 % bundle);
                let from = (node.level > 0).then(|| network.edge_number(InEdge { node, y, e }));
                let worm = match from {
                    Some(edge) => self.owner[edge],
                    None => self.starting(node.row, input as u32).unwrap_or(NOBODY),
                };
                let target = self.target(number, worm);
                let Some(end) = target.filter(|end| end.node.level < network.levels()) else { continue };
                let next = (end.node.level << network.dimensions()) + end.node.row;
                let place = (end.y * bundle + end.e) as usize;
                let room = self.design.get(&self.probes[next as usize].room, place) != 0;
                if pops != room {
                    let InEdge { node, y, e } = end;
                    let what = if pops { "overflows" } else { "has room, but its bit stays" };
                    self.complain(step, || {
                        format!(
                            "the queue at level {} row {} bundle {y} edge {e} {what}",
                            node.level, node.row
                        )
                    });
                    return;
                }
            }
        }
    }

    /// The edge behind a switch that has this worm.
    fn target(&self, switch: u32, worm: usize) -> Option<InEdge> {
        let network = self.hardware.network();
        let node = network.node(switch);
        let ends = (0..2).flat_map(|x| (0..network.bundle()).map(move |e| network.end(node, x, e)));
        ends.into_iter().find(|&end| worm != NOBODY && self.owner[network.edge_number(end)] == worm)
    }

    fn sinks(&mut self, step: u32) {
        let network = *self.hardware.network();
        let header = self.packets.header_bits();
        for end in 0..2 * network.rows() {
            let valid = self.design.get(&self.ports["sink_valid_o"], end as usize);
            let bits = self.design.get(&self.ports["sink_bit_o"], end as usize);
            for e in (0..network.bundle()).filter(|e| valid >> e & 1 == 1) {
                let (row, y, bit) = (end / 2, end % 2, bits >> e & 1 == 1);
                self.found.arrivals.push(Arrival { step, row, y, e, bit });
                let node = frit_network::dilated::Node { level: network.levels(), row };
                let packet = self.owner[network.edge_number(InEdge { node, y, e })];
                let place = format!("row {row} bundle {y} edge {e}");
                let Some(expected) = self.packets.packets().get(packet) else {
                    self.complain(step, || format!("a bit comes out at {place}, which nobody uses"));
                    continue;
                };
                let count = self.received[packet];
                let right = count < self.packets.parameters().payload
                    && self.packets.bit(packet, header + count) == bit
                    && expected.destination == row;
                self.received[packet] += 1;
                if !right {
                    self.complain(step, || {
                        format!("bit {count} of packet {packet} comes out at {place} as {}", u8::from(bit))
                    });
                }
            }
        }
    }

    fn shunts(&mut self, step: u32) {
        let (network, bundle) = (*self.hardware.network(), self.hardware.bundle());
        for number in 0..network.switches() as u32 {
            let node = network.node(number);
            let inputs = self.hardware.inputs(node.level);
            let mut count = 0;
            for input in 0..inputs {
                let probes = &self.probes[number as usize];
                if self.design.get(&probes.take, input as usize) == 0 {
                    continue;
                }
                count += 1;
                let (y, e) = if node.level == 0 { (0, input) } else { (input / bundle, input % bundle) };
                let x = self.design.get(&probes.front, input as usize) as u32;
                let edge = self.design.get(&probes.edge, input as usize);
                let out = edge.trailing_zeros();
                let level = node.level;
                self.found.shunts.push(Shunt { step, level, row: node.row, y, e, x, out });
                let place = format!("level {level} row {} bundle {y} edge {e}", node.row);
                if edge.count_ones() != 1 {
                    self.complain(step, || format!("{place} is shunted to the edges {edge:#b}"));
                    continue;
                }
                let worm = match level {
                    0 => self.starting(node.row, input).unwrap_or(NOBODY),
                    _ => self.owner[network.edge_number(InEdge { node, y, e })],
                };
                let to = network.edge_number(network.end(node, x, out));
                if self.owner[to] != NOBODY {
                    self.complain(step, || {
                        format!("{place} is shunted to edge {out} of out bundle {x}, which is used")
                    });
                }
                self.owner[to] = worm;
            }
            if count > 1 && self.hardware.switch() == Switch::Weak {
                self.complain(step, || {
                    format!("the weak switch at level {} row {} shunts {count} edges", node.level, node.row)
                });
            }
        }
    }

    fn finish(mut self, limit: u64) -> Worms {
        let payload = self.packets.parameters().payload;
        let left = (0..).zip(&self.received).filter(|&(_, &bits)| bits < payload);
        self.found.left = left.map(|(packet, _)| packet).collect();
        if self.found.steps.is_none() {
            self.complain(limit as u32, || format!("the run did not end in {limit} steps"));
        } else if self.found.stuck == self.found.left.is_empty() {
            let (stuck, left) = (u8::from(self.found.stuck), self.found.left.len());
            let end = self.found.steps.unwrap_or(limit) as u32;
            self.complain(end, || format!("stuck_o is {stuck} with {left} packets left"));
        }
        self.found
    }
}
