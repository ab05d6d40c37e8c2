//! Plans with few configurations, for networks that take δ words of time to change theirs, s of them side by side, with room for K
//! configurations in each one's memory.
//!
//! A line (row or column) with `sum` words in `pairs` pairs needs (sum + δ · pairs) / s, so the largest of these *loads* is a bound. A
//! configuration that is held for a rounds costs a + δ; of a line's load it takes w + δ if it ends a pair of w ≤ a words, and a if it
//! leaves some of the pair's words. What it takes less than a + δ is *lost*, and a line may lose no more than its load is below
//! the time that the plan is allowed. So the planner fixes a time, a little above the bound, and searches perfect matchings on cells
//! that lose no more than their share, with long holds first. What is left when there is none is [covered](cover) pair by pair. This is done
//! for several times, shares and values of δ, and for prefixes of the exact plan. The best of these plans and of a cover of the whole demand gets
//! new holds ([`again`]), if it is not at the bound yet.

mod again;
mod cover;
mod search;

use crate::demand::Demand;
use crate::matching::Matching;
use crate::peel::{Held, permutations, stuffed};
use cover::heaviest;
use frit_network::{Refusal, refuse};
use search::within;

pub use again::again;

/// What the networks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fabric {
    /// δ: the time to change a configuration, in words.
    pub delta: u32,
    /// s: networks side by side.
    pub planes: u32,
    /// K: the most configurations of each; `None` is no limit.
    pub matchings: Option<u32>,
}

impl Fabric {
    /// Whether there is room for a plan.
    fn check(self, demand: &Demand) -> Result<(), Refusal> {
        let least = demand.least_configurations();
        let room = self.matchings.map(|matchings| matchings.saturating_mul(self.planes));
        if let (Some(given), Some(room)) = (self.matchings, room)
            && room < least
        {
            let planes = self.planes;
            refuse!(
                "{given} configurations are too few: a terminal has words in {least} pairs, and {planes} networks join at most {planes} of them at a time; give at least {}",
                least.div_ceil(planes)
            );
        }
        Ok(())
    }
}

/// A plan: the configurations of each network, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Few {
    /// For each network its configurations.
    pub planes: Vec<Vec<Held>>,
    /// The time of the network that ends last, in words: its rounds, and δ for each configuration.
    pub time: u64,
}

impl Few {
    pub fn configurations(&self) -> usize {
        self.planes.iter().map(Vec::len).sum()
    }

    /// All configurations, of one network after the other.
    pub fn all(&self) -> Vec<Held> {
        self.planes.concat()
    }
}

pub fn plan(demand: &Demand, fabric: Fabric) -> Result<Few, Refusal> {
    plan_ticking(demand, fabric, &mut |_, _| ())
}

/// The times that are tried, in percent of the bound, and how much more than its even share a line may lose in a configuration.
const PERCENTS: [u64; 8] = [100, 102, 105, 110, 120, 135, 160, 200];
const SHARES: [u64; 2] = [3, 8];

/// A plan within so many percent of the bound is hardly ever improved.
const NEAR: u64 = 103;

/// From so many terminals on searches that hardly ever win are left out.
const LARGE: usize = 512;

/// The same; `tick` is told how many searches are done, and of how many.
///
/// # Errors
///
/// Too few configurations.
pub fn plan_ticking(demand: &Demand, fabric: Fabric, tick: &mut dyn FnMut(u64, u64)) -> Result<Few, Refusal> {
    fabric.check(demand)?;
    let n = demand.terminals() as usize;
    let mut best = Best::new(demand, fabric);
    let exact = permutations(demand);
    best.consider(exact.clone());
    if !best.is_least() {
        best.consider(cover(n, demand.matrix().to_vec()));
        prefixes(&exact, &mut best);
    }
    // A larger δ than the real one gives fewer configurations: that counts with room for few of them, and often where each costs time.
    let average = (demand.total() / demand.nonzeros().max(1)) as u32;
    let mut deltas = vec![fabric.delta];
    if fabric.matchings.is_some() || fabric.delta > 0 {
        let more = [1, 4].map(|times| average.max(1).saturating_mul(times));
        deltas.extend(more.map(|more| fabric.delta.saturating_add(more)));
    }
    let searches = (deltas.len() * PERCENTS.len() * SHARES.len()) as u64;
    let mut done = 0;
    for delta in deltas {
        for percent in PERCENTS {
            for share in SHARES {
                tick(done, searches);
                done += 1;
                // A search in more time than the best plan takes rarely finds a better one.
                let is_long = best.is_within(NEAR) || n > LARGE && delta == fabric.delta;
                let is_late = is_long && best.is_within(percent);
                if best.is_least() || is_late {
                    continue;
                }
                if let Some(held) = within(&best, delta, percent, share) {
                    best.consider(held);
                }
            }
        }
    }
    let is_done = best.is_least() || n > LARGE;
    let few = best.few.expect("a cover has as few configurations as there can be");
    if is_done {
        return Ok(few);
    }
    // Its configurations may carry the demand in less time with other holds.
    let weighed = again(demand, &few.all(), fabric)?;
    Ok(if weighed.time < few.time { weighed } else { few })
}

