use super::choose::WHOLE;
use super::every::every;
use super::*;
use crate::check::{check_plan, route_round};
use crate::route::{route_settings, route_states};
use frit_network::options::Request;
use frit_network::{SwitchIdx, SwitchState, benes, butterfly_butterfly};
use frit_traffic::random::SplitMix64;

const SWITCHES: [&str; 3] = ["mzi", "ring", "1.5,-28,0.25,-35.5,0.04"];

fn drawn(network: &Network, random: &mut SplitMix64) -> Settings {
    let mut row = || -> Vec<SwitchState> {
        (0..network.switches_per_stage()).map(|_| SwitchState::from_bit(random.next() & 1 == 1)).collect()
    };
    (0..network.stages()).map(|_| row()).collect()
}

fn reached(network: &Network, settings: &Settings) -> Vec<u32> {
    route_settings(network, settings).destinations
}

fn plan(system: &str, terminals: u64) -> Plan {
    crate::plan(&Request::new(system, terminals)).unwrap()
}

/// The same figures, counted for each message on its own: what has been lost on any wire is asked of the wires before.
fn by_hand(network: &Network, light: &Light, settings: &Settings) -> Vec<(i64, f64)> {
    /// What the message at an input of a stage has lost.
    fn lost(network: &Network, light: &Light, settings: &Settings, stage: usize, input: u32) -> i64 {
        let link = network.link(StageIdx(stage as u32));
        let from = link.iter().position(|&to| to == input).unwrap();
        let crosses =
            |other: usize| (other < from && link[other] > input) || (other > from && link[other] < input);
        let crossed = light.crossing * (0..link.len()).filter(|&other| crosses(other)).count() as i64;
        if stage == 0 {
            return crossed;
        }
        let state = settings[stage - 1][from / 2];
        let before = from as u32 ^ u32::from(state.bit());
        crossed + light.of(state).loss + lost(network, light, settings, stage - 1, before)
    }
    let mut figures = vec![(0, 0.0); network.lanes() as usize];
    for source in 0..network.lanes() {
        let (mut at, mut crosstalk) = (source, 0.0);
        for stage in 0..network.stages() as usize {
            at = network.link(StageIdx(stage as u32))[at as usize];
            let state = settings[stage][at as usize / 2];
            let [own, other] = [at, at ^ 1].map(|input| lost(network, light, settings, stage, input));
            crosstalk += 10f64.powf((light.of(state).crosstalk + own - other) as f64 / 1e4);
            at ^= u32::from(state.bit());
        }
        let stages = network.stages() as usize;
        let end = network.link(StageIdx(stages as u32))[at as usize];
        figures[end as usize] = (lost(network, light, settings, stages, end), crosstalk);
    }
    figures
}

#[test]
fn every_crossing_message_is_counted_at_every_switch() {
    let mut random = SplitMix64(7);
    for network in [benes(8).unwrap(), butterfly_butterfly(16).unwrap(), frit_network::butterfly(8).unwrap()]
    {
        for switch in SWITCHES {
            let light = Light::parse(switch).unwrap();
            let mut meter = Meter::new(&network, &light);
            for _ in 0..20 {
                let settings = drawn(&network, &mut random);
                let expected = by_hand(&network, &light, &settings);
                for (message, (loss, crosstalk)) in meter.messages(&settings).iter().zip(&expected) {
                    assert_eq!(message.loss, *loss);
                    let apart = (message.crosstalk as f64 / 1e12 - crosstalk).abs();
                    assert!(apart < 1e-11, "{message:?} {crosstalk}");
                }
            }
        }
    }
}

#[test]
fn figures_of_small_networks_are_those_of_a_pocket_calculator() {
    // Three stages, all straight: three times 2 dB; three times -30 dB are 10·log10(0.003).
    let (network, light) = (benes(4).unwrap(), Light::parse("mzi").unwrap());
    let straight = vec![vec![SwitchState::Straight; 2]; 3];
    let figures = Meter::new(&network, &light).figures(&straight);
    assert_eq!(figures, Figures { loss: 6000, spread: 0, crosstalk: 3_000_000_000 });
    assert_eq!(in_decibels(Aim::Crosstalk, figures.crosstalk), -25.229);
    // Wires 1 and 2 of the two inner columns cross.
    let light = Light { crossing: 50, ..light };
    assert_eq!(Meter::new(&network, &light).figures(&straight).loss, 6100);
}

