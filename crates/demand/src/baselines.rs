//! Planners that other people published, written from their papers, to measure ours beside them on the same demands.
//!
//! [`eclipse`] and [`spectra`] plan configurations as ours do: a network stops while it changes, and
//! [`check`](crate::check::check) and [`run`](crate::run::run) check their plans. [`sunflow`] plans circuits one by one in another model of the
//! hardware, with a checker of its own. Solstice is [`peel`](crate::peel) with [`few::spread`](crate::few::spread). No planner of this
//! crate uses these.

pub mod eclipse;
pub mod spectra;
pub mod sunflow;

use pathfinding::prelude::{Matrix, kuhn_munkres};

/// The perfect matching of the largest weight, as the column of each row, and its weight (algorithm of Kuhn and Munkres).
fn heaviest(n: usize, mut weight: impl FnMut(usize, usize) -> i64) -> (Vec<u16>, i64) {
    let (sum, columns) = kuhn_munkres(&Matrix::from_fn(n, n, |(row, column)| weight(row, column)));
    (columns.into_iter().map(|column| column as u16).collect(), sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Fault, check};
    use crate::few::{Fabric, Few, spread};
    use crate::generate::{Kind, generate};
    use crate::plan_file::PlanFile;
    use crate::{Demand, Exchange, Machine, run};

    /// Demands of several kinds, one of them empty.
    pub(super) fn demands() -> Vec<Demand> {
        let kinds = [
            Kind::Uniform { words: 60 },
            Kind::HotSpot { words: 60, hot: 3, percent: 40 },
            Kind::Sparse { pairs: 3, words: 50 },
            Kind::Uniform { words: 0 },
        ];
        kinds.iter().zip(1..).map(|(kind, seed)| generate(kind, 9, seed).unwrap()).collect()
    }

    fn plans(demand: &Demand, fabric: Fabric) -> [Few; 2] {
        [spread(&eclipse::plan(demand, fabric.delta), fabric), spectra::plan(demand, fabric)]
    }

    #[test]
    fn every_plan_carries_its_demand_and_one_that_lacks_a_cycle_is_refused() {
        let mut cut = 0;
        for demand in demands() {
            for (delta, planes) in [(0, 1), (1, 2), (10, 1), (100, 4)] {
                let fabric = Fabric { delta, planes, matchings: None };
                for few in plans(&demand, fabric) {
                    let exchange = Exchange::held(Machine::Ideal(demand.terminals()), few.all());
                    assert!(run(&demand, &exchange, &mut ()).is_ok(), "{fabric:?}");
                    let time = few.time;
                    let plan = PlanFile::new(demand.terminals(), delta, few);
                    assert_eq!((check(&demand, &plan, delta), plan.cycles()), (Ok(()), time), "{fabric:?}");
                    assert!(time * u64::from(planes) >= demand.time_bound(delta, planes).0);
                    // Each configuration is held for as long as some pair needs it.
                    for at in 0..plan.rows.len() {
                        let mut short = plan.clone();
                        short.rows[at].hold -= 1;
                        let needed = matches!(check(&demand, &short, delta), Err(Fault::Lacking { .. }));
                        cut += u32::from(needed);
                    }
                }
            }
        }
        assert!(cut > 100, "{cut} configurations are needed in every cycle");
    }

    #[test]
    fn the_heaviest_matching_is_the_best_of_all() {
        for demand in demands() {
            let n = 6;
            let weight = |row: usize, column: usize| i64::from(demand.words(row as u32, column as u32));
            let (to, sum) = heaviest(n, weight);
            assert_eq!(to.iter().enumerate().map(|(row, &to)| weight(row, to.into())).sum::<i64>(), sum);
            // Of all permutations: each is the last one with two rows exchanged (algorithm of B. Heap).
            let (mut order, mut counters, mut best, mut row) = ([0, 1, 2, 3, 4, 5], [0; 6], 0, 0);
            let of = |order: &[usize; 6]| order.iter().enumerate().map(|(row, &to)| weight(row, to)).sum();
            while row < n {
                best = best.max(of(&order));
                while row < n && counters[row] == row {
                    counters[row] = 0;
                    row += 1;
                }
                if row < n {
                    order.swap(row, if row % 2 == 0 { 0 } else { counters[row] });
                    counters[row] += 1;
                    row = 0;
                }
            }
            assert_eq!(sum, best);
        }
    }
}
