//! What a waveform of the router shows, step by step: its ports, what stands at every switch, and what every edge shows.
//!
//! The bit of an edge on which nothing is offered has no meaning, but hardware shows some: the front of the queue that feeds it,
//! and the front of an empty queue is the bit that its own edge showed in the step before.
//!
//! Between two passes of one network lie four periods of the clock: the step in which nothing moves any more, that of `done_o`, one
//! of rest, and that of `start_i`. From the one of rest on the packets of the second pass are offered, but to targets of the first.

use super::Plain;
use super::state::{NOBODY, Queue, State};
use crate::stepper::Stepper;
use frit_network::RowIdx;
use frit_network::dilated::{InEdge, Node};
use frit_router::dilated::Packets;

/// The step of the first period: three of reset, one of rest, that of `start_i` is −1.
const FIRST_STEP: i64 = -5;

/// In edges of switches, or places where packets start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Whether there is a bit.
    pub valid: Vec<bool>,
    /// The front bit.
    pub front: Vec<bool>,
    /// The bit leaves in this step.
    pub pop: Vec<bool>,
    /// It is a routing bit: the edge is shunted in this step.
    pub take: Vec<bool>,
}

/// What the waveform shows in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DilatedSnapshot {
    /// The step. One before the first of a pass is that in which `start_i` is high, before it are rest, and reset or `done_o`.
    pub step: i64,
    /// `rst_i`.
    pub reset: bool,
    /// `start_i`.
    pub start: bool,
    /// `busy_o`.
    pub busy: bool,
    /// `done_o`: the second step behind the last in which something moved; that of the last pass ends the waveform.
    pub done: bool,
    /// `stuck_o`.
    pub stuck: bool,
    /// `steps_o`: those of this pass, or of the last while none runs.
    pub steps: u32,
    /// `inject_valid_i`: whether the packet has a bit to send, by row and place, as many places in each row.
    pub sends: Vec<bool>,
    /// `inject_last_i`, with release: it is the packet's last.
    pub sends_last: Vec<bool>,
    /// The places, in the same order; outside of a run nothing is valid there. The front bit is `inject_bit_i`.
    pub places: Inputs,
    /// The in edges of the switches behind level 0, by their numbers.
    pub queues: Inputs,
    /// Whether there is room at the end of an edge, but for the last level's.
    pub room: Vec<bool>,
    /// With release: the last bit of its worm leaves the queue at the end of the edge.
    pub free: Vec<bool>,
    /// Whether a bit is offered on an edge, by the edges' numbers.
    pub valid: Vec<bool>,
    /// The bit there.
    pub bit: Vec<bool>,
    /// With release: it is the last of its worm.
    pub last: Vec<bool>,
}

/// Shows every step of a run to `see`, the first in reset.
pub fn wave(packets: &Packets, mut see: impl FnMut(&DilatedSnapshot)) {
    let engine = Plain::new(packets);
    let mut shown = Shown::new(packets, &engine);
    let mut now = engine.start();
    let mut next = now.clone();
    for step in FIRST_STEP..0 {
        // The packets are shown from the first edge of the clock on.
        shown.rest(&now, (step > FIRST_STEP).then_some(&now), step);
        (shown.snapshot.reset, shown.snapshot.start) = (step < FIRST_STEP + 3, step == -1);
        see(&shown.snapshot);
    }
    shown.clear(0);
    for step in 0.. {
        engine.step(step as u64, &now, &mut next, &mut |_| ());
        if next.pass > now.pass {
            let begun = engine.second_pass(&now, step as u32);
            shown.step(&now, &now, step);
            see(&shown.snapshot);
            shown.done(&now, step + 1);
            see(&shown.snapshot);
            for before in [2, 1] {
                shown.rest(&now, Some(&begun), step - before);
                shown.snapshot.start = before == 1;
                see(&shown.snapshot);
            }
            shown.clear(step);
            now = begun;
        }
        shown.step(&now, &next, step);
        see(&shown.snapshot);
        std::mem::swap(&mut now, &mut next);
        if !shown.moves {
            // What is left stands still.
            shown.done(&now, step + 1);
            see(&shown.snapshot);
            break;
        }
    }
}

