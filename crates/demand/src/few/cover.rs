//! The fewest permutations that join all pairs, with pairs of similar size in each.

use super::{columns, pairs_of_lines};
use crate::assign::Assignment;
use crate::peel::Held;

/// Permutations that join each pair with words in at least as many rounds, as few as there can be. The pairs are the edges of a graph. Each
/// permutation takes an edge of every line that has the most edges left, so there are as many as the largest degree (D. König, 1916). Of these
/// matchings it takes the one of the most words: this is our reading of the first step of Spectra (K. Liang et al., 2026), of which only the
/// abstract was at hand. A matching of many words has pairs of similar size, and what it is held for its largest pair is lost to small ones.
pub(super) fn heaviest(n: usize, mut words: Vec<u32>) -> Vec<Held> {
    let mut pairs = pairs_of_lines(n, &words);
    // More than the words of any matching: a line with the most pairs comes before all words.
    let bonus = 1 + n as i64 * i64::from(words.iter().copied().max().unwrap_or(0));
    let mut assignment = Assignment::new(n);
    let most = pairs.iter().copied().max().unwrap_or(0);
    let mut held = Vec::with_capacity(most as usize);
    for most in (1..=most).rev() {
        let worth = |line: usize| if pairs[line] == most { bonus } else { 0 };
        let columns_worth: Vec<i64> = (n..2 * n).map(worth).collect();
        assignment.solve(|row, cells| {
            let row_worth = worth(row);
            for ((cell, &words), column) in cells.iter_mut().zip(&words[row * n..][..n]).zip(&columns_worth) {
                *cell = if words > 0 { i64::from(words) + row_worth + column } else { 0 };
            }
        });
        let mut hold = 0;
        for (row, &column) in assignment.column_of.iter().enumerate() {
            let column = column as usize;
            let words = std::mem::take(&mut words[row * n + column]);
            pairs[row] -= u32::from(words > 0);
            pairs[n + column] -= u32::from(words > 0);
            hold = hold.max(words);
        }
        // A column that is new among those with the most pairs costs more by the same.
        let prices = assignment.prices.iter_mut().zip(&pairs[n..]).zip(columns_worth);
        prices
            .for_each(|((price, &pairs), worth)| *price += if pairs == most - 1 { bonus - worth } else { 0 });
        held.push(Held { to: columns(&assignment.column_of), hold });
    }
    held
}
