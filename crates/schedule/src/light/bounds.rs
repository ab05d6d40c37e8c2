//! What no settings of a round can fall below.
//!
//! Every message takes one of its ways, and each value of its own bits c is taken by exactly two messages, those that meet in the middle switch of this number. So
//! messages are matched with values of c, two with each; what else keeps messages apart is left out. Crosstalk has a second bound, that of the average message.

use super::paths::{Way, Ways};
use super::{Meter, ratio};
use frit_network::{Aim, Light, SwitchState};

/// The least that the figures of a round with these ways can be.
pub fn bound(meter: &Meter, ways: &Ways, aim: Aim) -> u64 {
    match aim {
        Aim::Loss => bottleneck(&costs(ways, |way| way.loss as u64)),
        Aim::Spread => narrowest(&costs(ways, |way| way.loss as u64)),
        Aim::Crosstalk => {
            let most = most_lost(meter);
            let matched = bottleneck(&costs(ways, |way| {
                let mut lost = 0;
                let leaks = way.outputs.iter().enumerate().map(|(stage, output)| {
                    let crossed = way.crossed >> stage & 1 == 1;
                    let through = meter.light.of(SwitchState::from_bit(crossed));
                    lost += meter.crossings[stage][(output ^ u32::from(crossed)) as usize];
                    let leak = ratio(through.crosstalk + lost - most[stage]);
                    lost += through.loss;
                    leak
                });
                leaks.sum()
            }));
            matched.max(average(meter))
        }
    }
}

/// The crosstalk of the average message at least: what two messages of different strength leak into each other is together no less than twice
/// what equal ones do (x + 1/x >= 2).
fn average(meter: &Meter) -> u64 {
    let Light { straight, cross, crossing } = *meter.light;
    let (least, stages) = (ratio(straight.crosstalk.min(cross.crosstalk)), u64::from(meter.network.stages()));
    // Ratios are rounded, which counts where they are small: two of 10^-4 and more that are a thousandth of a decibel apart have
    // together 5 more than twice the middle.
    let exact = least >= 100_000_000 || (straight.loss == cross.loss && crossing == 0);
    stages * (least - u64::from(!exact))
}

/// `[message][c]`.
fn costs(ways: &Ways, cost: impl Fn(&Way) -> u64) -> Vec<Vec<u64>> {
    ways.iter().map(|all| all.iter().map(&cost).collect()).collect()
}

/// For each stage the most that a message can have lost on its way to it.
fn most_lost(meter: &Meter) -> Vec<i64> {
    let each = meter.light.straight.loss.max(meter.light.cross.loss);
    let mut most = 0;
    let column = |stage: usize| meter.crossings[stage].iter().max().copied().unwrap_or(0);
    (0..meter.network.stages() as usize)
        .map(|stage| {
            let here = most + column(stage);
            most = here + each;
            here
        })
        .collect()
}

/// The values that costs have, each once, sorted.
fn values(costs: &[Vec<u64>]) -> Vec<u64> {
    let mut values: Vec<u64> = costs.iter().flatten().copied().collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The least cost such that the messages can be matched at no greater one.
fn bottleneck(costs: &[Vec<u64>]) -> u64 {
    let values = values(costs);
    let too_small = values.partition_point(|&most| !matched(costs, 0, most));
    values[too_small.min(values.len() - 1)]
}

/// The least difference of two costs such that the messages can be matched at costs from one to the other.
fn narrowest(costs: &[Vec<u64>]) -> u64 {
    let values = values(costs);
    let (mut low, mut narrowest) = (0, values[values.len() - 1] - values[0]);
    for &high in &values {
        while matched(costs, values[low], high) {
            narrowest = narrowest.min(high - values[low]);
            low += 1;
            if values.get(low).is_none_or(|&value| value > high) {
                return narrowest;
            }
        }
    }
    narrowest
}

/// Whether every message can have a value of c with a cost in the range, each value being taken twice.
fn matched(costs: &[Vec<u64>], least: u64, most: u64) -> bool {
    let slots = costs[0].len();
    let mut takers: Vec<Vec<usize>> = vec![Vec::new(); slots];
    (0..costs.len()).all(|message| {
        let mut seen = vec![false; slots];
        place(message, costs, least, most, &mut takers, &mut seen)
    })
}

fn place(
    message: usize,
    costs: &[Vec<u64>],
    least: u64,
    most: u64,
    takers: &mut [Vec<usize>],
    seen: &mut [bool],
) -> bool {
    for slot in 0..seen.len() {
        if seen[slot] || !(least..=most).contains(&costs[message][slot]) {
            continue;
        }
        seen[slot] = true;
        if takers[slot].len() < 2 {
            takers[slot].push(message);
            return true;
        }
        for at in 0..2 {
            let other = takers[slot][at];
            if place(other, costs, least, most, takers, seen) {
                takers[slot][at] = message;
                return true;
            }
        }
    }
    false
}