/// What is shown, and what the hardware keeps from one period to the next beside the state of the model.
struct Shown<'a> {
    packets: &'a Packets,
    engine: &'a Plain<'a>,
    /// Places of a row.
    per_input: usize,
    /// The front bits of queues, of which those that are empty show what came last.
    fronts: Vec<bool>,
    /// The first step of this pass.
    first: i64,
    /// `steps_o` and `stuck_o` of the next period.
    steps: u32,
    stuck: bool,
    /// Whether a bit moved in the step that was shown last.
    moves: bool,
    snapshot: DilatedSnapshot,
}

impl<'a> Shown<'a> {
    fn new(packets: &'a Packets, engine: &'a Plain<'a>) -> Self {
        let network = packets.network();
        let edges = network.edges() as usize;
        let inner = edges - 2 * (network.bundle() * network.rows()) as usize;
        let per_input = packets.per_input() as usize;
        let inputs = |count: usize| {
            let none = || vec![false; count];
            Inputs { valid: none(), front: none(), pop: none(), take: none() }
        };
        let places = per_input * network.rows() as usize;
        let snapshot = DilatedSnapshot {
            sends: vec![false; places],
            sends_last: vec![false; places],
            places: inputs(places),
            queues: inputs(inner),
            room: vec![true; inner],
            free: vec![false; inner],
            valid: vec![false; edges],
            bit: vec![false; edges],
            last: vec![false; edges],
            ..DilatedSnapshot::default()
        };
        let fronts = vec![false; inner];
        Shown { packets, engine, per_input, fronts, first: 0, steps: 0, stuck: false, moves: true, snapshot }
    }

    /// A pass begins in this step: everything before it is forgotten.
    fn clear(&mut self, first: i64) {
        self.fronts.fill(false);
        (self.first, self.steps, self.stuck) = (first, 0, false);
    }

    /// A period outside of a run, in which the packets of `offers` are offered.
    fn rest(&mut self, state: &State, offers: Option<&State>, step: i64) {
        self.show(state, state, offers, step, false);
    }

    /// The period behind the last step of a pass.
    fn done(&mut self, state: &State, step: i64) {
        self.rest(state, Some(state), step);
        self.snapshot.done = true;
    }

    /// A step of a run.
    fn step(&mut self, now: &State, next: &State, step: i64) {
        self.show(now, next, Some(now), step, true);
        let DilatedSnapshot { places, queues, valid, .. } = &self.snapshot;
        self.moves = places.pop.iter().chain(&queues.pop).any(|&pop| pop);
        if !self.moves {
            self.stuck = places.valid.iter().chain(&queues.valid).any(|&valid| valid);
        }
        if valid[queues.valid.len()..].iter().any(|&arrives| arrives) {
            self.steps = (step - self.first + 1) as u32;
        }
    }

    fn show(&mut self, now: &State, next: &State, offers: Option<&State>, step: i64, running: bool) {
        let shown = &mut self.snapshot;
        shown.step = step;
        (shown.reset, shown.start, shown.done) = (false, false, false);
        (shown.busy, shown.steps, shown.stuck) = (running, self.steps, self.stuck);
        for bits in [&mut shown.valid, &mut shown.bit, &mut shown.last] {
            bits.fill(false);
        }
        self.offer(offers, running);
        self.places(now, next);
        self.queues(now, next);
        self.settle(next);
    }

    /// What the packets send that are in front of level 0.
    fn offer(&mut self, offers: Option<&State>, running: bool) {
        let shown = &mut self.snapshot;
        shown.sends.fill(false);
        shown.sends_last.fill(false);
        shown.places.front.fill(false);
        if let Some(state) = offers {
            for row in RowIdx::all(self.packets.network().rows()) {
                for (place, queue) in state.starts_of(row).enumerate() {
                    let at = row.idx() * self.per_input + place;
                    let length = state.queues[queue].length;
                    shown.sends[at] = length > 0;
                    shown.sends_last[at] = length == 1;
                    shown.places.front[at] = length > 0 && self.engine.front(state, queue);
                }
            }
        }
        for (valid, &sends) in shown.places.valid.iter_mut().zip(&shown.sends) {
            *valid = sends && running;
        }
    }

