//! Spectra: K. Liang, L. Qiao, I. Keslassy, B. Lin, "Scheduling Parallel Optical Circuit Switches for AI Training", arXiv 2603.07373, 2026.
//!
//! Only the abstract was at hand: "Decompose D into a minimal set of weighted permutations; Schedule these permutations across parallel
//! switches using load-aware assignment; then Equalize the imbalanced loads on the switches via controlled permutation splitting." So the
//! three steps are the paper's, and how each is done is our guess:
//!
//! - *Decompose*: as many permutations as the largest number of pairs in a row or column has, which is minimal (König, 1916). Each is the
//!   matching of the most words among those that have a pair in every row and column with the most pairs left. Its weight is its largest pair,
//!   so each pair is served in one permutation.
//! - *Schedule* and *Equalize*: [`few::spread`](crate::few::spread). The longest permutation first, each to the switch that is free first. Then the longest
//!   permutation of the switch that ends last is split, and its part goes to the switch that ends first, while that makes the end earlier.

use super::heaviest;
use crate::demand::Demand;
use crate::few::{Fabric, Few, spread};
use crate::peel::Held;

/// All three steps.
pub fn plan(demand: &Demand, fabric: Fabric) -> Few {
    spread(&decompose(demand), fabric)
}

/// The fewest permutations that join every pair that has words, each with its largest pair as weight.
pub fn decompose(demand: &Demand) -> Vec<Held> {
    let n = demand.terminals() as usize;
    let mut words = demand.matrix().to_vec();
    // More than the words of any matching: a line with the most pairs comes before all words.
    let bonus = 1 + n as i64 * i64::from(words.iter().copied().max().unwrap_or(0));
    let (mut rows, mut columns) = demand.degrees();
    let mut held = Vec::new();
    for most in (1..=demand.least_configurations()).rev() {
        let (to, _) = heaviest(n, |row, column| match words[row * n + column] {
            0 => 0,
            words => {
                let critical = u8::from(rows[row] == most) + u8::from(columns[column] == most);
                i64::from(words) + bonus * i64::from(critical)
            }
        });
        let mut hold = 0;
        for (row, &to) in to.iter().enumerate() {
            let cell = std::mem::take(&mut words[row * n + usize::from(to)]);
            hold = hold.max(cell);
            rows[row] -= u32::from(cell > 0);
            columns[usize::from(to)] -= u32::from(cell > 0);
        }
        held.push(Held { to, hold });
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::tests::demands;

    #[test]
    fn permutations_are_as_few_as_can_be_and_none_serves_a_pair_twice() {
        for demand in demands() {
            let held = decompose(&demand);
            assert_eq!(held.len(), demand.least_configurations() as usize);
            let largest = |one: &Held| {
                let words = one.to.iter().zip(0..).map(|(&to, row)| demand.words(row, to.into()));
                words.max().unwrap_or(0)
            };
            assert!(held.iter().all(|one| one.hold > 0 && one.hold <= largest(one)));
        }
    }

    #[test]
    fn large_pairs_go_together_unless_a_full_row_must_go_first() {
        let step = |to: [u16; 3], hold| Held { to: to.into(), hold };
        let even = Demand::new(3, vec![9, 2, 0, 0, 9, 2, 2, 0, 9]).unwrap();
        assert_eq!(decompose(&even), [step([0, 1, 2], 9), step([1, 2, 0], 2)]);
        // Row 0 and column 0 have two pairs each: 9 alone would leave row 0 and column 0 with one, as 1 and 1 would.
        let full = Demand::new(3, vec![9, 1, 0, 1, 0, 0, 0, 0, 0]).unwrap();
        let held = decompose(&full);
        assert_eq!((held.len(), held[0].hold, held[1].hold), (2, 9, 1));
    }
}
