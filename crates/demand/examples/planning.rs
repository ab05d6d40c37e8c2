//! How long planners take, in processor time: `cargo run --release -p frit-demand --example planning -- 72 150`.
//!
//! A line for each demand: N, words, h; of the exact plan its configurations, and seconds to plan it; of the plan with few configurations, where a
//! change takes ten cycles, the same, and its time by the lower bound; seconds to run every word of the exact plan. The numbers are terminals.

#[path = "shared/clock.rs"]
mod clock;

use clock::seconds;
use frit_demand::few::{Fabric, plan};
use frit_demand::peel::permutations;
use frit_demand::{Demand, Exchange, Kind, Machine, generate, run};

fn line(name: &str, demand: &Demand) {
    let start = seconds();
    let exchange = Exchange::held(Machine::Ideal(demand.terminals()), permutations(demand));
    let planned = seconds();
    let fabric = Fabric { delta: 10, planes: 1, matchings: None };
    let few = plan(demand, fabric).expect("there is no limit");
    let searched = seconds();
    let report = run(demand, &exchange, &mut ()).expect("every word arrives");
    assert_eq!(report.cycles, u64::from(demand.h()));
    println!(
        "{name} N={} words={} h={} exact={} {:.3}s few={} {:.3}s {:.4} run={:.3}s",
        demand.terminals(),
        demand.total(),
        demand.h(),
        report.configurations,
        planned - start,
        few.configurations(),
        searched - planned,
        few.time as f64 / demand.time_bound(fabric.delta, 1).0.max(1) as f64,
        seconds() - searched
    );
}

fn main() {
    let given: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![64, 72, 150, 256] } else { given };
    let words = 977;
    for n in sizes {
        let kinds = [
            ("uniform", Kind::Uniform { words }),
            ("zipf", Kind::Zipf { words, exponent: 1.0 }),
            ("log-normal", Kind::LogNormal { words, sigma: 1.0 }),
            ("hot-spot", Kind::HotSpot { words, hot: 0, percent: 10 }),
            ("sparse", Kind::Sparse { pairs: 16.min(n as u32 / 4), words: words / 8 }),
            ("block", Kind::BlockDiagonal { words, block: 8 }),
        ];
        for (name, kind) in kinds {
            line(name, &generate(&kind, n, 1).expect("a demand"));
        }
    }
}
