//! docs/others.csv, and a table of docs/demand.md: the time of our planners and of those of others by the lower bound, on the same demands. Every plan
//! is checked.
//!
//!     cargo run --release -p frit-demand --example others -- FB2010-1Hr-150-0.txt > docs/others.csv
//!
//! The argument is the trace of coflows of github.com/coflow/coflow-benchmark; without it the rows of coflows are left out. How long each
//! planner took is printed as an error.

use frit_demand::baselines::{eclipse, sunflow};
use frit_demand::check::check;
use frit_demand::experts::{Experts, Placement, Workload};
use frit_demand::few::{self, Fabric, Few, spread};
use frit_demand::plan_file::PlanFile;
use frit_demand::reading::Reading;
use frit_demand::{Demand, Kind, coflow, generate, peel};
use frit_traffic::random::stream;
use std::io::Write;
use std::time::Instant;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=3;
const PLANNERS: [&str; 5] = ["few", "exact", "cover", "eclipse", "sunflow"];

/// Top-8 of all experts, 512 tokens from each terminal. A word is a token.
fn experts(terminals: u64, experts: u32, workload: Option<Workload>, seed: u64) -> Demand {
    let (tokens, placement) = (512, Placement::Blocks);
    let kind = Experts { tokens, experts, top_k: 8, sigma: 1.0, capacity: 0.0, placement, workload };
    generate(&Kind::Experts(kind), terminals, seed).expect("an allowed demand")
}

/// One micro-batch in one layer of GPT-3 XL (2,048 tokens of 2,048 numbers of 2 bytes) under tensor, pipeline and data parallelism, as
/// Megatron-LM places them (D. Narayanan et al., SC 2021): neighbouring terminals are a tensor group, then come the data groups. All-reduces
/// are rings, four in a tensor group. Each stage sends activations to the next stage, and gradients back. The gradients of the parameters count as
/// for 8 micro-batches and 6 layers in a stage. A word has 64 KiB.
fn gpt([tensor, data, pipeline]: [u64; 3]) -> Demand {
    let ring = |size: u64, words: u64| 2 * (size - 1) * words / size;
    let activations = 2048 * 2048 * 2 / 65536;
    let parameters = 1_300_000_000 * 2 / (tensor * pipeline) / (8 * 6) / 65536;
    let n = tensor * data * pipeline;
    let list = (0..n).flat_map(|rank| {
        let [t, d, p] = [rank % tensor, rank / tensor % data, rank / tensor / data];
        let at = |t: u64, d: u64, p: u64| t % tensor + tensor * (d % data + data * p);
        let stages = [p.checked_sub(1), Some(p + 1).filter(|&next| next < pipeline)];
        let rings = [
            (rank, at(t + 1, d, p), ring(tensor, 4 * activations)),
            (rank, at(t, d + 1, p), ring(data, parameters)),
        ];
        stages.into_iter().flatten().map(move |next| (rank, at(t, d, next), activations)).chain(rings)
    });
    Demand::from_list(n, list.collect::<Vec<_>>()).expect("an allowed demand")
}

/// The benchmark of Solstice, Eclipse and Spectra: 4 large flows from each terminal (70 % of 1,000 words) and 12 small ones (30 %), each a random
/// permutation, with normal noise of 0.3 % of the 1,000 words on each pair that has a flow.
fn flows(terminals: u32, seed: u64) -> Demand {
    let mut random = stream(seed, 0x3707);
    let mut list: Vec<(u64, u64, u64)> = Vec::new();
    for words in [[175; 4].as_slice(), &[25; 12]].concat() {
        list.extend((0..).zip(random.permutation(terminals)).map(|(from, to)| (from, to.into(), words)));
    }
    let exact = Demand::from_list(terminals.into(), list).expect("an allowed demand");
    let mut noisy = |words: u32| {
        // Twelve draws of variance 1/12, in thousandths.
        let sum: i64 = (0..12).map(|_| i64::from(random.below(1000))).sum();
        let noise = (3 * (sum - 5994)).div_euclid(1000);
        i64::from(words).saturating_add(noise).max(1) as u64
    };
    let list: Vec<_> =
        exact.pairs().map(|(from, to, words)| (from.into(), to.into(), noisy(words))).collect();
    Demand::from_list(terminals.into(), list).expect("an allowed demand")
}

/// Ten coflows of a trace: every sixth of the 60 with the most pairs. A word has 64 KiB.
fn widest(trace: &str) -> Vec<Demand> {
    let ids = trace.lines().skip(1).filter_map(|line| line.split_whitespace().next()?.parse().ok());
    let of = |id| {
        let reading = Reading { coflow: Some(id), words_per_mb: Some(16), ..Reading::default() };
        coflow::parse(trace, reading).unwrap_or_else(|refusal| panic!("{refusal}")).0
    };
    let mut all: Vec<Demand> = ids.map(of).collect();
    all.sort_by_key(|demand| std::cmp::Reverse(demand.nonzeros()));
    all.into_iter().step_by(6).take(10).collect()
}

