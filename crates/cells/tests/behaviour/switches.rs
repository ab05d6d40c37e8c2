//! Switches, links and the memory between two passes.

use crate::bit;
use crate::common::Rig;
use frit_cells::cells::{
    CellSpec, FifoSpec, LabelEntrySpec, LabelSwitchSpec, LinkSpec, OpticalSwitchSpec, PlainSwitchSpec,
    RotatePairSpec, SelfRoutingSwitchSpec, Switch4Spec, SwitchSpec, WideSwitchSpec,
};
use frit_traffic::random::SplitMix64;

#[test]
fn a_switch_is_straight_or_crosses_one_cycle_later() {
    let mut rig = Rig::after_reset(&CellSpec::from(SwitchSpec { width: 8 }));
    for state in [0, 1] {
        for valid in 0..4 {
            let inputs = [(bit(valid, 0), 0x1e), (bit(valid, 1), 0xe1)];
            rig.set("state_i", state);
            rig.set("valid0_i", inputs[0].0);
            rig.set("data0_i", inputs[0].1);
            rig.set("valid1_i", inputs[1].0);
            rig.set("data1_i", inputs[1].1);
            rig.clock();
            let [first, second] = if state == 0 { inputs } else { [inputs[1], inputs[0]] };
            assert_eq!((rig.get("valid0_o"), rig.get("data0_o")), first, "state {state} valid {valid:02b}");
            assert_eq!((rig.get("valid1_o"), rig.get("data1_o")), second, "state {state} valid {valid:02b}");
        }
    }
}

/// Every choice of an input for each output, permutation or not.
#[test]
fn each_output_of_a_4x4_switch_has_the_word_of_its_number_one_cycle_later() {
    let mut rig = Rig::after_reset(&CellSpec::from(Switch4Spec { width: 8 }));
    for numbers in 0..256u64 {
        let valid = numbers * 7 % 16;
        let from = |output: u32| numbers >> (2 * output) & 3;
        for lane in 0..4 {
            rig.set(&format!("from{lane}_i"), from(lane));
            rig.set(&format!("valid{lane}_i"), bit(valid, lane));
            rig.set(&format!("data{lane}_i"), 0x11 << lane);
        }
        rig.clock();
        for lane in 0..4 {
            let out = (rig.get(&format!("valid{lane}_o")), rig.get(&format!("data{lane}_o")));
            assert_eq!(out, (bit(valid, from(lane) as u32), 0x11 << from(lane)), "{numbers:08b} {valid:04b}");
        }
    }
    rig.set("rst_i", 1);
    rig.clock();
    assert!((0..4).all(|lane| rig.get(&format!("valid{lane}_o")) == 0));
}

#[test]
fn a_switch_without_registers_is_straight_or_crosses_in_the_same_cycle() {
    let mut rig = Rig::new(&CellSpec::from(PlainSwitchSpec { width: 2 }));
    rig.set("data0_i", 1);
    rig.set("data1_i", 2);
    for (state, out) in [(0, (1, 2)), (1, (2, 1))] {
        rig.set("state_i", state);
        rig.settle();
        assert_eq!((rig.get("data0_o"), rig.get("data1_o")), out);
    }
}

#[test]
fn a_pair_of_a_rotator_takes_its_own_words_or_the_turned_ones_one_cycle_later() {
    let mut rig = Rig::after_reset(&CellSpec::from(RotatePairSpec { width: 8 }));
    let ports = [
        ["valid0", "data0"],
        ["valid1", "data1"],
        ["turned_valid0", "turned_data0"],
        ["turned_valid1", "turned_data1"],
    ];
    for state in [0, 1] {
        for valid in 0..16 {
            rig.set("state_i", state);
            for (at, [is_valid, data]) in (0..).zip(ports) {
                rig.set(&format!("{is_valid}_i"), bit(valid, at));
                rig.set(&format!("{data}_i"), 0x11 << at);
            }
            rig.clock();
            for lane in 0..2u32 {
                let from = lane + 2 * state as u32;
                let out = (rig.get(&format!("valid{lane}_o")), rig.get(&format!("data{lane}_o")));
                assert_eq!(
                    out,
                    (bit(valid, from), 0x11 << from),
                    "state {state} valid {valid:04b} lane {lane}"
                );
            }
        }
    }
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!((rig.get("valid0_o"), rig.get("valid1_o"), rig.get("data1_o")), (0, 0, 0x88));
}

