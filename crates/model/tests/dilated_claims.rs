//! Claims of "Fast algorithms for bit-serial routing on a hypercube", section 2, over many seeds (docs/systems/dilated-experiments.md).

use frit_model::dilated::fast;
use frit_router::dilated::packets::{bit_reversal, permutations};
use frit_router::dilated::{Packets, Parameters, claims, loads};

fn packets(n: u32, parameters: Parameters) -> Packets {
    Packets::new(parameters, &permutations(1 << n, n, parameters.seed)).unwrap()
}

fn largest(packets: &Packets) -> u32 {
    loads::largest(packets).into_iter().max().unwrap()
}

/// Strong switches take 4n + M - 1 steps exactly where no bundle has more packets than edges, and never fewer: with one edge less,
/// somebody is blocked, or waits where edges are released.
#[test]
fn the_closed_form_holds_exactly_where_every_bundle_has_room() {
    for n in 2..=6 {
        for seed in 1..=15 {
            let load = largest(&packets(n, Parameters::new(1 << n, 1, seed)));
            for bundle in 1..=load + 1 {
                let once = Parameters::new(1 << n, bundle, seed);
                let least = claims::least_steps(n, once.payload, once.mode, false);
                assert_eq!(least, u64::from(4 * n + once.payload - 1));
                let room = bundle >= load;
                let kept = fast::run(&packets(n, once), |_| ());
                assert_eq!(kept.blocked.is_empty(), room, "n = {n}, b = {bundle}, seed {seed}");
                let released = fast::run(&packets(n, Parameters { release: true, ..once }), |_| ());
                assert!(released.blocked.is_empty() && released.steps >= least);
                assert_eq!(released.steps == least, room, "n = {n}, b = {bundle}, seed {seed}");
                if room {
                    assert_eq!((kept.steps, kept.waits), (least, 0), "n = {n}, b = {bundle}, seed {seed}");
                }
            }
        }
    }
}

/// The largest loads of the paper's worst permutation, straight and through random rows, of the references: 384 against 19.
#[test]
fn random_intermediate_rows_make_bit_reversal_harmless() {
    let load = |direct, seed| {
        let parameters = Parameters { direct, ..Parameters::new(4096, 1, seed) };
        largest(&Packets::new(parameters, &bit_reversal(4096, 12)).unwrap())
    };
    assert_eq!(load(true, 1), 384);
    let random = [1, 2, 3, 4].map(|seed| load(false, seed));
    assert!(random.iter().all(|load| (17..=22).contains(load)), "{random:?}");
}

/// Loads are within the exact bound: over 300 seeds no more often beyond b edges than its chance says.
#[test]
fn overloads_are_no_more_frequent_than_the_bound_says() {
    const SEEDS: u64 = 300;
    for n in [3, 4, 6] {
        let loads: Vec<u32> =
            (1..=SEEDS).map(|seed| largest(&packets(n, Parameters::new(1 << n, 1, seed)))).collect();
        for bundle in 1..=16 {
            let beyond = loads.iter().filter(|&&load| load > bundle).count() as f64;
            let bound = claims::overload_bound(n, n, bundle) * SEEDS as f64;
            // Three standard deviations of a count with that mean.
            assert!(beyond <= bound + 3.0 * bound.sqrt() + 1.0, "n = {n}, b = {bundle}: {beyond}, {bound}");
        }
        let half = claims::bundle_for(n, n, 0.5);
        let beyond = loads.iter().filter(|&&load| load >= half).count();
        assert!(beyond > 0, "n = {n}: no load reaches {half}, so the bound says nothing");
    }
}
