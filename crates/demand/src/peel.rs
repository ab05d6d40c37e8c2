//! Plans a demand in exactly h rounds, with few configurations. The words are the edges of a bipartite multigraph, and h colours suffice
//! for its edges (D. König, 1916): a colour is a round. A permutation that is held for many rounds is one entry.
//!
//! The matrix is filled up until every row and column has the sum h. Such a matrix is a sum of permutations with weights (G. Birkhoff,
//! 1946; J. von Neumann, 1953): of a perfect matching on its cells as much is taken as the smallest of them has, at most N² − 2N + 2
//! times. Filling and search are those of Solstice (H. Liu et al., "Scheduling techniques for hybrid circuit/packet networks", CoNEXT
//! 2015, `QuickStuff` and `BigSlice`): matchings are searched among cells of at least 2^k words, and only when there is none with
//! k − 1. The matching of the last step is kept but for the rows whose cells became too small, and the rows that a search visits are
//! sets of bits.
//!
//! Splitting the edges along Euler tours (H. Gabow, 1976) was tried, too: it takes as long for 10^6 words of 1024 terminals, and its
//! configurations are up to thirty times as many.

use crate::demand::Demand;
use crate::matching::{Matching, NONE as NO_COLUMN};

/// What stands in [`Held::to`] of a part of a permutation for a source without a destination.
pub const NONE: u16 = u16::MAX;

/// A permutation, and for how many rounds it is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The destination of each source.
    pub to: Vec<u16>,
    pub hold: u32,
}

impl Held {
    /// Subtracts the words that this permutation carries while it is held from `words`, a matrix with a row for each source. Each source
    /// must have a destination.
    pub fn take_from(&self, words: &mut [u32]) {
        let n = self.to.len();
        for (source, &to) in self.to.iter().enumerate() {
            let cell = &mut words[source * n + usize::from(to)];
            *cell = cell.saturating_sub(self.hold);
        }
    }
}

/// Permutations that are held for h rounds in all, so that every pair of terminals is joined in at least as many rounds as it has
/// words.
pub fn permutations(demand: &Demand) -> Vec<Held> {
    permutations_ticking(demand, &mut |_, _| ())
}

/// The same; `tick` is told how many rounds have been planned, and of how many.
pub fn permutations_ticking(demand: &Demand, tick: &mut dyn FnMut(u64, u64)) -> Vec<Held> {
    let (n, degree) = (demand.terminals() as usize, demand.h());
    peel_ticking(n, &mut stuffed(n, demand.matrix(), degree), degree, tick)
}

/// Permutations that add up to a matrix of which every row and column has the sum `degree`. Nothing of the matrix is left.
///
/// # Panics
///
/// If a row or column has another sum.
pub fn peel(n: usize, weights: &mut [u32], degree: u32) -> Vec<Held> {
    peel_ticking(n, weights, degree, &mut |_, _| ())
}

fn peel_ticking(n: usize, weights: &mut [u32], degree: u32, tick: &mut dyn FnMut(u64, u64)) -> Vec<Held> {
    let mut held = Vec::new();
    let mut left = degree;
    let most = weights.iter().copied().max().unwrap_or(0);
    let mut threshold = 1u32 << most.max(1).ilog2();
    let mut matching = Matching::empty(n);
    matching.allow(weights, threshold);
    // The cells of the matching stand side by side here and go back into the matrix when the matching leaves them: it has tens of megabytes, and every
    // step changes a cell of each row.
    let (mut column_of, mut cell_of) = (vec![NO_COLUMN; n], vec![0; n]);
    while left > 0 {
        tick(u64::from(degree - left), degree.into());
        let complete = matching.complete();
        for row in 0..n {
            let (old, new) = (column_of[row], matching.column_of[row]);
            if old != NO_COLUMN && (old != new || !complete) {
                weights[row * n + old as usize] = cell_of[row];
            }
            column_of[row] = new;
            if new != NO_COLUMN && (old != new || !complete) {
                cell_of[row] = weights[row * n + new as usize];
            }
        }
        if !complete {
            assert!(threshold > 1, "every row and column has the same sum");
            threshold /= 2;
            matching.allow(weights, threshold);
            continue;
        }
        let hold = cell_of.iter().copied().min().unwrap_or(left);
        cell_of.iter_mut().for_each(|cell| *cell -= hold);
        for (row, _) in cell_of.iter().enumerate().filter(|(_, cell)| **cell < threshold) {
            matching.forbid(row, column_of[row] as usize);
        }
        held.push(Held { to: column_of.iter().map(|&column| column as u16).collect(), hold });
        left -= hold;
    }
    for (row, &column) in column_of.iter().enumerate().filter(|(_, column)| **column != NO_COLUMN) {
        weights[row * n + column as usize] = cell_of[row];
    }
    held
}