/// The best plan so far.
struct Best<'a> {
    demand: &'a Demand,
    fabric: Fabric,
    /// No plan takes less: a fraction.
    bound: (u64, u32),
    few: Option<Few>,
}

impl<'a> Best<'a> {
    fn new(demand: &'a Demand, fabric: Fabric) -> Self {
        Best { demand, fabric, bound: demand.time_bound(fabric.delta, fabric.planes), few: None }
    }

    fn consider(&mut self, held: Vec<Held>) {
        let few = spread(&trimmed(self.demand, held), self.fabric);
        let most = self.fabric.matchings.map_or(usize::MAX, |most| most as usize);
        let fits = few.planes.iter().all(|plane| plane.len() <= most);
        if fits && self.time().is_none_or(|best| few.time < best) {
            self.few = Some(few);
        }
    }

    fn time(&self) -> Option<u64> {
        self.few.as_ref().map(|best| best.time)
    }

    /// Whether no plan can take less time, but for a thousandth.
    fn is_least(&self) -> bool {
        let (time, planes) = self.bound;
        let least = time.div_ceil(planes.into());
        self.few.as_ref().is_some_and(|best| best.time <= least + least / 1000)
    }

    /// Whether the best plan takes at most so many percent of the bound.
    fn is_within(&self, percent: u64) -> bool {
        let (time, planes) = self.bound;
        self.few.as_ref().is_some_and(|best| best.time * u64::from(planes) * 100 <= time * percent)
    }

    /// Whether a plan is hopeless whose configurations take so much time in all: [`trimmed`] makes plans shorter, though hardly by a tenth.
    fn is_behind(&self, time: u64) -> bool {
        let planes = u64::from(self.fabric.planes);
        self.few.as_ref().is_some_and(|best| time > best.time.saturating_mul(planes).saturating_mul(11) / 10)
    }
}

/// The plan of the shortest time that is known without a limit of configurations: where changing them takes no time it has h rounds, as
/// few as there can be on one network.
pub fn shortest(demand: &Demand, delta: u32, planes: u32) -> Result<Few, Refusal> {
    let fabric = Fabric { delta, planes, matchings: None };
    match (delta, planes) {
        (0, 1) => Ok(spread(&permutations(demand), fabric)),
        _ => plan(demand, fabric),
    }
}

/// The first configurations of the exact plan, and a cover of what they leave.
fn prefixes(exact: &[Held], best: &mut Best) {
    let n = best.demand.terminals() as usize;
    let mut words = best.demand.matrix().to_vec();
    let step = (exact.len() / 12).max(1);
    for (at, held) in exact.iter().enumerate() {
        if best.is_least() {
            return;
        }
        held.take_from(&mut words);
        if (at + 1) % step == 0 && at + 1 < exact.len() {
            best.consider([&exact[..=at], &rest(n, words.clone())].concat());
        }
    }
}

/// Permutations that join each pair with words in at least as many rounds, as few as there can be. With at most 512 terminals each permutation has the
/// most words, with more of them it is any one of large pairs.
pub fn cover(n: usize, words: Vec<u32>) -> Vec<Held> {
    if n > LARGE { patch(n, words) } else { heaviest(n, words) }
}

/// The same, in less time, for what a plan leaves: only of few pairs the permutations with the most words are searched.
fn rest(n: usize, words: Vec<u32>) -> Vec<Held> {
    let most = pairs_of_lines(n, &words)[..n].iter().copied().max().unwrap_or(0);
    if most > FEW_PAIRS { patch(n, words) } else { cover(n, words) }
}

/// A row with more pairs has many.
const FEW_PAIRS: u32 = 32;

/// How many pairs with words each line has: rows, then columns.
fn pairs_of_lines(n: usize, words: &[u32]) -> Vec<u32> {
    let mut pairs = vec![0; 2 * n];
    for at in (0..n * n).filter(|&at| words[at] > 0) {
        pairs[at / n] += 1;
        pairs[n + at % n] += 1;
    }
    pairs
}

