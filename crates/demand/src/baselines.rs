//! Planners that other people published, written from their papers, to measure ours beside them on the same demands.
//!
//! [`eclipse`] plans configurations as ours do: a network stops while it changes, and [`check`](crate::check::check) and
//! [`run`](crate::run::run) check its plans. [`sunflow`] plans circuits one by one in another model of the hardware, with a checker of its
//! own. Solstice is [`peel`](crate::peel) with [`few::spread`](crate::few::spread), and the three steps of Spectra are [`few::cover`](crate::few::cover) with
//! the same. No planner of this crate uses these.

pub mod eclipse;
pub mod sunflow;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Fault, check};
    use crate::few::{Fabric, Few, cover, spread};
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
        let n = demand.terminals() as usize;
        [
            spread(&eclipse::plan(demand, fabric.delta), fabric),
            spread(&cover(n, demand.matrix().to_vec()), fabric),
        ]
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
                    // If a configuration loses a cycle that one of its pairs needs, the plan is refused.
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
}