/// Words that are added to a matrix, so that every row and column has the sum `degree`: first to cells that have words (Solstice's
/// `QuickStuff`), the largest row and column sum being `degree`. The result is the whole matrix.
pub fn stuffed(n: usize, words: &[u32], degree: u32) -> Vec<u32> {
    let mut full = words.to_vec();
    let (mut rows, mut columns) = (vec![degree; n], vec![degree; n]);
    for (at, &words) in words.iter().enumerate() {
        rows[at / n] -= words;
        columns[at % n] -= words;
    }
    let mut fill = |row: usize, column: usize, full: &mut Vec<u32>| {
        let more = rows[row].min(columns[column]);
        full[row * n + column] += more;
        rows[row] -= more;
        columns[column] -= more;
        (rows[row], columns[column])
    };
    for (at, _) in words.iter().enumerate().filter(|(_, words)| **words > 0) {
        fill(at / n, at % n, &mut full);
    }
    let (mut row, mut column) = (0, 0);
    while row < n && column < n {
        match fill(row, column, &mut full) {
            (0, _) => row += 1,
            _ => column += 1,
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, generate};
    use frit_traffic::random::SplitMix64;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn permutations_add_up_to_the_matrix(n in 2usize..24, most in 1u32..5000, seed in any::<u64>()) {
            let mut random = SplitMix64(seed);
            let words: Vec<u32> = (0..n * n).map(|_| random.below(most).saturating_sub(most / 2)).collect();
            let line = |first: usize, by: usize| (0..n).map(|k| words[first + k * by]).sum::<u32>();
            let degree = (0..n).flat_map(|at| [line(at * n, 1), line(at, n)]).max().unwrap();
            let full = stuffed(n, &words, degree);
            prop_assert!(full.iter().zip(&words).all(|(full, words)| full >= words));
            let held = peel(n, &mut full.clone(), degree);
            prop_assert_eq!(held.iter().map(|held| held.hold).sum::<u32>(), degree);
            prop_assert!(held.len() <= n * n - 2 * n + 2);
            let mut sum = vec![0; n * n];
            for Held { to, hold } in &held {
                prop_assert_eq!(to.iter().collect::<std::collections::BTreeSet<_>>().len(), n);
                to.iter().enumerate().for_each(|(row, &column)| sum[row * n + usize::from(column)] += hold);
            }
            prop_assert_eq!(sum, full);
        }
    }

    #[test]
    #[should_panic = "every row and column has the same sum"]
    fn a_matrix_of_other_sums_is_noticed() {
        peel(2, &mut [3, 0, 1, 2], 3);
    }

    /// What the permutations carry is enough, in h rounds.
    fn fits(demand: &Demand, held: &[Held]) -> bool {
        let n = demand.terminals() as usize;
        let mut room = vec![0u64; n * n];
        for Held { to, hold } in held {
            let mut seen = vec![false; n];
            for (source, &to) in to.iter().enumerate() {
                if std::mem::replace(&mut seen[usize::from(to)], true) {
                    return false;
                }
                room[source * n + usize::from(to)] += u64::from(*hold);
            }
        }
        let rounds: u64 = held.iter().map(|held| u64::from(held.hold)).sum();
        rounds == u64::from(demand.h())
            && room.iter().zip(demand.matrix()).all(|(&room, &words)| room >= u64::from(words))
    }

    proptest! {
        #[test]
        fn any_demand_fits_into_h_rounds(n in 2u64..40, words in 0u32..3000, kind in 0usize..5, seed in any::<u64>()) {
            let kinds = [
                Kind::Uniform { words },
                Kind::Zipf { words, exponent: 1.3 },
                Kind::HotSpot { words, hot: 1, percent: 60 },
                Kind::Sparse { pairs: 2, words: words + 1 },
                Kind::BlockDiagonal { words, block: 2 },
            ];
            let demand = generate(&kinds[kind], n, seed).unwrap();
            prop_assert!(fits(&demand, &permutations(&demand)));
        }
    }

    #[test]
    fn a_configuration_that_is_held_is_one_entry() {
        // A permutation of 1000 words a source; and the four terminals of the example.
        let one = generate(&Kind::Sparse { pairs: 1, words: 1000 }, 64, 3).unwrap();
        assert_eq!(permutations(&one).len(), 1);
        let few = Demand::from_list(4, [(0, 1, 100), (1, 0, 1), (2, 3, 1), (3, 2, 1)]).unwrap();
        let held = permutations(&few);
        assert!(fits(&few, &held));
        assert_eq!(held.len(), 1, "{held:?}");
    }

    #[test]
    fn a_permutation_or_a_round_less_is_noticed() {
        let demand = generate(&Kind::Uniform { words: 40 }, 8, 1).unwrap();
        let held = permutations(&demand);
        let mut short = held.clone();
        short[0].hold -= 1;
        assert!(!fits(&demand, &short));
        let mut wrong = held;
        wrong[0].to[0] = wrong[0].to[1];
        assert!(!fits(&demand, &wrong));
    }
}
