//! docs/planners.csv, and the table of docs/demand.md: the time of plans with few configurations by the lower bound, on every kind of demand, beside the exact
//! plan (Solstice's matchings) and plain Birkhoff and von Neumann. A row has mean and worst of `SEEDS` demands.
//!
//!     cargo run --release -p frit-demand --example planners > docs/planners.csv
//!
//! The arguments are numbers of terminals; without any, those of the file.

use frit_demand::experts::{Experts, Placement};
use frit_demand::few::{self, Fabric, birkhoff, spread};
use frit_demand::peel::{Held, permutations};
use frit_demand::{Demand, Kind, generate};
use std::io::Write;

const SEEDS: u64 = 3;

fn kinds() -> [(&'static str, Kind); 6] {
    let experts = Experts {
        tokens: 512,
        experts: 4,
        top_k: 8,
        sigma: 1.0,
        capacity: 0.0,
        placement: Placement::Blocks,
        workload: None,
    };
    [
        ("uniform", Kind::Uniform { words: 1000 }),
        ("zipf", Kind::Zipf { words: 1000, exponent: 1.0 }),
        ("log-normal", Kind::LogNormal { words: 1000, sigma: 1.0 }),
        ("hot-spot", Kind::HotSpot { words: 1000, hot: 0, percent: 20 }),
        ("sparse", Kind::Sparse { pairs: 4, words: 250 }),
        ("experts", Kind::Experts(experts)),
    ]
}

/// Mean and largest of the ratios, as text.
fn ratio(demands: &[Demand], fabric: Fabric, time: impl Fn(&Demand) -> Option<u64>) -> String {
    let one = |demand: &Demand| {
        let (bound, planes) = demand.time_bound(fabric.delta, fabric.planes);
        Some(time(demand)? as f64 * f64::from(planes) / bound.max(1) as f64)
    };
    let Some(all) = demands.iter().map(one).collect::<Option<Vec<f64>>>() else { return ",".into() };
    format!(
        "{:.2},{:.2}",
        all.iter().sum::<f64>() / all.len() as f64,
        all.iter().copied().fold(0.0, f64::max)
    )
}

fn main() -> std::io::Result<()> {
    let given: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![16, 32, 64, 128, 256] } else { given };
    let mut out = std::io::stdout().lock();
    let planners = ["few_n", "few_2n", "few", "exact", "birkhoff"];
    let columns = planners.map(|planner| format!("{planner}_mean,{planner}_worst"));
    writeln!(out, "terminals,demand,delta,planes,{}", columns.join(","))?;
    for n in sizes {
        for (name, kind) in kinds() {
            let demands: Vec<Demand> = (1..=SEEDS)
                .map(|seed| generate(&kind, n, seed).expect("the kinds fit these sizes"))
                .collect();
            for (delta, planes) in
                [0, 1, 10, 100].into_iter().flat_map(|delta| [1, 2, 4].map(|planes| (delta, planes)))
            {
                let fabric = |matchings| Fabric { delta, planes, matchings };
                let few = |matchings| {
                    ratio(&demands, fabric(matchings), |demand| {
                        few::plan(demand, fabric(matchings)).ok().map(|few| few.time)
                    })
                };
                let spread_of = |held: fn(&Demand) -> Vec<Held>| {
                    ratio(&demands, fabric(None), |demand| Some(spread(&held(demand), fabric(None)).time))
                };
                let (k, twice) = (Some(n as u32), Some(2 * n as u32));
                writeln!(
                    out,
                    "{n},{name},{delta},{planes},{},{},{},{},{}",
                    few(k),
                    few(twice),
                    few(None),
                    spread_of(permutations),
                    spread_of(birkhoff)
                )?;
            }
        }
    }
    Ok(())
}
