//! Where the words are within a fabric that rust-hdl simulates: a fault may lead them where no switch says.

use frit_cells::bench::PeriodObserver;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_network::{LaneIdx, Network, RoundIdx, StageIdx};
use frit_schedule::timing::Acting;
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
    /// For each stage the registers behind it: valid bits and words, or `None` for a stage without registers. Empty until the first period is seen.
    registers: Vec<Option<[NamedNet; 2]>>,
    /// Inside each group of stages: for each port behind a stage the number of the input of its 4×4 switch that reaches it.
    numbers: Vec<Inner>,
    /// What these numbers were in the last period and in the one before: they come a cycle before the words.
    before: [Vec<u64>; 2],
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
        let (registers, numbers) = (vec![], vec![]);
        let before = [vec![], vec![]];
        told_apart.then_some(MessageTracker { plan, timeline, messages, registers, numbers, before, ways })
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

/// A port behind a stage that has no registers, and where the words may come from: the ports in front of the group.
struct Inner {
    stage: StageIdx,
    port: usize,
    net: NamedNet,
    sources: [u32; 4],
}

/// The ports behind the stages of groups, all but the last stage of each.
fn inner(plan: &Plan, design: &Simulated) -> Vec<Inner> {
    let network = &plan.network;
    let mut all = Vec::new();
    for group in (0..network.groups()).filter(|&group| network.group(group).len() > 1) {
        let stages = network.group(group);
        let sources = network.sources(StageIdx(stages.start));
        for quad in network.quads(group) {
            for (at, switches) in quad.switches.iter().enumerate().take(stages.len() - 1) {
                for port in switches.iter().flat_map(|&switch| Network::switch_ports(switch)) {
                    let stage = StageIdx(stages.start + at as u32);
                    let net = design.find("u_fabric", &format!("s{stage}_from_{port}", stage = stage.0));
                    let net = net.unwrap_or_else(|| panic!("the fabric knows what reaches port {port}"));
                    let sources = quad.inputs.map(|input| sources[input as usize]);
                    all.push(Inner { stage, port: port as usize, net, sources });
                }
            }
        }
    }
    all
}

impl MessageTracker<'_> {
    /// Where the words of a round are inside a group: which input of a 4×4 switch reaches a port is known, and which word is in front of it.
    fn place_inside(&mut self, acted: u64, selected: &[u64]) {
        for (at, place) in self.numbers.iter().enumerate() {
            let Some(Acting { round, hop }) = self.plan.acting(place.stage, acted) else { continue };
            let Some(&number) = selected.get(at) else { continue };
            let source = place.sources[number as usize % 4];
            let group = self.plan.network.group(self.plan.network.group_of(place.stage));
            let ways = &mut self.ways[round.idx()];
            ways[hop as usize][place.port] = match group.start {
                0 => i64::from(source),
                first => ways[first as usize - 1][source as usize],
            };
        }
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
            let network = &self.plan.network;
            let stored = |stage: u32| network.group(network.group_of(StageIdx(stage))).end == stage + 1;
            let registers = |stage| stored(stage).then(|| ["valid", "data"].map(|name| find(stage, name)));
            self.registers = stages.map(registers).collect();
            self.numbers = inner(self.plan, design);
        }
        let numbers = self.numbers.iter().map(|place| design.get(&place.net, 0)).collect();
        let last = std::mem::replace(&mut self.before[0], numbers);
        // What the settings of the cycle before the words selected.
        let selected = std::mem::replace(&mut self.before[1], last);
        let Some((run, cycle)) = self.timeline.cycle_at(period) else { return };
        // What a stage does in a cycle stands behind it in the next.
        let Some(acted) = cycle.checked_sub(1).filter(|_| run == self.timeline.prepare_runs) else { return };
        self.place_inside(acted, &selected);
        for stage in StageIdx::all(self.plan.network.stages()) {
            let Some(acting) = self.plan.acting(stage, acted) else { continue };
            let Some([valid, data]) = &self.registers[stage.idx()] else { continue };
            for port in 0..self.plan.network.lanes() as usize {
                let lane =
                    (design.get(valid, port) != 0).then(|| self.lane(acting.round, design.get(data, port)));
                let place = &mut self.ways[acting.round.idx()][acting.hop as usize][port];
                *place = lane.flatten().map_or(-1, i64::from);
            }
        }
    }
}
