//! Each cell does what its definition says, which is written here again in plain Rust or taken from the schedules.

mod common;

use common::controller::controller;
use common::{Rig, sequences};
use frit_cells::minimise::MAX_ORDER;
use frit_cells::netlist::simulate::{NamedNet, Simulated};
use frit_cells::spec::CellSpec;
use frit_network::{StageIdx, SwitchIdx};
use frit_schedule::de_bruijn::{DeBruijn, prefer_one_successor};
use frit_schedule::rotation::{Direction, Middle, RotationLabels};
use frit_schedule::systolic::Systolic;
use frit_schedule::{Control, Plan, Request, plan};
use frit_traffic::random::SplitMix64;

fn bit(word: u64, at: u32) -> u64 {
    word >> at & 1
}

#[test]
fn a_switch_is_straight_or_crosses_one_cycle_later() {
    let mut rig = Rig::after_reset(&CellSpec::Switch { width: 8 });
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

#[test]
fn outputs_of_a_switch_hold_between_edges() {
    let mut rig = Rig::after_reset(&CellSpec::Switch { width: 8 });
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
    let mut rig = Rig::after_reset(&CellSpec::Switch { width: 8 });
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
    let mut rig = Rig::after_reset(&CellSpec::SelfRoutingSwitch { bits: 3 });
    for inputs in 0..256u64 {
        let (valid, labels) = ([bit(inputs, 0), bit(inputs, 1)], [inputs >> 2 & 7, inputs >> 5]);
        for at in 0..2 {
            rig.set(["valid0_i", "valid1_i"][at], valid[at]);
            rig.set(["label0_i", "label1_i"][at], labels[at]);
        }
        rig.settle();
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
        rig.clock();
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
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!((rig.get("valid0_o"), rig.get("valid1_o")), (0, 0));
}

#[test]
fn a_rom_shows_the_word_of_its_round_and_none_behind_the_last() {
    let words = vec![5, 0, 7, 2, 6];
    let spec = CellSpec::Rom { name: "test".into(), bits: 3, width: 3, words: words.clone() };
    let mut rig = Rig::new(&spec);
    for round in 0..8 {
        rig.set("round_i", round);
        rig.settle();
        assert_eq!(rig.get("word_o"), words.get(round as usize).copied().unwrap_or(0), "round {round}");
    }
}

#[test]
fn a_round_is_handed_on_a_cycle_later() {
    let mut rig = Rig::after_reset(&CellSpec::RoundDelay { bits: 4 });
    for round in [3, 9, 0, 15] {
        rig.set("round_i", round);
        let before = rig.get("round_o");
        rig.settle();
        assert_eq!(rig.get("round_o"), before);
        rig.clock();
        assert_eq!(rig.get("round_o"), round);
    }
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!(rig.get("round_o"), 0);
}

#[test]
fn an_xor_terminal_follows_the_plan_in_both_directions() {
    for (network, rotation) in [("butterfly", 1), ("shuffle", 0)] {
        let plan = plan(&Request::new("xor", 16).with("network", network)).unwrap();
        for lane in 0..16u32 {
            let first = |wanted: u32| (0..16).find(|&i| plan.destination(0, i) == wanted).unwrap();
            let (dest, source) = (plan.destination(0, lane) as u64, first(lane) as u64);
            let mut rig = Rig::new(&CellSpec::XorTerminal { bits: 4, dest, source });
            for round in 0..16u32 {
                let rotated = if rotation == 1 { (round << 1 | round >> 3) & 15 } else { round };
                rig.set("send_word_i", round.into());
                rig.set("arrive_word_i", rotated.into());
                rig.settle();
                assert_eq!(rig.get("send_dest_o"), plan.destination(round, lane) as u64);
                let from = rig.get("recv_source_o") as u32;
                assert_eq!(plan.destination(round, from), lane, "{network} round {round}");
            }
        }
    }
}

#[test]
fn bit_j_of_a_word_reaches_stage_j_after_j_cycles() {
    const STAGES: usize = 5;
    let mut random = SplitMix64(3);
    let words: Vec<u64> = (0..40).map(|_| random.next() & 0x1f).collect();
    let mut chain: Vec<Rig> =
        (0..STAGES).map(|_| Rig::after_reset(&CellSpec::StageDriver { bits: STAGES as u32 })).collect();
    for (cycle, &word) in words.iter().enumerate() {
        feed_chain(&mut chain, &[("word_i", "word_o", word)]);
        for (stage, driver) in chain.iter().enumerate() {
            // Before the first word has come, the drivers hold the zeros of reset.
            let seen = cycle.checked_sub(stage).map_or(0, |sent| words[sent]);
            let expected = bit(seen, (STAGES - 1 - stage) as u32);
            assert_eq!(driver.get("state_o"), expected, "stage {stage} cycle {cycle}");
        }
        chain.iter_mut().for_each(Rig::clock);
    }
}

/// Drives the first of a chain and every other with the outputs of the one before it.
fn feed_chain(chain: &mut [Rig], ports: &[(&str, &str, u64)]) {
    for &(input, output, first) in ports {
        let mut given = first;
        for driver in chain.iter_mut() {
            driver.set(input, given);
            given = driver.get(output);
        }
    }
    chain.iter_mut().for_each(Rig::settle);
}

fn stage_rule(plan: &Plan) -> frit_schedule::stage_control::StageControl {
    match plan.control {
        Control::Stages(rule) => rule,
        _ => panic!("{} is not set stage by stage", plan.name()),
    }
}

#[test]
fn alternating_drivers_and_the_word_give_every_switch_its_state_in_ata2() {
    for terminals in [6, 10, 18, 34] {
        let plan = plan(&Request::new("gsen", terminals).with("algorithm", "ata2")).unwrap();
        let (rule, stages) = (stage_rule(&plan), plan.network.stages());
        let mut word = Rig::new(&CellSpec::Ata2Word { bits: stages });
        let mut chain: Vec<Rig> =
            (0..stages).map(|_| Rig::after_reset(&CellSpec::AlternatingDriver { bits: stages })).collect();
        for cycle in 0..plan.rounds + stages {
            word.set("round_i", (cycle % plan.rounds) as u64);
            word.settle();
            if cycle < plan.rounds {
                assert_eq!(word.get("word_o"), rule.word(cycle) as u64, "N={terminals} round {cycle}");
                assert_eq!(word.get("alternate_o"), rule.alternates(cycle) as u64, "N={terminals}");
            }
            let alternate = ("alternate_i", "alternate_o", word.get("alternate_o"));
            feed_chain(&mut chain, &[("word_i", "word_o", word.get("word_o")), alternate]);
            for stage in 0..stages {
                let Some(round) = cycle.checked_sub(stage).filter(|round| *round < plan.rounds) else {
                    continue;
                };
                let state = |switch| rule.state(round, StageIdx(stage), SwitchIdx(switch)) as u64;
                let driver = &chain[stage as usize];
                let at = format!("N={terminals} round {round} stage {stage}");
                assert_eq!(driver.get("even_o"), state(0), "{at}");
                // The first and the last stage do not alternate: there the design uses even_o for all switches.
                if rule.alternating_stage(StageIdx(stage)) {
                    assert_eq!(driver.get("odd_o"), state(1), "{at}");
                } else {
                    assert_eq!(state(1), state(0), "{at}");
                }
            }
            chain.iter_mut().for_each(Rig::clock);
        }
    }
}

#[test]
fn label_generators_follow_algorithm_1_from_their_own_number() {
    for n in 2..=6u32 {
        let (terminals, mask) = (1u64 << n, (1u64 << n) - 1);
        for (direction, step) in [(Direction::Right, mask), (Direction::Left, 1)] {
            let labels = RotationLabels { n, direction, middle: Middle::Shared };
            for terminal in 0..terminals {
                let mut rig = Rig::after_reset(&CellSpec::LabelGen { bits: n, terminal, step });
                // The rounds twice over: after the last comes the first again.
                for round in (0..2 * terminals).map(|cycle| (cycle % terminals) as u32) {
                    let source = terminal as u32;
                    let at = format!("N={terminals} {direction:?} terminal {terminal} round {round}");
                    let (dest, intermediate) = (rig.get("dest_o"), rig.get("intermediate_o"));
                    assert_eq!(dest as u32, labels.destination(round, source), "{at}");
                    assert_eq!(intermediate as u32, labels.intermediate(round, source), "{at}");
                    let low = n - 1;
                    assert_eq!(intermediate << low | dest & mask >> 1, labels.label(round, source), "{at}");
                    // A pause changes nothing.
                    if round % 3 == 1 {
                        rig.set("advance_i", 0);
                        rig.clock();
                        assert_eq!((rig.get("dest_o"), rig.get("intermediate_o")), (dest, intermediate));
                    }
                    rig.set("advance_i", 1);
                    rig.clock();
                }
            }
        }
    }
}

#[test]
fn reset_takes_a_label_generator_back_to_round_0() {
    let mut rig = Rig::after_reset(&CellSpec::LabelGen { bits: 3, terminal: 5, step: 7 });
    let first = (rig.get("dest_o"), rig.get("intermediate_o"));
    rig.set("advance_i", 1);
    (0..3).for_each(|_| rig.clock());
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!((rig.get("dest_o"), rig.get("intermediate_o")), first);
}

#[test]
fn a_terminal_asks_for_the_scheduled_word_and_knows_whose_arrives() {
    for n in 2..=6u32 {
        let mask = (1u64 << n) - 1;
        for (direction, step) in [(Direction::Right, 1), (Direction::Left, mask)] {
            let labels = RotationLabels { n, direction, middle: Middle::Shared };
            for terminal in 0..=mask {
                let mut rig = Rig::after_reset(&CellSpec::Terminal { bits: n, terminal, step });
                for round in 0..=mask as u32 {
                    let sources = 0..=mask as u32;
                    let source =
                        sources.into_iter().find(|&s| labels.destination(round, s) as u64 == terminal);
                    assert_eq!(
                        rig.get("recv_source_o") as u32,
                        source.unwrap(),
                        "N={} round {round}",
                        mask + 1
                    );
                    rig.set("sending_i", round as u64 & 1);
                    rig.set("dest_i", round as u64);
                    rig.set("arriving_i", 0);
                    rig.clock();
                    assert_eq!(rig.get("send_valid_o"), round as u64 & 1);
                    assert_eq!(rig.get("send_dest_o"), round as u64);
                    rig.set("arriving_i", 1);
                    rig.clock();
                }
            }
        }
    }
}

#[test]
fn a_fifo_gives_what_it_took_in_order_and_is_full_at_two_to_the_a() {
    let capacity = 8;
    let mut rig = Rig::after_reset(&CellSpec::Fifo { width: 16, address_bits: 3 });
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

/// Sending, second pass and arrival follow the plan's own arithmetic.
#[test]
fn a_pass_sequencer_follows_its_plan() {
    for request in [
        Request::new("rls-folded", 8),
        Request::new("rls-folded", 16),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-flattened", 4),
        Request::new("rls-flattened", 16),
    ] {
        let plan = plan(&request).unwrap();
        let window = plan.second_pass.unwrap().window() as u64;
        let (last, latency) = (plan.rounds as u64 - 1, plan.latency() as u64);
        let spec = CellSpec::PassSequencer { bits: 5, slot_bits: 4, last, window, latency };
        let mut rig = Rig::after_reset(&spec);
        for _ in 0..2 {
            rig.set("start_i", 1);
            rig.clock();
            rig.set("start_i", 0);
            for cycle in 0..=plan.cycles() {
                rig.settle();
                let flag = |name: &str| rig.get(name) != 0;
                assert!(flag("busy_o"));
                assert_eq!(rig.get("cycles_o"), cycle);
                assert_eq!(flag("sending_o"), plan.injecting(cycle).is_some(), "cycle {cycle}");
                assert_eq!(flag("again_o"), plan.second_pass_enters(cycle), "cycle {cycle}");
                assert_eq!(flag("arriving_o"), plan.arriving(cycle).is_some(), "cycle {cycle}");
                assert_eq!(flag("done_o"), cycle == plan.cycles());
                rig.clock();
            }
            let idle = ["busy_o", "sending_o", "again_o", "arriving_o", "done_o", "cycles_o"];
            assert_eq!(idle.map(|name| rig.get(name)), [0; 6]);
        }
    }
}

/// The word of a round with its bits in the opposite order.
fn reversed(word: u64, bits: u32) -> u64 {
    (0..bits).map(|at| bit(word, at) << (bits - 1 - at)).sum()
}

fn check_shuffle_terminals(plan: &Plan) {
    let (rule, stages, lanes) = (stage_rule(plan), plan.network.stages(), plan.network.lanes());
    let mut rigs: Vec<Rig> = (0..lanes as u64)
        .map(|terminal| Rig::new(&CellSpec::ShuffleTerminal { stages, terminal, half: lanes as u64 / 2 }))
        .collect();
    for round in 0..plan.rounds {
        let (word, alternate) = (rule.word(round) as u64, rule.alternates(round) as u64);
        let destinations: Vec<u32> = (0..lanes).map(|lane| plan.destination(round, lane)).collect();
        for (lane, rig) in rigs.iter_mut().enumerate() {
            rig.set("send_word_i", reversed(word, stages));
            rig.set("send_alternate_i", alternate);
            rig.set("arrive_word_i", word);
            rig.set("arrive_alternate_i", alternate);
            rig.settle();
            let at = format!("{} round {round} lane {lane}", plan.name());
            assert_eq!(rig.get("send_dest_o") as u32, destinations[lane], "{at}");
            let source = rig.get("recv_source_o") as usize;
            assert_eq!(destinations.get(source), Some(&(lane as u32)), "{at}: source {source}");
        }
    }
}

#[test]
fn shuffle_terminals_find_destination_and_source_for_every_even_size() {
    for terminals in (4..=66).step_by(2) {
        check_shuffle_terminals(&plan(&Request::new("gsen", terminals)).unwrap());
    }
}

#[test]
fn shuffle_terminals_find_destination_and_source_in_ata2() {
    for terminals in [6, 10, 18, 34, 66] {
        check_shuffle_terminals(&plan(&Request::new("gsen", terminals).with("algorithm", "ata2")).unwrap());
    }
}

#[test]
fn sending_and_arriving_of_a_shuffle_terminal_are_independent() {
    let plan = plan(&Request::new("gsen", 10)).unwrap();
    let stages = plan.network.stages();
    let mut rig = Rig::new(&CellSpec::ShuffleTerminal { stages, terminal: 3, half: 5 });
    for sent in 0..16 {
        for arriving in 0..16 {
            rig.set("send_word_i", reversed(sent, stages));
            rig.set("arrive_word_i", arriving);
            rig.settle();
            assert_eq!(rig.get("send_dest_o") as u32, plan.destination(sent as u32, 3));
            assert_eq!(plan.destination(arriving as u32, rig.get("recv_source_o") as u32), 3);
        }
    }
}

/// All outputs of a sequencer.
#[derive(Debug, PartialEq)]
struct Timing {
    busy: u64,
    sending: u64,
    round: u64,
    arriving: u64,
    arrival: u64,
    done: u64,
    cycles: u64,
}

const IDLE: Timing = Timing { busy: 0, sending: 0, round: 0, arriving: 0, arrival: 0, done: 0, cycles: 0 };

fn timing(rig: &Rig) -> Timing {
    Timing {
        busy: rig.get("busy_o"),
        sending: rig.get("sending_o"),
        round: rig.get("round_o"),
        arriving: rig.get("arriving_o"),
        arrival: rig.get("arrival_o"),
        done: rig.get("done_o"),
        cycles: rig.get("cycles_o"),
    }
}

/// What the timeline says for a cycle of a run: round k is sent in cycle k and arrives in cycle k + latency.
fn timing_of(cycle: u64, rounds: u64, latency: u64) -> Timing {
    let sending = cycle < rounds;
    let arriving = (latency..latency + rounds).contains(&cycle);
    Timing {
        busy: 1,
        sending: sending as u64,
        round: if sending { cycle } else { 0 },
        arriving: arriving as u64,
        arrival: if arriving { cycle - latency } else { 0 },
        done: (cycle == latency + rounds - 1) as u64,
        cycles: cycle,
    }
}

/// (bits, rounds, latency): arrivals that overlap with sending or not, rounds that fill their bits or not, one round, the
/// least latencies.
const SEQUENCERS: [(u32, u64, u64); 10] = [
    (4, 10, 4),
    (2, 3, 1),
    (2, 4, 1),
    (2, 1, 1),
    (2, 1, 4),
    (2, 2, 2),
    (2, 3, 2),
    (4, 16, 16),
    (3, 5, 300),
    (5, 32, 6),
];

/// So many cycles that every part of their counter carries.
const LONG: (u32, u64, u64) = (17, 70_000, 7);

fn sequencer(bits: u32, rounds: u64, latency: u64) -> Rig {
    Rig::after_reset(&CellSpec::Sequencer { bits, last: rounds - 1, latency })
}

fn start(rig: &mut Rig) {
    rig.set("start_i", 1);
    rig.clock();
    rig.set("start_i", 0);
    rig.settle();
}

fn check_run(rig: &mut Rig, rounds: u64, latency: u64) {
    for cycle in 0..rounds + latency {
        assert_eq!(timing(rig), timing_of(cycle, rounds, latency), "{rounds} rounds, latency {latency}");
        rig.clock();
    }
}

#[test]
fn a_sequencer_follows_the_timeline_and_runs_again() {
    for (bits, rounds, latency) in SEQUENCERS.into_iter().chain([LONG]) {
        let mut rig = sequencer(bits, rounds, latency);
        for idle_cycles in [3, 1, 0] {
            for _ in 0..idle_cycles {
                assert_eq!(timing(&rig), IDLE);
                rig.clock();
            }
            start(&mut rig);
            check_run(&mut rig, rounds, latency);
        }
        assert_eq!(timing(&rig), IDLE);
    }
}

#[test]
fn a_sequencer_ignores_a_start_while_busy() {
    for (bits, rounds, latency) in SEQUENCERS {
        let mut rig = sequencer(bits, rounds, latency);
        // High throughout the run, the cycle of done included, and low in the cycle after it.
        rig.set("start_i", 1);
        rig.clock();
        check_run(&mut rig, rounds, latency);
        rig.set("start_i", 0);
        rig.settle();
        assert_eq!(timing(&rig), IDLE);
        rig.clock();
        assert_eq!(timing(&rig), IDLE);
    }
}

#[test]
fn reset_stops_a_sequencer_in_any_cycle() {
    for (bits, rounds, latency) in SEQUENCERS {
        for stop in 0..rounds + latency {
            let mut rig = sequencer(bits, rounds, latency);
            start(&mut rig);
            (0..stop).for_each(|_| rig.clock());
            assert_eq!(timing(&rig), timing_of(stop, rounds, latency));
            // A start in reset is none.
            rig.set("rst_i", 1);
            rig.set("start_i", 1);
            rig.clock();
            rig.set("rst_i", 0);
            rig.set("start_i", 0);
            rig.settle();
            assert_eq!(timing(&rig), IDLE, "stopped in cycle {stop}");
            start(&mut rig);
            check_run(&mut rig, rounds, latency);
        }
    }
}

#[test]
fn an_optical_switch_is_pushed_or_inverted_in_the_same_cycle() {
    let mut rig = Rig::new(&CellSpec::OpticalSwitch { width: 8 });
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
    let mut rig = Rig::after_reset(&CellSpec::Link { width: 8 });
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

#[test]
fn the_successor_cell_is_the_successor_rule_for_every_state() {
    for order in 2..=12 {
        let mut rig = Rig::new(&CellSpec::Successor { order });
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
    let mut rules = vec![CellSpec::next_bit_table(sequence, name)];
    rules.extend(CellSpec::feedback(sequence, name));
    assert_eq!(rules.len() == 2, order <= MAX_ORDER, "feedback up to order {MAX_ORDER}");
    if name == "prefer_one" && order > 1 {
        rules.push(CellSpec::Successor { order });
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
        let mut rule = CellSpec::next_bit_table(&sequence, "prefer_one");
        let CellSpec::NextBitTable { table, .. } = &mut rule else { panic!("a table") };
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
                let rule = CellSpec::next_bit_table(&sequence, "sequence");
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
    let mut rig = Rig::after_reset(&CellSpec::DeBruijn { order: 5, start: 0b10110 });
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

/// The routings of all sequences up to an order.
fn routings(orders: std::ops::RangeInclusive<u32>) -> Vec<Systolic> {
    orders.flat_map(sequences).map(|(_, sequence)| Systolic::new(sequence)).collect()
}

#[test]
fn routing_words_are_those_of_the_schedule_in_every_slot() {
    for routing in routings(1..=9) {
        let (order, idle) = (routing.sequence().order(), routing.routing_word(0) as u64);
        let mut rig = Rig::new(&CellSpec::RoutingWord { order, idle });
        for slot in 0..routing.period() as u64 {
            // Packets of slot t meet the first router one step later.
            rig.set("tau_i", routing.sequence().word(slot + 1) as u64);
            rig.set("active_i", 1);
            rig.settle();
            assert_eq!(rig.get("word_o"), routing.routing_word(slot) as u64, "order {order} slot {slot}");
            rig.set("active_i", 0);
            rig.settle();
            assert_eq!(rig.get("word_o"), idle, "order {order} slot {slot}, not active");
        }
    }
}

#[test]
fn optical_terminals_know_destinations_and_sources_in_every_slot() {
    for routing in routings(1..=5) {
        let (bits, period) = (routing.dimension(), routing.period() as u64);
        let terminals = 1u32 << bits;
        let mut rigs: Vec<Rig> = (0..terminals as u64)
            .map(|terminal| Rig::new(&CellSpec::OpticalTerminal { bits, terminal }))
            .collect();
        for slot in 0..period {
            // The slot that arrives is another than the one that is sent.
            let arriving = (slot + 3) % period;
            for rig in &mut rigs {
                rig.set("send_word_i", routing.routing_word(slot) as u64);
                rig.set("arrive_word_i", routing.routing_word(arriving) as u64);
                rig.settle();
            }
            for lane in 0..2 * terminals {
                let source = lane / 2;
                let at = format!("N={terminals} slot {slot} lane {lane}");
                let dest = ["up_dest_o", "down_dest_o"][lane as usize % 2];
                let destination = routing.destination(slot, lane) / 2;
                assert_eq!(rigs[source as usize].get(dest) as u32, destination, "{at}");
                let arrival = routing.destination(arriving, lane);
                let from = ["up_source_o", "down_source_o"][arrival as usize % 2];
                assert_eq!(rigs[arrival as usize / 2].get(from) as u32, source, "{at}");
            }
        }
    }
}
