//! What the bench checks in every step, and at the end of a pass and of the run.

use super::Run;
use super::bench::{DilatedBench, NOBODY, SINK_LAST};
use frit_network::RowIdx;
use frit_network::dilated::{InEdge, Node};
use frit_router::dilated::{Arrival, Shunt, Switch};

impl DilatedBench<'_> {
    /// What the registers and wires say in a step.
    pub fn step(&mut self, step: u32) {
        if !self.port("busy_o") {
            self.complain(step, || "busy_o is 0 during the run".into());
        }
        // Who sends and arrives is known before the step's shunts.
        self.taken(step);
        self.moves(step);
        self.sinks(step);
        self.shunts(step);
        // An edge that is released is unused from the next step on.
        for edge in std::mem::take(&mut self.ended) {
            self.owner[edge] = NOBODY;
        }
    }

    /// Bits that are taken from the packets.
    fn taken(&mut self, step: u32) {
        for row in 0..self.starting.len() {
            let popped = self.design.get(&self.ports["inject_pop_o"], row);
            for place in (0..self.hardware.per_input() as usize).filter(|place| popped >> place & 1 == 1) {
                let packet = self.starting[row].get(place).map(|&packet| &mut self.held[packet]);
                match packet {
                    Some(held) if held.sent < held.bits.len() => held.sent += 1,
                    _ => self.complain(step, || format!("row {row} takes a bit that packet {place} has not")),
                }
            }
        }
    }

    /// A bit has left an edge.
    fn leaves(&mut self, edge: usize, level: u32) {
        self.passed[edge] += 1;
        if self.hardware.release() && self.passed[edge] == self.bits_at(level) {
            self.ended.push(edge);
        }
    }

    /// The in edge of a switch: an edge, or a place where a packet starts; and whose worm it has.
    fn worm(&self, node: Node, input: u32) -> (Option<usize>, usize) {
        let bundle = self.hardware.bundle();
        if node.level == 0 {
            let packet = self.starting[node.row.idx()].get(input as usize);
            return (None, packet.copied().unwrap_or(NOBODY));
        }
        let InEdge { y, e, .. } = InEdge { node, y: input / bundle, e: input % bundle };
        let edge = self.hardware.network().edge_number(InEdge { node, y, e });
        (Some(edge), self.owner[edge])
    }

    /// Both ends of an edge must agree: a bit that leaves without room there is lost, one that could go must.
    fn moves(&mut self, step: u32) {
        let (network, bundle) = (*self.hardware.network(), self.hardware.bundle());
        for number in 0..network.switches() as u32 {
            let node = network.node(number);
            for input in 0..self.hardware.inputs(node.level) {
                let probes = &self.probes[number as usize];
                let get = |net| self.design.get(net, input as usize) != 0;
                let (valid, take, pops) = (get(&probes.valid), get(&probes.take), get(&probes.pop));
                if !valid {
                    continue;
                }
                let (from, worm) = self.worm(node, input);
                let target = if take { None } else { self.target(number, worm) };
                if let Some(edge) = from.filter(|_| pops) {
                    self.leaves(edge, node.level);
                }
                let Some(end) = target.filter(|end| end.node.level < network.levels()) else { continue };
                let next = (end.node.level << network.dimensions()) + end.node.row.0;
                let place = (end.y * bundle + end.e) as usize;
                let room = self.design.get(&self.probes[next as usize].room, place) != 0;
                if pops != room {
                    let InEdge { node, y, e } = end;
                    let level = node.level + self.pass * network.levels();
                    let what = if pops { "overflows" } else { "has room, but its bit stays" };
                    self.complain(step, || {
                        format!("the queue at level {level} row {} bundle {y} edge {e} {what}", node.row)
                    });
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
        let (network, levels) = (*self.hardware.network(), self.hardware.network().levels());
        let final_pass = self.pass + 1 == self.hardware.passes();
        let stripped = self.packets.packet_bits() - self.bits_at(levels);
        for end in 0..2 * network.rows() {
            let valid = self.design.get(&self.ports["sink_valid_o"], end as usize);
            let bits = self.design.get(&self.ports["sink_bit_o"], end as usize);
            let lasts = self.ports.get(SINK_LAST).map(|net| self.design.get(net, end as usize));
            for e in (0..network.bundle()).filter(|e| valid >> e & 1 == 1) {
                let (row, y, bit) = (end / 2, end % 2, bits >> e & 1 == 1);
                self.found.arrivals.push(Arrival { step, row: RowIdx(row), y, e, bit });
                self.last_out = u64::from(step + 1 - self.origin);
                let node = Node { level: levels, row: RowIdx(row) };
                let edge = network.edge_number(InEdge { node, y, e });
                let packet = self.owner[edge];
                let place = format!("row {row} bundle {y} edge {e}");
                let Some(expected) = self.packets.packets().get(packet) else {
                    self.complain(step, || format!("a bit comes out at {place}, which nobody uses"));
                    continue;
                };
                self.leaves(edge, levels);
                let last = lasts.map(|lasts| lasts >> e & 1 == 1);
                let is_last = self.held[packet].came.len() as u32 + 1 == self.bits_at(levels);
                if last.is_some_and(|last| last != is_last) {
                    self.complain(step, || format!("sink_last_o is wrong at {place}"));
                }
                let held = &mut self.held[packet];
                let count = held.came.len() as u32;
                held.came.push(bit);
                if is_last {
                    self.whole[row as usize].push(packet);
                }
                let to = if final_pass { expected.destination } else { expected.middle };
                let place_right = stripped + count < self.packets.packet_bits() && row == to;
                if !place_right || self.packets.bit(packet, stripped + count) != bit {
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
            let shunted: Vec<u32> = (0..self.hardware.inputs(node.level))
                .filter(|&input| self.design.get(&self.probes[number as usize].take, input as usize) != 0)
                .collect();
            let (level, row) = (node.level + self.pass * network.levels(), node.row);
            if shunted.len() > 1 && self.hardware.switch() == Switch::Weak {
                let count = shunted.len();
                self.complain(step, || {
                    format!("the weak switch at level {level} row {row} shunts {count} edges")
                });
            }
            for input in shunted {
                let probes = &self.probes[number as usize];
                let (y, e) = if node.level == 0 { (0, input) } else { (input / bundle, input % bundle) };
                let x = self.design.get(&probes.front, input as usize) as u32;
                let edge = self.design.get(&probes.edge, input as usize);
                let out = edge.trailing_zeros();
                self.found.shunts.push(Shunt { step, level, row, y, e, x, out });
                let place = format!("level {level} row {row} bundle {y} edge {e}");
                if edge.count_ones() != 1 {
                    self.complain(step, || format!("{place} is shunted to the edges {edge:#b}"));
                    continue;
                }
                let (_, worm) = self.worm(node, input);
                let to = network.edge_number(network.end(node, x, out));
                if self.owner[to] != NOBODY {
                    let why =
                        if self.hardware.release() { "which its worm has not left" } else { "which is used" };
                    self.complain(step, || {
                        format!("{place} is shunted to edge {out} of out bundle {x}, {why}")
                    });
                }
                (self.owner[to], self.passed[to]) = (worm, 0);
            }
        }
    }

    /// The end of a pass: `done_o` is high in step `step`, so in the one before nothing moved.
    pub fn end(&mut self, step: u32) {
        let counted = self.design.get(&self.ports["steps_o"], 0);
        self.found.stuck = self.port("stuck_o");
        if counted != self.last_out {
            let last = self.last_out;
            self.complain(step, || format!("steps_o is {counted}, but the last bit came out in step {last}"));
        }
        let whole = self.bits_at(self.hardware.network().levels()) as usize;
        let begun = self.starting.iter().flatten();
        let left = begun.filter(|&&packet| self.held[packet].came.len() < whole).count();
        if self.found.stuck != (left > 0) {
            let stuck = u8::from(self.found.stuck);
            self.complain(step, || format!("stuck_o is {stuck} with {left} packets left"));
        }
        self.found.steps = Some(self.found.steps.unwrap_or(0) + counted);
        self.origin = step.saturating_sub(1);
        if self.pass + 1 < self.hardware.passes() {
            self.found.second = Some(self.origin);
        }
    }

    pub fn finish(mut self, limit: u64) -> Run {
        let whole = self.bits_at(self.hardware.network().levels()) as usize;
        let last = self.pass + 1 == self.hardware.passes();
        let left = (0..).zip(&self.held).filter(|(_, held)| !last || held.came.len() < whole);
        self.found.left = left.map(|(packet, _)| packet).collect();
        if self.found.steps.is_none() {
            self.complain(limit as u32, || format!("the run did not end in {limit} steps"));
        }
        self.found
    }
}
