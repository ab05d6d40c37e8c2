//! h-relations in rounds that repeat ("Systolic Routing in an Optical Butterfly", sections 3.3 and 4).
//!
//! Before slot 0 every source has put its packets into one buffer per destination. In a slot each lane takes a packet
//! from the buffer of the destination that the schedule gives it in the round of that slot, if there is one. The rounds
//! enter when the plan's timing lets them, and the next exchange begins as soon as the inputs are free: in the optical
//! butterfly slot t belongs to round t mod T. A packet sent in slot t arrives in step t + latency (t + r in the optical
//! butterfly), counted like the cycles of an exchange; the relation is routed when the last packet has arrived.
//!
//! [`simulate`] moves the packets through the network, many steps at a time in the vectors of the fast engine ([`crate::fast`]). It is
//! held to the [`engine`] of single steps, which runs whatever the fast one does not take, or finds a fault in, and which stops, goes on
//! and is compared as every [`Stepper`](crate::stepper::Stepper) is. [`cost`] and [`closed_form`] compute the same from the
//! sizes of the buffers: the slot of a pair returns every period, so the last of m packets leaves m - 1 periods after
//! the first.

mod counts;
pub mod engine;
mod slots;

use crate::fast::Repetitions;
use crate::stepper;
use counts::Count;
use engine::Engine;
use frit_schedule::Plan;
use frit_schedule::systolic::Systolic;
use frit_traffic::relation::Relation;
use frit_traffic::trace::FirstFault;

/// What a relation costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
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
    /// Steps in the buffers, summed over the packets.
    pub waits: u128,
}

impl Cost {
    /// h, the paper's: the most packets that any terminal sends or receives.
    pub fn h(&self) -> u64 {
        self.most_sent.max(self.most_received)
    }

    /// c = steps / h; 0 if h is.
    pub fn cost(&self) -> f64 {
        if self.h() == 0 { 0.0 } else { self.steps as f64 / self.h() as f64 }
    }

    /// Steps by what a source sends, of which the paper's Figure 4 shows the mean: its h is the number of packets that
    /// every processor was given to send. 0 if nothing is sent.
    pub fn cost_per_source(&self) -> f64 {
        if self.most_sent == 0 { 0.0 } else { self.steps as f64 / self.most_sent as f64 }
    }

    /// Steps that a packet spends in its buffer, the mean; 0 without packets.
    pub fn mean_wait(&self) -> f64 {
        if self.packets == 0 { 0.0 } else { self.waits as f64 / self.packets as f64 }
    }

    /// Adds `packets` packets that leave in slot `first` and every `period` slots after it, and arrive `latency` steps
    /// later.
    fn add(&mut self, first: u64, period: u64, packets: u32, latency: u64) {
        let (all, periods) = (u128::from(packets), u64::from(packets) - 1);
        self.steps = self.steps.max(first + period * periods + latency);
        self.waits += all * u128::from(first) + u128::from(period) * (all * (all - 1) / 2);
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
    /// The first source and destination, by their numbers, that lack packets.
    pub first_undelivered: Option<(u32, u32)>,
    /// The first misrouted packet; else the first pair that lacks packets, with the last step.
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
    cost_ticking(systolic, relation, &mut |_| ())
}

/// The same as [`cost`]; `tick` is told each source before its packets are counted.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub fn cost_ticking(systolic: &Systolic, relation: &Relation, tick: &mut dyn FnMut(u32)) -> Cost {
    let terminals = 1u32 << systolic.dimension();
    assert_eq!(relation.terminals(), terminals, "a relation for the processors of the network");
    let (slots, period) = (systolic.slots(), systolic.period() as u64);
    let mut cost = Cost::default();
    let add = |source: u32, destination: u32, count| {
        let slot = slots[(source ^ destination) as usize] as u64;
        cost.add(slot, period, count, systolic.dimension() as u64);
    };
    let known = figures_ticking(relation, add, tick);
    Cost { steps: cost.steps, waits: cost.waits, ..known }
}

