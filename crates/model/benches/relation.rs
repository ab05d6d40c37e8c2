//! h-relations on the optical butterfly, step by step: hops a second on one core. A hop is a packet that passes a router.
//! Random relations with h = N (seed 1), every packet moved by the reference engine, every arrival checked.
//!
//!     cargo bench -p frit-model --bench relation

use frit_model::h_relation::{cost, simulate};
use frit_schedule::{Request, plan};
use frit_traffic::relation::Relation;
use std::time::Instant;

/// Runs of which the fastest counts; large ones are run once.
const REPETITIONS: usize = 5;

fn main() {
    println!("{:>6} {:>10} {:>8} {:>10} {:>10}", "N = h", "packets", "steps", "seconds", "hops/s");
    for terminals in [64, 256, 1024, 4096] {
        let plan = plan(&Request::new("obf", terminals)).expect("a size of the system");
        let relation = Relation::random(terminals as u32, terminals as u32, 1);
        let expected = cost(plan.systolic().expect("an optical butterfly"), &relation);
        let repetitions = if terminals > 1024 { 1 } else { REPETITIONS };
        let run = || {
            let start = Instant::now();
            let routed = simulate(&plan, &relation);
            assert!(routed.ok() && routed.cost == expected);
            start.elapsed().as_secs_f64()
        };
        let seconds = (0..repetitions).map(|_| run()).fold(f64::INFINITY, f64::min);
        let hops = expected.packets * plan.network.stages() as u64;
        println!(
            "{terminals:>6} {:>10} {:>8} {seconds:>10.4} {:>10.2e}",
            expected.packets,
            expected.steps,
            hops as f64 / seconds
        );
    }
}
