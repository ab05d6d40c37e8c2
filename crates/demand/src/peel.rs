//! Peeling: a matrix whose rows and columns all have the same sum is a sum of permutations with weights (G. Birkhoff, 1946; J. von
//! Neumann, 1953). Of a perfect matching on its cells as much is taken as the smallest of them has.
//!
//! The matchings are searched as in Solstice (H. Liu et al., "Scheduling techniques for hybrid circuit/packet networks", CoNEXT 2015,
//! `BigSlice`): among cells of at least 2^k words, and only when there is none with k − 1.

use crate::matching::Matching;

/// A permutation, and for how many rounds it is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The destination of each source.
    pub to: Vec<u16>,
    /// Rounds.
    pub hold: u32,
}

/// Permutations that add up to a matrix of which every row and column has the sum `degree`.
///
/// # Panics
///
/// If a row or column has another sum.
pub fn peel(n: usize, weights: &mut [u32], degree: u32) -> Vec<Held> {
    let mut held = Vec::new();
    let mut left = degree;
    let most = weights.iter().copied().max().unwrap_or(0);
    let mut threshold = 1 << most.max(1).ilog2();
    let mut matching = Matching::empty(n);
    while left > 0 {
        let missing: Vec<usize> =
            (0..n).filter(|&row| matching.column_of[row] == crate::matching::NONE).collect();
        if !missing.into_iter().all(|row| matching.augment(row, weights, threshold)) {
            assert!(threshold > 1, "every row and column has the same sum");
            threshold /= 2;
            continue;
        }
        let cell = |row: usize| row * n + matching.column_of[row] as usize;
        let hold = (0..n).map(|row| weights[cell(row)]).min().unwrap_or(left);
        let to = matching.column_of.iter().map(|&column| column as u16).collect();
        for row in 0..n {
            let cell = row * n + matching.column_of[row] as usize;
            weights[cell] -= hold;
            if weights[cell] < threshold {
                matching.unmatch(row);
            }
        }
        held.push(Held { to, hold });
        left -= hold;
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
}
