//! Rounds that no exchange can do without, by what must pass.
//!
//! In a round every place of the network carries one message. So over R rounds places with *weights* w carry messages of the weight
//! R·Σw in all. A message from s to d has on its way at least the weight of its lightest path, and each pair needs a message. Hence
//!
//! > R · Σ w(place) ≥ Σ over pairs (s, d) of the least Σ w along a path from s to d,
//!
//! whatever the weights. The best weights are the solution of a linear program; they are scaled to whole numbers, and the bound is worked out from
//! these alone, so that a mistake of the solver makes it weaker and never wrong.

use crate::Places;
use crate::shifts::{Shift, shifts};
use frit_network::Network;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use serde::Serialize;
use web_time::Instant;

/// Variables of the largest linear program that is solved; beyond it the bound is the trivial one.
const LARGEST: usize = 30_000;

/// Weights are whole numbers when multiplied by this, or are rounded: it has all divisors up to 16.
const SCALE: f64 = 720_720.0;

/// The largest weight: N² paths of 2^16 of them are still less than 2^64.
const MOST: f64 = 1e9;

/// A number of rounds with its reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bound {
    /// At least so many.
    pub rounds: u32,
    /// The places that are weighed; all others weigh nothing. Empty where it is only that an output takes one message a round.
    pub weights: Vec<Weight>,
    /// What a round carries: the sum of the weights.
    pub carried: u64,
    /// What the messages of all pairs weigh at least.
    pub needed: u64,
}

/// Places of one column that weigh the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Weight {
    /// Behind so many stages.
    pub stages: u32,
    /// The places: output ports of the last of these stages.
    pub places: Vec<u32>,
    pub weight: u64,
}

/// `weights[k][x]` of place x of column k.
type Weights<T> = Vec<Vec<T>>;

/// The bound of given weights, worked out from all paths. `weights[k][x]` is that of output port x of stage k - 1, `weights[0]` of inputs.
///
/// # Panics
///
/// If there are not so many weights as places.
pub fn of_weights(network: &Network, weights: &Weights<u64>) -> Bound {
    let places = Places::of(network);
    let lanes = places.lanes();
    assert!(weights.len() == places.stages() + 1 && weights.iter().all(|row| row.len() == lanes as usize));
    let carried: u64 = weights.iter().flatten().sum();
    let needed: u64 = (0..lanes).map(|source| lightest(&places, weights, source).iter().sum::<u64>()).sum();
    let mut grouped = Vec::new();
    for (stages, row) in (0..).zip(weights) {
        let mut values: Vec<u64> = row.iter().copied().filter(|&weight| weight > 0).collect();
        values.sort_unstable();
        values.dedup();
        let places = |weight| (0..lanes).filter(|&x| row[x as usize] == weight).collect();
        grouped.extend(values.into_iter().map(|weight| Weight { stages, places: places(weight), weight }));
    }
    let rounds = needed.div_ceil(carried.max(1)) as u32;
    Bound { rounds, weights: grouped, carried, needed }
}

/// The least weight of a path from `source` to each output that it reaches; nothing to others.
fn lightest(places: &Places, weights: &Weights<u64>, source: u32) -> Vec<u64> {
    let lanes = places.lanes() as usize;
    let mut least = vec![None; lanes];
    least[source as usize] = Some(weights[0][source as usize]);
    for stage in 0..places.stages() {
        let mut behind: Vec<Option<u64>> = vec![None; lanes];
        for x in 0..places.lanes() {
            let Some(so_far) = least[x as usize] else { continue };
            for y in places.next(stage, x).map(|y| y as usize) {
                let there = so_far + weights[stage + 1][y];
                behind[y] = Some(behind[y].map_or(there, |other: u64| other.min(there)));
            }
        }
        least = behind;
    }
    least.into_iter().map(Option::unwrap_or_default).collect()
}

/// An input and an output that no path joins: with such there is no exchange at all.
pub fn apart(network: &Network) -> Option<(u32, u32)> {
    let places = Places::of(network);
    (0..places.lanes()).find_map(|source| {
        let last = places.reach(source).pop().expect("the last column");
        let unseen = (0..places.lanes()).find(|&x| !last[x as usize])?;
        Some((source, places.output(unseen)))
    })
}

