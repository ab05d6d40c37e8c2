//! Registers and switches: what one cycle does. Spec ([`Fabric`]), state ([`State`]) and step are apart; the step
//! reads only `now` and writes only `next`, so the stages can be visited in any order.

use crate::stepper::{InOrder, Visit};
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::Plan;
use std::collections::VecDeque;
use std::sync::Arc;

/// A message on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The round in which it was injected.
    pub round: RoundIdx,
    /// The lane that injected it; when labels are sent, also the label.
    pub source: LaneIdx,
    /// The terminal it is for; none while labels are sent to find that out. With `source` it says which word of the
    /// payload this is.
    pub wanted: Option<u32>,
    /// One bit per hop, the first hop's the most significant (0 without labels).
    pub label: u64,
}

/// What stands side by side in the registers of one column, all of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LaneRow {
    /// The round, none if the column is idle.
    pub round: Option<RoundIdx>,
    /// Stages that it has passed in a first pass: the hop at stage s is this many more than s.
    pub passed: u32,
    /// What stands here took another way: data without a valid bit.
    pub stray: bool,
    /// The message in each lane or port.
    pub tokens: Vec<Option<Token>>,
    /// The labels in each lane or port, where faults part them from their messages; else none.
    pub labels: Vec<Option<Token>>,
}

impl LaneRow {
    /// No round and no message.
    pub fn idle(lanes: u32) -> LaneRow {
        LaneRow {
            round: None,
            passed: 0,
            stray: false,
            tokens: vec![None; lanes as usize],
            labels: Vec::new(),
        }
    }
}

/// The rows between two passes, the next to enter first: a plan's `wait`, none if it has no second pass. A row does not
/// change while it waits, so a copy shares it.
pub(crate) type Waiting = VecDeque<Arc<LaneRow>>;

/// All registers: first the entry registers, then the output registers of every stage by output port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State(pub Vec<LaneRow>);

/// Two messages that wanted one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    pub switch: u32,
    /// The lanes that had injected them.
    pub sources: [LaneIdx; 2],
}

