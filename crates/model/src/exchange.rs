//! A complete exchange: the phases of a plan, and the tally of what arrived.

use crate::fabric::{Fabric, Token};
use crate::phase::{Messages, Moment, run};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Plan;
use frit_traffic::payload::limbs_of;
use frit_traffic::trace::{Delivered, Delivery, FirstFault, Observer, Run, Setting};
use frit_traffic::{Payload, WordMatrix};

/// What an exchange came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeOutcome {
    /// The figures and the first fault.
    pub run: Run,
    /// What the receivers hold (row = receiver, column = source), if a payload was sent: zero where nothing arrived,
    /// the last word where a source arrived more than once.
    pub received: Option<Payload>,
}

/// How engines are called: the plan, the messages, and who is told of settings and deliveries.
pub type Engine = fn(&Plan, Option<&WordMatrix>, &mut dyn Observer) -> ExchangeOutcome;

/// Runs the exchange of a plan, cycle by cycle.
///
/// The observer sees the phase that carries the messages. A plan with a prepare phase first sends the numbers of the
/// lanes through the network, and every source queues its messages for the terminals that its number reached. The
/// figures and faults are those of the message phase too; a label that was lost shows as missing messages. A message
/// that loses a conflict is dropped. A misrouted message is reported where it arrived and is never the first.
/// Faults of one cycle count in the order conflict, misrouted, missing; a missing pair that no round would have sent
/// is due in the last cycle.
///
/// # Panics
///
/// If the payload is for another number of terminals than the plan, or the lanes of the network do not divide evenly
/// among its terminals.
pub fn exchange(plan: &Plan, payload: Option<&WordMatrix>, observer: &mut dyn Observer) -> ExchangeOutcome {
    let fabric = Fabric::new(plan);
    let messages = Messages::of(&fabric);
    let mut tally = Tally::new(&fabric, payload);
    run(&fabric, &messages, |moment| tally.see(moment, observer));
    tally.finish(&messages)
}

fn report_settings(moment: &Moment, observer: &mut dyn Observer) {
    for (stage, acts) in moment.acts.iter().enumerate().filter(|(_, acts)| acts.round.is_some()) {
        for (switch, &state) in acts.states.iter().enumerate() {
            let (stage, switch) = (stage as u32, switch as u32);
            observer.setting(Setting { cycle: moment.cycle, stage, switch, state });
        }
    }
}

/// The word of a message: what `payload` has for its source and destination. Zero for a destination that does not
/// exist, which only a plan made wrong on purpose asks for.
fn word(fabric: &Fabric, payload: &WordMatrix, token: Token) -> Vec<u64> {
    payload_word(fabric, payload, token)
        .map_or_else(|| vec![0; limbs_of(payload.width_bits())], <[u64]>::to_vec)
}

/// The same without a copy; none for a destination that does not exist.
pub(crate) fn payload_word<'p>(fabric: &Fabric, payload: &'p WordMatrix, token: Token) -> Option<&'p [u64]> {
    let wanted = token.wanted.filter(|&wanted| wanted < payload.terminals())?;
    Some(payload.word(fabric.terminal(token.source), wanted))
}

/// The message run as it is told to an observer, and counted.
pub(crate) struct Tally<'a> {
    fabric: &'a Fabric<'a>,
    payload: Option<&'a WordMatrix<'a>>,
    received: Option<Payload>,
    /// Of each exchange.
    delivered: Vec<Delivered>,
    /// The pairs of which receivers of faulty hardware said that they arrived; of each exchange, none without faults.
    claimed: Vec<Delivered>,
    run: Run,
}

impl<'a> Tally<'a> {
    pub fn new(fabric: &'a Fabric<'a>, payload: Option<&'a WordMatrix<'a>>) -> Self {
        let terminals = fabric.plan.network.terminals();
        if let Some(payload) = payload {
            let given = payload.terminals();
            assert!(given == terminals, "a payload for {given} terminals, but the plan has {terminals}");
        }
        let received = payload.map(|p| Payload::zero(terminals, p.width_bits()));
        let delivered = vec![fabric.plan.due(); fabric.plan.exchanges as usize];
        let claimed = if fabric.plan.faults.is_empty() { Vec::new() } else { delivered.clone() };
        Tally { fabric, payload, received, delivered, claimed, run: Run::default() }
    }

    /// The next cycle.
    pub fn see(&mut self, moment: &Moment, observer: &mut dyn Observer) {
        report_settings(moment, observer);
        self.conflicts(moment);
        self.deliveries(moment, observer);
    }

    fn conflicts(&mut self, moment: &Moment) {
        for (stage, acts) in moment.acts.iter().enumerate() {
            for clash in &acts.clashes {
                self.run.conflicts += 1;
                let sources = clash.sources.map(|lane| self.fabric.terminal(lane));
                let (cycle, stage, switch) = (moment.cycle, stage as u32, clash.switch);
                self.fault(FirstFault::Conflict { cycle, stage, switch, sources });
            }
        }
    }

