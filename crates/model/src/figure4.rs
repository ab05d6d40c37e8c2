//! The points of Figure 4 of "Systolic Routing in an Optical Butterfly": the cost c of random h-relations against h.
//!
//! The paper shows n = 4, 8 and 16 and the mean of five runs. For large h the cost falls towards 1/2, for two packets
//! leave each processor in a step.

use crate::h_relation::{Cost, cost};
use frit_network::Refusal;
use frit_schedule::{Request, plan};
use frit_traffic::relation::Relation;

/// One run: `terminals` processors, prefer-one control, `per_source` packets each (the h of the figure), put into buffers at random.
pub fn figure4_point(terminals: u64, per_source: u32, seed: u64) -> Result<Cost, Refusal> {
    let plan = plan(&Request::new("obf", terminals))?;
    let systolic = plan.systolic().expect("obf is systolic");
    Ok(cost(systolic, &Relation::random(plan.network.terminals(), per_source, seed)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statistics;

    fn mean(terminals: u64, h: u32) -> Statistics {
        let costs: Vec<f64> =
            (1..=5).map(|seed| figure4_point(terminals, h, seed).unwrap().cost_per_source()).collect();
        Statistics::of(&costs).unwrap()
    }

    #[test]
    fn the_cost_falls_towards_one_half() {
        for terminals in [4, 8, 16] {
            let costs: Vec<f64> =
                [1, 16, 256, 4096, 65536].into_iter().map(|h| mean(terminals, h).mean).collect();
            assert!(costs.is_sorted_by(|a, b| a > b), "{costs:?}");
            assert!(costs[0] > 2.0 && costs[4] > 0.5 && costs[4] < 0.53, "{costs:?}");
        }
    }

    #[test]
    fn larger_networks_need_more_packets_for_the_same_cost() {
        assert!(mean(4, 64).mean < mean(8, 64).mean && mean(8, 64).mean < mean(16, 64).mean);
    }

    #[test]
    fn sizes_are_checked() {
        assert!(figure4_point(6, 1, 1).unwrap_err().to_string().contains("nearest size is 8"));
        assert_eq!(figure4_point(8, 0, 1).unwrap().cost_per_source(), 0.0);
    }
}