/// What the switches of a stage did in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StageActs {
    /// The round the stage acted on, none if it was idle.
    pub round: Option<RoundIdx>,
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
    pub fn terminal(&self, lane: LaneIdx) -> u32 {
        lane.0 / self.lanes_per_terminal
    }

    /// The terminal that `lane` asks for in `round`.
    pub fn destination(&self, round: RoundIdx, lane: LaneIdx) -> u32 {
        self.terminal(self.plan.destination(round, lane))
    }

    /// Empty registers.
    pub fn empty(&self) -> State {
        let registers = self.plan.entry_delay + self.plan.pipeline * self.plan.network.groups();
        State(vec![LaneRow::idle(self.plan.network.lanes()); registers as usize])
    }

    /// Nothing between the passes.
    pub fn none_waiting(&self) -> Waiting {
        let wait = self.plan.second_pass.map_or(0, |second| second.wait);
        (0..wait).map(|_| Arc::new(LaneRow::idle(self.plan.network.lanes()))).collect()
    }

    /// Acts of idle switches.
    pub fn idle_acts(&self) -> Vec<StageActs> {
        let switches = self.plan.network.switches_per_stage() as usize;
        let idle = StageActs { round: None, states: vec![false; switches], clashes: Vec::new() };
        vec![idle; self.plan.network.stages() as usize]
    }

    /// The round that stands at the outputs, if any.
    pub fn arriving_round(&self, now: &State) -> Option<RoundIdx> {
        self.last_pass(now.0.last()?)?.round
    }

    /// The message that stands at output `lane`.
    pub fn output(&self, now: &State, lane: LaneIdx) -> Option<Token> {
        self.last_pass(now.0.last()?).and_then(|row| self.at_output(row, lane))
    }

    /// The message that stands at output `lane`, in its last pass or not.
    pub fn shown(&self, now: &State, lane: LaneIdx) -> Option<Token> {
        now.0.last().and_then(|row| self.at_output(row, lane))
    }

    fn at_output(&self, row: &LaneRow, lane: LaneIdx) -> Option<Token> {
        let column = &self.sources[self.plan.network.stages() as usize];
        row.tokens[column[lane.idx()] as usize]
    }

    /// A row, unless it is still in its first pass.
    fn last_pass<'r>(&self, row: &'r LaneRow) -> Option<&'r LaneRow> {
        let passed = self.plan.second_pass.map_or(0, |second| second.after);
        (row.passed == passed && !row.stray).then_some(row)
    }

    /// One cycle: everything moves one register on, and the switches say what they did. `waiting` moves on as well.
    pub fn step(
        &self,
        now: &State,
        injected: &LaneRow,
        waiting: &mut Waiting,
        next: &mut State,
        acts: &mut [StageActs],
    ) {
        self.step_visiting(&InOrder, now, injected, waiting, next, acts);
    }

    /// The same, registers and switches visited in another order.
    pub fn step_visiting(
        &self,
        visit: &impl Visit,
        now: &State,
        injected: &LaneRow,
        waiting: &mut Waiting,
        next: &mut State,
        acts: &mut [StageActs],
    ) {
        let again = self.entering_again(now, waiting);
        visit.each(now.0.len(), |register| {
            self.step_register(visit, register, now, injected, again.as_deref(), next, acts);
        });
    }

    /// The row that enters its second pass in this cycle, if one does.
    fn entering_again(&self, now: &State, waiting: &mut Waiting) -> Option<Arc<LaneRow>> {
        let second = self.plan.second_pass?;
        let end = &now.0[(self.plan.entry_delay + second.after) as usize - 1];
        let mut row = LaneRow::idle(self.plan.network.lanes());
        if end.passed == 0 && end.round.is_some() {
            row.round = end.round;
            row.passed = second.after;
            let column = &self.sources[second.after as usize];
            for (token, &source) in row.tokens.iter_mut().zip(column) {
                *token = end.tokens[source as usize];
            }
        }
        waiting.push_back(Arc::new(row));
        waiting.pop_front().filter(|row| row.round.is_some())
    }

    /// What one column of registers takes in a cycle.
    #[allow(clippy::too_many_arguments)] // what is read and what is written, each by its name
    fn step_register(
        &self,
        visit: &impl Visit,
        register: usize,
        now: &State,
        injected: &LaneRow,
        again: Option<&LaneRow>,
        next: &mut State,
        acts: &mut [StageActs],
    ) {
        let from = if register == 0 { injected } else { &now.0[register - 1] };
        let to = &mut next.0[register];
        let (entry, pipeline) = (self.plan.entry_delay as usize, self.plan.pipeline as usize);
        // A group of stages acts on what its first register takes; each stage is a group unless the network says otherwise.
        let group = register.checked_sub(entry).filter(|place| place.is_multiple_of(pipeline));
        match group.map(|place| place / pipeline) {
            None => to.clone_from(from),
            Some(group) if self.plan.network.is_grouped() => {
                self.step_group(visit, group as u32, from, to, acts)
            }
            // The plan injects no round while a second pass begins.
            Some(0) if let Some(again) = again => self.step_stage(visit, 0, again, to, &mut acts[0]),
            Some(stage) if self.ends_first_pass(stage as u32, from) => {
                let stray = LaneRow { round: None, stray: true, ..from.clone() };
                self.step_stage(visit, stage as u32, &stray, to, &mut acts[stage]);
            }
            Some(stage) => self.step_stage(visit, stage as u32, from, to, &mut acts[stage]),
        }
    }

    /// Whether a row in front of a stage goes back to the inputs instead.
    fn ends_first_pass(&self, stage: u32, row: &LaneRow) -> bool {
        self.plan
            .second_pass
            .is_some_and(|second| second.after == stage && row.passed == 0 && row.round.is_some())
    }

    /// Words pass all stages of a group in one cycle.
    fn step_group(
        &self,
        visit: &impl Visit,
        group: u32,
        from: &LaneRow,
        to: &mut LaneRow,
        acts: &mut [StageActs],
    ) {
        let mut between = from.clone();
        for stage in self.plan.network.group(group) {
            self.step_stage(visit, stage, &between, to, &mut acts[stage as usize]);
            between.clone_from(to);
        }
    }

    fn step_stage(
        &self,
        visit: &impl Visit,
        stage: u32,
        from: &LaneRow,
        to: &mut LaneRow,
        acts: &mut StageActs,
    ) {
        acts.round = from.round;
        acts.clashes.clear();
        to.round = from.round;
        to.passed = from.passed;
        to.stray = from.stray;
        let feeds = &self.sources[stage as usize];
        let hop = from.passed + stage;
        if !self.plan.faults.is_empty() {
            return self.step_faulty(visit, stage, from, to, acts);
        }
        // A loop of its own for each kind of control, which is asked for once.
        if from.stray {
            switches(visit, feeds, from, to, acts, |_, _| (false, None));
        } else if self.plan.self_routing() {
            let shift = self.plan.hops() - 1 - hop;
            switches(visit, feeds, from, to, acts, |switch, inputs| decide(shift, switch, inputs));
        } else if let Some(by) = self.plan.turn(StageIdx(hop)) {
            let state = self.state(from.round, hop, 0);
            acts.states.fill(state);
            let lanes = feeds.len();
            let turned = if state { by as usize } else { 0 };
            visit.each(lanes, |port| to.tokens[(port + turned) % lanes] = from.tokens[feeds[port] as usize]);
        } else {
            switches(visit, feeds, from, to, acts, |switch, _| (self.state(from.round, hop, switch), None));
        }
    }

    /// The same with the faults of the hardware. Labels have switches of their own, so where a switch is stuck or a wire is broken, they
    /// part from their messages; and where two of them want one output, neither message is dropped.
    fn step_faulty(
        &self,
        visit: &impl Visit,
        stage: u32,
        from: &LaneRow,
        to: &mut LaneRow,
        acts: &mut StageActs,
    ) {
        let (faults, feeds, at) = (&self.plan.faults, &self.sources[stage as usize], StageIdx(stage));
        to.labels.resize(feeds.len(), None);
        to.labels.fill(None);
        visit.each(feeds.len() / 2, |switch| {
            let ports = [2 * switch, 2 * switch + 1];
            let (state, clash) = match self.plan.self_routing() {
                false => {
                    let state = self.state(from.round, stage, switch as u32);
                    (faults.driver(at, state), None)
                }
                true => {
                    let labels = ports.map(|port| from.labels.get(feeds[port] as usize).copied().flatten());
                    let (state, clash) = decide(self.plan.hops() - 1 - stage, switch as u32, labels);
                    ports
                        .iter()
                        .zip(labels)
                        .for_each(|(port, label)| to.labels[port ^ state as usize] = label);
                    (state, clash)
                }
            };
            acts.states[switch] = state;
            acts.clashes.extend(clash);
            let state = faults.switch(at, SwitchIdx(switch as u32), state);
            for port in ports {
                let token = from.tokens[feeds[port] as usize];
                to.tokens[port ^ state as usize] = token.filter(|_| !faults.is_broken(at, port as u32));
            }
        });
        acts.clashes.sort_unstable_by_key(|clash| clash.switch);
    }

    /// The state that stage or systolic control or a stored setting gives a switch in the round that has reached it.
    fn state(&self, round: Option<RoundIdx>, hop: u32, switch: u32) -> bool {
        let state = round.and_then(|round| self.plan.stage_state(round, StageIdx(hop), SwitchIdx(switch)));
        state.is_some_and(|state| state.bit())
    }
}