/// Permutations that join each pair with words in at least as many rounds, as few as there can be: pairs are the edges of a graph,
/// filled up to a regular one, and each permutation is a perfect matching of it. Large pairs go together.
fn patch(n: usize, mut words: Vec<u32>) -> Vec<Held> {
    let pairs: Vec<u32> = words.iter().map(|&words| u32::from(words > 0)).collect();
    let degree = pairs_of_lines(n, &words).into_iter().max().unwrap_or(0);
    // What fills up, beside the pairs themselves.
    let mut filling = stuffed(n, &pairs, degree);
    filling.iter_mut().zip(&pairs).for_each(|(full, pair)| *full -= pair);
    let mut held = Vec::new();
    let mut least = words.iter().copied().max().unwrap_or(0);
    let mut matching = Matching::empty(n);
    let mut marked = false;
    while held.len() < degree as usize {
        if !marked {
            matching.allow_where(|row, column| {
                let cell = row * n + column;
                words[cell] >= least.max(1) || filling[cell] > 0
            });
        }
        marked = matching.complete();
        if !marked {
            assert!(least > 1, "a regular graph has a perfect matching");
            least -= least.div_ceil(8);
            continue;
        }
        let mut hold = 0;
        for row in 0..n {
            let cell = row * n + matching.column_of[row] as usize;
            match words[cell] {
                0 => filling[cell] -= 1,
                words => hold = hold.max(words),
            }
            words[cell] = 0;
        }
        held.push(Held { to: columns(&matching.column_of), hold });
        // Of the cells only those that were matched have changed.
        for row in 0..n {
            let column = matching.column_of[row] as usize;
            if filling[row * n + column] == 0 {
                matching.forbid(row, column);
            }
        }
    }
    held
}

pub(crate) fn columns(column_of: &[u32]) -> Vec<u16> {
    column_of.iter().map(|&column| column as u16).collect()
}

/// The same configurations, each held no longer than some pair needs it; those that none needs are left out.
fn trimmed(demand: &Demand, mut held: Vec<Held>) -> Vec<Held> {
    let n = demand.terminals() as usize;
    let mut over: Vec<i64> = demand.matrix().iter().map(|&words| -i64::from(words)).collect();
    for one in &held {
        for (source, &to) in one.to.iter().enumerate() {
            over[source * n + usize::from(to)] += i64::from(one.hold);
        }
    }
    // Short holds first: one that vanishes saves δ.
    held.sort_by_key(|one| one.hold);
    for one in &mut held {
        let cell = |(source, &to): (usize, &u16)| source * n + usize::from(to);
        let spare = one.to.iter().enumerate().map(|pair| over[cell(pair)]).min().unwrap_or(0);
        let less = spare.clamp(0, i64::from(one.hold));
        one.hold -= less as u32;
        one.to.iter().enumerate().for_each(|pair| over[cell(pair)] -= less);
    }
    held.retain(|one| one.hold > 0);
    held
}

/// Distributes configurations among networks: the longest first, each to the network that is free first (R. Graham, 1969); then the longest
/// of the network that ends last is divided while that makes the end earlier.
pub fn spread(held: &[Held], fabric: Fabric) -> Few {
    let (delta, count) = (u64::from(fabric.delta), fabric.planes as usize);
    let mut planes: Vec<Vec<Held>> = vec![Vec::new(); count];
    let mut loads = vec![0u64; count];
    let room = fabric.matchings.map_or(usize::MAX, |most| most as usize);
    let mut order: Vec<&Held> = held.iter().collect();
    order.sort_by_key(|one| std::cmp::Reverse(one.hold));
    for one in order {
        let open = (0..count).filter(|&plane| planes[plane].len() < room);
        let plane = open.min_by_key(|&plane| loads[plane]).unwrap_or(0);
        loads[plane] += u64::from(one.hold) + delta;
        planes[plane].push(one.clone());
    }
    for _ in 0..4 * count {
        let last = (0..count).max_by_key(|&plane| loads[plane]).unwrap_or(0);
        let first = (0..count).min_by_key(|&plane| loads[plane]).unwrap_or(0);
        let move_it = (loads[last] - loads[first]).saturating_sub(delta) / 2;
        let longest = (0..planes[last].len()).max_by_key(|&at| planes[last][at].hold);
        let Some(at) = longest.filter(|&at| move_it > 0 && u64::from(planes[last][at].hold) > move_it) else {
            break;
        };
        if planes[first].len() >= room {
            break;
        }
        let one = &mut planes[last][at];
        one.hold -= move_it as u32;
        let part = Held { to: one.to.clone(), hold: move_it as u32 };
        planes[first].push(part);
        loads[last] -= move_it;
        loads[first] += move_it + delta;
    }
    Few { planes, time: loads.into_iter().max().unwrap_or(0) }
}

