//! Demands on the optical butterfly. One bit sets all routers in a cycle, and a word of r − 1 bits, the *window* that begins in the
//! cycle after the words enter, decides which pairs are joined. Each cycle gives a new window, which shares all bits but one with the
//! last one: a sequence of windows is a walk in the de Bruijn graph.
//!
//! A walk must be at each window as often as its longest pair has words. It goes to the neighbour that lacks more, and if neither
//! lacks any, on a shortest path to a window that does.

use crate::exchange::{Exchange, Machine, Slot, State};
use frit_network::{Refusal, RoundIdx, StageIdx, SwitchIdx, refusal};
use frit_schedule::Plan;

/// A plan that has a state for each round, and more rounds than are allowed: attached to its refusal.
pub struct TooLong {
    pub name: String,
    /// Rounds that there must be.
    pub rounds: u64,
}

pub(crate) fn too_long(plan: &Plan, rounds: u64, most: u64) -> Refusal {
    let name = plan.name();
    refusal!(
        "{name} needs {rounds} rounds or more for this demand, each with a control bit of its own, but at most {most} are allowed; give a demand of fewer words, or use a system that holds its rounds, for example rls"
    )
    .with(TooLong { name, rounds })
}

/// The windows of a plan's own exchange: the state bits of each slot, the first stage's most significant.
fn windows(plan: &Plan) -> Vec<u32> {
    let bit =
        |slot, stage| plan.stage_state(slot, StageIdx(stage), SwitchIdx(0)).is_some_and(|state| state.bit());
    let window =
        |slot| (0..plan.network.stages()).fold(0, |word, stage| word << 1 | u32::from(bit(slot, stage)));
    RoundIdx::all(plan.rounds).map(window).collect()
}

