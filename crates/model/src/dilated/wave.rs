//! What a waveform of the router shows, step by step: its ports, what stands at every switch, and what every edge shows.
//!
//! Only for networks whose passes lie behind each other, without release: an edge has one worm then. The bit of an edge on which
//! nothing is offered has no meaning, but hardware shows some: the front of the queue that feeds it, and the front of an empty
//! queue is the bit that its own edge showed in the step before.

use super::Plain;
use super::state::{Queue, State};
use crate::stepper::Stepper;
use frit_network::dilated::{InEdge, Node};
use frit_router::dilated::{Mode, Packets, Parameters};

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
pub struct WormsSnapshot {
    /// The step; −1 is the one in which `start_i` is high, before it are reset and rest.
    pub step: i64,
    /// `rst_i`.
    pub reset: bool,
    /// `start_i`.
    pub start: bool,
    /// `busy_o`.
    pub busy: bool,
    /// `done_o`: the second step behind the last in which something moved, which ends the waveform.
    pub done: bool,
    /// `stuck_o`.
    pub stuck: bool,
    /// `steps_o`.
    pub steps: u32,
    /// `inject_valid_i`: whether the packet has a bit to send, by row and place, as many places in each row.
    pub sends: Vec<bool>,
    /// The places, in the same order; outside of a run nothing is valid there. The front bit is `inject_bit_i`.
    pub places: Inputs,
    /// The in edges of the switches behind level 0, by their numbers.
    pub queues: Inputs,
    /// Whether there is room at the end of an edge, but for the last level's.
    pub room: Vec<bool>,
    /// Whether a bit is offered on an edge, by the edges' numbers.
    pub valid: Vec<bool>,
    /// The bit there.
    pub bit: Vec<bool>,
}

/// Whether [`wave`] shows runs with these parameters.
pub fn shows(parameters: &Parameters) -> bool {
    parameters.mode == Mode::Unrolled && !parameters.release
}

/// Shows every step of a run to `see`, the first in reset. Only where [`shows`] says so.
pub fn wave(packets: &Packets, mut see: impl FnMut(&WormsSnapshot)) {
    assert!(shows(packets.parameters()), "a network passed twice, or edges used twice");
    let (engine, mut shown) = (Plain::new(packets), Shown::new(packets));
    let mut now = engine.start();
    let mut next = now.clone();
    for step in FIRST_STEP..0 {
        shown.outside_of_run(&now, step);
        see(&shown.snapshot);
    }
    let (mut last, mut moves, mut stuck) = (0, true, false);
    for step in 0.. {
        if !moves {
            // The run ended in the step before this one's first: what is left stands still.
            shown.outside_of_run(&now, step);
            let snapshot = &mut shown.snapshot;
            (snapshot.done, snapshot.stuck, snapshot.steps) = (true, stuck, last);
            see(snapshot);
            break;
        }
        engine.step(step as u64, &now, &mut next, &mut |_| ());
        shown.step(&now, &next, step);
        shown.snapshot.steps = last;
        see(&shown.snapshot);
        let WormsSnapshot { places, queues, valid, .. } = &shown.snapshot;
        moves = places.pop.iter().chain(&queues.pop).any(|&pop| pop);
        stuck = places.valid.iter().chain(&queues.valid).any(|&valid| valid);
        if valid[queues.valid.len()..].iter().any(|&arrives| arrives) {
            last = step as u32 + 1;
        }
        shown.settle(&next);
        std::mem::swap(&mut now, &mut next);
    }
}

/// What is shown, and the front bits of queues, of which those that are empty show what came last.
struct Shown<'a> {
    packets: &'a Packets,
    /// Places of a row.
    per_input: usize,
    fronts: Vec<bool>,
    snapshot: WormsSnapshot,
}

impl<'a> Shown<'a> {
    fn new(packets: &'a Packets) -> Self {
        let network = packets.network();
        let edges = network.edges() as usize;
        let inner = edges - 2 * (network.bundle() * network.rows()) as usize;
        let mut starts = vec![0; network.rows() as usize];
        packets.packets().iter().for_each(|packet| starts[packet.source as usize] += 1);
        let per_input = starts.into_iter().max().unwrap_or(0);
        let inputs = |count: usize| {
            let none = || vec![false; count];
            Inputs { valid: none(), front: none(), pop: none(), take: none() }
        };
        let places = per_input * network.rows() as usize;
        let snapshot = WormsSnapshot {
            sends: vec![false; places],
            places: inputs(places),
            queues: inputs(inner),
            room: vec![true; inner],
            valid: vec![false; edges],
            bit: vec![false; edges],
            ..WormsSnapshot::default()
        };
        Shown { packets, per_input, fronts: vec![false; inner], snapshot }
    }

    fn outside_of_run(&mut self, state: &State, step: i64) {
        self.show(state, state, step, false);
    }

    fn step(&mut self, now: &State, next: &State, step: i64) {
        self.show(now, next, step, true);
    }

    fn show(&mut self, now: &State, next: &State, step: i64, running: bool) {
        let (packets, per_input) = (self.packets, self.per_input);
        let (network, starts) = (packets.network(), packets.packets().len());
        let shown = &mut self.snapshot;
        shown.step = step;
        // The packets are shown from the first edge of the clock on.
        let offered = step > FIRST_STEP;
        (shown.reset, shown.start) = (step < FIRST_STEP + 3, step == -1);
        (shown.busy, shown.done, shown.stuck) = (running, false, false);
        shown.valid.fill(false);
        shown.bit.fill(false);
        for row in 0..network.rows() {
            let node = Node { level: 0, row };
            for (place, queue) in now.starts_of(row).enumerate() {
                let at = row as usize * per_input + place;
                let Queue { packet, length, passed, .. } = now.queues[queue];
                shown.sends[at] = offered && length > 0;
                let bit = shown.sends[at] && packets.bit(packet as usize, passed);
                let valid = shown.sends[at] && running;
                shown.places.set(at, valid, bit, &now.queues[queue], &next.queues[queue]);
                if let Some((x, e)) = now.queues[queue].target {
                    let edge = network.edge_number(network.end(node, x, e));
                    (shown.valid[edge], shown.bit[edge]) = (valid, bit);
                }
            }
        }
        for (at, &bit) in self.fronts.iter().enumerate() {
            let (queue, then) = (&now.queues[starts + at], &next.queues[starts + at]);
            shown.queues.set(at, queue.length > 0, bit, queue, then);
            shown.room[at] = queue.length < packets.parameters().queue;
            if let Some((x, e)) = queue.target {
                let InEdge { node, .. } = network.edge(at);
                let edge = network.edge_number(network.end(node, x, e));
                (shown.valid[edge], shown.bit[edge]) = (queue.length > 0, bit);
            }
        }
    }

    /// The front bits behind this step.
    fn settle(&mut self, next: &State) {
        let (starts, room) = (self.packets.packets().len(), self.packets.parameters().queue as usize);
        for (at, front) in self.fronts.iter_mut().enumerate() {
            let some = next.queues[starts + at].length > 0;
            *front = if some { next.bits[at * room] } else { self.snapshot.bit[at] };
        }
    }
}

impl Inputs {
    fn set(&mut self, at: usize, valid: bool, front: bool, now: &Queue, next: &Queue) {
        self.valid[at] = valid;
        self.front[at] = front;
        self.pop[at] = next.passed > now.passed;
        self.take[at] = next.target.is_some() && now.target.is_none();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dilated::trace;
    use frit_router::dilated::Switch;
    use frit_router::dilated::packets::permutations;

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
