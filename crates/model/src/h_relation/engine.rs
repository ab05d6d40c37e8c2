//! The packets of a relation, moved through the network of a plan whose rounds repeat: a [`Stepper`].

use super::counts::{Count, Counts, less};
use super::slots::{Slot, Unserved, slots};
use super::{Cost, Routed, figures};
use crate::fabric::{Fabric, LaneRow, StageActs, State as Registers, Token, Waiting};
use crate::stepper::{InOrder, Progress, Stepper, Visit};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Plan;
use frit_traffic::relation::Relation;
use frit_traffic::trace::FirstFault;

/// A plan and its traffic; what does not change. The sources know their destinations: what a prepare phase would have told
/// them, the plan says.
pub struct Engine<'a, C, V = InOrder> {
    fabric: Fabric<'a>,
    period: u64,
    buffers: Counts<C>,
    unserved: Unserved,
    /// All that is known before anything is sent.
    cost: Cost,
    visit: V,
}

/// Everything that changes. A step writes every member anew.
#[derive(Clone, Debug, PartialEq)]
pub struct State<C> {
    registers: Registers,
    between_passes: Waiting,
    /// What was put in front of the network in the last step.
    injected: LaneRow,
    /// What the switches did in the last step.
    acts: Vec<StageActs>,
    /// Packets not sent yet.
    buffers: Counts<C>,
    /// Packets not delivered yet, at the slots that sent them.
    due: Counts<C>,
    tally: Tally,
}

/// Figures so far.
#[derive(Clone, Debug, PartialEq)]
struct Tally {
    /// Packets in the buffers that have a slot.
    waiting: u64,
    /// The last step in which a packet was sent, and the last in which one arrived.
    last_sent: u64,
    last_arrived: u64,
    /// Sum over the packets of the step in which they were sent.
    waits: u128,
    delivered: u64,
    misrouted: u64,
    first_misrouted: Option<FirstFault>,
}

/// A packet stands at an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// In this step.
    pub step: u64,
    /// The terminal that has it.
    pub output: u32,
    /// The terminal that sent it.
    pub source: u32,
    /// The terminal that it is for.
    pub destination: u32,
}

impl<'a, C: Count> Engine<'a, C> {
    /// The engine of a plan and a relation whose buffers have no more packets than a count can tell.
    ///
    /// # Panics
    ///
    /// If the relation is for another number of terminals, or a buffer holds more.
    pub fn new(plan: &'a Plan, relation: &Relation) -> Self {
        Self::with_figures(plan, relation, figures(relation, |_, _, _| ()))
    }

    /// The same; the figures of the relation are known.
    pub(super) fn with_figures(plan: &'a Plan, relation: &Relation, cost: Cost) -> Self {
        let mut rows = vec![vec![C::default(); plan.network.lanes() as usize]; plan.rounds as usize];
        let unserved = slots(plan, relation, |Slot { round, lane, packets }| {
            let Ok(packets) = C::try_from(packets) else {
                unreachable!("the largest buffer has been looked up")
            };
            rows[round.idx()][lane.idx()] = packets;
        });
        let (fabric, period) = (Fabric::new(plan), plan.period());
        Engine { fabric, period, buffers: Counts::new(rows), unserved, cost, visit: InOrder }
    }
}

