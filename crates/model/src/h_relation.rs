//! h-relations in rounds that repeat ("Systolic Routing in an Optical Butterfly", sections 3.3 and 4).
//!
//! Before slot 0 every source has put its packets into one buffer per destination. In slot t each lane takes a packet
//! from the buffer of the destination that the schedule gives it in round t mod T, if there is one. A packet sent in
//! slot t arrives in step t + latency (t + r in the optical butterfly), counted like the cycles of an exchange; the
//! relation is routed when the last packet has arrived.
//!
//! [`simulate`] moves the packets through the network step by step. [`cost`] computes the same from the sizes of the
//! buffers: the slot of a pair returns every T slots, so the last of m packets leaves T (m - 1) slots after the first.

use crate::fabric::{Fabric, LaneRow, Token};
use frit_schedule::obf::Systolic;
use frit_schedule::{Phases, Plan};
use frit_traffic::relation::Relation;
use frit_traffic::trace::FirstFault;

/// What a relation costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// h, as the relation defines it.
    pub h: u32,
    /// Packets in all.
    pub packets: u64,
    /// The most packets that a terminal sends.
    pub most_sent: u64,
    /// The most packets that a terminal receives.
    pub most_received: u64,
    /// The most packets in one buffer: for one destination at one source.
    pub largest_buffer: u32,
    /// The step in which the last packet arrives (the paper's t_r).
    pub steps: u64,
}

impl Cost {
    /// c = steps / h, of which the paper's Figure 4 shows the mean; 0 if h is.
    pub fn cost(&self) -> f64 {
        if self.h == 0 { 0.0 } else { self.steps as f64 / self.h as f64 }
    }

    /// The smallest h of which this is an h-relation by the paper's definition: the most that a terminal sends or
    /// receives.
    pub fn degree(&self) -> u64 {
        self.most_sent.max(self.most_received)
    }
}

/// A relation, routed step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routed {
    /// What it came to.
    pub cost: Cost,
    /// Packets that arrived where they should.
    pub delivered: u64,
    /// Packets that arrived elsewhere.
    pub misrouted: u64,
    /// Packets that never arrived.
    pub lost: u64,
    /// The first misrouted packet; else the first pair that lacks packets, by source and destination, with the last
    /// step.
    pub first_fault: Option<FirstFault>,
}

impl Routed {
    /// Every packet arrived where it should.
    pub fn ok(&self) -> bool {
        self.misrouted == 0 && self.lost == 0
    }
}

/// The cost of a relation on the optical butterfly, in closed form. Memory: a counter per terminal.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub fn cost(systolic: &Systolic, relation: &Relation) -> Cost {
    let terminals = 1u32 << systolic.dimension();
    assert_eq!(relation.terminals(), terminals, "a relation for the processors of the network");
    let (slots, period) = (systolic.slots(), systolic.period() as u64);
    let mut steps = 0;
    let cost = figures(relation, |source, destination, count| {
        let last_slot = slots[(source ^ destination) as usize] as u64 + period * (count as u64 - 1);
        steps = steps.max(last_slot + systolic.dimension() as u64);
    });
    Cost { steps, ..cost }
}

/// What is known of a relation before anything is sent: all figures but the steps. `buffer` sees every buffer that is
/// not empty: source, destination, packets.
fn figures(relation: &Relation, mut buffer: impl FnMut(u32, u32, u32)) -> Cost {
    let terminals = relation.terminals();
    let mut cost = Cost { h: relation.h(), ..Cost::default() };
    let mut row = vec![0; terminals as usize];
    let mut received = vec![0u64; terminals as usize];
    for source in 0..terminals {
        relation.row(source, &mut row);
        let mut sent = 0;
        for (destination, &count) in (0..terminals).zip(&row).filter(|&(_, &count)| count > 0) {
            buffer(source, destination, count);
            cost.largest_buffer = cost.largest_buffer.max(count);
            received[destination as usize] += count as u64;
            sent += count as u64;
        }
        cost.packets += sent;
        cost.most_sent = cost.most_sent.max(sent);
    }
    cost.most_received = received.into_iter().max().unwrap_or(0);
    cost
}

/// Routes a relation step by step over the network of any plan of one phase, whose rounds repeat. Memory: two counters
/// per pair of terminals, of a byte each if no buffer has more than 255 packets.
///
/// # Panics
///
/// If the relation is for another number of terminals or the plan has a prepare phase.
pub fn simulate(plan: &Plan, relation: &Relation) -> Routed {
    assert!(plan.phases == Phases::One, "the sources must know their destinations");
    assert_eq!(relation.terminals(), plan.network.terminals(), "a relation for the terminals of the plan");
    let cost = figures(relation, |_, _, _| ());
    if cost.largest_buffer <= u8::MAX.into() {
        route(plan, cost, Buffers::<u8>::new(relation, &cost))
    } else {
        route(plan, cost, Buffers::<u32>::new(relation, &cost))
    }
}