    /// What the places do, and show on the edges of level 0.
    fn places(&mut self, now: &State, next: &State) {
        let (network, release) = (self.packets.network(), self.packets.parameters().release);
        let shown = &mut self.snapshot;
        shown.places.pop.fill(false);
        shown.places.take.fill(false);
        for row in RowIdx::all(network.rows()) {
            for (place, number) in now.starts_of(row).enumerate() {
                let at = row.idx() * self.per_input + place;
                let queue = &now.queues[number];
                shown.places.set(at, queue, &next.queues[number]);
                // A worm that has left gives its target back.
                let target = queue.target.filter(|_| !release || queue.length > 0);
                if let Some((x, e)) = target {
                    let edge = network.edge_number(network.end(Node { level: 0, row }, x, e));
                    let valid = shown.places.valid[at];
                    (shown.valid[edge], shown.bit[edge]) = (valid, shown.places.front[at]);
                    shown.last[edge] = valid && shown.sends_last[at];
                }
            }
        }
    }

    /// What the queues behind level 0 do, and show on the edges of their switches.
    fn queues(&mut self, now: &State, next: &State) {
        let (network, starts) = (self.packets.network(), self.packets.packets().len());
        let shown = &mut self.snapshot;
        for (at, &bit) in self.fronts.iter().enumerate() {
            let (queue, then) = (&now.queues[starts + at], &next.queues[starts + at]);
            let InEdge { node, .. } = network.edge(at);
            let valid = queue.length > 0;
            (shown.queues.valid[at], shown.queues.front[at]) = (valid, bit);
            shown.queues.set(at, queue, then);
            shown.room[at] = queue.length < self.packets.queue();
            let last = valid && queue.passed + 1 == self.engine.bits_at(now, node.level);
            shown.free[at] = last && shown.queues.pop[at];
            if let Some((x, e)) = queue.target {
                let edge = network.edge_number(network.end(node, x, e));
                (shown.valid[edge], shown.bit[edge], shown.last[edge]) = (valid, bit, last);
            }
        }
    }

    /// The front bits behind this period.
    fn settle(&mut self, next: &State) {
        let (starts, room) = (self.packets.packets().len(), self.packets.queue() as usize);
        for (at, front) in self.fronts.iter_mut().enumerate() {
            let some = next.queues[starts + at].length > 0;
            *front = if some { next.bits[at * room] } else { self.snapshot.bit[at] };
        }
    }
}

impl Inputs {
    fn set(&mut self, at: usize, now: &Queue, next: &Queue) {
        // With release a queue that a worm has left is nobody's.
        let left = now.length > 0 && next.packet == NOBODY;
        self.pop[at] = next.passed > now.passed || left;
        self.take[at] = next.target.is_some() && now.target.is_none();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dilated::trace;
    use frit_router::dilated::packets::permutations;
    use frit_router::dilated::{Parameters, Switch};

    #[test]
    fn the_wave_holds_every_shunt_and_payload_bit() {
        for (bundle, switch) in [(6, Switch::Strong), (2, Switch::Strong), (2, Switch::Weak)] {
            let parameters = Parameters { switch, payload: 9, ..Parameters::new(8, bundle, 1) };
            let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
            let expected = trace(&packets);
            let (mut shunts, mut arrivals, mut all) = (Vec::new(), Vec::new(), Vec::new());
            wave(&packets, |shown| {
                let takes = shown.places.take.iter().chain(&shown.queues.take).filter(|&&take| take);
                shunts.extend(takes.map(|_| shown.step));
                let sinks = shown.queues.valid.len()..shown.valid.len();
                arrivals.extend(sinks.filter(|&at| shown.valid[at]).map(|at| (shown.step, shown.bit[at])));
                all.push(shown.clone());
            });
            assert_eq!(shunts, expected.shunts.iter().map(|s| i64::from(s.step)).collect::<Vec<_>>());
            assert_eq!(
                arrivals,
                expected.arrivals.iter().map(|a| (i64::from(a.step), a.bit)).collect::<Vec<_>>()
            );
            // Reset, rest, the start, the run, and the step that says that it has ended.
            let last = all.last().unwrap();
            assert_eq!((u64::from(last.steps), last.stuck), (expected.steps, !expected.left.is_empty()));
            assert_eq!(all.iter().filter(|shown| shown.done).count(), 1);
            assert!(last.done && !last.busy && all[4].start && all[2].reset && !all[3].reset);
            assert!(all[5..all.len() - 1].iter().all(|shown| shown.busy));
            let still = &all[all.len() - 2];
            assert!(!still.places.pop.contains(&true) && !still.queues.pop.contains(&true));
        }
    }
}