/// The cost of a relation on any plan, in closed form, if the rounds serve every pair that has packets and bring every
/// packet to its destination. Memory: a counter per terminal and per slot of one terminal.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub fn closed_form(plan: &Plan, relation: &Relation) -> Option<Cost> {
    let (period, latency) = (plan.period(), plan.latency() as u64);
    let mut cost = Cost::default();
    let unserved = slots::slots(plan, relation, |slot| {
        cost.add(plan.injected_at(slot.round), period, slot.packets, latency);
    });
    let all = Cost { steps: cost.steps, waits: cost.waits, ..figures(relation, |_, _, _| ()) };
    (unserved.packets == 0).then_some(all)
}

/// What is known of a relation before anything is sent: all figures but steps and waits. `buffer` sees every buffer that
/// is not empty: source, destination, packets.
fn figures(relation: &Relation, buffer: impl FnMut(u32, u32, u32)) -> Cost {
    figures_ticking(relation, buffer, |_| ())
}

/// The same; `tick` is told each source before.
fn figures_ticking(
    relation: &Relation,
    mut buffer: impl FnMut(u32, u32, u32),
    mut tick: impl FnMut(u32),
) -> Cost {
    let terminals = relation.terminals();
    let mut cost = Cost::default();
    let mut row = vec![0; terminals as usize];
    let mut received = vec![0u64; terminals as usize];
    for source in 0..terminals {
        tick(source);
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

/// Routes a relation step by step over the network of any plan, whose rounds repeat. If the plan has a prepare phase, this
/// is what comes after it. Memory: in the fast engine as many bits per lane and round as the number of packets in the largest buffer
/// has; in the reference two counters, of a byte each if no buffer has more than 255 packets.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub fn simulate(plan: &Plan, relation: &Relation) -> Routed {
    simulate_ticking(plan, relation, &mut |_| ())
}

/// The same as [`simulate`]; `tick` is told the number of each step before it is made.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub fn simulate_ticking(plan: &Plan, relation: &Relation, tick: &mut dyn FnMut(u64)) -> Routed {
    let cost = figures(relation, |_, _, _| ());
    fast(plan, relation, cost, tick).unwrap_or_else(|| reference(plan, relation, cost, tick))
}

/// Does what [`simulate`] does in the reference engine.
///
/// # Panics
///
/// If the relation is for another number of terminals.
pub fn simulate_plainly(plan: &Plan, relation: &Relation) -> Routed {
    reference(plan, relation, figures(relation, |_, _, _| ()), &mut |_| ())
}

/// A flawless run; none if it is not one, or the plan is none for the fast engine.
fn fast(plan: &Plan, relation: &Relation, cost: Cost, tick: &mut dyn FnMut(u64)) -> Option<Routed> {
    let mut repetitions = Repetitions::new(plan, cost.largest_buffer)?;
    let buffers = repetitions.buffers();
    let unserved = slots::slots(plan, relation, |slot| buffers.put(slot.round, slot.lane, slot.packets));
    let sent = repetitions.run(tick)?;
    let steps = if sent.packets > 0 { sent.last + u64::from(plan.latency()) } else { 0 };
    Some(Routed {
        cost: Cost { steps, waits: sent.waits, ..cost },
        delivered: sent.packets,
        misrouted: 0,
        lost: unserved.packets,
        first_undelivered: unserved.first,
        first_fault: unserved.first.map(|(source, destination)| FirstFault::Missing {
            source,
            destination,
            cycle: steps,
        }),
    })
}

fn reference(plan: &Plan, relation: &Relation, cost: Cost, tick: &mut dyn FnMut(u64)) -> Routed {
    if cost.largest_buffer <= u8::MAX.into() {
        finish(&Engine::<u8>::with_figures(plan, relation, cost), tick)
    } else {
        finish(&Engine::<u32>::with_figures(plan, relation, cost), tick)
    }
}

fn finish<C: Count>(engine: &Engine<C>, tick: impl FnMut(u64)) -> Routed {
    let (_, _, end) = stepper::run_ticking(engine, u64::MAX, |_| (), tick);
    engine.outcome(&end)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod stepper_tests;
