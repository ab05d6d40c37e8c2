//! Terminals and label generators, against the schedules.

use crate::common::Rig;
use crate::stages::stage_rule;
use crate::{bit, routings};
use frit_cells::cells::{
    CellSpec, LabelGenSpec, OpticalTerminalSpec, RingWordSpec, RotateTerminalSpec, ShuffleTerminalSpec,
    SpareGateSpec, TerminalSpec, WindowCounterSpec, XorTerminalSpec,
};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::rotation::{Direction, Middle, RotationLabels};
use frit_schedule::window::WindowLabels;
use frit_schedule::{Plan, Request, plan};

#[test]
fn an_xor_terminal_follows_the_plan_in_both_directions() {
    for (network, rotation) in [("butterfly", 1), ("shuffle", 0)] {
        let plan = plan(&Request::new("xor", 16).with("network", network)).unwrap();
        for lane in 0..16u32 {
            let first = |wanted: u32| {
                (0..16).find(|&i| plan.destination(RoundIdx(0), LaneIdx(i)) == LaneIdx(wanted)).unwrap()
            };
            let (dest, source) =
                (u64::from(plan.destination(RoundIdx(0), LaneIdx(lane)).0), first(lane) as u64);
            let mut rig = Rig::new(&CellSpec::from(XorTerminalSpec { bits: 4, dest, source }));
            for round in 0..16u32 {
                let rotated = if rotation == 1 { (round << 1 | round >> 3) & 15 } else { round };
                rig.set("send_word_i", round.into());
                rig.set("arrive_word_i", rotated.into());
                rig.settle();
                assert_eq!(
                    rig.get("send_dest_o"),
                    u64::from(plan.destination(RoundIdx(round), LaneIdx(lane)).0)
                );
                let from = rig.get("recv_source_o") as u32;
                assert_eq!(
                    plan.destination(RoundIdx(round), LaneIdx(from)),
                    LaneIdx(lane),
                    "{network} round {round}"
                );
            }
        }
    }
}

