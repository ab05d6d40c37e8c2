//! One run through the rounds of a plan: what the lanes inject, and the loop over cycles.

use crate::fabric::{Fabric, LaneRow, StageActs, State, Token};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Phases;

/// For every source lane and round the terminal for which a message was queued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Queues {
    rounds: usize,
    terminals: Vec<Option<u32>>,
}

impl Queues {
    /// The terminal, none if no label of this source arrived in this round; the same in every exchange.
    pub fn get(&self, source: LaneIdx, round: RoundIdx) -> Option<u32> {
        self.terminals[source.idx() * self.rounds + round.idx() % self.rounds]
    }
}

/// What the lanes inject in each round.
pub(crate) enum Messages {
    /// Their own numbers, to learn where they arrive.
    Labels,
    /// The message for the destination that the plan gives, if neither is spare.
    Scheduled,
    /// The message that was queued, if any.
    Queued(Queues),
}

impl Messages {
    /// What carries the payload of a plan; if the plan has a prepare phase, it is run here.
    pub fn of(fabric: &Fabric) -> Messages {
        match fabric.plan.phases {
            // The hardware computes what the prepare phase would tell, so a fault does not reach its queues.
            _ if !fabric.plan.faults.is_empty() => Messages::Scheduled,
            Phases::One => Messages::Scheduled,
            Phases::PrepareAndSend => Messages::Queued(prepare(fabric)),
        }
    }

    fn token(&self, fabric: &Fabric, round: RoundIdx, lane: LaneIdx) -> Option<Token> {
        let wanted = match self {
            Messages::Labels => None,
            Messages::Scheduled if !fabric.plan.sends(round, lane) => return None,
            Messages::Scheduled => Some(fabric.destination(round, lane)),
            Messages::Queued(queues) => Some(queues.get(lane, round)?),
        };
        let label = fabric.plan.label(round, lane).unwrap_or(0);
        let label = fabric.plan.faults.label(fabric.terminal(lane), label, fabric.plan.hops());
        Some(Token { round, source: lane, wanted, label })
    }
}

/// What can be seen in a cycle, before the registers move.
pub(crate) struct Moment<'a> {
    pub cycle: u64,
    pub injected: &'a LaneRow,
    pub state: &'a State,
    pub acts: &'a [StageActs],
}

/// Runs cycles 0 to the one in which the last round arrives.
pub(crate) fn run(fabric: &Fabric, messages: &Messages, mut see: impl FnMut(&Moment)) {
    let mut now = fabric.empty();
    let mut next = fabric.empty();
    let mut injected = LaneRow::idle(fabric.plan.network.lanes());
    let mut waiting = fabric.none_waiting();
    let mut acts = fabric.idle_acts();
    for cycle in 0..=fabric.plan.cycles() {
        inject(fabric, messages, cycle, &mut injected);
        fabric.step(&now, &injected, &mut waiting, &mut next, &mut acts);
        see(&Moment { cycle, injected: &injected, state: &now, acts: &acts });
        std::mem::swap(&mut now, &mut next);
    }
}

/// Fills the row in front of the fabric with the round of this cycle, if there is one.
pub(crate) fn inject(fabric: &Fabric, messages: &Messages, cycle: u64, row: &mut LaneRow) {
    row.round = fabric.plan.injecting(cycle);
    for (lane, token) in row.tokens.iter_mut().enumerate() {
        *token = row.round.and_then(|round| messages.token(fabric, round, LaneIdx(lane as u32)));
    }
    if !fabric.plan.faults.is_empty() {
        row.labels.clone_from(&row.tokens);
    }
}

/// The prepare phase: sends every lane's number in every round and notes where it arrives.
pub(crate) fn prepare(fabric: &Fabric) -> Queues {
    let once = fabric.plan.repeated(1);
    let fabric = &Fabric::new(&once);
    let (lanes, rounds) = (fabric.plan.network.lanes(), fabric.plan.rounds as usize);
    let mut terminals = vec![None; lanes as usize * rounds];
    run(fabric, &Messages::Labels, |moment| {
        // The receivers know the round from the cycle; the label is what arrived.
        let Some(round) = fabric.arriving_round(moment.state) else { return };
        for output in LaneIdx::all(lanes) {
            if let Some(Token { source: label, .. }) = fabric.output(moment.state, output) {
                terminals[label.idx() * rounds + round.idx()] = Some(fabric.terminal(output));
            }
        }
    });
    Queues { rounds, terminals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::Request;

    #[test]
    fn what_arrives_in_the_prepare_phase_makes_the_queues() {
        let plan = frit_schedule::plan(&Request::new("gsen", 10)).unwrap();
        let queues = prepare(&Fabric::new(&plan));
        // The check values of the thesis for x = 10.
        let row: Vec<Option<u32>> = LaneIdx::all(10).map(|source| queues.get(source, RoundIdx(10))).collect();
        assert_eq!(row, [1, 4, 6, 0, 7, 2, 9, 3, 5, 8].map(Some));
    }

    #[test]
    fn labels_lost_to_a_conflict_leave_gaps_in_the_queues() {
        let mut plan = frit_schedule::plan(&Request::new("rls", 8)).unwrap();
        plan.phases = Phases::PrepareAndSend;
        let mut links = plan.network.links().to_vec();
        links[1].swap(0, 3);
        plan.network = frit_network::Network::new("miswired", 8, links).unwrap();
        let queues = prepare(&Fabric::new(&plan));
        let gaps = (0..8)
            .flat_map(|s| (0..8).map(move |r| (s, r)))
            .filter(|&(s, r)| queues.get(LaneIdx(s), RoundIdx(r)).is_none());
        assert!(gaps.count() > 0);
    }
}