#[test]
fn all_settings_of_eight_terminals_are_tried_and_none_is_better_than_those_chosen() {
    let lights = SWITCHES.map(|switch| Light::parse(switch).unwrap());
    for (system, network) in [("rls", butterfly_butterfly(8).unwrap()), ("benes", benes(8).unwrap())] {
        let (plan, masks) = (plan(system, 8), Masks::of(&network).unwrap());
        let mut meters = lights.each_ref().map(|light| Meter::new(&network, light));
        let rounds = [1, 4, 6]
            .map(|round| (RoundIdx(round), route_round(&plan, RoundIdx(round)).unwrap().destinations));
        // [round][switch][aim]
        let mut least = [[[u64::MAX; 3]; 3]; 3];
        for number in 0u32..1 << 20 {
            let state = |at: u32| SwitchState::from_bit(number >> at & 1 == 1);
            let to = route_states(&network, |stage, switch| state(4 * stage.0 + switch.0)).destinations;
            let Some(at) = rounds.iter().position(|(_, destinations)| *destinations == to) else { continue };
            let row = |stage: u32| (0..4).map(|switch| state(4 * stage + switch)).collect();
            let settings = (0..5).map(row).collect();
            for (meter, least) in meters.iter_mut().zip(&mut least[at]) {
                let figures = meter.figures(&settings);
                least
                    .iter_mut()
                    .zip(Aim::ALL)
                    .for_each(|(least, (_, aim))| *least = figures.of(aim).min(*least));
            }
        }
        for ((round, destinations), least) in rounds.iter().zip(&least) {
            for (meter, least) in meters.iter_mut().zip(least) {
                for (least, (word, aim)) in least.iter().zip(Aim::ALL) {
                    let starts = Square::of_plan(&plan).several(*round, 2);
                    let chosen = choose(meter, &masks, starts, aim, round.0);
                    assert_eq!(reached(&network, &chosen.settings), *destinations);
                    let found = (chosen.figures.of(aim), chosen.bound);
                    assert_eq!(found, (*least, *least), "{system} {} {round} {word}", meter.light);
                }
            }
        }
    }
}

#[test]
fn no_settings_fall_below_the_bound_and_what_is_chosen_serves_the_same_round() {
    let mut random = SplitMix64(3);
    for terminals in [4u64, 16] {
        for network in [benes(terminals).unwrap(), butterfly_butterfly(terminals).unwrap()] {
            for switch in SWITCHES {
                let light = Light::parse(switch).unwrap();
                let mut meter = Meter::new(&network, &light);
                let settings = drawn(&network, &mut random);
                let own = meter.figures(&settings);
                let ways = paths::ways(&meter, &reached(&network, &settings));
                for (word, aim) in Aim::ALL {
                    let least = bounds::bound(&meter, &ways, aim);
                    assert!(least <= own.of(aim), "{} {switch} {word}", network.name());
                    let masks = Masks::of(&network).unwrap();
                    let chosen = choose(&mut meter, &masks, vec![settings.clone()], aim, 0);
                    assert_eq!(reached(&network, &chosen.settings), reached(&network, &settings));
                    assert_eq!(chosen.figures, meter.figures(&chosen.settings));
                    assert!(chosen.bound <= chosen.figures.of(aim) && chosen.figures.of(aim) <= own.of(aim));
                    assert!(
                        chosen.bound >= least
                            && (terminals > WHOLE.into() || chosen.bound == chosen.figures.of(aim))
                    );
                }
            }
        }
    }
}

#[test]
fn the_ways_of_messages_are_those_of_the_network() {
    let mut random = SplitMix64(9);
    for network in [benes(16).unwrap(), butterfly_butterfly(16).unwrap(), benes(4).unwrap()] {
        let light = Light::parse("1,-30,2,-30,0.3").unwrap();
        let mut meter = Meter::new(&network, &light);
        let settings = drawn(&network, &mut random);
        let to = reached(&network, &settings);
        let ways = paths::ways(&meter, &to);
        // The settings are one of the choices: each message has a way whose switches have these states, and it loses as much.
        let messages = meter.messages(&settings);
        let taken: Vec<&paths::Way> = (0..to.len())
            .map(|source| {
                let fits = |way: &&paths::Way| {
                    let mut states = way.outputs.iter().zip(&settings).enumerate();
                    let same = |(stage, (output, row)): (usize, (&u32, &Vec<SwitchState>))| {
                        row[*output as usize / 2].bit() == (way.crossed >> stage & 1 == 1)
                    };
                    states.all(same) && way.loss == messages[to[source] as usize].loss
                };
                ways[source].iter().find(fits).expect("the way that the settings give")
            })
            .collect();
        assert_eq!(paths::settings(&network, taken.into_iter()), settings);
    }
}

#[test]
fn crosstalk_that_no_number_holds_is_the_greatest() {
    // Messages are up to 500 dB apart.
    let plan = plan("benes", 8);
    let light = Light::parse("100,-1,0,-1").unwrap();
    for round in of_square(&Square::of_plan(&plan), plan.rounds, &light, Aim::Crosstalk, || ()) {
        let chosen = round.chosen.unwrap();
        assert!(chosen.bound <= chosen.figures.crosstalk && chosen.figures.crosstalk <= round.own.crosstalk);
    }
    let mut settings = route_round(&plan, RoundIdx(0)).unwrap().states;
    settings[0][0] = SwitchState::Cross;
    assert_eq!(Meter::new(&plan.network, &light).figures(&settings).crosstalk, CrosstalkSum::MAX);
}

