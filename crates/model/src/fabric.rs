//! Registers and switches: what one cycle does. Spec ([`Fabric`]), state ([`State`]) and step are apart; the step
//! reads only `now` and writes only `next`, so the stages can be visited in any order.

use frit_network::{StageIdx, SwitchIdx};
use frit_schedule::Plan;

/// A message on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The round in which it was injected.
    pub round: u32,
    /// The lane that injected it; when labels are sent, also the label.
    pub source: u32,
    /// The terminal it is for; none while labels are sent to find that out. With `source` it says which word of the
    /// payload this is.
    pub wanted: Option<u32>,
    /// One bit per stage, the first stage's the most significant (0 without labels).
    pub label: u64,
}

/// What stands side by side in the registers of one column, all of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The round, none if the column is idle.
    pub round: Option<u32>,
    /// The message in each lane or port.
    pub tokens: Vec<Option<Token>>,
}

impl Row {
    /// No round and no message.
    pub fn idle(lanes: u32) -> Row {
        Row { round: None, tokens: vec![None; lanes as usize] }
    }
}

/// All registers: first the entry registers, then the output registers of every stage by output port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State(pub Vec<Row>);

/// Two messages that wanted one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    pub switch: u32,
    /// The lanes that had injected them.
    pub sources: [u32; 2],
}

/// What the switches of a stage did in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StageActs {
    /// The round the stage acted on, none if it was idle.
    pub round: Option<u32>,
    /// The control bit of every switch.
    pub states: Vec<bool>,
    /// Conflicts, by switch.
    pub clashes: Vec<Clash>,
}

/// The plan with its link columns read backwards, so that a port finds what feeds it.
pub(crate) struct Fabric<'a> {
    pub plan: &'a Plan,
    sources: Vec<Vec<u32>>,
    lanes_per_terminal: u32,
}

impl<'a> Fabric<'a> {
    /// Panics unless the lanes divide evenly among the terminals.
    pub fn new(plan: &'a Plan) -> Self {
        let (lanes, terminals) = (plan.network.lanes(), plan.network.terminals());
        assert!(
            terminals > 0 && lanes.is_multiple_of(terminals),
            "a network of {lanes} lanes cannot serve {terminals} terminals with as many lanes each"
        );
        let columns = 0..=plan.network.stages();
        let sources = columns.map(|column| plan.network.sources(StageIdx(column))).collect();
        Fabric { plan, sources, lanes_per_terminal: lanes / terminals }
    }

    /// The terminal that owns a lane.
    pub fn terminal(&self, lane: u32) -> u32 {
        lane / self.lanes_per_terminal
    }

    /// The terminal that `lane` asks for in `round`.
    pub fn destination(&self, round: u32, lane: u32) -> u32 {
        self.terminal(self.plan.destination(round, lane))
    }

    /// Empty registers.
    pub fn empty(&self) -> State {
        State(vec![Row::idle(self.plan.network.lanes()); self.plan.latency() as usize])
    }

    /// Acts of idle switches.
    pub fn idle_acts(&self) -> Vec<StageActs> {
        let switches = self.plan.network.switches_per_stage() as usize;
        let idle = StageActs { round: None, states: vec![false; switches], clashes: Vec::new() };
        vec![idle; self.plan.network.stages() as usize]
    }

    /// The round that stands at the outputs, if any.
    pub fn arriving_round(&self, now: &State) -> Option<u32> {
        now.0.last().and_then(|row| row.round)
    }

    /// The message that stands at output `lane`.
    pub fn output(&self, now: &State, lane: u32) -> Option<Token> {
        let column = &self.sources[self.plan.network.stages() as usize];
        now.0.last().and_then(|row| row.tokens[column[lane as usize] as usize])
    }

    /// One cycle: everything moves one register on, and the switches say what they did.
    pub fn step(&self, now: &State, injected: &Row, next: &mut State, acts: &mut [StageActs]) {
        for register in 0..now.0.len() {
            self.step_register(register, now, injected, next, acts);
        }
    }

    /// What one column of registers takes in a cycle.
    fn step_register(
        &self,
        register: usize,
        now: &State,
        injected: &Row,
        next: &mut State,
        acts: &mut [StageActs],
    ) {
        let from = if register == 0 { injected } else { &now.0[register - 1] };
        let to = &mut next.0[register];
        match register.checked_sub(self.plan.entry_delay as usize) {
            None => to.clone_from(from),
            Some(stage) => self.step_stage(stage as u32, from, to, &mut acts[stage]),
        }
    }

