//! The contract of a design as a circuit that watches it, for model checkers.

use crate::template::{context, fill};
use frit_network::{LaneIdx, RoundIdx};

use frit_schedule::{Plan, Timeline};
use serde::Serialize;

/// What the circuit watches for: the bits of its `violation_o`, the lowest first.
pub const PROPERTIES: [&str; 7] = ["busy", "done", "cycles", "send", "arrival", "word", "conflict"];

/// What the template is filled with.
#[derive(Serialize)]
struct Contract {
    contract: String,
    design: String,
    command: String,
    lanes: u32,
    data_bits: u32,
    address_bits_of_all: u32,
    latency: u32,
    last_cycle: u64,
    period: u64,
    joins_late: bool,
    /// Whether some terminals are spare.
    padded: bool,
    /// The bits of `some_come`, each as often as a word has bits.
    word_lanes: String,
    rounds: Vec<Round>,
}

/// A round; the items of concatenations, for lane 0 last.
#[derive(Serialize)]
struct Round {
    enters: u64,
    arrives: u64,
    destinations: String,
    sources: String,
    words: String,
    /// The lanes that ask for a word, and those at which one arrives.
    asking: String,
    coming: String,
}

/// The name of the module for a design.
pub fn module(design: &str) -> String {
    format!("{design}_contract")
}

/// The module that watches `D_exchange` of the plan with words of `width_bits` bits.
pub fn render(plan: &Plan, width_bits: u32) -> String {
    let design = plan.design_name(width_bits);
    let lanes = plan.network.lanes();
    let Timeline { exchange_cycles: last_cycle, exchange_period: period, .. } =
        Timeline::new(plan, width_bits);
    let contract = Contract {
        contract: module(&design),
        design,
        command: plan.command(width_bits),
        lanes,
        data_bits: lanes * width_bits,
        address_bits_of_all: lanes * plan.address_bits(),
        latency: plan.latency(),
        last_cycle,
        period,
        joins_late: plan.joins_late(1),
        padded: plan.has_spare(),
        word_lanes: items(&(0..lanes).collect::<Vec<_>>(), |lane| {
            format!("{{{width_bits}{{some_come[{lane}]}}}}")
        }),
        rounds: RoundIdx::all(plan.rounds).map(|round| Round::new(plan, width_bits, round)).collect(),
    };
    fill(include_str!("../testbench/contract.sv.tera"), &context(&contract))
}

impl Round {
    fn new(plan: &Plan, width_bits: u32, round: RoundIdx) -> Self {
        let (lanes, bits) = (plan.network.lanes(), plan.address_bits());
        let terminal = |lane: u32| format!("{bits}'d{}", lane / plan.lanes_per_terminal());
        let mut sources = vec![0; lanes as usize];
        let destinations: Vec<u32> =
            LaneIdx::all(lanes).map(|lane| plan.destination(round, lane).0).collect();
        for (source, &destination) in (0..).zip(&destinations) {
            sources[destination as usize] = source;
        }
        let bits_of = |at: &dyn Fn(u32) -> u32| {
            let bit = |lane| if plan.sends(round, LaneIdx(at(lane))) { '1' } else { '0' };
            format!("{lanes}'b{}", (0..lanes).rev().map(bit).collect::<String>())
        };
        let word = |lane: u32| match width_bits {
            1 => format!("taken[{lane}]"),
            _ => format!("taken[{}:{}]", lane * width_bits + width_bits - 1, lane * width_bits),
        };
        Round {
            enters: plan.injected_at(round),
            arrives: plan.arrives_at(round),
            destinations: items(&destinations, terminal),
            sources: items(&sources, terminal),
            words: items(&sources, word),
            asking: bits_of(&|lane| lane),
            coming: bits_of(&|lane| sources[lane as usize]),
        }
    }
}

/// The items of a concatenation, the first lane's last.
pub(crate) fn items(lanes: &[u32], show: impl Fn(u32) -> String) -> String {
    lanes.iter().rev().map(|&lane| show(lane)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn rounds_stand_in_their_cycles() {
        let text = render(&plan(&Request::new("rls", 4)).unwrap(), 2);
        // Round 1 sends from lane i to i - 1: lane 3 to 2, lane 0 to 3. It arrives three cycles later.
        assert!(
            text.contains("[1]) begin\n      asks = 1'b1;\n      dest = { 2'd2, 2'd1, 2'd0, 2'd3 };\n"),
            "{text}"
        );
        assert!(
            text.contains("[4]) begin\n      comes = 1'b1;\n      source = { 2'd0, 2'd3, 2'd2, 2'd1 };\n"),
            "{text}"
        );
        assert!(text.contains("word = { taken[1:0], taken[7:6], taken[5:4], taken[3:2] };"), "{text}");
        assert_eq!(text.matches("dest = {").count(), 4);
    }

    #[test]
    fn both_lanes_of_a_terminal_have_its_number() {
        let text = render(&plan(&Request::new("obf", 4)).unwrap(), 1);
        let line = text.lines().find(|line| line.contains("dest = {")).unwrap();
        assert_eq!(line.matches("2'd0").count(), 2, "{line}");
    }
}
