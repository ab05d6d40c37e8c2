//! All permutations of a small network, each with all its settings.

use super::{Figures, Meter, in_decibels};
use crate::looping;
use crate::route::route_settings;
use crate::stuck::Settings;
use frit_network::{Aim, SwitchState};
use std::collections::BTreeMap;

/// The greatest number of switches whose settings are all tried.
pub const MAX_SWITCHES: u64 = 20;

/// What is gained by the least figure of each permutation, in decibels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gain {
    /// Over all permutations, on average.
    pub mean: f64,
    /// Of the permutation with the greatest.
    pub most: f64,
}

/// What choosing is worth for one aim, over all permutations that the network can be set for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// Permutations.
    pub permutations: u64,
    /// The greatest figure of any settings.
    pub greatest: u64,
    /// The greatest of the least figures: no permutation needs more.
    pub least: u64,
    /// Against the settings with the greatest figure.
    pub over_worst: Gain,
    /// Against the settings of the looping algorithm, on a Beneš network.
    pub over_looping: Option<Gain>,
}

/// Least and greatest figure of each permutation.
type Ranges = BTreeMap<Vec<u32>, [[u64; 2]; 3]>;

/// For each of [`Aim::ALL`]. None if the network has more than [`MAX_SWITCHES`] switches.
pub fn every(meter: &mut Meter, is_benes: bool) -> Option<[Worth; 3]> {
    let network = meter.network;
    if network.switches() > MAX_SWITCHES {
        return None;
    }
    let (per_stage, mut ranges) = (network.switches_per_stage() as usize, Ranges::new());
    for number in 0u32..1 << network.switches() {
        let state = |at: usize| SwitchState::from_bit(number >> at & 1 == 1);
        let row = |stage: usize| (0..per_stage).map(|switch| state(stage * per_stage + switch)).collect();
        let settings: Settings = (0..network.stages() as usize).map(row).collect();
        let reached = route_settings(network, &settings).destinations;
        let figures = meter.figures(&settings);
        let range = ranges.entry(reached).or_insert([[u64::MAX, 0]; 3]);
        for (range, (_, aim)) in range.iter_mut().zip(Aim::ALL) {
            let figure = figures.of(aim);
            *range = [range[0].min(figure), range[1].max(figure)];
        }
    }
    let mut looped = |permutation: &Vec<u32>| {
        is_benes.then(|| meter.figures(&looping::settings(permutation).expect("the network has this size")))
    };
    let looped: Vec<Option<Figures>> = ranges.keys().map(&mut looped).collect();
    let worth = |at: usize| {
        let aim = Aim::ALL[at].1;
        let of_aim = ranges.values().map(|range| range[at]);
        let looped = looped.iter().flatten().map(|figures| figures.of(aim));
        let over_looping = is_benes.then(|| gain(aim, of_aim.clone().map(|range| range[0]).zip(looped)));
        Worth {
            permutations: ranges.len() as u64,
            greatest: of_aim.clone().map(|range| range[1]).max().unwrap_or(0),
            least: of_aim.clone().map(|range| range[0]).max().unwrap_or(0),
            over_worst: gain(aim, of_aim.map(|range| (range[0], range[1]))),
            over_looping,
        }
    };
    Some([0, 1, 2].map(worth))
}

/// From least figures and others.
fn gain(aim: Aim, figures: impl Iterator<Item = (u64, u64)>) -> Gain {
    let gains: Vec<f64> =
        figures.map(|(least, other)| in_decibels(aim, other) - in_decibels(aim, least)).collect();
    Gain {
        mean: gains.iter().sum::<f64>() / gains.len() as f64,
        most: gains.iter().copied().fold(0.0, f64::max),
    }
}
