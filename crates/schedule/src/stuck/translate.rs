//! Other settings for the same permutation: the bits that messages carry from the first stages of a network to its last, XORed with a
//! mask.
//!
//! Between stage j < n - 1 and the stage that meets it again, a message has in bit n - 2 - j of its switch's number the side c_j on which it
//! left stage j. That stage is n + j in the Butterfly–Butterfly and 2n - 2 - j in the Beneš network. If c_j is inverted for all messages, they all move
//! to the switch with that bit inverted, stage j and the other one turn, and nothing else changes.

use super::Settings;
use frit_network::{Network, StageIdx, StuckSwitches, SwitchIdx, SwitchState, benes, butterfly_butterfly};

/// The masks of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Bit j of a mask inverts c_j, which stage j gives and this stage takes.
    taken: Vec<usize>,
    stages: usize,
}

impl Masks {
    /// Those of a network, if it is a Butterfly–Butterfly or a Beneš network.
    pub fn of(network: &Network) -> Option<Masks> {
        let (lanes, stages) = (network.lanes(), network.stages() as usize);
        let n = lanes.checked_ilog2().filter(|n| lanes.is_power_of_two() && stages == 2 * *n as usize - 1)?
            as usize;
        let is = |other: Result<Network, _>| other.is_ok_and(|other| other.links() == network.links());
        // The Beneš network of four terminals is the Butterfly–Butterfly.
        let again = match (is(butterfly_butterfly(lanes.into())), is(benes(lanes.into()))) {
            (true, _) => |n: usize, j: usize| n + j,
            (_, true) => |n: usize, j: usize| 2 * n - 2 - j,
            _ => return None,
        };
        Some(Masks { taken: (0..n - 1).map(|j| again(n, j)).collect(), stages })
    }

    /// How many masks there are.
    pub fn count(&self) -> u32 {
        1 << self.taken.len()
    }

    /// The switch from which one of a stage has its setting, and whether that is turned.
    fn from(&self, mask: u32, stage: usize, switch: u32) -> (u32, bool) {
        let bits = self.taken.len();
        let (mut moved, mut turned) = (switch, false);
        for (j, &taken) in self.taken.iter().enumerate().filter(|(j, _)| mask >> j & 1 == 1) {
            if j < stage && stage < taken {
                moved ^= 1 << (bits - 1 - j);
            }
            turned ^= stage == j || stage == taken;
        }
        (moved, turned)
    }

    /// The settings that a mask makes of others; the permutation is the same.
    pub fn translated(&self, settings: &Settings, mask: u32) -> Settings {
        let stage = |(stage, row): (usize, &Vec<SwitchState>)| {
            // What a switch takes differs between the switches of a stage only in what they are themselves.
            let (moved, turned) = self.from(mask, stage, 0);
            let switch = |switch: usize| SwitchState::from_bit(row[switch ^ moved as usize].bit() ^ turned);
            (0..row.len()).map(switch).collect()
        };
        debug_assert_eq!(settings.len(), self.stages);
        settings.iter().enumerate().map(stage).collect()
    }

    /// The first mask with which the settings have every stuck switch in its state.
    pub fn find(&self, settings: &Settings, stuck: &StuckSwitches) -> Option<u32> {
        let has = |mask: u32, (stage, switch, state): (StageIdx, SwitchIdx, SwitchState)| {
            let (from, turned) = self.from(mask, stage.idx(), switch.0);
            settings[stage.idx()][from as usize].bit() ^ turned == state.bit()
        };
        (0..self.count()).find(|&mask| stuck.iter().all(|one| has(mask, one)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::route_settings;
    use frit_traffic::random::SplitMix64;

    #[test]
    fn a_mask_keeps_the_permutation_of_any_settings() {
        let mut random = SplitMix64(5);
        for terminals in [4u64, 8, 16, 32] {
            for network in [butterfly_butterfly(terminals).unwrap(), benes(terminals).unwrap()] {
                let masks = Masks::of(&network).unwrap();
                assert_eq!(u64::from(masks.count()), terminals / 2);
                let row = |random: &mut SplitMix64| {
                    (0..terminals / 2).map(|_| SwitchState::from_bit(random.next() & 1 == 1)).collect()
                };
                let settings: Settings = (0..network.stages()).map(|_| row(&mut random)).collect();
                let reached = |settings: &Settings| route_settings(&network, settings).destinations;
                for mask in 0..masks.count() {
                    let other = masks.translated(&settings, mask);
                    assert_eq!(reached(&other), reached(&settings), "{} {mask}", network.name());
                    assert_eq!(mask == 0, other == settings);
                    let last = network.stages() as usize - 1;
                    let stuck = [(0, 1), (last / 2, 0), (last, 1)].map(|(stage, switch)| {
                        let (stage, switch) = (StageIdx(stage as u32), SwitchIdx(switch));
                        (stage, switch, other[stage.idx()][switch.idx()])
                    });
                    let stuck: StuckSwitches = stuck.into_iter().collect();
                    let found = masks.find(&settings, &stuck).expect("this mask, or one before it");
                    assert!(
                        found <= mask && super::super::obeys(&masks.translated(&settings, found), &stuck)
                    );
                }
            }
        }
        assert_eq!(Masks::of(&frit_network::butterfly(8).unwrap()), None);
    }
}