/// Moves the packets of the buffers; `cost` is theirs but for the steps.
fn route<C: Count>(plan: &Plan, cost: Cost, mut buffers: Buffers<C>) -> Routed {
    let fabric = Fabric::new(plan);
    let mut routed = Routed { cost, delivered: 0, misrouted: 0, lost: 0, first_fault: None };
    let lanes = plan.network.lanes();
    let (mut now, mut next, mut acts) = (fabric.empty(), fabric.empty(), fabric.idle_acts());
    let mut injected = LaneRow::idle(lanes);
    let mut last_sent = 0;
    for step in 0u64.. {
        inject(&fabric, &mut buffers, step, &mut injected);
        if injected.tokens.iter().any(Option::is_some) {
            last_sent = step;
        }
        fabric.step(&now, &injected, &mut fabric.none_waiting(), &mut next, &mut acts);
        for lane in 0..lanes {
            if let Some(token) = fabric.output(&now, lane) {
                routed.cost.steps = step;
                routed.arrive(&fabric, &mut buffers, step, fabric.terminal(lane), token);
            }
        }
        std::mem::swap(&mut now, &mut next);
        // What no round of a whole period could send stays in its buffer for good.
        let quiet = step - last_sent;
        if quiet >= plan.latency() as u64 && (buffers.waiting_packets == 0 || quiet >= plan.rounds as u64) {
            break;
        }
    }
    routed.lost = buffers.expected.iter().map(|&count| u64::from(count.into())).sum();
    if let Some(pair) = buffers.expected.iter().position(|&count| count.into() > 0) {
        let (source, destination) = ((pair / buffers.terminals) as u32, (pair % buffers.terminals) as u32);
        let cycle = routed.cost.steps;
        routed.first_fault.get_or_insert(FirstFault::Missing { source, destination, cycle });
    }
    routed.lost -= routed.misrouted;
    routed
}

impl Routed {
    fn arrive<C: Count>(
        &mut self,
        fabric: &Fabric,
        buffers: &mut Buffers<C>,
        step: u64,
        output: u32,
        token: Token,
    ) {
        let source = fabric.terminal(token.source);
        match token.wanted {
            Some(destination) if destination != output => {
                self.misrouted += 1;
                let fault = FirstFault::Misrouted { cycle: step, output, source, destination };
                self.first_fault.get_or_insert(fault);
            }
            _ => {
                self.delivered += 1;
                let pair = source as usize * buffers.terminals + output as usize;
                assert!(decrease(&mut buffers.expected[pair]), "a packet arrives once");
            }
        }
    }
}

/// How many packets there are of a pair.
trait Count: Copy + Default + Into<u32> + TryFrom<u32> {}

impl Count for u8 {}
impl Count for u32 {}

/// One packet less; whether there was one.
fn decrease<C: Count>(count: &mut C) -> bool {
    let less = (*count).into().checked_sub(1).and_then(|less| C::try_from(less).ok());
    *count = less.unwrap_or_default();
    less.is_some()
}

/// The send buffers, of which only the sizes matter: packets of one pair are alike.
struct Buffers<C> {
    terminals: usize,
    /// Packets not sent yet, at source · terminals + destination.
    waiting: Vec<C>,
    waiting_packets: u64,
    /// Packets not delivered yet.
    expected: Vec<C>,
}

impl<C: Count> Buffers<C> {
    /// Of a relation whose buffers have no more packets than a count can tell.
    fn new(relation: &Relation, cost: &Cost) -> Self {
        let terminals = relation.terminals() as usize;
        let mut waiting = vec![C::default(); terminals * terminals];
        figures(relation, |source, destination, count| {
            let Ok(count) = C::try_from(count) else { unreachable!("the largest buffer has been looked up") };
            waiting[source as usize * terminals + destination as usize] = count;
        });
        Buffers { terminals, expected: waiting.clone(), waiting, waiting_packets: cost.packets }
    }

    /// Takes a packet for `destination` from the buffers of `source`, if there is one.
    fn take(&mut self, source: u32, destination: u32) -> bool {
        let some = decrease(&mut self.waiting[source as usize * self.terminals + destination as usize]);
        self.waiting_packets -= some as u64;
        some
    }
}

/// Fills the row in front of the fabric with what the buffers hold for the destinations of this slot.
fn inject<C: Count>(fabric: &Fabric, buffers: &mut Buffers<C>, step: u64, row: &mut LaneRow) {
    let round = (step % fabric.plan.rounds as u64) as u32;
    row.round = Some(round);
    for (lane, token) in (0..).zip(&mut row.tokens) {
        let destination = fabric.destination(round, lane);
        *token = buffers.take(fabric.terminal(lane), destination).then(|| Token {
            round,
            source: lane,
            wanted: Some(destination),
            label: fabric.plan.label(round, lane).unwrap_or(0),
        });
    }
}

#[cfg(test)]
mod tests;