/// Each half of the bits follows its own copy of the state, one cycle after the words.
#[test]
fn a_wide_switch_takes_its_state_a_cycle_after_the_words() {
    let mut rig = Rig::after_reset(&CellSpec::from(WideSwitchSpec { width: 8 }));
    for states in 0..4 {
        for valid in 0..4 {
            rig.set("valid0_i", bit(valid, 0));
            rig.set("data0_i", 0x1e);
            rig.set("valid1_i", bit(valid, 1));
            rig.set("data1_i", 0xe2);
            let [lower, upper] = [bit(states, 0), bit(states, 1)];
            rig.set("lower_i", 1 - lower);
            rig.set("upper_i", 1 - upper);
            rig.clock();
            rig.set("data0_i", 0);
            rig.set("data1_i", 0);
            rig.set("lower_i", lower);
            rig.set("upper_i", upper);
            rig.clock();
            let output = |at: u64| {
                let from = |half: u64, mask: u64| if half == at { 0x1e & mask } else { 0xe2 & mask };
                (bit(valid, (upper ^ at) as u32), from(lower, 0x0f) | from(upper, 0xf0))
            };
            assert_eq!((rig.get("valid0_o"), rig.get("data0_o")), output(0), "{states:02b} {valid:02b}");
            assert_eq!((rig.get("valid1_o"), rig.get("data1_o")), output(1), "{states:02b} {valid:02b}");
        }
    }
    rig.set("valid0_i", 1);
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!((rig.get("valid0_o"), rig.get("valid1_o")), (0, 0));
    rig.set("valid0_i", 0);
    rig.set("rst_i", 0);
    rig.clock();
    assert_eq!((rig.get("valid0_o"), rig.get("valid1_o")), (0, 0), "the first of the two registers as well");
}

#[test]
fn outputs_of_a_switch_hold_between_edges() {
    let mut rig = Rig::after_reset(&CellSpec::from(SwitchSpec { width: 8 }));
    rig.set("valid0_i", 1);
    rig.set("data0_i", 0x42);
    rig.settle();
    assert_eq!((rig.get("valid0_o"), rig.get("data0_o")), (0, 0));
    rig.clock();
    rig.set("data0_i", 0x99);
    rig.set("state_i", 1);
    rig.settle();
    assert_eq!((rig.get("valid0_o"), rig.get("data0_o")), (1, 0x42));
}

#[test]
fn reset_of_a_switch_clears_valid_bits_and_lets_data_pass() {
    let mut rig = Rig::after_reset(&CellSpec::from(SwitchSpec { width: 8 }));
    rig.set("rst_i", 1);
    for port in ["valid0_i", "valid1_i"] {
        rig.set(port, 1);
    }
    rig.set("data0_i", 0x12);
    rig.set("data1_i", 0x34);
    rig.clock();
    assert_eq!((rig.get("valid0_o"), rig.get("valid1_o")), (0, 0));
    assert_eq!((rig.get("data0_o"), rig.get("data1_o")), (0x12, 0x34));
}

#[test]
fn a_self_routing_switch_follows_labels_and_says_conflict() {
    follows_labels(&CellSpec::from(SelfRoutingSwitchSpec { bits: 3 }), [0, 1]);
    follows_labels(&CellSpec::from(LabelEntrySpec { bits: 3 }), [0, 0]);
    follows_labels(&CellSpec::from(LabelSwitchSpec { bits: 3 }), [1, 1]);
}

