//! Where the words are within a fabric that rust-hdl simulates: a fault may lead them where no switch says.

use frit_cells::bench::PeriodObserver;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::{Plan, Timeline};
use frit_traffic::Payload;
use frit_view::film::Ways;
use std::collections::HashMap;

/// Looks at the registers behind every stage while the messages run, and knows each message by its word.
pub struct MessageTracker<'a> {
    plan: &'a Plan,
    timeline: Timeline,
    /// Source and destination of each word.
    messages: HashMap<u64, (u32, u32)>,
    /// Valid bits and words behind each stage; found when the first period is seen.
    registers: Vec<[NamedNet; 2]>,
    ways: Ways,
}

impl<'a> MessageTracker<'a> {
    /// For the payload of one exchange; nothing if two messages have one word.
    pub fn new(plan: &'a Plan, payload: &Payload) -> Option<Self> {
        let terminals = plan.network.terminals();
        let pairs = (0..terminals).flat_map(|source| (0..terminals).map(move |to| (source, to)));
        let messages: HashMap<u64, (u32, u32)> =
            pairs.map(|(source, to)| (payload.word(source, to)[0], (source, to))).collect();
        let lanes = plan.network.lanes() as usize;
        let ways = vec![vec![vec![-1; lanes]; plan.hops() as usize]; plan.rounds as usize];
        let timeline = Timeline::new(plan, payload.width_bits());
        let told_apart = messages.len() == (terminals * terminals) as usize && payload.width_bits() <= 64;
        told_apart.then_some(MessageTracker { plan, timeline, messages, registers: vec![], ways })
    }

    pub fn ways(self) -> Ways {
        self.ways
    }

    /// The lane whose message of a round this word is.
    fn lane(&self, round: RoundIdx, word: u64) -> Option<u32> {
        let &(source, destination) = self.messages.get(&word)?;
        let each = self.plan.lanes_per_terminal();
        let mut lanes = source * each..(source + 1) * each;
        lanes.find(|&lane| self.plan.destination(round, LaneIdx(lane)).0 / each == destination)
    }
}

impl PeriodObserver for MessageTracker<'_> {
    fn period(&mut self, period: u64, design: &Simulated) {
        if self.registers.is_empty() {
            let find = |stage: u32, name: &str| {
                let found = design.find("u_fabric", &format!("s{stage}_{name}"));
                found.unwrap_or_else(|| panic!("the fabric has registers behind stage {stage}"))
            };
            let stages = 0..self.plan.network.stages();
            self.registers = stages.map(|stage| ["valid", "data"].map(|name| find(stage, name))).collect();
        }
        let Some((run, cycle)) = self.timeline.cycle_at(period) else { return };
        // What a stage does in a cycle stands behind it in the next.
        let Some(acted) = cycle.checked_sub(1).filter(|_| run == self.timeline.prepare_runs) else { return };
        for stage in (0..self.plan.network.stages()).map(frit_network::StageIdx) {
            let Some(acting) = self.plan.acting(stage, acted) else { continue };
            let [valid, data] = &self.registers[stage.idx()];
            for port in 0..self.plan.network.lanes() as usize {
                let lane =
                    (design.get(valid, port) != 0).then(|| self.lane(acting.round, design.get(data, port)));
                let place = &mut self.ways[acting.round.idx()][acting.hop as usize][port];
                *place = lane.flatten().map_or(-1, i64::from);
            }
        }
    }
}
