//! Perfect matchings of the largest weight (H. Kuhn, 1955; J. Munkres, 1957), with prices of columns that are kept from one to the next.

use crate::matching::{NONE, turn};

/// Assigns a column to each row.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The column of each row.
    pub column_of: Vec<u32>,
    /// What a row gains at most, and what a column costs: for each cell together at least its weight.
    gains: Vec<i64>,
    /// Prices that are near those of the next matching make it faster; any are right.
    pub prices: Vec<i64>,
    row_of: Vec<u32>,
    /// The weights, row by row.
    weights: Vec<i64>,
    /// Of the columns that a search has not reached: how much less the best cell from a row that it has reached gains than it could, and this row.
    slack: Vec<i64>,
    from: Vec<u32>,
    open: Vec<u32>,
}

impl Assignment {
    /// Of a matrix with n rows.
    pub fn new(n: usize) -> Self {
        Assignment {
            column_of: vec![NONE; n],
            gains: vec![0; n],
            prices: vec![0; n],
            row_of: vec![NONE; n],
            weights: vec![0; n * n],
            slack: vec![0; n],
            from: vec![NONE; n],
            open: Vec::new(),
        }
    }

    /// The matching with the largest sum of weights; `weights` writes those of a row into the slice. Time O(n²), and as much for each row
    /// that the prices do not settle.
    pub fn solve(&mut self, mut weights: impl FnMut(usize, &mut [i64])) {
        let n = self.prices.len();
        self.weights.chunks_exact_mut(n).enumerate().for_each(|(row, cells)| weights(row, cells));
        self.column_of.fill(NONE);
        self.row_of.fill(NONE);
        for (row, cells) in self.weights.chunks_exact(n).enumerate() {
            let net = || cells.iter().zip(&self.prices).map(|(weight, price)| weight - price);
            self.gains[row] = net().max().unwrap_or(0);
            let best = self.gains[row];
            let free = net().zip(&self.row_of).position(|(net, &other)| net == best && other == NONE);
            if let Some(column) = free {
                self.column_of[row] = column as u32;
                self.row_of[column] = row as u32;
            }
        }
        for row in 0..n {
            if self.column_of[row] == NONE {
                self.augment(row);
            }
        }
    }

    /// Matches a row along the path that costs least.
    fn augment(&mut self, row: usize) {
        let n = self.prices.len();
        self.open.clear();
        self.open.extend(0..n as u32);
        self.slack.fill(i64::MAX);
        let mut reached: Vec<(usize, i64)> = Vec::new();
        let (mut at, mut paid) = (row, 0);
        let (end, total) = loop {
            let cells = &self.weights[at * n..][..n];
            // The rows that were reached before have paid less.
            let gain = self.gains[at] + paid;
            let (mut best, mut place) = (i64::MAX, 0);
            for (index, &column) in self.open.iter().enumerate() {
                let column = column as usize;
                let slack = gain + self.prices[column] - cells[column];
                if slack < self.slack[column] {
                    self.slack[column] = slack;
                    self.from[column] = at as u32;
                }
                if self.slack[column] < best {
                    (best, place) = (self.slack[column], index);
                }
            }
            let column = self.open.swap_remove(place) as usize;
            paid = best;
            if self.row_of[column] == NONE {
                break (column, paid);
            }
            reached.push((column, paid));
            at = self.row_of[column] as usize;
        };
        self.gains[row] -= total;
        for (column, paid) in reached {
            self.prices[column] += total - paid;
            self.gains[self.row_of[column] as usize] -= total - paid;
        }
        turn(end, &self.from, &mut self.column_of, &mut self.row_of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_traffic::random::SplitMix64;

    /// The largest sum, by trying all.
    fn largest(n: usize, weights: &[i64], row: usize, taken: u32) -> i64 {
        let free = (0..n).filter(|column| taken >> column & 1 == 0);
        let rest = |column: usize| largest(n, weights, row + 1, taken | 1 << column);
        free.map(|column| weights[row * n + column] + rest(column)).max().unwrap_or(0)
    }

    #[test]
    fn no_matching_has_a_larger_weight_whatever_the_prices_were() {
        let mut random = SplitMix64(7);
        for n in 1..7 {
            let mut assignment = Assignment::new(n);
            for most in [2, 5, 1000] {
                for _ in 0..40 {
                    let weights: Vec<i64> = (0..n * n).map(|_| random.below(most).into()).collect();
                    assignment.solve(|row, cells| cells.copy_from_slice(&weights[row * n..][..n]));
                    let columns: std::collections::BTreeSet<u32> =
                        assignment.column_of.iter().copied().collect();
                    assert_eq!(columns.len(), n);
                    let sum: i64 = assignment
                        .column_of
                        .iter()
                        .enumerate()
                        .map(|(row, &column)| weights[row * n + column as usize])
                        .sum();
                    assert_eq!(sum, largest(n, &weights, 0, 0), "{weights:?}");
                }
                assignment.prices.iter_mut().for_each(|price| *price += i64::from(random.below(50)) - 25);
            }
        }
    }
}
