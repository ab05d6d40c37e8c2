//! The runs that only the emitted testbench makes, behind those that every engine makes.
//!
//! A short exchange gets thorough ones: a reset in each cycle of two exchanges without a gap, with a whole run behind it, a start in each
//! late cycle, many exchanges without a gap where FIFOs stand between two passes, runs in which half the lanes do not send, and for a
//! self-routing system a pair of labels that want one output for every switch. A longer one gets fewer, which together take about as many periods as the runs that are compared (twice as many where FIFOs stand between two passes).

use frit_network::StageIdx;
use frit_schedule::Plan;
use serde::Serialize;

/// Lanes times cycles up to which trials are thorough.
const THOROUGH: u64 = 300;
/// Runs of a thorough testbench in which not all lanes send.
const SPARSE_RUNS: u64 = 4;
/// Pairs of labels that clash in a testbench that is not thorough.
const FEW_CLASHES: usize = 4;

/// What the testbench is told of them.
#[derive(Serialize)]
pub struct Trials {
    /// Whether every cycle of a run has its reset, and every switch its conflict.
    pub thorough: bool,
    /// The first trials, in which all lanes send.
    pub lone_trials: u64,
    pub trials: u64,
    /// Labels set the switches, and conflicts are told.
    pub self_routing: bool,
    /// FIFOs hold messages between two passes: one that is not sent would be taken for the next one.
    pub buffered: bool,
    /// The FIFOs' words are tried by many exchanges without a gap.
    pub streak: bool,
    pub clashes: Vec<Literals>,
}

/// A pair that clashes, as Verilog: the items of two concatenations, and a number with a bit per stage.
#[derive(Serialize)]
pub struct Literals {
    lanes: String,
    labels: String,
    stages: String,
}

impl Trials {
    /// The trials of a plan whose runs have `last_cycle` as their last cycle.
    pub fn new(plan: &Plan, last_cycle: u64) -> Self {
        let self_routing = plan.tells_conflicts();
        let thorough = u64::from(plan.network.lanes()) * last_cycle <= THOROUGH;
        let buffered = plan.second_pass.is_some_and(|second| second.wait > 0);
        // Thorough: a reset in every cycle of two exchanges without a gap.
        let (lone_trials, sparse) = match (thorough, buffered) {
            (true, _) => (2 + 2 * (plan.period() + last_cycle + 1), SPARSE_RUNS),
            (false, true) => (1, 1),
            (false, false) => (0, 2),
        };
        let count = if thorough { usize::MAX } else { FEW_CLASHES };
        let clashes = if self_routing { clashes(plan, count) } else { Vec::new() };
        Trials {
            thorough,
            lone_trials,
            trials: lone_trials + sparse + u64::from(self_routing),
            self_routing,
            buffered,
            streak: thorough && buffered,
            clashes: clashes.iter().map(|clash| clash.literals(plan)).collect(),
        }
    }
}

/// Two messages alone in the network that want one output of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Clash {
    lanes: [u32; 2],
    /// The output of each stage that they ask for, the first stage's first.
    labels: [Vec<bool>; 2],
    /// The stages where they meet and want the same output.
    stages: Vec<bool>,
}

impl Clash {
    fn literals(&self, plan: &Plan) -> Literals {
        let lane_bits = u32::BITS - (plan.network.lanes() - 1).leading_zeros();
        let bits = |bits: &mut dyn Iterator<Item = &bool>| -> String {
            bits.map(|&bit| if bit { '1' } else { '0' }).collect()
        };
        let ([a, b], width) = (self.lanes, plan.hops());
        let [label_a, label_b] = self.labels.each_ref().map(|label| bits(&mut label.iter()));
        Literals {
            lanes: format!("{lane_bits}'d{a}, {lane_bits}'d{b}"),
            labels: format!("{width}'b{label_a}, {width}'b{label_b}"),
            stages: format!("{}'b{}", self.stages.len(), bits(&mut self.stages.iter().rev())),
        }
    }
}

