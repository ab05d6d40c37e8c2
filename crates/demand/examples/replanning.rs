//! docs/replanning.csv, and the tables of docs/demand.md: plans of demands that follow each other, as those of the layers of a model do.
//!
//!     cargo run --release -p frit-demand --example replanning > docs/replanning.csv
//!     cargo run --release -p frit-demand --example replanning -- 64 150
//!
//! In each layer the demand drifts: of the last demand (100 − d) % stay, and d % are of a fresh demand of the same kind. The last plan was made `layers`
//! layers ago. A row has the time of each plan by the lower bound, the mean of `SEEDS` streams. With arguments, which are numbers of terminals, it
//! measures processor time instead, and says from which lower bound on a slower planner is worth its time.

#[path = "shared/clock.rs"]
mod clock;

use clock::seconds;
use frit_demand::experts::{Experts, Workload};
use frit_demand::few::{self, Fabric, cover};
use frit_demand::peel::Held;
use frit_demand::{Demand, Kind, generate};
use std::io::Write;

const SEEDS: u64 = 3;
const KINDS: [&str; 5] = ["uniform", "log-normal", "sparse", "experts", "w6"];

/// A demand of 100 words for each pair or so, drawn anew for a layer. In each layer the hot experts of w6 move.
fn fresh(kind: &str, n: u32, seed: u64, layer: u32) -> Demand {
    let words = 100 * n;
    let experts = Experts { tokens: 12 * n, top_k: 8, ..Experts::USUAL };
    let kind = match kind {
        "uniform" => Kind::Uniform { words },
        "log-normal" => Kind::LogNormal { words, sigma: 1.0 },
        "sparse" => Kind::Sparse { pairs: n / 4, words: 800 },
        "experts" => Kind::Experts(experts),
        _ => {
            let workload = Some(Workload { number: 6, step: 3 * layer });
            Kind::Experts(Experts { workload, ..experts })
        }
    };
    generate(&kind, n.into(), 1000 * seed + u64::from(layer)).expect("the kinds fit these sizes")
}

/// The demands of `layers` layers behind the first one, and the first.
fn stream(kind: &str, n: u32, seed: u64, drift: f64, layers: u32) -> Vec<Demand> {
    let first = fresh(kind, n, seed, 0);
    // Shares of words, so that small numbers drift, too.
    let mut state: Vec<f64> = first.matrix().iter().map(|&words| words.into()).collect();
    let mut all = vec![first];
    for layer in 1..=layers {
        let new = fresh(kind, n, seed, layer);
        let mix = |(old, &new): (&mut f64, &u32)| *old += drift * (f64::from(new) - *old);
        state.iter_mut().zip(new.matrix()).for_each(mix);
        let words = state.iter().map(|words| words.round() as u32).collect();
        all.push(Demand::new(n, words).expect("no more words than the demands have"));
    }
    all
}

fn time(held: &[Held], delta: u32) -> u64 {
    held.iter().map(|one| u64::from(one.hold + delta)).sum()
}

/// The last plan as it is, and a cover of what it leaves.
fn stale(demand: &Demand, last: &[Held], delta: u32) -> u64 {
    let mut left = demand.matrix().to_vec();
    last.iter().for_each(|one| one.take_from(&mut left));
    time(last, delta) + time(&cover(demand.terminals() as usize, left), delta)
}

/// N shifts, source i to i + k, each held for its longest message.
fn rotation(demand: &Demand, delta: u32) -> u64 {
    let n = demand.terminals();
    let longest = |shift: u32| (0..n).map(|source| demand.words(source, (source + shift) % n)).max();
    (0..n).filter_map(longest).filter(|&hold| hold > 0).map(|hold| u64::from(hold + delta)).sum()
}

