//! The reference: in every step every switch is visited, every edge looked at, every bit moved by itself.

use super::outcome::{DilatedOutcome, Tally, outcome, waiting};
use super::state::{NOBODY, Queue, State, SwitchState, UNUSED, start, words};
use crate::stepper::{self, Progress, Stepper};
use frit_network::dilated::{InEdge, Node};
use frit_router::dilated::{Mode, Packets, Shunt, Switch};

/// The engine that visits everything, for the packets given.
#[derive(Clone, Debug)]
pub struct Plain<'a> {
    packets: &'a Packets,
    order: Vec<u32>,
}

/// Runs packets until nothing moves, and tells `see` every shunt in its order.
pub fn run(packets: &Packets, see: impl FnMut(&Shunt)) -> DilatedOutcome {
    run_ticking(packets, see, |_| ())
}

/// The same as [`run`]; `tick` is told the number of each step before it is made.
pub fn run_ticking(packets: &Packets, mut see: impl FnMut(&Shunt), tick: impl FnMut(u64)) -> DilatedOutcome {
    let mut tally = Tally::new(packets);
    let see = |shunt| {
        tally.take(&shunt);
        see(&shunt);
    };
    let (_, _, state) = stepper::run_ticking(&Plain::new(packets), u32::MAX.into(), see, tick);
    outcome(packets, state, &tally)
}

impl<'a> Plain<'a> {
    /// The engine.
    pub fn new(packets: &'a Packets) -> Self {
        Plain { packets, order: (0..packets.network().switches() as u32).collect() }
    }

    /// An engine that visits the switches in another order, with the same results.
    pub fn visiting(packets: &'a Packets, order: Vec<u32>) -> Self {
        Plain { packets, order }
    }

    /// Bits of a packet that pass the queues of a level.
    pub(super) fn bits_at(&self, state: &State, level: u32) -> u32 {
        self.packets.packet_bits() - state.pass * self.packets.network().dimensions() - level
    }

    fn queue_of(&self, edge: InEdge) -> usize {
        self.packets.packets().len() + self.packets.network().edge_number(edge)
    }

    /// The front bit of a queue that has one.
    pub(super) fn front(&self, state: &State, queue: usize) -> bool {
        let starts = self.packets.packets().len();
        match queue.checked_sub(starts) {
            Some(edge) => state.bits[edge * self.packets.queue() as usize],
            None => {
                let Queue { packet, passed, .. } = state.queues[queue];
                let word = state.content[packet as usize * words(self.packets) + passed as usize / 64];
                word >> (passed % 64) & 1 == 1
            }
        }
    }

    /// Takes the front bit away; an edge whose last bit it was is unused from the next step on if edges are released.
    fn pop(&self, next: &mut State, queue: usize, level: u32) {
        let last = self.bits_at(next, level);
        let starts = self.packets.packets().len();
        let of = &mut next.queues[queue];
        of.length -= 1;
        of.passed += 1;
        if let Some(edge) = queue.checked_sub(starts) {
            let room = self.packets.queue() as usize;
            next.bits[edge * room..(edge + 1) * room].rotate_left(1);
            if self.packets.parameters().release && of.passed == last {
                *of = UNUSED;
            }
        }
    }

    /// Adds a bit at the end of an edge.
    fn push(&self, next: &mut State, queue: usize, bit: bool, step: u32) {
        let edge = queue - self.packets.packets().len();
        let of = &mut next.queues[queue];
        if of.passed == 0 && of.length == 0 {
            of.since = step + 1;
        }
        next.bits[edge * self.packets.queue() as usize + of.length as usize] = bit;
        of.length += 1;
    }

    /// Gives a bit to a sink.
    fn deliver(&self, next: &mut State, end: InEdge, bit: bool, step: u32) {
        let last = self.bits_at(next, end.node.level);
        let queue = self.queue_of(end);
        let packet = next.queues[queue].packet as usize;
        let arrived = &mut next.arrived[packet];
        (arrived.row, arrived.step, arrived.by) = (end.node.row, step, (end.y, end.e));
        let place = arrived.bits;
        next.received[packet * words(self.packets) + place as usize / 64] |= u64::from(bit) << (place % 64);
        arrived.bits += 1;
        if arrived.bits == last {
            if last == self.packets.parameters().payload {
                next.delivered += 1;
            }
            if self.packets.parameters().release {
                next.queues[queue] = UNUSED;
            }
        }
        next.steps = next.before + u64::from(step - next.begun) + 1;
    }

    /// Forwards a bit of a shunted edge. Gives whether there was one that could go.
    fn forward(&self, now: &State, next: &mut State, queue: usize, node: Node, step: u32) -> bool {
        let Queue { length: 1.., target: Some((x, e)), .. } = now.queues[queue] else { return false };
        let network = self.packets.network();
        let end = network.end(node, x, e);
        let bit = self.front(now, queue);
        if end.node.level == network.levels() {
            self.deliver(next, end, bit, step);
        } else {
            let to = self.queue_of(end);
            if now.queues[to].length >= self.packets.queue() {
                return false;
            }
            self.push(next, to, bit, step);
        }
        self.pop(next, queue, node.level);
        true
    }