/// Four for each switch, stage by stage, or one for `count` of them, spread over all.
fn clashes(plan: &Plan, count: usize) -> Vec<Clash> {
    let network = &plan.network;
    // Without a round that comes back, labels leave behind the first pass.
    let stages = plan.second_pass.map_or(network.stages(), |second| second.after.min(network.stages()));
    let switches: Vec<(u32, u32)> =
        (0..stages).flat_map(|s| (0..network.switches_per_stage()).map(move |p| (s, p))).collect();
    // Few: both want output 0 or, at every other switch, 1. All: each pair of wishes, those that agree with each other, too.
    let wishes = |switch: u32| -> Vec<[bool; 2]> {
        match count < switches.len() {
            true => vec![[switch % 2 == 1; 2]],
            false => vec![[false, false], [true, true], [true, false], [false, true]],
        }
    };
    let step = switches.len().div_ceil(count.min(switches.len()));
    let chosen = switches.iter().step_by(step);
    let each =
        chosen.flat_map(|&(stage, switch)| wishes(switch).into_iter().map(move |w| (stage, switch, w)));
    each.map(|(stage, switch, wanted)| clash(plan, stages, stage, switch, wanted)).collect()
}

/// Straight to the switch, whose outputs `wanted` they ask for.
fn clash(plan: &Plan, stages: u32, stage: u32, switch: u32, wanted: [bool; 2]) -> Clash {
    let mut labels = [0, 1].map(|_| vec![false; plan.hops() as usize]);
    let lanes = [0, 1].map(|side: u32| {
        let mut port = 2 * switch + side;
        for column in (0..=stage).rev() {
            labels[side as usize][column as usize] =
                if column == stage { wanted[side as usize] } else { port % 2 == 1 };
            port = plan.network.sources(StageIdx(column))[port as usize];
        }
        port
    });
    let stages = meetings(plan, stages, lanes, &labels);
    Clash { lanes, labels, stages }
}

/// The stages where two messages meet and want the same output: the one at input 0 gets it.
fn meetings(plan: &Plan, stages: u32, lanes: [u32; 2], labels: &[Vec<bool>; 2]) -> Vec<bool> {
    let network = &plan.network;
    let mut wires = lanes;
    let mut met = vec![false; network.stages() as usize];
    for stage in 0..stages {
        let ports = wires.map(|wire| network.link(StageIdx(stage))[wire as usize]);
        let mut wanted = [0, 1].map(|m: usize| labels[m][stage as usize]);
        if ports[0] / 2 == ports[1] / 2 && wanted[0] == wanted[1] {
            met[stage as usize] = true;
            let loser = if ports[0] % 2 == 0 { 1 } else { 0 };
            wanted[loser] = !wanted[loser];
        }
        wires = [0, 1].map(|m| ports[m] / 2 * 2 + u32::from(wanted[m]));
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn every_switch_of_a_short_exchange_has_its_clash() {
        for request in [Request::new("rls", 8), Request::new("rls-folded", 8), Request::new("atape", 8)] {
            let plan = plan(&request).unwrap();
            let trials = Trials::new(&plan, plan.cycles());
            assert!(trials.thorough && trials.self_routing);
            let stages = plan.second_pass.map_or(plan.network.stages(), |second| second.after);
            let per_stage = 4 * plan.network.switches_per_stage();
            assert_eq!(trials.clashes.len() as u32, stages * per_stage);
            for (at, clash) in clashes(&plan, usize::MAX).iter().enumerate() {
                // Of four the first two want the same output.
                assert_eq!(clash.stages[at / per_stage as usize], at % 4 < 2, "{at}: {clash:?}");
            }
        }
    }

    #[test]
    fn trials_of_a_long_exchange_are_few() {
        let plan = plan(&Request::new("rls", 64)).unwrap();
        let trials = Trials::new(&plan, plan.cycles());
        assert!(!trials.thorough);
        assert_eq!((trials.lone_trials, trials.trials, trials.clashes.len()), (0, 3, 4));
    }
}
