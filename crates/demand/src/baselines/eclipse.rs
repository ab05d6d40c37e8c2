//! Eclipse: S. Bojja Venkatakrishnan, M. Alizadeh, P. Viswanath, "Costly Circuits, Submodular Schedules and Approximate Carathéodory
//! Theorems", SIGMETRICS 2016.
//!
//! As in the paper: greedy steps. A step takes the matching M and the duration a with the largest *rate*, the sum of min(a, words left) over
//! the pairs of M, divided by a + δ. For one duration M is the matching of the largest weight.
//!
//! What differs:
//! - The paper has a packet network beside the circuits, and a limit of time. Here steps go on until no word is left.
//! - The paper searches a by bisection. Here a first is the best of a grid (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, …: steps of a quarter), and then
//!   the best for the matching that was found, which is always the words of one of its pairs. Rates of the grid only fall as words are taken, so
//!   a duration whose last rate is below the best of this step is not tried (M. Minoux, 1978).
//! - Of durations with the same rate the longest is taken. With δ = 0 no duration is better than the shortest, so a step ends the smallest
//!   pair of a matching of as many pairs as there can be.
//! - The paper has one network. For several, [`few::spread`](crate::few::spread) distributes the configurations.

use crate::assign::Assignment;
use crate::demand::Demand;
use crate::few::columns;
use crate::peel::Held;

/// A duration of the grid.
struct Duration {
    hold: u32,
    /// The words that a configuration of this duration takes, or took earlier, when it could take more.
    taken: i64,
    /// The number of the step in which this was computed.
    step: usize,
    to: Vec<u16>,
}

/// The configurations in the order of the steps; each plane of words takes `delta` words of time to change.
pub fn plan(demand: &Demand, delta: u32) -> Vec<Held> {
    let n = demand.terminals() as usize;
    let mut words = demand.matrix().to_vec();
    let most = words.iter().copied().max().unwrap_or(0);
    let next = |&hold: &u32| Some(hold.saturating_add((hold / 4).max(1)));
    let mut grid: Vec<Duration> = std::iter::successors(Some(1), next)
        .take_while(|&hold| hold < most)
        .chain((most > 0).then_some(most))
        .map(|hold| Duration { hold, taken: i64::MAX, step: usize::MAX, to: Vec::new() })
        .collect();
    let mut assignment = Assignment::new(n);
    let mut held = Vec::new();
    while words.iter().any(|&words| words > 0) {
        let best = loop {
            let rate = |one: &Duration| Rate { taken: one.taken, hold: one.hold, delta };
            let best = grid.iter_mut().max_by_key(|one| rate(one)).expect("a word is left");
            if best.step == held.len() {
                break best;
            }
            let taken = |row: usize, column: usize| words[row * n + column].min(best.hold).into();
            (best.to, best.taken) = heaviest(&mut assignment, taken);
            best.step = held.len();
        };
        let pair = |(row, &to): (usize, &u16)| row * n + usize::from(to);
        let mut pairs: Vec<u32> = best.to.iter().enumerate().map(|at| words[pair(at)]).collect();
        pairs.sort_unstable();
        pairs.retain(|&words| words > 0);
        let mut ended = 0;
        let rates = pairs.iter().enumerate().map(|(at, &hold)| {
            let taken = ended + i64::from(hold) * (pairs.len() - at) as i64;
            ended += i64::from(hold);
            Rate { taken, hold, delta }
        });
        let hold = rates.max().expect("a matching that takes words").hold;
        best.to.iter().enumerate().for_each(|at| words[pair(at)] = words[pair(at)].saturating_sub(hold));
        held.push(Held { to: best.to.clone(), hold });
    }
    held
}

/// The matching of the largest weight, and its weight.
fn heaviest(assignment: &mut Assignment, weight: impl Fn(usize, usize) -> i64) -> (Vec<u16>, i64) {
    assignment.solve(|row, cells| {
        cells.iter_mut().enumerate().for_each(|(column, cell)| *cell = weight(row, column));
    });
    let pairs = assignment.column_of.iter().enumerate();
    let sum = pairs.map(|(row, &column)| weight(row, column as usize)).sum();
    (columns(&assignment.column_of), sum)
}

/// Words for each word of time; of equal ones the longer duration is greater.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rate {
    taken: i64,
    hold: u32,
    delta: u32,
}

impl Ord for Rate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let time = |one: &Self| i128::from(one.hold) + i128::from(one.delta);
        let left = i128::from(self.taken) * time(other);
        left.cmp(&(i128::from(other.taken) * time(self))).then(self.hold.cmp(&other.hold))
    }
}

impl PartialOrd for Rate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_takes_the_matching_and_the_duration_of_the_largest_rate() {
        // Row 0 has 100 and 4 words, row 1 has 4 and 100.
        let demand = Demand::new(2, vec![100, 4, 4, 100]).unwrap();
        let step = |to: [u16; 2], hold| Held { to: to.into(), hold };
        assert_eq!(plan(&demand, 10), [step([0, 1], 100), step([1, 0], 4)]);
        // 2 · 5 / (5 + δ) against 105 / (100 + δ): a change that costs nothing is made, one that costs much waits for the long pair.
        let uneven = Demand::new(2, vec![100, 0, 0, 5]).unwrap();
        assert_eq!(plan(&uneven, 0), [step([0, 1], 5), step([0, 1], 95)]);
        assert_eq!(plan(&uneven, 10), [step([0, 1], 100)]);
    }

    #[test]
    fn no_duration_and_matching_has_a_larger_rate() {
        for demand in crate::baselines::tests::demands() {
            for delta in [1, 10, 100] {
                let Some(first) = plan(&demand, delta).into_iter().next() else { continue };
                let n = demand.terminals() as usize;
                let taken = |row: usize, to: u16, hold: u32| -> i64 {
                    demand.words(row as u32, to.into()).min(hold).into()
                };
                let sum = first.to.iter().enumerate().map(|(row, &to)| taken(row, to, first.hold)).sum();
                let chosen = Rate { taken: sum, hold: first.hold, delta };
                // Every duration, and not only those of the grid: a quarter longer it takes at most a quarter more.
                for hold in 1..=demand.matrix().iter().copied().max().unwrap_or(0) {
                    let weight = |row, column| taken(row, column as u16, hold);
                    let (_, sum) = heaviest(&mut Assignment::new(n), weight);
                    let (all, time) = (sum * 4, chosen.taken * 5);
                    assert!(Rate { taken: all, hold, delta } <= Rate { taken: time, ..chosen }, "{hold}");
                }
            }
        }
    }
}