    /// The edge of out bundle `x` that a head would get: one that nobody used when the step began and that no other head got
    /// in this step.
    fn unused(&self, now: &State, next: &State, node: Node, x: u32, switch: &SwitchState) -> Option<u32> {
        let (network, p) = (self.packets.network(), self.packets.parameters());
        let used = switch.used[x as usize];
        if !p.release {
            return (used < p.bundle).then_some(used);
        }
        let free = |e: &u32| {
            let queue = self.queue_of(network.end(node, x, *e));
            now.queues[queue].packet == NOBODY && next.queues[queue].packet == NOBODY
        };
        match p.switch {
            Switch::Strong => (0..p.bundle).find(free),
            Switch::Weak => Some(used).filter(free),
        }
    }

    /// Visits a switch.
    fn visit(&self, now: &State, next: &mut State, number: u32, step: u32, shunts: &mut Vec<Shunt>) -> bool {
        let (network, p) = (self.packets.network(), self.packets.parameters());
        let node = network.node(number);
        let starts = now.starts_of(node.row);
        let edges = |y| {
            if node.level > 0 {
                network.bundle()
            } else if y == 0 {
                starts.len() as u32
            } else {
                0
            }
        };
        let queue_of = |y, e| {
            if node.level > 0 { self.queue_of(InEdge { node, y, e }) } else { starts.start + e as usize }
        };
        let mut moved = false;
        for (y, e) in (0..2).flat_map(|y| (0..edges(y)).map(move |e| (y, e))) {
            moved |= self.forward(now, next, queue_of(y, e), node, step);
        }
        let mut switch = now.switches[number as usize];
        let mut examine = |y: u32, e: u32, switch: &mut SwitchState| {
            let queue = queue_of(y, e);
            let Queue { packet, length: 1.., target: None, since, .. } = now.queues[queue] else {
                return false;
            };
            let x = u32::from(self.front(now, queue));
            let Some(out) = self.unused(now, next, node, x, switch) else { return false };
            next.queues[queue].target = Some((x, out));
            let end = self.queue_of(network.end(node, x, out));
            next.queues[end] = Queue { packet, ..UNUSED };
            next.waits += u64::from(step - since);
            self.pop(next, queue, node.level);
            let used = &mut switch.used[x as usize];
            *used = if p.release { (out + 1) % p.bundle } else { out + 1 };
            let level = node.level + now.pass * network.dimensions();
            shunts.push(Shunt { step, level, row: node.row, y, e, x, out });
            true
        };
        match p.switch {
            Switch::Strong => {
                for (y, e) in (0..2).flat_map(|y| (0..edges(y)).map(move |e| (y, e))) {
                    moved |= examine(y, e, &mut switch);
                }
            }
            Switch::Weak => {
                for y in [switch.first, 1 - switch.first] {
                    let e = switch.turn[y as usize];
                    if e < edges(y) && examine(y, e, &mut switch) {
                        let round = p.release && node.level > 0;
                        switch.turn[y as usize] = if round { (e + 1) % p.bundle } else { e + 1 };
                        switch.first = 1 - y;
                        moved = true;
                        break;
                    }
                }
            }
        }
        next.switches[number as usize] = switch;
        moved
    }

    /// The state in which the second pass begins: what has come out of the first goes in again where it came out, the packets of a
    /// row in the order in which they came out whole, those of one step by bundle and edge.
    pub(super) fn second_pass(&self, now: &State, step: u32) -> State {
        let dimensions = self.packets.network().dimensions();
        let mut next = start(self.packets);
        (next.pass, next.begun, next.waits) = (1, step, now.waits);
        (next.before, next.steps) = (now.steps, now.steps);
        next.lost = waiting(self.packets, now);
        next.content.clone_from(&now.received);
        next.queues.fill(UNUSED);
        let bits = self.packets.packet_bits() - dimensions;
        let through = now.arrived.iter().enumerate().filter(|(_, arrived)| arrived.bits == bits);
        let mut through: Vec<_> =
            through.map(|(packet, a)| ((a.row, a.step, a.by), (a.row, packet as u32))).collect();
        through.sort_unstable();
        let through: Vec<_> = through.into_iter().map(|(_, start)| start).collect();
        next.line_up(self.packets.network().rows(), &through, bits);
        next
    }
}

impl Stepper for Plain<'_> {
    type State = State;
    type Event = Shunt;

    fn start(&self) -> State {
        start(self.packets)
    }

    fn step(&self, step: u64, now: &State, next: &mut State, see: &mut dyn FnMut(Shunt)) -> Progress {
        let at = u32::try_from(step).expect("a run has fewer than 2^32 steps");
        next.clone_from(now);
        let (mut moved, mut shunts) = (false, Vec::new());
        for &switch in &self.order {
            moved |= self.visit(now, next, switch, at, &mut shunts);
        }
        shunts.sort_unstable();
        shunts.into_iter().for_each(&mut *see);
        let parameters = self.packets.parameters();
        if next.delivered == self.packets.packets().len() as u64 {
            Progress::Complete
        } else if moved {
            Progress::Moves
        } else if parameters.mode == Mode::Barrier && now.pass + 1 < parameters.passes() {
            let begun = self.second_pass(now, at);
            self.step(step, &begun, next, see)
        } else {
            Progress::Stuck
        }
    }
}