/// Lets every switch of a stage decide and move its two messages.
#[inline(always)]
fn switches(
    visit: &impl Visit,
    feeds: &[u32],
    from: &LaneRow,
    to: &mut LaneRow,
    acts: &mut StageActs,
    decide: impl Fn(u32, [Option<Token>; 2]) -> (bool, Option<Clash>),
) {
    let (pairs, _) = to.tokens.as_chunks_mut::<2>();
    visit.each(pairs.len(), |switch| {
        let inputs = [0, 1].map(|side| from.tokens[feeds[2 * switch + side] as usize]);
        let (state, clash) = decide(switch as u32, inputs);
        acts.states[switch] = state;
        acts.clashes.extend(clash);
        let [low, high] = [inputs[0], inputs[1].filter(|_| clash.is_none())];
        let outputs = &mut pairs[switch];
        outputs[state as usize] = low;
        outputs[!state as usize] = high;
    });
    acts.clashes.sort_unstable_by_key(|clash| clash.switch);
}

/// The state of a switch that reads the label bit at `shift`. Input 0 decides; without a message there, input 1 does. If
/// both want one output, input 0 has it.
#[inline]
fn decide(shift: u32, switch: u32, inputs: [Option<Token>; 2]) -> (bool, Option<Clash>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::{Messages, inject};
    use frit_schedule::Request;
    use frit_traffic::random::SplitMix64;

    #[test]
    fn the_order_in_which_stages_are_visited_does_not_matter() {
        for (request, entry_delay) in [
            (Request::new("rls", 16), 0),
            (Request::new("rls", 8), 2),
            (Request::new("gsen", 10).with("algorithm", "ata2"), 1),
            (Request::new("obf", 16), 1),
            (Request::new("rls-folded", 8), 0),
            (Request::new("rls-folded", 8).with("plan", "buffered"), 0),
            (Request::new("rls-flattened", 16), 0),
            (Request::new("rotator", 16), 0),
            (Request::new("benes", 16).with("radix", "4"), 0),
            (Request::new("benes", 8).with("radix", "4").with("pipeline", "2"), 1),
        ] {
            let mut plan = frit_schedule::plan(&request).unwrap();
            plan.entry_delay = entry_delay;
            let fabric = Fabric::new(&plan);
            let mut random = SplitMix64(7);
            let mut now = fabric.empty();
            let mut injected = LaneRow::idle(plan.network.lanes());
            let mut waiting = fabric.none_waiting();
            for cycle in 0..=plan.cycles() {
                inject(&fabric, &Messages::Scheduled, cycle, &mut injected);
                let (mut next, mut acts) = (fabric.empty(), fabric.idle_acts());
                let again = fabric.entering_again(&now, &mut waiting.clone());
                fabric.step(&now, &injected, &mut waiting, &mut next, &mut acts);
                let (mut shuffled_next, mut shuffled_acts) = (fabric.empty(), fabric.idle_acts());
                let mut order: Vec<usize> = (0..now.0.len()).collect();
                order.sort_by_cached_key(|_| random.next());
                for register in order {
                    let (next, acts) = (&mut shuffled_next, &mut shuffled_acts);
                    fabric.step_register(&InOrder, register, &now, &injected, again.as_deref(), next, acts);
                }
                assert_eq!((&next, &acts), (&shuffled_next, &shuffled_acts), "cycle {cycle}");
                for (stage, act) in acts.iter().enumerate() {
                    let acting = plan.acting(StageIdx(stage as u32), cycle);
                    assert_eq!(act.round, acting.map(|acting| acting.round));
                }
                now = next;
            }
            assert_eq!(now, fabric.empty());
        }
    }

    #[test]
    fn a_switch_without_a_second_message_follows_the_first() {
        let token = |source, label| Some(Token { round: RoundIdx(0), source, wanted: None, label });
        let state = |inputs| decide(2, 0, inputs);
        assert_eq!(state([token(LaneIdx(0), 0b100), None]), (true, None));
        assert_eq!(state([None, token(LaneIdx(1), 0b100)]), (false, None));
        assert_eq!(state([None, token(LaneIdx(1), 0b011)]), (true, None));
        assert_eq!(state([None, None]), (false, None));
        let clash = Some(Clash { switch: 0, sources: [LaneIdx(0), LaneIdx(1)] });
        assert_eq!(state([token(LaneIdx(0), 0b100), token(LaneIdx(1), 0b111)]), (true, clash));
    }
}