#[test]
fn a_rotators_terminal_follows_the_plan_in_both_directions() {
    let plan = plan(&Request::new("rotator", 8)).unwrap();
    for lane in LaneIdx::all(8) {
        let mut rig = Rig::new(&CellSpec::from(RotateTerminalSpec { bits: 3, terminal: lane.0.into() }));
        for round in 0..8u32 {
            rig.set("send_round_i", round.into());
            rig.set("arrive_round_i", (7 - round).into());
            rig.settle();
            assert_eq!(rig.get("send_dest_o"), u64::from(plan.destination(RoundIdx(round), lane).0));
            assert_eq!(
                plan.destination(RoundIdx(7 - round), LaneIdx(rig.get("recv_source_o") as u32)),
                lane,
                "round {round}"
            );
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
                let mut rig = Rig::after_reset(&CellSpec::from(LabelGenSpec { bits: n, terminal, step }));
                // The rounds twice over: after the last comes the first again.
                for round in (0..2 * terminals).map(|cycle| (cycle % terminals) as u32) {
                    let source = terminal as u32;
                    let at = format!("N={terminals} {direction:?} terminal {terminal} round {round}");
                    let (dest, intermediate) = (rig.get("dest_o"), rig.get("intermediate_o"));
                    assert_eq!(dest as u32, labels.destination(RoundIdx(round), source), "{at}");
                    assert_eq!(intermediate as u32, labels.intermediate(RoundIdx(round), source), "{at}");
                    let low = n - 1;
                    assert_eq!(
                        intermediate << low | dest & mask >> 1,
                        labels.label(RoundIdx(round), source),
                        "{at}"
                    );
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
    let mut rig = Rig::after_reset(&CellSpec::from(LabelGenSpec { bits: 3, terminal: 5, step: 7 }));
    let first = (rig.get("dest_o"), rig.get("intermediate_o"));
    rig.set("advance_i", 1);
    (0..3).for_each(|_| rig.clock());
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!((rig.get("dest_o"), rig.get("intermediate_o")), first);
}

#[test]
fn labels_destinations_and_sources_of_a_window_follow_the_rule() {
    for terminals in [6u32, 10, 14, 34] {
        let rule = WindowLabels { terminals, stages: frit_network::shuffle::stages(terminals.into()) };
        let number = |start: u32, step: u32, first: u32| {
            let last = u64::from(first + terminals - 1);
            let (bits, modulus) = (rule.stages, terminals.into());
            WindowCounterSpec { bits, start: start.into(), step: step.into(), last, modulus }
        };
        for terminal in 0..terminals {
            let label = number(rule.label(RoundIdx(0), terminal) as u32, rule.step(), rule.first());
            let dest = number(rule.destination(RoundIdx(0), terminal), rule.step(), 0);
            let source = number(rule.source(RoundIdx(0), terminal), rule.source_step(), 0);
            let mut rigs = [label, dest, source].map(|spec| Rig::after_reset(&CellSpec::from(spec)));
            // The rounds twice over: after the last comes the first again.
            for round in (0..2 * terminals).map(|cycle| cycle % terminals) {
                let expected = [
                    rule.label(RoundIdx(round), terminal),
                    rule.destination(RoundIdx(round), terminal).into(),
                    rule.source(RoundIdx(round), terminal).into(),
                ];
                for (rig, expected) in rigs.iter_mut().zip(expected) {
                    let at = format!("N={terminals} terminal {terminal} round {round}");
                    assert_eq!(rig.get("count_o"), expected, "{at}");
                    if round % 3 == 1 {
                        rig.set("advance_i", 0);
                        rig.clock();
                        assert_eq!(rig.get("count_o"), expected, "{at}: a pause changes nothing");
                    }
                    rig.set("advance_i", 1);
                    rig.clock();
                }
            }
        }
    }
}

#[test]
fn a_word_of_a_ring_is_the_one_before() {
    let mut rig = Rig::after_reset(&CellSpec::from(RingWordSpec { bits: 4, start: 9 }));
    rig.set("word_i", 5);
    for (advance, expected) in [(0, 9), (1, 5), (0, 5)] {
        rig.set("advance_i", advance);
        rig.clock();
        assert_eq!(rig.get("word_o"), expected);
    }
    rig.set("rst_i", 1);
    rig.clock();
    assert_eq!(rig.get("word_o"), 9);
}

#[test]
fn a_terminal_asks_for_no_word_to_a_spare_one() {
    for served in 1..8 {
        let mut rig = Rig::new(&CellSpec::from(SpareGateSpec { bits: 3, served }));
        for (sending, dest) in [0, 1].into_iter().flat_map(|sending| (0..8).map(move |dest| (sending, dest)))
        {
            rig.set("sending_i", sending);
            rig.set("dest_i", dest);
            rig.settle();
            assert_eq!(rig.get("send_valid_o"), u64::from(sending == 1 && dest < served), "{served}: {dest}");
        }
    }
}

#[test]
fn a_terminal_asks_for_the_scheduled_word_and_knows_whose_arrives() {
    for n in 2..=6u32 {
        let mask = (1u64 << n) - 1;
        for (direction, step) in [(Direction::Right, 1), (Direction::Left, mask)] {
            let labels = RotationLabels { n, direction, middle: Middle::Shared };
            for terminal in 0..=mask {
                let mut rig = Rig::after_reset(&CellSpec::from(TerminalSpec { bits: n, terminal, step }));
                for round in 0..=mask as u32 {
                    let sources = 0..=mask as u32;
                    let source = sources
                        .into_iter()
                        .find(|&s| labels.destination(RoundIdx(round), s) as u64 == terminal);
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
        .map(|terminal| {
            Rig::new(&CellSpec::from(ShuffleTerminalSpec { stages, terminal, half: lanes as u64 / 2 }))
        })
        .collect();
    for round in RoundIdx::all(plan.rounds) {
        let (word, alternate) = (rule.word(round) as u64, rule.alternates(round) as u64);
        let destinations: Vec<u32> =
            LaneIdx::all(lanes).map(|lane| plan.destination(round, lane).0).collect();
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
    let mut rig = Rig::new(&CellSpec::from(ShuffleTerminalSpec { stages, terminal: 3, half: 5 }));
    for sent in 0..16 {
        for arriving in 0..16 {
            rig.set("send_word_i", reversed(sent, stages));
            rig.set("arrive_word_i", arriving);
            rig.settle();
            assert_eq!(rig.get("send_dest_o") as u32, plan.destination(RoundIdx(sent as u32), LaneIdx(3)).0);
            assert_eq!(
                plan.destination(RoundIdx(arriving as u32), LaneIdx(rig.get("recv_source_o") as u32)),
                LaneIdx(3)
            );
        }
    }
}

#[test]
fn optical_terminals_know_destinations_and_sources_in_every_slot() {
    for routing in routings(1..=5) {
        let (bits, period) = (routing.dimension(), routing.period() as u64);
        let terminals = 1u32 << bits;
        let mut rigs: Vec<Rig> = (0..terminals as u64)
            .map(|terminal| Rig::new(&CellSpec::from(OpticalTerminalSpec { bits, terminal })))
            .collect();
        for slot in 0..period {
            // The slot that arrives is another than the one that is sent.
            let arriving = (slot + 3) % period;
            let word = u64::from(routing.routing_word(arriving));
            let above = if word & 1 == 1 { !word & (u64::from(terminals) - 1) } else { word };
            for rig in &mut rigs {
                rig.set("send_word_i", routing.routing_word(slot) as u64);
                rig.set("arrive_word_i", above);
                rig.settle();
            }
            for lane in 0..2 * terminals {
                let source = lane / 2;
                let at = format!("N={terminals} slot {slot} lane {lane}");
                let dest = ["up_dest_o", "down_dest_o"][lane as usize % 2];
                let destination = routing.destination(slot, LaneIdx(lane)).0 / 2;
                assert_eq!(rigs[source as usize].get(dest) as u32, destination, "{at}");
                let arrival = routing.destination(arriving, LaneIdx(lane));
                let from = ["up_source_o", "down_source_o"][arrival.idx() % 2];
                assert_eq!(rigs[arrival.idx() / 2].get(from) as u32, source, "{at}");
            }
        }
    }
}