/// The best bound that weights give, or as good a one as is found until then. Weights may be taken to be the same for all places that the network's shifts exchange (the mean
/// over all shifts of good weights is as good), so the linear program has a variable for each such class of places only.
pub fn best(network: &Network, until: Option<Instant>) -> Bound {
    let places = Places::of(network);
    let lanes = places.lanes() as usize;
    let trivial = Bound { rounds: network.lanes(), weights: Vec::new(), carried: 1, needed: lanes as u64 };
    let classes = classes(&places, &shifts(network)[0]);
    let sources = (0..places.lanes()).filter(|&source| classes[0][source as usize] == source);
    let variables = sources.map(|source| places.reach(source).iter().flatten().filter(|&&seen| seen).count());
    if variables.sum::<usize>() > LARGEST {
        return trivial;
    }
    let weighed = solve(&places, &classes, until).map(|weights| of_weights(network, &smallest(weights)));
    weighed.filter(|bound| bound.rounds > trivial.rounds).unwrap_or(trivial)
}

/// `class[k][x]`: the least place of column k that the shift, done again and again, takes x to.
fn classes(places: &Places, shift: &Shift) -> Vec<Vec<u32>> {
    let row = |row: &Vec<u32>| {
        let mut class: Vec<u32> = (0..places.lanes()).collect();
        for x in 0..places.lanes() {
            let mut y = row[x as usize];
            while y != x {
                class[x as usize] = class[x as usize].min(y);
                y = row[y as usize];
            }
        }
        class
    };
    shift.places.iter().map(row).collect()
}

/// The best weights, good ones if the time is over, or none if the solver has none. Variables: a weight for each class; for each source (one for all that are shifted
/// to one another) and each place that it reaches, the least weight of a path to it.
fn solve(places: &Places, classes: &[Vec<u32>], until: Option<Instant>) -> Option<Weights<f64>> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let free = (0.0, f64::INFINITY);
    let lanes = places.lanes();
    // Inputs and outputs carry what they must in any case: only places between stages are weighed.
    let inner = 1..places.stages();
    let mut weights: Vec<Vec<Option<Variable>>> = vec![vec![None; lanes as usize]; places.stages() + 1];
    let mut sum: Vec<(Variable, f64)> = Vec::new();
    for k in inner {
        for class in (0..lanes).filter(|&x| classes[k][x as usize] == x) {
            let alike = |x: &u32| classes[k][*x as usize] == class;
            let weight = problem.add_var(0.0, free);
            (0..lanes).filter(alike).for_each(|x| weights[k][x as usize] = Some(weight));
            sum.push((weight, (0..lanes).filter(alike).count() as f64));
        }
    }
    problem.add_constraint(sum, ComparisonOp::Eq, 1.0);
    for source in (0..lanes).filter(|&source| classes[0][source as usize] == source) {
        let alike = (0..lanes).filter(|&other| classes[0][other as usize] == source).count() as f64;
        let reach = places.reach(source);
        let mut least: Vec<Vec<Option<Variable>>> = vec![vec![None; lanes as usize]; places.stages() + 1];
        for k in 1..=places.stages() {
            let worth = if k == places.stages() { alike } else { 0.0 };
            for x in (0..lanes as usize).filter(|&x| reach[k][x]) {
                least[k][x] = Some(problem.add_var(worth, free));
            }
        }
        for k in 0..places.stages() {
            for x in (0..lanes).filter(|&x| reach[k][x as usize]) {
                for y in places.next(k, x).map(|y| y as usize) {
                    // least(y) <= least(x) + weight(y)
                    let terms =
                        [(least[k + 1][y], 1.0), (least[k][x as usize], -1.0), (weights[k + 1][y], -1.0)];
                    let terms = terms.into_iter().filter_map(|(variable, factor)| Some((variable?, factor)));
                    problem.add_constraint(terms.collect::<Vec<_>>(), ComparisonOp::Le, 0.0);
                }
            }
        }
    }
    if let Some(until) = until {
        problem.set_time_limit(until.saturating_duration_since(Instant::now()));
    }
    let solution = problem.solve().ok()?.into_solution().ok()?;
    let value = |variable: &Option<Variable>| variable.map_or(0.0, |variable| solution.var_value(variable));
    Some(weights.iter().map(|row| row.iter().map(value).collect()).collect())
}

