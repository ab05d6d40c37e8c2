//! Single permutations of a Beneš network with stuck switches: in one round if there are settings, else in as few more as are found.

use super::squares::Square;
use super::{Rounds, STUCK, Settings, cover, ways, with_rounds};
use crate::plan::{Demand, Plan};
use crate::route::route_settings;
use frit_network::{Network, Refusal, RoundIdx, StuckSwitches, refuse};
use frit_traffic::random::stream;

/// What random orders begin with.
const SEED: u64 = 3;

/// Refuses what [`serving`] and [`scheduled`] do not take.
///
/// # Errors
/// If the network has not these switches, or a pair of terminals has no path any more.
pub fn check(network: &Network, stuck: &StuckSwitches) -> Result<(), Refusal> {
    stuck.fits(network)?;
    if network.is_grouped() {
        refuse!("4x4 switches do not go round stuck switches; leave radix or {} out", STUCK.name);
    }
    ways::cut(network, stuck).map_or(Ok(()), |cut| Err(cut.refusal(network, stuck)))
}

/// Settings of rounds that together join each source with its destination `to[source]`, with every stuck switch in its state: one if one is found.
/// The network is a Beneš network that passes [`check`].
pub fn serving(network: &Network, stuck: &StuckSwitches, to: &[u32]) -> Vec<Settings> {
    let square = Square::of_permutation(network, to);
    let first = square.around(RoundIdx(0), stuck).unwrap_or_else(|| square.nearest(to, stuck));
    let mut rounds = vec![first];
    let mut left: Vec<(u32, u32)> = (0..).zip(to.iter().copied()).collect();
    let mut random = stream(SEED, u64::from(network.terminals()));
    loop {
        let reached = route_settings(network, rounds.last().expect("a round")).destinations;
        left.retain(|&(source, destination)| reached[source as usize] != destination);
        if left.is_empty() {
            return rounds;
        }
        rounds.push(cover::fullest(network, stuck, &left, &mut random));
    }
}

/// The plan of a Beneš network whose rounds have these settings, each with its own permutation.
///
/// # Errors
/// If they are more than tables are made for.
pub fn scheduled(plan: Plan, stuck: &StuckSwitches, settings: Vec<Settings>) -> Result<Plan, Refusal> {
    let bound = settings.len() as u32;
    let rounds = Rounds { settings, bound, reason: "the demand has so many configurations".into() };
    with_rounds(Plan { demand: Demand::Scheduled, ..plan }, stuck, rounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stuck::obeys;
    use frit_network::benes;

    #[test]
    fn every_permutation_is_served_and_most_in_one_round() {
        for (terminals, stuck) in [(8, "2:1:1"), (8, "0:0:1,2:2:0"), (16, "3:0:1"), (16, "3:0:1,3:5:0,1:1:1")]
        {
            let network = benes(terminals).unwrap();
            let stuck = StuckSwitches::parse(stuck).unwrap();
            check(&network, &stuck).unwrap();
            let (mut more, mut random) = (0, stream(9, terminals));
            for _ in 0..200 {
                let to = random.permutation(terminals as u32);
                let rounds = serving(&network, &stuck, &to);
                assert!(rounds.iter().all(|settings| obeys(settings, &stuck)));
                let reached: Vec<Vec<u32>> =
                    rounds.iter().map(|settings| route_settings(&network, settings).destinations).collect();
                for (source, destination) in to.iter().enumerate() {
                    assert!(reached.iter().any(|reached| reached[source] == *destination));
                }
                more += rounds.len() - 1;
            }
            assert!(more < 40, "{stuck}: {more} rounds more");
        }
    }

    #[test]
    fn a_permutation_without_settings_takes_two_rounds() {
        // The middle stage of the identity has no crossed switch, whatever the other stages do.
        let network = benes(8).unwrap();
        let stuck = StuckSwitches::parse("2:1:1").unwrap();
        let identity: Vec<u32> = (0..8).collect();
        assert_eq!(serving(&network, &stuck, &identity).len(), 2);
        let cut = StuckSwitches::parse("2:0:0,2:1:0,2:2:0,2:3:0").unwrap();
        assert!(check(&network, &cut).unwrap_err().to_string().contains("every path from terminal"));
    }
}
