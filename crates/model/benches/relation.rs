//! h-relations on the optical butterfly, step by step: hops a second on one core, in the reference engine (to N = 1024) and in the
//! fast one. A hop is a packet that passes a router. Random relations with h = N (seed 1), every packet moved, every arrival checked.
//!
//!     cargo bench -p frit-model --bench relation

mod clock;

use frit_model::h_relation::{Routed, cost, simulate, simulate_plainly};
use frit_schedule::{Request, plan};
use frit_traffic::relation::Relation;

/// Runs of which the fastest counts.
const REPETITIONS: usize = 5;

fn main() {
    println!(
        "{:>6} {:>10} {:>8} {:>10} {:>10} {:>6}",
        "N = h", "packets", "steps", "plain/s", "fast/s", "ratio"
    );
    for terminals in [64, 256, 1024, 4096] {
        let plan = plan(&Request::new("obf", terminals)).expect("a size of the system");
        let relation = Relation::random(terminals as u32, terminals as u32, 1);
        let expected = cost(plan.systolic().expect("an optical butterfly"), &relation);
        let hops = (expected.packets * plan.network.stages() as u64) as f64;
        let rate = |repetitions, run: &dyn Fn() -> Routed| {
            hops / clock::least(repetitions, || {
                let routed = run();
                assert!(routed.ok() && routed.cost == expected);
            })
        };
        let fast = rate(REPETITIONS, &|| simulate(&plan, &relation));
        let plain = (terminals <= 1024).then(|| rate(1, &|| simulate_plainly(&plan, &relation)));
        let [plain, ratio] =
            [plain.map(|plain| format!("{plain:.2e}")), plain.map(|plain| format!("{:.0}", fast / plain))]
                .map(|text| text.unwrap_or("-".into()));
        println!(
            "{terminals:>6} {:>10} {:>8} {plain:>10} {fast:>10.2e} {ratio:>6}",
            expected.packets, expected.steps
        );
    }
}