#[test]
fn exclusive_ors_lose_and_leak_the_same_for_all_messages() {
    // docs/light.md: every stage is straight or crossed as a whole, and no settings leak less.
    for terminals in [4u64, 8, 16, 32] {
        let plan = plan("benes", terminals);
        for switch in ["mzi", "ring"] {
            let light = Light::parse(switch).unwrap();
            let squares = Square::compared(&plan);
            let xor = squares.iter().find(|square| square.name == "i ^ k").unwrap();
            for aim in [Aim::Spread, Aim::Crosstalk] {
                for round in of_square(xor, plan.rounds, &light, aim, || ()) {
                    let chosen = round.chosen.unwrap();
                    assert_eq!((chosen.figures.of(aim), chosen.figures.spread), (chosen.bound, 0));
                }
            }
        }
    }
}

#[test]
fn a_chosen_plan_is_the_same_exchange_in_as_many_cycles() {
    for system in ["rls", "benes"] {
        for (choice, name) in [
            ("loss", "loss_mzi"),
            ("crosstalk:ring", "crosstalk_ring"),
            ("spread:1,-20,2,-20", "spread_1000_20000_2000_20000_0"),
        ] {
            let own = plan(system, 16);
            let chosen = crate::plan(&Request::new(system, 16).with("choose", choice)).unwrap();
            assert_eq!(chosen.name(), format!("{system}_{name}_n16"));
            assert_eq!((chosen.cycles(), chosen.figures.cycles_paper), (own.cycles(), own.cycles()));
            let report = check_plan(&chosen);
            assert!(report.complete() && report.repeated == 0 && report.missing == 0, "{report:?}");
            let again = crate::plan(&chosen.request()).unwrap();
            assert_eq!((again.control.clone(), again.name()), (chosen.control.clone(), chosen.name()));
            for round in RoundIdx::all(16) {
                for lane in frit_network::LaneIdx::all(16) {
                    assert_eq!(chosen.destination(round, lane), own.destination(round, lane));
                }
            }
        }
    }
    // Settings, not only figures: the stored ones are those that were chosen.
    let plan = crate::plan(&Request::new("benes", 16).with("choose", "loss")).unwrap();
    let light = Light::parse("mzi").unwrap();
    let worst = RoundIdx::all(16).map(|round| {
        Meter::new(&plan.network, &light).figures(&route_round(&plan, round).unwrap().states).loss
    });
    assert_eq!(worst.max(), Some(10_871));
    assert_eq!(plan.stage_state(RoundIdx(0), StageIdx(0), SwitchIdx(0)).map(SwitchState::bit), Some(true));
}

#[test]
fn every_permutation_of_eight() {
    for (system, permutations) in [("benes", 40_320), ("xor", 4_096)] {
        let plan = plan(system, 8);
        let light = Light::parse("mzi").unwrap();
        let [loss, spread, crosstalk] =
            every(&mut Meter::new(&plan.network, &light), system == "benes").unwrap();
        assert_eq!([loss, spread, crosstalk].map(|worth| worth.permutations), [permutations; 3]);
        assert_eq!(loss.over_looping.is_some(), system == "benes");
        assert!(loss.least <= loss.greatest && loss.over_worst.mean <= loss.over_worst.most);
        if system == "benes" {
            // docs/light.md
            let rounded = |gain: f64| (gain * 100.0).round() / 100.0;
            let looping = loss.over_looping.unwrap();
            assert_eq!([looping.mean, looping.most].map(rounded), [1.45, 4.17]);
        }
        if system == "xor" {
            assert_eq!(loss.over_worst.most, 0.0);
        }
    }
    assert_eq!(every(&mut Meter::new(&benes(16).unwrap(), &Light::parse("mzi").unwrap()), true), None);
}

#[test]
fn what_cannot_be_chosen_is_refused() {
    let says = |system: &str, terminals, options: &[(&str, &str)], text: &str| {
        let request = options
            .iter()
            .fold(Request::new(system, terminals), |request, (key, value)| request.with(key, value));
        let refused = crate::plan(&request).unwrap_err().to_string();
        assert!(refused.contains(text), "{refused}");
    };
    says(
        "benes",
        512,
        &[("choose", "loss")],
        "512 terminals are too many: light is followed through up to 256",
    );
    says("rls", 8, &[("choose", "loss"), ("stuck", "0:0:1")], "give one of the options stuck and choose");
    says("xor", 8, &[("choose", "loss")], "xor has no option \"choose\"");
    let choice = Choice::parse("loss").unwrap();
    let refused = chosen(plan("xor", 8), &choice).unwrap_err().to_string();
    assert_eq!(refused, "xor has no settings to choose between; rls and benes have");
    assert!(
        check(&plan("rls-folded", 8))
            .unwrap_err()
            .to_string()
            .starts_with("light is not followed through rls-folded")
    );
}