/// Plain Birkhoff and von Neumann: any perfect matching on the cells that are left, as often as its smallest cell allows.
pub fn birkhoff(demand: &Demand) -> Vec<Held> {
    let (n, mut left) = (demand.terminals() as usize, demand.h());
    let mut words = stuffed(n, demand.matrix(), left);
    let mut matching = Matching::empty(n);
    matching.allow(&words, 1);
    let mut held = Vec::new();
    while left > 0 {
        assert!(matching.complete(), "every row and column has the same sum");
        let cell = |row: usize| row * n + matching.column_of[row] as usize;
        let hold = (0..n).map(|row| words[cell(row)]).min().unwrap_or(left);
        held.push(Held { to: columns(&matching.column_of), hold });
        for row in 0..n {
            let column = matching.column_of[row] as usize;
            words[row * n + column] -= hold;
            if words[row * n + column] == 0 {
                matching.forbid(row, column);
            }
        }
        left -= hold;
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benes::exchange;
    use crate::generate::{Kind, generate};
    use crate::run::run;

    const KINDS: [Kind; 5] = [
        Kind::Uniform { words: 200 },
        Kind::LogNormal { words: 300, sigma: 1.0 },
        Kind::HotSpot { words: 200, hot: 3, percent: 30 },
        Kind::Sparse { pairs: 4, words: 100 },
        Kind::BlockDiagonal { words: 150, block: 4 },
    ];

    /// Sends every word through the bare network, one configuration after the other.
    fn carries(demand: &Demand, held: Vec<Held>) -> bool {
        run(demand, &exchange(demand.terminals(), held).unwrap(), &mut ()).is_ok()
    }

    #[test]
    fn plans_carry_the_demand_within_their_limits_and_above_the_bound() {
        for (kind, seed) in KINDS.iter().zip(1..) {
            let demand = generate(kind, 16, seed).unwrap();
            for delta in [0, 1, 10, 100] {
                for planes in [1, 2, 4] {
                    for matchings in [None, Some(demand.least_configurations().div_ceil(planes)), Some(32)] {
                        let fabric = Fabric { delta, planes, matchings };
                        let few = plan(&demand, fabric).unwrap();
                        assert!(carries(&demand, few.all()), "{kind:?} {fabric:?}");
                        let (bound, s) = demand.time_bound(delta, planes);
                        assert!(few.time * u64::from(s) >= bound, "{kind:?} {fabric:?}");
                        let most = few.planes.iter().map(Vec::len).max().unwrap();
                        assert!(
                            matchings.is_none_or(|matchings| most <= matchings as usize),
                            "{kind:?} {fabric:?}"
                        );
                        let cost = |plane: &Vec<Held>| {
                            plane.iter().map(|one| u64::from(one.hold + delta)).sum::<u64>()
                        };
                        assert_eq!(few.time, few.planes.iter().map(cost).max().unwrap());
                    }
                }
            }
        }
    }

    #[test]
    fn without_delta_h_rounds_are_enough() {
        for (kind, seed) in KINDS.iter().zip(1..) {
            let demand = generate(kind, 16, seed).unwrap();
            let few = plan(&demand, Fabric { delta: 0, planes: 1, matchings: None }).unwrap();
            assert_eq!(few.time, u64::from(demand.h()), "{kind:?}");
        }
    }

    #[test]
    fn a_cover_has_the_fewest_configurations_and_plain_decompositions_carry_the_demand() {
        for (kind, seed) in KINDS.iter().zip(1..) {
            let demand = generate(kind, 16, seed).unwrap();
            let covered = cover(16, demand.matrix().to_vec());
            assert_eq!(covered.len(), demand.least_configurations() as usize);
            assert!(carries(&demand, covered.clone()));
            // A pair of the longest configuration that was left out has no round, or too few.
            let longest = (0..covered.len()).max_by_key(|&at| covered[at].hold).unwrap();
            let mut short = covered;
            short.remove(longest);
            assert!(!carries(&demand, short));
            let plain = birkhoff(&demand);
            assert_eq!(plain.iter().map(|one| one.hold).sum::<u32>(), demand.h());
            assert!(carries(&demand, plain));
        }
    }

    #[test]
    fn too_few_configurations_are_refused() {
        let demand = generate(&KINDS[0], 16, 1).unwrap();
        let text = |planes, given| {
            plan(&demand, Fabric { delta: 1, planes, matchings: Some(given) }).unwrap_err().to_string()
        };
        assert!(text(1, 15).starts_with("15 configurations are too few: a terminal has words in 16 pairs"));
        assert!(text(2, 7).ends_with("give at least 8"));
        let none = Demand::new(4, vec![0; 16]).unwrap();
        assert_eq!(plan(&none, Fabric { delta: 5, planes: 2, matchings: Some(1) }).unwrap().time, 0);
    }
}
