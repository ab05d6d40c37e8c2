//! Any demand on the Beneš network in exactly h rounds, which no network with one lane for each terminal can beat: h + 2n − 2 cycles.

use crate::demand::Demand;
use crate::exchange::{Exchange, Machine};
use crate::peel::{Held, permutations_ticking};
use frit_network::Refusal;

/// Plans a demand; its number of terminals is a power of two, at least 4.
pub fn plan(demand: &Demand) -> Result<Exchange, Refusal> {
    plan_ticking(demand, &mut |_, _| ())
}

/// The same; `tick` is told how many rounds have been planned, and of how many.
pub fn plan_ticking(demand: &Demand, tick: &mut dyn FnMut(u64, u64)) -> Result<Exchange, Refusal> {
    exchange(demand.terminals(), permutations_ticking(demand, tick))
}

/// The exchange that holds permutations one after the other.
pub fn exchange(terminals: u32, held: Vec<Held>) -> Result<Exchange, Refusal> {
    Ok(Exchange::held(Machine::benes(terminals)?, held))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, generate};
    use crate::run::run;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn cycles_equal_the_bound_for_every_demand(n in 2u32..8, words in 0u32..400, kind in 0usize..5, seed in any::<u64>()) {
            let kinds = [
                Kind::Uniform { words },
                Kind::LogNormal { words, sigma: 1.0 },
                Kind::HotSpot { words, hot: 0, percent: 50 },
                Kind::Sparse { pairs: 3, words: words + 1 },
                Kind::BlockDiagonal { words, block: 3 },
            ];
            let demand = generate(&kinds[kind], 1 << n, seed).unwrap();
            let exchange = plan(&demand).unwrap();
            let report = run(&demand, &exchange, &mut ()).unwrap();
            prop_assert_eq!(report.rounds, u64::from(demand.h()));
            prop_assert_eq!(report.words, demand.total());
            let bound = demand.cycles_bound(2 * n - 1, 1);
            prop_assert_eq!((report.cycles, exchange.cycles()), (bound, bound));
        }
    }

    #[test]
    fn other_sizes_are_refused() {
        let demand = Demand::new(6, vec![1; 36]).unwrap();
        let text = plan(&demand).unwrap_err().to_string();
        assert!(text.starts_with("the Benes network does not exist with 6 terminals"), "{text}");
    }
}