/// The exchange whose windows are those of the plan's slots, each `lengths[slot]` times at least. `tick` is told how many rounds that
/// carry words have been planned, and of how many.
///
/// # Errors
/// The walk has more than `most` rounds. This is noticed before there is memory for them.
pub fn exchange(
    plan: Plan,
    lengths: &[u32],
    most: u64,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<Exchange, Refusal> {
    let windows = windows(&plan);
    let mut lacking = vec![0u32; windows.len()];
    windows.iter().zip(lengths).for_each(|(&window, &length)| lacking[window as usize] = length);
    let walk = walk(plan.network.stages(), lacking, most, tick);
    let walk = walk.map_err(|rounds| too_long(&plan, rounds, most))?;
    Ok(finish(plan, walk))
}

/// The plan's own exchange so many times.
pub fn repeated(plan: Plan, times: u32) -> Exchange {
    let windows = windows(&plan);
    let walk = windows.repeat(times as usize);
    finish(plan, walk)
}

fn finish(plan: Plan, walk: Vec<u32>) -> Exchange {
    let width = plan.network.stages();
    let first = walk.first().map_or(0, |window| window >> 1);
    let mut bits: Vec<bool> = (0..width - 1).rev().map(|bit| first >> bit & 1 == 1).collect();
    bits.extend(walk.iter().map(|window| window & 1 == 1));
    let slots = walk.iter().map(|_| Slot { hold: 1, state: State::Bits }).collect();
    Exchange { machine: Machine::Systolic(Box::new(plan), bits), slots }
}

/// Rounds between two calls of `tick`.
const TICK: usize = 1 << 16;

/// Windows of `width` bits, each following from the last, that are at each window as often as it lacks. If these are more than `most`,
/// the error is a number of them that there must be.
fn walk(
    width: u32,
    mut lacking: Vec<u32>,
    most: u64,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<Vec<u32>, u64> {
    let mask = lacking.len() as u32 - 1;
    let all: u64 = lacking.iter().map(|&count| u64::from(count)).sum();
    let mut left = all;
    let mut walk: Vec<u32> = Vec::new();
    let mut search = Search { from: vec![u32::MAX; lacking.len()], queue: Vec::new() };
    assert_eq!(lacking.len(), 1 << width, "a count for each window");
    let first = (0..=mask).max_by_key(|&window| (lacking[window as usize], std::cmp::Reverse(window)));
    let mut path = vec![first.unwrap_or(0)];
    while left > 0 {
        // Each round that is left takes a window of its own.
        let least = walk.len() as u64 + path.len() as u64 - 1 + left;
        if least > most {
            return Err(least);
        }
        for &window in &path {
            if walk.len().is_multiple_of(TICK) {
                tick(all - left, all);
            }
            walk.push(window);
            let lacks = &mut lacking[window as usize];
            left -= u64::from(*lacks > 0);
            *lacks = lacks.saturating_sub(1);
        }
        let at = walk[walk.len() - 1];
        let [zero, one] = [0, 1].map(|bit| (at << 1 | bit) & mask);
        let need = |window: u32| lacking[window as usize];
        path.clear();
        match (need(zero), need(one)) {
            (0, 0) => search.nearest(at, mask, &lacking, &mut path),
            (a, b) => path.push(if b > a { one } else { zero }),
        }
    }
    Ok(walk)
}

/// Breadth-first search with room that is used again.
struct Search {
    from: Vec<u32>,
    queue: Vec<u32>,
}

impl Search {
    /// The windows behind `start` on a shortest way to one that lacks words.
    fn nearest(&mut self, start: u32, mask: u32, lacking: &[u32], path: &mut Vec<u32>) {
        self.from.fill(u32::MAX);
        self.queue.clear();
        self.queue.push(start);
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            for to in [0, 1].map(|bit| (at << 1 | bit) & mask) {
                if self.from[to as usize] != u32::MAX {
                    continue;
                }
                self.from[to as usize] = at;
                if lacking[to as usize] == 0 {
                    self.queue.push(to);
                    continue;
                }
                let mut place = to;
                while place != start || path.is_empty() {
                    path.push(place);
                    place = self.from[place as usize];
                }
                path.reverse();
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_walk_follows_the_graph_and_gives_what_lacks(width in 1u32..8, most in 1u32..20, seed in any::<u64>()) {
            let mut random = frit_traffic::random::SplitMix64(seed);
            let lacking: Vec<u32> = (0..1 << width).map(|_| random.below(most).saturating_sub(most / 2)).collect();
            let mut told = Vec::new();
            let most = u64::from((width * most) << width);
            let walk = walk(width, lacking.clone(), most, &mut |done, of| told.push((done, of))).unwrap();
            let all = lacking.iter().map(|&count| u64::from(count)).sum();
            prop_assert!(told.len() == usize::from(all > 0) && told.iter().all(|&told| told == (0, all)));
            let mask = (1u32 << width) - 1;
            prop_assert!(walk.windows(2).all(|pair| pair[0] << 1 & mask == pair[1] & !1));
            let mut seen = vec![0; lacking.len()];
            walk.iter().for_each(|&window| seen[window as usize] += 1);
            prop_assert!(seen.iter().zip(&lacking).all(|(seen, lacking)| seen >= lacking));
        }
    }

    #[test]
    fn one_window_that_lacks_words_costs_its_cycle_in_the_graph() {
        // 0000 follows itself; 0101 comes back after two steps.
        let of = |window: usize| {
            let mut lacking = vec![0; 16];
            lacking[window] = 10;
            walk(4, lacking, 100, &mut |_, _| ()).unwrap().len()
        };
        assert_eq!((of(0), of(5), of(1)), (10, 19, 37));
    }

    #[test]
    fn a_walk_that_is_too_long_is_refused_before_it_is_stored() {
        let of = |most: u64| {
            let mut lacking = vec![0; 16];
            lacking[1] = 10;
            walk(4, lacking, most, &mut |_, _| ()).map(|walk| walk.len())
        };
        assert_eq!((of(37), of(9), of(0)), (Ok(37), Err(10), Err(10)));
        // What is noticed on the way is no more than there must be, and more than is allowed.
        (10..37).for_each(|most| assert!(of(most).is_err_and(|least| most < least && least <= 37), "{most}"));
        // Sums whose windows alone would take 240 GiB.
        let many = walk(4, vec![u32::MAX; 16], 1 << 20, &mut |_, _| ());
        assert_eq!(many, Err(16 * u64::from(u32::MAX)));
    }

    #[test]
    fn a_long_walk_says_how_far_it_is() {
        let mut told = Vec::new();
        let mut lacking = vec![0; 16];
        lacking[0] = 3 << 16;
        walk(4, lacking, u64::MAX, &mut |done, of| told.push((done, of))).unwrap();
        assert_eq!(told, [0, 1, 2].map(|part| (part << 16, 3 << 16)));
    }
}
