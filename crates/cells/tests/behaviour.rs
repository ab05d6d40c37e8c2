//! Each cell does what its definition says, which is written here again in plain Rust or taken from the schedules.

mod common;

use common::Rig;
use frit_cells::spec::CellSpec;
use frit_network::{StageIdx, SwitchIdx};
use frit_schedule::payload::SplitMix64;
use frit_schedule::rotation::{Direction, RotationLabels};
use frit_schedule::{Control, Plan, Request, plan};

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
        Control::Labels(_) => panic!("{} is set by labels", plan.name()),
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
            let labels = RotationLabels { n, direction };
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
            let labels = RotationLabels { n, direction };
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

/// (bits, rounds, latency): arrivals that overlap with sending or not, rounds that fill their bits or not.
const SEQUENCERS: [(u32, u64, u64); 6] =
    [(4, 10, 4), (2, 3, 1), (2, 4, 1), (4, 16, 16), (3, 5, 20), (5, 32, 6)];

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
    for (bits, rounds, latency) in SEQUENCERS {
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
