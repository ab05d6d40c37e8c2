//! When rounds enter the network, when its stages act on them, and when they arrive.

use crate::plan::Plan;
use crate::second_pass::SecondPass;
use frit_network::{Network, RoundIdx, StageIdx};
use std::borrow::Cow;

/// A stage of the physical network at work: on which round, and which stage of the [unrolled](Plan::unrolled) network
/// it is to that round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acting {
    /// The round.
    pub round: RoundIdx,
    /// The stages that the round has passed before.
    pub hop: u32,
}

impl Plan {
    /// Stages that every message passes: those of the network, and those of a first pass.
    pub fn hops(&self) -> u32 {
        self.network.stages() + self.second_pass.map_or(0, |second| second.after)
    }

    /// The network as the messages see it: that of [`hops`](Plan::hops) stages in which no message passes twice.
    pub fn unrolled(&self) -> Cow<'_, Network> {
        let Some(second) = self.second_pass else { return Cow::Borrowed(&self.network) };
        let links = self.network.links();
        let (first, again) = links.split_at(second.after as usize);
        let entry: Vec<u32> = again[0].iter().map(|&input| links[0][input as usize]).collect();
        let columns = first.iter().chain([&entry]).chain(&links[1..]).cloned().collect();
        let unrolled = Network::new(self.network.name().clone(), self.network.terminals(), columns);
        Cow::Owned(unrolled.expect("columns of one network, one after the other, are wired like it"))
    }

    /// The physical stage of a hop.
    pub fn stage_of(&self, hop: u32) -> StageIdx {
        StageIdx(self.second_pass.map_or(hop, |second| hop.checked_sub(second.after).unwrap_or(hop)))
    }

    /// Cycles from a message's injection to its delivery.
    pub fn latency(&self) -> u32 {
        self.entry_delay
            + self.pipeline * self.network.groups()
            + self.second_pass.map_or(0, SecondPass::window)
    }

    /// When rounds may begin, in words.
    pub fn rhythm(&self) -> String {
        match self.second_pass.map(SecondPass::window) {
            None => "initiation interval 1".into(),
            Some(window) if window >= self.rounds => {
                "initiation interval 1, all second passes after all first ones".into()
            }
            Some(1) => "initiation interval 2".into(),
            Some(window) => {
                format!("{window} rounds, one a cycle, then {window} cycles for their second pass")
            }
        }
    }

    /// The cycle in which a round is injected: the round's own number, if the inputs never belong to a second pass. Rounds of
    /// the exchanges that follow are numbered on.
    pub fn injected_at(&self, round: RoundIdx) -> u64 {
        let rounds = self.rounds.max(1);
        u64::from(round.0 / rounds) * self.period() + self.slot_at(u64::from(round.0 % rounds))
    }

    /// The cycle in which the words of a slot enter for the first time. A slot is a round, or a cycle of one that lasts several.
    pub fn slot_at(&self, slot: u64) -> u64 {
        match self.window() {
            Some(window) => 2 * window * (slot / window) + slot % window,
            None => slot,
        }
    }

    /// The first slot whose words enter in this cycle or later.
    fn slot_from(&self, cycle: u64) -> u64 {
        match self.window() {
            Some(window) => cycle / (2 * window) * window + (cycle % (2 * window)).min(window),
            None => cycle,
        }
    }

    fn window(&self) -> Option<u64> {
        self.second_pass.map(|second| u64::from(second.window()))
    }

    /// The rounds of all exchanges.
    pub fn rounds_in_all(&self) -> u32 {
        self.rounds * self.exchanges
    }

    /// The number of a round in its exchange.
    pub(crate) fn of_exchange(&self, round: RoundIdx) -> RoundIdx {
        if round.0 < self.rounds { round } else { RoundIdx(round.0 % self.rounds.max(1)) }
    }

    /// The round that is injected in a cycle, if one is.
    pub fn injecting(&self, cycle: u64) -> Option<RoundIdx> {
        self.first_injection_from(cycle).filter(|&round| self.injected_at(round) == cycle)
    }

    /// Cycles from the beginning of an exchange to that of the next one when the rounds repeat: the inputs are free again
    /// when the last round has entered for its last pass, and what is free at stage 0 is free behind it, for all rounds go
    /// the same way. (A shorter period has no room: the rounds of a full window leave no gap in which the first window of
    /// another exchange fits.)
    pub fn period(&self) -> u64 {
        self.message_period(1)
    }

    /// The same with messages of `words` words.
    pub fn message_period(&self, words: u32) -> u64 {
        let slots = u64::from(self.rounds) * u64::from(words);
        slots.checked_sub(1).map_or(1, |last| self.slot_at(last) + self.window().unwrap_or(0) + 1)
    }

    /// Whether the next exchange may begin in any cycle behind the last round of one, with messages of `words` words. It may not
    /// where one bit sets the switches of all levels at a time: what is still under way needs the bits that follow, which are
    /// those of an exchange that begins at once, and of no other.
    pub fn joins_late(&self, words: u32) -> bool {
        words > 1 || self.systolic().is_none()
    }

    /// The cycle of the exchange that began last, in a cycle of a run.
    pub fn since_start(&self, cycle: u64) -> u64 {
        let last = u64::from(self.exchanges.max(1)) - 1;
        cycle - last.min(cycle / self.period()) * self.period()
    }

    /// Whether a start is taken in a cycle of a run: nothing is at the inputs of stage 0 any more, or something is for the last
    /// time.
    pub fn takes_start(&self, cycle: u64) -> bool {
        let since = self.since_start(cycle);
        since + 1 == self.period() || (since + 1 > self.period() && self.joins_late(1))
    }

    /// The round that is injected in a cycle if the rounds repeat without end.
    pub fn injecting_repeatedly(&self, cycle: u64) -> Option<RoundIdx> {
        self.injecting(cycle % self.period())
    }

    /// The round that is injected next, this cycle included; round 0 after the last one.
    pub fn next_injection(&self, cycle: u64) -> RoundIdx {
        self.first_injection_from(cycle).unwrap_or(RoundIdx(0))
    }

    /// The first round that is injected in this cycle or later, if there is one left.
    fn first_injection_from(&self, cycle: u64) -> Option<RoundIdx> {
        let (exchange, cycle) = (cycle / self.period(), cycle % self.period());
        let (rounds, slot) = (u64::from(self.rounds), self.slot_from(cycle));
        let round = exchange * rounds + slot.min(rounds);
        (round < u64::from(self.rounds_in_all())).then_some(RoundIdx(round as u32))
    }

    /// The cycle in which a round arrives.
    pub fn arrives_at(&self, round: RoundIdx) -> u64 {
        self.injected_at(round) + self.latency() as u64
    }

    /// The round that arrives in a cycle, if one does.
    pub fn arriving(&self, cycle: u64) -> Option<RoundIdx> {
        self.injecting(cycle.checked_sub(self.latency() as u64)?)
    }

    /// The round that arrives next, this cycle included; round 0 after the last one.
    pub fn next_arrival(&self, cycle: u64) -> RoundIdx {
        cycle.checked_sub(self.latency() as u64).map_or(RoundIdx(0), |injected| self.next_injection(injected))
    }

    /// Whether the words at the end of the first pass are in their second, and go on. Without a buffer they entered a
    /// window ago; behind one they are let out when their round arrives.
    pub fn second_pass_ends(&self, cycle: u64) -> bool {
        let Some(second) = self.second_pass else { return false };
        match second.wait {
            0 => cycle.checked_sub(second.window().into()).is_some_and(|then| self.second_pass_enters(then)),
            _ => self.arriving(cycle).is_some(),
        }
    }

    /// Whether the words at the inputs in this cycle come from the end of the first pass.
    pub fn second_pass_enters(&self, cycle: u64) -> bool {
        let (period, exchanges) = (self.period(), u64::from(self.exchanges));
        self.window().is_some_and(|window| cycle < exchanges * period && cycle % period / window % 2 == 1)
    }

    /// The cycle in which the stage of `hop` acts on `round`.
    pub fn acts_at(&self, hop: u32, round: RoundIdx) -> u64 {
        self.injected_at(round) + self.delay(hop)
    }

    /// What a physical stage does in a cycle of a run.
    pub fn acting(&self, stage: StageIdx, cycle: u64) -> Option<Acting> {
        let first = self.second_pass.is_none_or(|second| stage.0 < second.after).then_some(stage.0);
        let again = self.second_pass.map(|second| second.after + stage.0);
        first.into_iter().chain(again).find_map(|hop| {
            let round = self.injecting(cycle.checked_sub(self.delay(hop))?)?;
            Some(Acting { round, hop })
        })
    }

    /// Cycles of one phase by the plan's own arithmetic: the cycle of the last delivery. Of exchanges that follow each other
    /// without a gap each takes a [period](Plan::period) more.
    pub fn cycles(&self) -> u64 {
        match self.rounds_in_all().checked_sub(1) {
            Some(last) => self.arrives_at(RoundIdx(last)),
            None => self.latency() as u64 - 1,
        }
    }

    /// Cycles of all phases, if the last took `cycles`. Labels are sent once, whatever number of exchanges follows.
    pub fn cycles_in_all(&self, cycles: u64) -> u64 {
        let prepared = if self.exchanges == 1 { cycles } else { self.message_cycles(1) };
        cycles + (self.phases.count() - 1) * prepared
    }

    /// Cycles of one phase with messages of `words` words: a round lasts as many cycles, and where the inputs belong to
    /// two passes in turn, a window holds words in the place of rounds.
    pub fn message_cycles(&self, words: u32) -> u64 {
        let slots = u64::from(self.rounds) * u64::from(words);
        slots.checked_sub(1).map_or(self.cycles(), |last| self.slot_at(last) + u64::from(self.latency()))
    }

    /// The same plan, its rounds run so many times without a gap.
    pub fn repeated(&self, exchanges: u32) -> Plan {
        Plan { exchanges, ..self.clone() }
    }

    /// Groups of stages that a message passes before that of `hop`. A network that is passed twice has no groups of several stages.
    fn groups_before(&self, hop: u32) -> u32 {
        if self.network.is_grouped() { self.network.group_of(StageIdx(hop)) } else { hop }
    }

    /// Cycles from a message's injection to the stage of `hop`.
    fn delay(&self, hop: u32) -> u64 {
        let wait = self.second_pass.filter(|second| hop >= second.after).map_or(0, |second| second.wait);
        u64::from(self.entry_delay)
            + u64::from(wait)
            + u64::from(self.pipeline) * u64::from(self.groups_before(hop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;
    use std::collections::BTreeMap;

    fn folded(terminals: u64, second_pass: SecondPass) -> Plan {
        let mut plan = crate::plan(&Request::new("rls", terminals)).unwrap();
        plan.network = frit_network::butterfly(terminals).unwrap();
        plan.second_pass = Some(second_pass);
        plan
    }

    #[test]
    fn the_unrolled_butterfly_less_one_stage_is_the_butterfly_butterfly() {
        for n in [4, 8, 32] {
            let after = (n as u32).trailing_zeros() - 1;
            let plan = folded(n, SecondPass { after, wait: 0 });
            let double = frit_network::butterfly_butterfly(n).unwrap();
            assert_eq!(plan.unrolled().links(), double.links());
            assert_eq!(plan.hops(), double.stages());
        }
    }

    #[test]
    fn rounds_that_repeat_do_not_meet() {
        for second in
            [(3, 0), (3, 5), (2, 0), (1, 3), (3, 20)].map(|(after, wait)| SecondPass { after, wait })
        {
            let mut plan = folded(8, second);
            for rounds in 1..=8 {
                plan.rounds = rounds;
                let mut work = std::collections::BTreeSet::new();
                for cycle in 0..4 * plan.period() {
                    let Some(round) = plan.injecting_repeatedly(cycle) else { continue };
                    for hop in 0..plan.hops() {
                        let delay = plan.acts_at(hop, round) - plan.injected_at(round);
                        let new = work.insert((cycle + delay, plan.stage_of(hop)));
                        assert!(new, "{second:?}, {rounds} rounds, round {round} from cycle {cycle}");
                    }
                }
                assert_eq!(work.len() as u32, 4 * rounds * plan.hops());
            }
        }
        let plan = |system, option: &str, value: &str| {
            crate::plan(&Request::new(system, 8).with(option, value)).unwrap().period()
        };
        // Windows of three rounds, the last of two; no gap at all; a round a cycle.
        assert_eq!(plan("rls-folded", "plan", "windowed"), 17);
        assert_eq!(plan("rls-folded", "plan", "buffered"), 16);
        assert_eq!(plan("rls-folded", "plan", "two-plane"), 8);
    }

    #[test]
    fn no_stage_has_two_rounds_and_every_hop_its_cycle() {
        for second in [(3, 0), (3, 5), (2, 0), (1, 3)].map(|(after, wait)| SecondPass { after, wait }) {
            let plan = folded(8, second);
            let mut work = BTreeMap::new();
            for round in RoundIdx::all(plan.rounds) {
                for hop in 0..plan.hops() {
                    let (stage, cycle) = (plan.stage_of(hop), plan.acts_at(hop, round));
                    let before = work.insert((cycle, stage), Acting { round, hop });
                    assert_eq!(before, None, "{second:?}, {stage} in cycle {cycle}");
                }
                assert_eq!(plan.injecting(plan.injected_at(round)), Some(round));
                assert_eq!(plan.arriving(plan.arrives_at(round)), Some(round));
                let enters = plan.injected_at(round) + second.window() as u64;
                assert!(plan.second_pass_enters(enters) && !plan.second_pass_enters(plan.injected_at(round)));
            }
            for cycle in 0..=plan.cycles() {
                for stage in (0..plan.network.stages()).map(StageIdx) {
                    assert_eq!(plan.acting(stage, cycle), work.get(&(cycle, stage)).copied());
                }
                let next = (0..plan.rounds).find(|&round| plan.injected_at(RoundIdx(round)) >= cycle);
                assert_eq!(plan.next_injection(cycle), RoundIdx(next.unwrap_or(0)));
                let next = (0..plan.rounds).find(|&round| plan.arrives_at(RoundIdx(round)) >= cycle);
                assert_eq!(plan.next_arrival(cycle), RoundIdx(next.unwrap_or(0)));
            }
        }
    }
}
