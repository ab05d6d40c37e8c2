//! What sets the stages: drivers, words, tables.

use crate::bit;
use crate::common::Rig;
use frit_cells::cells::{
    AlternatingDriverSpec, Ata2WordSpec, CellSpec, RomSpec, RoundDelaySpec, StageDriverSpec,
};
use frit_network::{RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::{Control, Plan, Request, plan};
use frit_traffic::random::SplitMix64;

#[test]
fn a_rom_shows_the_word_of_its_round_and_none_behind_the_last() {
    let words = vec![5, 0, 7, 2, 6];
    let spec = CellSpec::from(RomSpec { name: "test".into(), bits: 3, width: 3, words: words.clone() });
    let mut rig = Rig::new(&spec);
    for round in 0..8 {
        rig.set("round_i", round);
        rig.settle();
        assert_eq!(rig.get("word_o"), words.get(round as usize).copied().unwrap_or(0), "round {round}");
    }
}

#[test]
fn a_round_is_handed_on_a_cycle_later() {
    let mut rig = Rig::after_reset(&CellSpec::from(RoundDelaySpec { bits: 4 }));
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
fn bit_j_of_a_word_reaches_stage_j_after_j_cycles() {
    const STAGES: usize = 5;
    let mut random = SplitMix64(3);
    let words: Vec<u64> = (0..40).map(|_| random.next() & 0x1f).collect();
    let mut chain: Vec<Rig> = (0..STAGES)
        .map(|_| Rig::after_reset(&CellSpec::from(StageDriverSpec { bits: STAGES as u32 })))
        .collect();
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

pub(crate) fn stage_rule(plan: &Plan) -> frit_schedule::stage_control::StageControl {
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
        let mut word = Rig::new(&CellSpec::from(Ata2WordSpec { bits: stages }));
        let mut chain: Vec<Rig> = (0..stages)
            .map(|_| Rig::after_reset(&CellSpec::from(AlternatingDriverSpec { bits: stages })))
            .collect();
        for cycle in 0..plan.rounds + stages {
            word.set("round_i", (cycle % plan.rounds) as u64);
            word.settle();
            if cycle < plan.rounds {
                assert_eq!(
                    word.get("word_o"),
                    rule.word(RoundIdx(cycle)) as u64,
                    "N={terminals} round {cycle}"
                );
                assert_eq!(word.get("alternate_o"), rule.alternates(RoundIdx(cycle)) as u64, "N={terminals}");
            }
            let alternate = ("alternate_i", "alternate_o", word.get("alternate_o"));
            feed_chain(&mut chain, &[("word_i", "word_o", word.get("word_o")), alternate]);
            for stage in 0..stages {
                let Some(round) = cycle.checked_sub(stage).filter(|round| *round < plan.rounds) else {
                    continue;
                };
                let state = |switch| rule.state(RoundIdx(round), StageIdx(stage), SwitchIdx(switch)) as u64;
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
