//! De Bruijn controllers and routing words, against the sequences.

use crate::common::controller::controller;
use crate::common::{Rig, sequences};
use crate::{bit, routings};
use frit_cells::cells::{
    CellSpec, DeBruijnSpec, FeedbackSpec, NextBitTableSpec, RoutingWordSpec, SourceWordSpec, SuccessorSpec,
};
use frit_cells::minimise::MAX_ORDER;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_schedule::de_bruijn::{DeBruijn, prefer_one_successor};

#[test]
fn the_successor_cell_is_the_successor_rule_for_every_state() {
    for order in 2..=12 {
        let mut rig = Rig::new(&CellSpec::from(SuccessorSpec { order }));
        for state in 0..1u32 << order {
            rig.set("state_i", state as u64);
            rig.settle();
            let expected = prefer_one_successor(order, state);
            assert_eq!(rig.get("bit_o") == 1, expected, "order {order} state {state:b}");
        }
    }
}

/// A controller in rust-hdl's simulator.
struct Controller {
    network: Simulated,
    inputs: [(&'static str, NamedNet); 4],
    control: NamedNet,
    state: NamedNet,
}

impl Controller {
    /// A controller that has been reset.
    fn new(sequence: &DeBruijn, rule: CellSpec) -> Self {
        let start = sequence.word(0) as u64;
        let network = Simulated::new(&controller("controller", sequence.order(), start, rule)).unwrap();
        let find = |name| network.find("", name).unwrap();
        let inputs = ["clk_i", "rst_i", "run_i", "stop_i"].map(|name| (name, find(name)));
        let (control, state) = (find("control_o"), find("state_o"));
        let mut controller = Controller { network, inputs, control, state };
        controller.set("rst_i", 1);
        controller.clock();
        controller.set("rst_i", 0);
        controller
    }

    fn set(&mut self, name: &str, value: u64) {
        let (_, net) = self.inputs.iter().find(|(input, _)| *input == name).expect("an input");
        self.network.set(net, 0, value);
    }

    /// One rising edge with the inputs as they are.
    fn clock(&mut self) {
        for level in [0, 1, 0] {
            self.set("clk_i", level);
            self.network.settle().unwrap();
        }
    }

    fn check(&self, sequence: &DeBruijn, at: u64, text: &str) {
        let order = sequence.order();
        let control = self.network.get(&self.control, 0);
        assert_eq!(control == 1, sequence.bit(at), "{text} of order {order}, bit {at}");
        let state = self.network.get(&self.state, 0);
        assert_eq!(state, sequence.word(at) as u64, "{text} of order {order}, bit {at}");
    }

    /// Runs through the whole period and past its end: the first place where it leaves the sequence, if it does.
    fn first_difference(&mut self, sequence: &DeBruijn) -> Option<u64> {
        self.set("run_i", 1);
        (0..sequence.len() as u64 + 3).find(|&at| {
            let seen = (self.network.get(&self.control, 0) == 1, self.network.get(&self.state, 0));
            self.clock();
            seen != (sequence.bit(at), sequence.word(at) as u64)
        })
    }
}

/// The rules that a sequence has.
fn rules(sequence: &DeBruijn, name: &str) -> Vec<CellSpec> {
    let order = sequence.order();
    let mut rules = vec![NextBitTableSpec::of(sequence, name).into()];
    rules.extend(FeedbackSpec::of(sequence, name).map(CellSpec::from));
    assert_eq!(rules.len() == 2, order <= MAX_ORDER, "feedback up to order {MAX_ORDER}");
    if name == "prefer_one" && order > 1 {
        rules.push(CellSpec::from(SuccessorSpec { order }));
    }
    rules
}

#[test]
fn every_rule_runs_the_controller_through_the_prefer_one_sequence() {
    for order in 1..=16 {
        let sequence = DeBruijn::prefer_one(order).unwrap();
        for rule in rules(&sequence, "prefer_one") {
            let module = rule.module();
            assert_eq!(Controller::new(&sequence, rule).first_difference(&sequence), None, "{module}");
        }
    }
}

#[test]
fn feedback_and_table_run_the_controller_through_other_sequences() {
    for order in 1..=MAX_ORDER {
        for (name, sequence) in sequences(order) {
            for rule in rules(&sequence, name) {
                let module = rule.module();
                assert_eq!(Controller::new(&sequence, rule).first_difference(&sequence), None, "{module}");
            }
        }
    }
}

#[test]
fn a_wrong_bit_of_a_table_is_seen_in_the_step_after_its_state() {
    let sequence = DeBruijn::prefer_one(6).unwrap();
    for at in 0..sequence.len() as u64 {
        let mut rule = CellSpec::from(NextBitTableSpec::of(&sequence, "prefer_one"));
        let CellSpec::NextBitTable(NextBitTableSpec { table, .. }) = &mut rule else { panic!("a table") };
        let state = sequence.word(at) as usize;
        table[state] = !table[state];
        assert_eq!(Controller::new(&sequence, rule).first_difference(&sequence), Some(at + 1));
    }
}

#[test]
fn a_controller_runs_while_it_is_told_and_goes_back_to_its_start() {
    // prefer-same does not begin with zeros.
    for sequence in [DeBruijn::prefer_one(4).unwrap(), DeBruijn::prefer_same(4).unwrap()] {
        for steps in 0..sequence.len() as u64 {
            // (rst_i, run_i, stop_i) of one cycle: all but running alone lead to the start.
            for inputs in 0..8 {
                let [reset, run, stop] = [bit(inputs, 0), bit(inputs, 1), bit(inputs, 2)];
                let rule = CellSpec::from(NextBitTableSpec::of(&sequence, "sequence"));
                let mut controller = Controller::new(&sequence, rule);
                controller.set("run_i", 1);
                (0..steps).for_each(|_| controller.clock());
                controller.check(&sequence, steps, "before");
                controller.set("rst_i", reset);
                controller.set("run_i", run);
                controller.set("stop_i", stop);
                controller.clock();
                let goes_on = (reset, run, stop) == (0, 1, 0);
                let at = if goes_on { steps + 1 } else { 0 };
                controller.check(&sequence, at, &format!("after {inputs:03b}"));
                // From there it runs as ever.
                controller.set("rst_i", 0);
                controller.set("run_i", 1);
                controller.set("stop_i", 0);
                controller.clock();
                controller.check(&sequence, at + 1, &format!("once more after {inputs:03b}"));
            }
        }
    }
}

#[test]
fn a_controller_shows_the_state_of_the_next_cycle() {
    let mut rig = Rig::after_reset(&CellSpec::from(DeBruijnSpec { order: 5, start: 0b10110 }));
    rig.set("run_i", 1);
    rig.set("step_i", 1);
    let mut expected = 0b10110;
    for next in [1, 0, 0, 1, 1, 1, 0] {
        assert_eq!((rig.get("state_o"), rig.get("control_o")), (expected, bit(expected, 4)));
        rig.set("bit_i", next);
        rig.settle();
        expected = (expected << 1 | next) & 0x1f;
        assert_eq!(rig.get("next_o"), expected);
        rig.clock();
    }
}

#[test]
fn routing_and_source_words_are_those_of_the_schedule_in_every_slot() {
    for routing in routings(1..=9) {
        let (order, idle) = (routing.sequence().order(), routing.routing_word(0) as u64);
        // The packet above came over a straight last edge, so the complement of the word where that is a cross edge.
        let source = |word: u64| (if word & 1 == 1 { !word } else { word }) >> 1 & ((1 << order) - 1);
        let mut rig = Rig::after_reset(&RoutingWordSpec { order, idle }.into());
        let mut source_rig = Rig::after_reset(&SourceWordSpec { order, idle: source(idle) }.into());
        // Two periods, so that the word is again that of slot 0.
        for slot in 0..2 * routing.period() as u64 {
            // Packets of slot t meet the first router one step later. The word stays until the slot ends.
            for step in [0, 1] {
                let told = (rig.get("word_o"), rig.get("tau_o"));
                let expected = (routing.routing_word(slot) as u64, routing.sequence().word(slot + 1) as u64);
                assert_eq!(told, expected, "order {order} slot {slot}");
                let told = (source_rig.get("word_o"), source_rig.get("tau_o"));
                assert_eq!(told, (source(expected.0), expected.1), "order {order} slot {slot}");
                for rig in [&mut rig, &mut source_rig] {
                    rig.set("bit_i", routing.sequence().bit(slot + 1 + u64::from(order)).into());
                    rig.set("step_i", step);
                    rig.clock();
                }
            }
        }
    }
}