/// The weights as whole numbers without a common factor.
fn smallest(weights: Weights<f64>) -> Weights<u64> {
    let least =
        weights.iter().flatten().copied().filter(|&weight| weight > 1e-9).fold(f64::INFINITY, f64::min);
    let largest = weights.iter().flatten().copied().fold(0.0, f64::max);
    // In terms of the least one they are fractions with small denominators. Where that one is noise, the sums must still fit.
    let scale = (SCALE / least).min(MOST / largest);
    let scaled = |weight: &f64| (weight * scale).round() as u64;
    let whole: Weights<u64> = weights.iter().map(|row| row.iter().map(scaled).collect()).collect();
    let common = whole.iter().flatten().fold(0, |a, &b| divisor(a, b)).max(1);
    whole.into_iter().map(|row| row.into_iter().map(|weight| weight / common).collect()).collect()
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::{benes, butterfly, shuffle_exchange};

    #[test]
    fn what_must_pass_on_shuffle_exchange_networks() {
        // As the handbook's table has it; where N is 2 mod 4, and for 36 and 68, counting forbids nothing.
        let bounds = [
            (4, 4),
            (6, 6),
            (8, 8),
            (10, 10),
            (12, 16),
            (18, 18),
            (20, 24),
            (24, 32),
            (28, 32),
            (30, 30),
            (36, 36),
        ];
        for (terminals, rounds) in bounds {
            assert_eq!(best(&shuffle_exchange(terminals).unwrap(), None).rounds, rounds, "N = {terminals}");
        }
    }

    #[test]
    fn a_certificate_is_checked_by_its_weights_alone() {
        let network = shuffle_exchange(12).unwrap();
        // Behind two stages, the places that are 1 mod 4: a round carries 3, and each of 12 sources has 4 destinations
        // to which there is no other way.
        let mut weights = vec![vec![0; 12]; 5];
        [1, 5, 9].into_iter().for_each(|x| weights[2][x] = 1);
        let bound = of_weights(&network, &weights);
        assert_eq!((bound.rounds, bound.carried, bound.needed), (16, 3, 48));
        assert_eq!(bound.weights, [Weight { stages: 2, places: vec![1, 5, 9], weight: 1 }]);
        // Weights that mean nothing prove nothing.
        weights[2] = vec![1; 12];
        assert_eq!(of_weights(&network, &weights).rounds, 12);
        assert_eq!(of_weights(&network, &vec![vec![0; 12]; 5]).rounds, 0);
    }

    #[test]
    fn weights_become_whole_numbers_that_fit() {
        assert_eq!(smallest(vec![vec![0.0, 0.25, 0.75]]), [[0, 1, 3]]);
        assert_eq!(smallest(vec![vec![0.0; 3]]), [[0; 3]]);
        let noisy = smallest(vec![vec![1.1e-9, 0.3, 0.5]]);
        assert!(noisy[0][2] <= MOST as u64 && noisy[0][1] > 0, "{noisy:?}");
    }

    #[test]
    fn networks_of_other_kinds() {
        assert_eq!(best(&butterfly(8).unwrap(), None).rounds, 8);
        assert_eq!(best(&benes(4).unwrap(), None).rounds, 4);
        // One stage joins 0 with 0 and 1 only: the bound counts what is reached, and of 4 outputs that are 2.
        let cut = Network::new("cut", 4, vec![vec![0, 1, 2, 3], vec![0, 1, 2, 3]]).unwrap();
        assert_eq!(best(&cut, None).rounds, 4);
        // So many rounds would not do either: there is no path.
        assert_eq!(apart(&cut), Some((0, 2)));
        assert_eq!(apart(&butterfly(8).unwrap()), None);
    }

    #[test]
    fn without_time_the_bound_is_weaker_and_not_wrong() {
        // 48 lanes wired at random, in which the linear program has much to do.
        let mut seed = 1_u64;
        let mut row = || {
            let mut row: Vec<u32> = (0..48).collect();
            for at in (1..48).rev() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                row.swap(at, (seed >> 33) as usize % (at + 1));
            }
            row
        };
        let network = Network::new("wild", 48, (0..10).map(|_| row()).collect()).unwrap();
        let bound = best(&network, Some(Instant::now()));
        assert_eq!((bound.rounds, bound.weights), (48, Vec::new()));
    }
}