fn workloads(trace: Option<&str>) -> Vec<(String, Vec<Demand>)> {
    let seeds = |of: &dyn Fn(u64) -> Demand| SEEDS.map(of).collect::<Vec<_>>();
    let mut all: Vec<_> = (0..8)
        .map(|number| {
            let workload = Some(Workload { number, step: 3 });
            (format!("megatron-w{number}"), seeds(&|seed| experts(64, 4, workload, seed)))
        })
        .collect();
    all.push(("gpt".into(), [[4, 4, 4], [8, 2, 4], [2, 4, 8]].map(gpt).into()));
    all.push(("qwen-moe".into(), seeds(&|seed| experts(32, 4, None, seed))));
    all.push(("qwen-moe".into(), seeds(&|seed| experts(64, 2, None, seed))));
    all.push(("flows".into(), seeds(&|seed| flows(100, seed))));
    all.extend(trace.map(|trace| ("fb2010".into(), widest(trace))));
    all
}

/// The time of a plan that carries its demand.
fn time(demand: &Demand, few: Few, delta: u32) -> u64 {
    let plan = PlanFile::new(demand.terminals(), delta, few);
    check(demand, &plan, delta).unwrap_or_else(|fault| panic!("{fault}"));
    plan.cycles()
}

/// The times of all planners on one demand, for 1, 2 and 4 planes; how many seconds each took is added.
fn times(demand: &Demand, delta: u32, seconds: &mut [f64; 5]) -> [[u64; 5]; 3] {
    let mut timed = |at: usize, plan: &mut dyn FnMut() -> u64| {
        let start = Instant::now();
        let time = plan();
        seconds[at] += start.elapsed().as_secs_f64();
        time
    };
    let mut greedy = Vec::new();
    timed(3, &mut || {
        greedy = eclipse::plan(demand, delta);
        0
    });
    [1, 2, 4].map(|planes| {
        let fabric = Fabric { delta, planes, matchings: None };
        let spread = |held: &[_]| time(demand, spread(held, fabric), delta);
        let n = demand.terminals() as usize;
        [
            timed(0, &mut || time(demand, few::plan(demand, fabric).expect("no limit"), delta)),
            timed(1, &mut || spread(&peel::permutations(demand))),
            timed(2, &mut || spread(&few::cover(n, demand.matrix().to_vec()))),
            timed(3, &mut || spread(&greedy)),
            timed(4, &mut || {
                let circuits = sunflow::plan(demand, delta, planes);
                sunflow::check(demand, &circuits, delta, planes).unwrap_or_else(|fault| panic!("{fault}"));
                circuits.iter().map(|one| one.end).max().unwrap_or(0)
            }),
        ]
    })
}

fn main() -> std::io::Result<()> {
    let trace = std::env::args().nth(1).map(std::fs::read_to_string).transpose()?;
    let mut out = std::io::stdout().lock();
    let columns = PLANNERS.map(|planner| format!("{planner}_mean,{planner}_worst"));
    writeln!(out, "workload,terminals,delta,planes,{}", columns.join(","))?;
    for (name, demands) in workloads(trace.as_deref()) {
        for delta in [0, 1, 10, 100] {
            let mut seconds = [0.0; 5];
            let all: Vec<_> = demands.iter().map(|demand| times(demand, delta, &mut seconds)).collect();
            for (at, planes) in [1, 2, 4].into_iter().enumerate() {
                let ratios = (0..PLANNERS.len()).map(|planner| {
                    let ratio = |(demand, times): (&Demand, &[[u64; 5]; 3])| {
                        let (bound, s) = demand.time_bound(delta, planes);
                        times[at][planner] as f64 * f64::from(s) / bound as f64
                    };
                    let ratios: Vec<f64> = demands.iter().zip(&all).map(ratio).collect();
                    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
                    format!("{mean:.3},{:.3}", ratios.iter().copied().fold(0.0, f64::max))
                });
                let ratios = ratios.collect::<Vec<_>>().join(",");
                writeln!(out, "{name},{},{delta},{planes},{ratios}", demands[0].terminals())?;
            }
            let seconds =
                PLANNERS.iter().zip(seconds).map(|(planner, seconds)| format!("{planner} {seconds:.1} s"));
            eprintln!("{name} {delta}: {}", seconds.collect::<Vec<_>>().join(", "));
        }
    }
    Ok(())
}