impl<'a, C: Count, V: Visit> Engine<'a, C, V> {
    /// The same engine, its nodes visited in another order.
    pub fn visiting<W: Visit>(self, visit: W) -> Engine<'a, C, W> {
        let Engine { fabric, period, buffers, unserved, cost, visit: _ } = self;
        Engine { fabric, period, buffers, unserved, cost, visit }
    }

    /// What a run has come to at its end, or would if it ended with this state.
    pub fn outcome(&self, end: &State<C>) -> Routed {
        let Tally { delivered, misrouted, last_arrived: steps, waits, .. } = end.tally;
        let pairs = end
            .due
            .left()
            .map(|(round, lane)| (self.fabric.terminal(lane), self.fabric.destination(round, lane)));
        let first_undelivered = pairs.chain(self.unserved.first).min();
        let missing = first_undelivered.map(|(source, destination)| FirstFault::Missing {
            source,
            destination,
            cycle: steps,
        });
        Routed {
            cost: Cost { steps, waits, ..self.cost },
            delivered,
            misrouted,
            lost: self.cost.packets - delivered - misrouted,
            first_undelivered,
            first_fault: end.tally.first_misrouted.clone().or(missing),
        }
    }

    /// Puts a packet from every buffer that has one for this step's round in front of the network.
    fn inject(&self, step: u64, now: &State<C>, next: &mut State<C>) {
        let round = self.fabric.plan.injecting(step % self.period);
        next.injected.round = round;
        let Some(round) = round.filter(|&round| now.buffers.row(round).iter().any(|&c| c != C::default()))
        else {
            next.injected.tokens.fill(None);
            return;
        };
        let mut row = now.buffers.row(round).to_vec();
        let mut sent = 0;
        for ((lane, count), token) in (0..).zip(&mut row).zip(&mut next.injected.tokens) {
            *token = less(*count).map(|left| {
                *count = left;
                sent += 1;
                Token {
                    round,
                    source: LaneIdx(lane),
                    wanted: Some(self.fabric.destination(round, LaneIdx(lane))),
                    label: self.fabric.plan.label(round, LaneIdx(lane)).unwrap_or(0),
                }
            });
        }
        next.buffers.set_row(round, row);
        next.tally.waiting -= sent;
        next.tally.waits += u128::from(sent) * u128::from(step);
        next.tally.last_sent = step;
    }

    /// Takes what stands at the outputs. All of it is of one round.
    fn arrive(&self, step: u64, now: &State<C>, next: &mut State<C>, see: &mut dyn FnMut(Arrival)) {
        let mut due: Option<(u32, Vec<C>)> = None;
        for lane in LaneIdx::all(self.fabric.plan.network.lanes()) {
            let Some(token) = self.fabric.output(&now.registers, lane) else { continue };
            let (output, source) = (self.fabric.terminal(lane), self.fabric.terminal(token.source));
            let destination = token.wanted.unwrap_or(output);
            see(Arrival { step, output, source, destination });
            next.tally.last_arrived = step;
            if destination != output {
                next.tally.misrouted += 1;
                let fault = FirstFault::Misrouted { cycle: step, output, source, destination };
                next.tally.first_misrouted.get_or_insert(fault);
                continue;
            }
            next.tally.delivered += 1;
            let (_, row) = due.get_or_insert_with(|| (token.round.0, now.due.row(token.round).to_vec()));
            let count = &mut row[token.source.idx()];
            let Some(left) = less(*count) else { unreachable!("a packet arrives once") };
            *count = left;
        }
        if let Some((round, row)) = due {
            next.due.set_row(RoundIdx(round), row);
        }
    }
}

impl<C: Count, V: Visit> Stepper for Engine<'_, C, V> {
    type State = State<C>;
    type Event = Arrival;

    fn start(&self) -> State<C> {
        State {
            registers: self.fabric.empty(),
            between_passes: self.fabric.none_waiting(),
            injected: LaneRow::idle(self.fabric.plan.network.lanes()),
            acts: self.fabric.idle_acts(),
            buffers: self.buffers.clone(),
            due: self.buffers.clone(),
            tally: Tally {
                waiting: self.cost.packets - self.unserved.packets,
                last_sent: 0,
                last_arrived: 0,
                waits: 0,
                delivered: 0,
                misrouted: 0,
                first_misrouted: None,
            },
        }
    }

    fn step(&self, step: u64, now: &State<C>, next: &mut State<C>, see: &mut dyn FnMut(Arrival)) -> Progress {
        next.buffers.follow(&now.buffers);
        next.due.follow(&now.due);
        next.between_passes.clone_from(&now.between_passes);
        next.tally.clone_from(&now.tally);
        self.inject(step, now, next);
        let State { registers, between_passes, injected, acts, .. } = next;
        let fabric = &self.fabric;
        fabric.step_visiting(&self.visit, &now.registers, injected, between_passes, registers, acts);
        self.arrive(step, now, next, see);
        let under_way = step - next.tally.last_sent < u64::from(self.fabric.plan.latency());
        if next.tally.waiting > 0 || under_way {
            Progress::Moves
        } else if next.tally.delivered == self.cost.packets {
            Progress::Complete
        } else {
            // What no round serves stays where it is, and what was lost is lost.
            Progress::Stuck
        }
    }
}