    fn step_stage(&self, stage: u32, from: &Row, to: &mut Row, acts: &mut StageActs) {
        let feeds = &self.sources[stage as usize];
        acts.round = from.round;
        acts.clashes.clear();
        to.round = from.round;
        for (switch, outputs) in to.tokens.chunks_exact_mut(2).enumerate() {
            let inputs = [0, 1].map(|side| from.tokens[feeds[2 * switch + side] as usize]);
            let (state, clash) = self.decide(from.round, stage, switch as u32, inputs);
            acts.states[switch] = state;
            acts.clashes.extend(clash);
            let [low, high] = [inputs[0], inputs[1].filter(|_| clash.is_none())];
            outputs[state as usize] = low;
            outputs[!state as usize] = high;
        }
    }

    /// The state of a switch, from what is at the switch: under stage or systolic control, and with stored settings, what that gives the round that
    /// has reached the stage, otherwise the label bits of its messages. Input 0 decides; without a message there, input 1 does.
    /// If both want one output, input 0 has it.
    fn decide(
        &self,
        round: Option<u32>,
        stage: u32,
        switch: u32,
        inputs: [Option<Token>; 2],
    ) -> (bool, Option<Clash>) {
        if !self.plan.self_routing() {
            let state = round.and_then(|r| self.plan.stage_state(r, StageIdx(stage), SwitchIdx(switch)));
            return (state.is_some_and(|s| s.bit()), None);
        }
        let shift = self.plan.network.stages() - 1 - stage;
        let wants = |token: Token| token.label.checked_shr(shift).unwrap_or(0) & 1 == 1;
        match inputs {
            [Some(low), Some(high)] => {
                let clash = Clash { switch, sources: [low.source, high.source] };
                (wants(low), (wants(low) == wants(high)).then_some(clash))
            }
            [Some(low), None] => (wants(low), None),
            [None, Some(high)] => (!wants(high), None),
            [None, None] => (false, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::{Messages, inject};
    use frit_schedule::Request;
    use frit_schedule::payload::SplitMix64;

    #[test]
    fn the_order_in_which_stages_are_visited_does_not_matter() {
        for (request, entry_delay) in [
            (Request::new("rls", 16), 0),
            (Request::new("rls", 8), 2),
            (Request::new("gsen", 10).with("algorithm", "ata2"), 1),
            (Request::new("obf", 16), 1),
        ] {
            let mut plan = frit_schedule::plan(&request).unwrap();
            plan.entry_delay = entry_delay;
            let fabric = Fabric::new(&plan);
            let mut random = SplitMix64(7);
            let mut now = fabric.empty();
            let mut injected = Row::idle(plan.network.lanes());
            for cycle in 0..=plan.cycles() {
                inject(&fabric, &Messages::Scheduled, cycle, &mut injected);
                let (mut next, mut acts) = (fabric.empty(), fabric.idle_acts());
                fabric.step(&now, &injected, &mut next, &mut acts);
                let (mut shuffled_next, mut shuffled_acts) = (fabric.empty(), fabric.idle_acts());
                let mut order: Vec<usize> = (0..now.0.len()).collect();
                order.sort_by_cached_key(|_| random.next());
                for register in order {
                    fabric.step_register(register, &now, &injected, &mut shuffled_next, &mut shuffled_acts);
                }
                assert_eq!((&next, &acts), (&shuffled_next, &shuffled_acts), "cycle {cycle}");
                for (stage, act) in acts.iter().enumerate() {
                    if let Some(round) = act.round {
                        assert_eq!(cycle, plan.acts_at(StageIdx(stage as u32), round));
                    }
                }
                now = next;
            }
            assert_eq!(now, fabric.empty());
        }
    }

    #[test]
    fn a_switch_without_a_second_message_follows_the_first() {
        let plan = frit_schedule::plan(&Request::new("rls", 4)).unwrap();
        let fabric = Fabric::new(&plan);
        let token = |source, label| Some(Token { round: 0, source, wanted: None, label });
        let state = |inputs| fabric.decide(Some(0), 0, 0, inputs);
        assert_eq!(state([token(0, 0b100), None]), (true, None));
        assert_eq!(state([None, token(1, 0b100)]), (false, None));
        assert_eq!(state([None, token(1, 0b011)]), (true, None));
        assert_eq!(state([None, None]), (false, None));
        let clash = Some(Clash { switch: 0, sources: [0, 1] });
        assert_eq!(state([token(0, 0b100), token(1, 0b111)]), (true, clash));
    }
}