    /// Tells and counts what arrived. Receivers of hardware with faults say the source that the schedule has for them, whosever word it is that
    /// came; what is counted is what came.
    fn deliveries(&mut self, moment: &Moment, observer: &mut dyn Observer) {
        let (fabric, plan) = (self.fabric, self.fabric.plan);
        let faulty = fabric.arriving_round(moment.state).filter(|_| !plan.faults.is_empty());
        let scheduled = faulty.map(|round| plan.sources(round));
        let said = |lane: LaneIdx, token: Token| match &scheduled {
            Some(sources) => sources[lane.idx()],
            None => fabric.terminal(token.source),
        };
        let mut arrived: Vec<(u32, u32, Token)> = LaneIdx::all(plan.network.lanes())
            .filter_map(|lane| fabric.output(moment.state, lane).map(|token| (lane, token)))
            .map(|(lane, token)| (fabric.terminal(lane), said(lane, token), token))
            .collect();
        arrived.sort_by_key(|&(output, source, _)| (output, source));
        for (output, source, token) in arrived {
            let mut first = self.arrival(moment.cycle, output, fabric.terminal(token.source), token);
            if let Some(claimed) = self.claimed.get_mut((token.round.0 / plan.rounds) as usize) {
                first = claimed.insert(source, output);
            }
            let payload = self.payload.map(|payload| word(fabric, payload, token));
            if let (Some(received), Some(word)) = (&mut self.received, &payload) {
                received.set(output, source, word);
            }
            let (cycle, round) = (moment.cycle, token.round);
            observer.delivery(&Delivery { cycle, output, source, round, first, payload });
        }
    }

    /// Counts an arrival; true if it is the first of its pair.
    fn arrival(&mut self, cycle: u64, output: u32, source: u32, token: Token) -> bool {
        self.run.cycles = cycle;
        if let Some(destination) = token.wanted.filter(|&wanted| wanted != output) {
            self.run.misrouted += 1;
            self.fault(FirstFault::Misrouted { cycle, output, source, destination });
            return false;
        }
        let first = self.delivered[(token.round.0 / self.fabric.plan.rounds) as usize].insert(source, output);
        self.run.duplicates += u64::from(!first);
        first
    }

    fn fault(&mut self, fault: FirstFault) {
        if self.run.first_fault.as_ref().is_none_or(|known| cycle(&fault) < cycle(known)) {
            self.run.first_fault = Some(fault);
        }
    }

    pub fn finish(mut self, messages: &Messages) -> ExchangeOutcome {
        self.run.delivered = self.delivered.iter().map(Delivered::count).sum();
        self.run.missing = self.delivered.iter().map(Delivered::missing_count).sum();
        self.run.cycles_total = self.fabric.plan.cycles_in_all(self.run.cycles);
        if let Some(fault) = self.first_missing(messages) {
            self.fault(fault);
        }
        ExchangeOutcome { run: self.run, received: self.received }
    }

    /// The missing pair that was due first.
    fn first_missing(&self, messages: &Messages) -> Option<FirstFault> {
        let missing = |delivered: &Delivered| delivered.missing().next();
        let (exchange, (source, destination)) =
            (0..).zip(&self.delivered).find_map(|(at, delivered)| Some((at, missing(delivered)?)))?;
        let plan = self.fabric.plan;
        let last = plan.arrives_at(RoundIdx((exchange + 1) * plan.rounds - 1));
        let mut due = FirstFault::Missing { source, destination, cycle: last };
        // `insert` on a copy tells what is missing without a second table of pairs.
        let mut delivered = self.delivered[exchange as usize].clone();
        'rounds: for round in exchange * plan.rounds..(exchange + 1) * plan.rounds {
            for lane in LaneIdx::all(plan.network.lanes()) {
                let queued = match messages {
                    Messages::Queued(queues) => queues.get(lane, RoundIdx(round)),
                    Messages::Scheduled | Messages::Labels => None,
                };
                let destination = queued.unwrap_or_else(|| self.fabric.destination(RoundIdx(round), lane));
                let source = self.fabric.terminal(lane);
                if destination < plan.network.terminals() && delivered.insert(source, destination) {
                    let cycle = plan.arrives_at(RoundIdx(round));
                    due = FirstFault::Missing { source, destination, cycle };
                    break 'rounds;
                }
            }
        }
        Some(due)
    }
}

fn cycle(fault: &FirstFault) -> u64 {
    match *fault {
        FirstFault::Conflict { cycle, .. }
        | FirstFault::Misrouted { cycle, .. }
        | FirstFault::Missing { cycle, .. } => cycle,
    }
}

#[cfg(test)]
pub(crate) mod tests;