/// Times by the lower bound: planned anew, the configurations of the first plan, those of the plan before that was made in the same way, the first
/// plan as it is, a rotation.
fn ratios(demands: &[Demand], delta: u32) -> [f64; 5] {
    let fabric = Fabric { delta, planes: 1, matchings: None };
    let plan = |demand| few::plan(demand, fabric).expect("there is no limit");
    let again = |demand, last: &[Held]| few::again(demand, last, fabric).expect("a plan of these terminals");
    let (first, next) = (plan(&demands[0]), &demands[demands.len() - 1]);
    let chain = demands[1..].iter().fold(first.clone(), |last, demand| again(demand, &last.all()));
    let first = first.all();
    let times = [
        plan(next).time,
        again(next, &first).time,
        chain.time,
        stale(next, &first, delta),
        rotation(next, delta),
    ];
    times.map(|time| time as f64 / next.time_bound(delta, 1).0 as f64)
}

fn mean(kind: &str, n: u32, delta: u32, drift: u32, layers: u32) -> [f64; 5] {
    let of = |seed| ratios(&stream(kind, n, seed, f64::from(drift) / 100.0, layers), delta);
    let all: Vec<[f64; 5]> = (1..=SEEDS).map(of).collect();
    std::array::from_fn(|at| all.iter().map(|ratios| ratios[at]).sum::<f64>() / SEEDS as f64)
}

fn file() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "terminals,demand,delta,drift,layers,planned,reuse,chain,stale,rotation")?;
    let drifts = [0, 1, 2, 5, 10, 20, 50, 100].map(|drift| (drift, 1));
    let layers = [2, 4, 8, 16].map(|layers| (5, layers));
    for n in [16, 64] {
        for kind in KINDS {
            for delta in [10, 100] {
                for (drift, layers) in drifts.into_iter().chain(layers) {
                    let columns = mean(kind, n, delta, drift, layers).map(|ratio| format!("{ratio:.3}"));
                    writeln!(out, "{n},{kind},{delta},{drift},{layers},{}", columns.join(","))?;
                }
            }
        }
    }
    Ok(())
}

/// Milliseconds of one run, the mean of many: the clock ticks every few milliseconds.
fn milliseconds(run: impl Fn() -> u64) -> f64 {
    let (start, mut runs) = (seconds(), 0);
    while runs < 10 || (seconds() - start < 0.3 && runs < 100_000) {
        std::hint::black_box(run());
        runs += 1;
    }
    (seconds() - start) * 1e3 / f64::from(runs)
}

/// From which lower bound on, in milliseconds, a planner that takes longer is worth it: (ms, time by the bound) of the fast one, then the slow one.
fn worth(fast: (f64, f64), slow: (f64, f64)) -> String {
    match fast.1 - slow.1 {
        gain if gain > 0.0005 => format!("{:.1} ms", (slow.0 - fast.0) / gain),
        _ => "never".into(),
    }
}

fn main() -> std::io::Result<()> {
    let sizes: Vec<u32> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    if sizes.is_empty() {
        return file();
    }
    let delta = 10;
    let fabric = Fabric { delta, planes: 1, matchings: None };
    for n in sizes {
        for kind in KINDS {
            for drift in [5, 100] {
                let demands = stream(kind, n, 1, f64::from(drift) / 100.0, 1);
                let next = &demands[1];
                let last = few::plan(&demands[0], fabric).expect("there is no limit").all();
                let [planned, reuse, _, _, round] = ratios(&demands, delta);
                let anew = (milliseconds(|| few::plan(next, fabric).map_or(0, |few| few.time)), planned);
                let again =
                    (milliseconds(|| few::again(next, &last, fabric).map_or(0, |few| few.time)), reuse);
                let rotated = (milliseconds(|| rotation(next, delta)), round);
                println!(
                    "N={n} {kind} drift={drift}% bound={} words: few {:.1} ms {:.3}, reuse {:.2} ms {:.3}, rotation {:.3} ms {:.3}; reuse beats rotation from {}, few beats reuse from {}, few beats rotation from {}",
                    next.time_bound(delta, 1).0,
                    anew.0,
                    anew.1,
                    again.0,
                    again.1,
                    rotated.0,
                    rotated.1,
                    worth(rotated, again),
                    worth(again, anew),
                    worth(rotated, anew)
                );
            }
        }
    }
    Ok(())
}
