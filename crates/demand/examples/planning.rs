//! How long the exact planner takes, in processor time: `cargo run --release -p frit-demand --example planning`.
//!
//! A line for each demand: N, words, h, configurations, seconds to plan, seconds to set the switches of every configuration and to
//! run every word through the bare network.

use frit_demand::{Demand, Kind, benes, generate, run};

/// Processor time of this thread's process, in seconds (Linux; 0 elsewhere).
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0)
        / 1e9
}

fn line(name: &str, demand: &Demand) {
    let start = seconds();
    let exchange = benes::plan(demand).expect("a size of the Benes network");
    let planned = seconds();
    let report = run(demand, &exchange, &mut ()).expect("every word arrives");
    assert_eq!(report.cycles, demand.cycles_bound(exchange.machine.latency(), 1));
    println!(
        "{name} N={} words={} h={} configurations={} plan={:.3}s run={:.3}s",
        demand.terminals(),
        demand.total(),
        demand.h(),
        report.configurations,
        planned - start,
        seconds() - planned
    );
}

fn main() {
    for (n, words) in [(64, 1000), (256, 256), (256, 977), (256, 4000), (1024, 977)] {
        let kinds = [
            ("uniform", Kind::Uniform { words }),
            ("zipf", Kind::Zipf { words, exponent: 1.0 }),
            ("log-normal", Kind::LogNormal { words, sigma: 1.0 }),
            ("hot-spot", Kind::HotSpot { words, hot: 0, percent: 10 }),
            ("sparse", Kind::Sparse { pairs: 16, words: words / 8 }),
            ("block", Kind::BlockDiagonal { words, block: 8 }),
        ];
        for (name, kind) in kinds {
            line(name, &generate(&kind, n, 1).expect("a demand"));
        }
    }
}