/// Every pair of labels: the state and the conflict so many cycles after the labels came, and what leaves so many cycles after.
fn follows_labels(spec: &CellSpec, [state_cycles, label_cycles]: [u32; 2]) {
    let clocked = label_cycles > 0;
    let mut rig = if clocked { Rig::after_reset(spec) } else { Rig::new(spec) };
    for inputs in 0..256u64 {
        let (valid, labels) = ([bit(inputs, 0), bit(inputs, 1)], [inputs >> 2 & 7, inputs >> 5]);
        for at in 0..2 {
            rig.set(["valid0_i", "valid1_i"][at], valid[at]);
            rig.set(["label0_i", "label1_i"][at], labels[at]);
        }
        rig.settle();
        (0..state_cycles).for_each(|_| rig.clock());
        // Which output each input wants; input 0 comes first, and with nothing to route the switch is straight.
        let wants = labels.map(|label| bit(label, 2));
        let crossed = match valid {
            [1, _] => wants[0],
            [_, 1] => 1 - wants[1],
            _ => 0,
        };
        let conflict = (valid == [1, 1] && wants[0] == wants[1]) as u64;
        assert_eq!(rig.get("state_o"), crossed, "inputs {inputs:08b}");
        assert_eq!(rig.get("conflict_o"), conflict, "inputs {inputs:08b}");
        (state_cycles..label_cycles).for_each(|_| rig.clock());
        for output in 0..2 {
            let from = output ^ crossed as usize;
            assert_eq!(rig.get(["valid0_o", "valid1_o"][output]), valid[from], "inputs {inputs:08b}");
            let rest = labels[from] << 1 & 7;
            assert_eq!(rig.get(["label0_o", "label1_o"][output]), rest, "inputs {inputs:08b}");
            // A valid message without conflict leaves where it wanted; in conflict that of input 0 does.
            if valid[from] == 1 && (conflict == 0 || from == 0) {
                assert_eq!(wants[from], output as u64, "inputs {inputs:08b}");
            }
        }
    }
    if clocked {
        rig.set("rst_i", 1);
        rig.clock();
        assert_eq!((rig.get("valid0_o"), rig.get("valid1_o")), (0, 0));
    }
}

#[test]
fn a_fifo_gives_what_it_took_in_order_and_is_full_at_two_to_the_a() {
    let capacity = 8;
    let mut rig = Rig::after_reset(&CellSpec::from(FifoSpec { width: 16, address_bits: 3 }));
    let mut waiting = std::collections::VecDeque::new();
    let (mut random, mut most) = (SplitMix64(3), 0);
    for cycle in 0..2000u64 {
        // Fills and drains in turns; a word is popped two cycles after it was pushed at the earliest.
        let filling = cycle / 40 % 2 == 0;
        let push = waiting.len() < capacity && (random.next() % 4 == 0) != filling;
        let old = waiting.front().is_none_or(|&(pushed, _)| cycle >= pushed + 2);
        let pop = old && (random.next() % 4 != 0) != filling;
        rig.set("push_i", push as u64);
        rig.set("data_i", cycle);
        rig.set("pop_i", pop as u64);
        rig.settle();
        assert_eq!(rig.get("valid_o") != 0, pop && !waiting.is_empty(), "cycle {cycle}");
        if pop && let Some((_, word)) = waiting.pop_front() {
            assert_eq!(rig.get("data_o"), word, "cycle {cycle}");
        }
        if push {
            waiting.push_back((cycle, cycle));
        }
        most = most.max(waiting.len());
        rig.clock();
    }
    assert_eq!(most, capacity, "the test never filled it");
}

#[test]
fn an_optical_switch_is_pushed_or_inverted_in_the_same_cycle() {
    let mut rig = Rig::new(&CellSpec::from(OpticalSwitchSpec { width: 8 }));
    for control in [0, 1] {
        for valid in 0..4 {
            let inputs = [(bit(valid, 0), 0x1e), (bit(valid, 1), 0xe1)];
            rig.set("control_i", control);
            rig.set("valid0_i", inputs[0].0);
            rig.set("data0_i", inputs[0].1);
            rig.set("valid1_i", inputs[1].0);
            rig.set("data1_i", inputs[1].1);
            rig.settle();
            let [up, down] = if control == 0 { inputs } else { [inputs[1], inputs[0]] };
            assert_eq!((rig.get("valid0_o"), rig.get("data0_o")), up, "control {control} valid {valid:02b}");
            assert_eq!(
                (rig.get("valid1_o"), rig.get("data1_o")),
                down,
                "control {control} valid {valid:02b}"
            );
        }
    }
}

#[test]
fn a_link_holds_a_packet_for_one_cycle() {
    let mut rig = Rig::after_reset(&CellSpec::from(LinkSpec { width: 8 }));
    for packet in [(1, 0x42), (0, 0x99), (1, 0x17)] {
        let held = (rig.get("valid_o"), rig.get("data_o"));
        rig.set("valid_i", packet.0);
        rig.set("data_i", packet.1);
        rig.settle();
        assert_eq!((rig.get("valid_o"), rig.get("data_o")), held);
        rig.clock();
        assert_eq!((rig.get("valid_o"), rig.get("data_o")), packet);
    }
    // Reset clears the valid bit and lets the word pass.
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!((rig.get("valid_o"), rig.get("data_o")), (0, 0x17));
}
