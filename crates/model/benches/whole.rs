//! Whole exchanges: switches passed by packets per second in the reference, in the fast engine on one core, and the copy of
//! the same tokens once per stage, one after the other in the same run. Compare figures of one run only.
//!
//!     cargo bench -p frit-model --bench whole                      RLS from 2^6 to 2^16, the others at N = 1024
//!     cargo bench -p frit-model --bench whole -- rls:256 gsen:66   some
//!     cargo bench -p frit-model --bench whole | scripts/plot-speed > speed.svg
//!
//! Under Unix times are those that the process spent on a core, so that other work on the machine counts less; elsewhere
//! they are those of a clock on the wall. The least of some repetitions is taken.

mod clock;

use clock::least;
use frit_model::fast::Fast;
use frit_schedule::{Control, Plan, Request, plan};
use std::hint::black_box;

/// Hops that a repetition has at least, and at most if it need not be a complete exchange.
const HOPS: [u64; 2] = [40_000_000, 4_000_000_000];
const REPETITIONS: usize = 7;

/// Bits of a message: the number of its lane, and its label.
fn bits(plan: &Plan) -> u32 {
    let label = if let Control::Labels(_) = plan.control { plan.network.stages() } else { 0 };
    plan.lane_bits() + label
}

/// Hops a second in the fast engine: the rounds given, all of them if there are fewer.
fn fast(plan: &Plan) -> f64 {
    let per_round = plan.network.lanes() as u64 * plan.network.stages() as u64 * plan.phases.count();
    let rounds = (HOPS[1] / per_round).clamp(1, plan.rounds as u64);
    let repeats = (HOPS[0] / (rounds * per_round)).max(1);
    let engine = Fast::new(plan, 0..rounds as u32).expect("a plan of the table");
    let time = least(REPETITIONS, || {
        for _ in 0..repeats {
            let checked = engine.run(&|_| ());
            assert!(checked.clean() && checked.arrived == checked.sent);
        }
    });
    (repeats * rounds * per_round) as f64 / time
}

/// Hops a second in the fast engine if its tables are made for each exchange anew, as [`frit_model::fast::exchange`] does.
fn fast_whole(plan: &Plan) -> f64 {
    let hops =
        plan.rounds as u64 * plan.network.lanes() as u64 * plan.network.stages() as u64 * plan.phases.count();
    let repeats = (HOPS[0] / hops).max(1);
    let time = least(REPETITIONS, || {
        for _ in 0..repeats {
            assert!(frit_model::fast::exchange(black_box(plan), None, &mut ()).run.ok());
        }
    });
    (repeats * hops) as f64 / time
}

/// Hops a second in the reference.
fn reference(plan: &Plan) -> f64 {
    let hops =
        plan.rounds as u64 * plan.network.lanes() as u64 * plan.network.stages() as u64 * plan.phases.count();
    hops as f64 / least(1, || assert!(frit_model::exchange(plan, None, &mut ()).run.ok()))
}

/// Tokens a second that are copied, a row of lanes at a time as a stage has them: a word of 32 or 64 bits each, what
/// holds the message. Of four places for the copy the fastest counts: where the addresses differ by little more than a
/// multiple of 4096 bytes, a copy takes twice as long.
fn copied(plan: &Plan) -> f64 {
    let words = plan.network.lanes() as usize * if bits(plan) <= 32 { 1 } else { 2 };
    // Both begin where a line of the cache does.
    let (tokens, mut copies) = (vec![1u32; words + 16], vec![0u32; words + 1040]);
    let tokens = &tokens[tokens.as_ptr().align_offset(64)..][..words];
    let start = copies.as_ptr().align_offset(64);
    let repeats = (HOPS[0] * 2 / words as u64).max(1);
    let times = [0, 256, 512, 768].map(|place| {
        let copy = &mut copies[start + place..][..words];
        least(REPETITIONS, || {
            for _ in 0..repeats {
                copy.copy_from_slice(black_box(tokens));
                black_box(&mut *copy);
            }
        })
    });
    (repeats * plan.network.lanes() as u64) as f64 / times.into_iter().fold(f64::INFINITY, f64::min)
}

fn main() {
    // One core: what more of them give depends on the memory they share.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool yet");
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut designs, mut verilated): (Vec<(String, u64)>, Option<f64>) = (vec![], None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--verilated" => {
                verilated = arguments.next().and_then(|rate| rate.parse().ok());
            }
            _ => {
                let (system, terminals) = argument.split_once(':').expect("SYSTEM:N");
                designs.push((system.into(), terminals.parse().expect("a number of terminals")));
            }
        }
    }
    if designs.is_empty() {
        designs = (6..=16).map(|n| ("rls".to_string(), 1 << n)).collect();
        designs.extend(["gsen", "obf", "xor"].map(|system| (system.to_string(), 1024)));
        designs.extend(["ata2", "latin"].map(|algorithm| (algorithm.to_string(), 1026)));
    }
    println!(
        "{:12} {:>4} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>14}",
        "design",
        "bits",
        "reference",
        "fast",
        "with tables",
        "memcpy",
        "fast/ref.",
        "fast/copy",
        "ps per hop·bit"
    );
    for (system, terminals) in designs {
        let request = match system.as_str() {
            "ata2" | "latin" => Request::new("gsen", terminals).with("algorithm", &system),
            _ => Request::new(&*system, terminals),
        };
        let plan = plan(&request).expect("a size of the system");
        let (fast, copied) = (fast(&plan), copied(&plan));
        // The reference takes minutes for large exchanges.
        let small = terminals <= 1026;
        let reference = small.then(|| reference(&plan));
        let whole = small.then(|| fast_whole(&plan));
        let shown = |rate: Option<f64>| rate.map_or("-".to_string(), |rate| format!("{rate:.2e}"));
        let ratio = reference.map_or("-".to_string(), |reference| format!("{:.0}", fast / reference));
        println!(
            "{:12} {:>4} {:>10} {:>10.2e} {:>11} {:>10.2e} {:>10} {:>10.2} {:>14.2}",
            format!("{system}_{terminals}"),
            bits(&plan),
            shown(reference),
            fast,
            shown(whole),
            copied,
            ratio,
            fast / copied,
            1e12 / fast / bits(&plan) as f64
        );
        if let Some(verilated) = verilated {
            println!(
                "{:12} {:>4} {verilated:>10.2e} hops/s; fast/Verilated {:.0}",
                "Verilated",
                "",
                fast / verilated
            );
        }
    }
}
