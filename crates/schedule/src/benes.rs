//! The Beneš network, set from tables that the looping algorithm computes off line: any permutation in 2n - 1 stages.
//!
//! Either the whole exchange, a round for each rotation (those of [`rotation`](crate::rotation), RLS), or one
//! permutation of the user's.

use crate::light::{CHOOSE, chosen_named};
use crate::looping;
use crate::pipeline::PIPELINE;
use crate::plan::{CUSTOM, Control, Demand, Figures, Plan};
use crate::radix::{RADIX, takes_radix4};
use crate::stuck::{STUCK, around_named};
use crate::tables::{Tables, check_size};
use frit_network::options::{OptionSpec, Request, Row, Values};
use frit_network::{Network, Refusal, RoundIdx, benes, benes_radix4};
use std::collections::BTreeMap;

/// Where this comes from.
pub const SOURCE: &str = "V. E. Benes, Mathematical theory of connecting networks (1965); looping algorithm of Opferman and Tsao-Wu (1971)";

/// What is routed: a round for each rotation. [`CUSTOM`] stands for a permutation of the user's.
pub const PERMUTATIONS: &[&str] = &["rotations"];

/// The option that says what is routed.
pub const PERMUTATION: OptionSpec = OptionSpec {
    name: "permutation",
    values: Values::WordsOrFile(PERMUTATIONS),
    help: "one round for each rotation; or a file with one permutation, sent in one round (the file sets -n)",
    compared: false,
};

/// The system in the table.
pub static ROW: Row = Row {
    key: "benes",
    title: "Benes network with stored settings, any permutation",
    sizes: "N = 2^n, n >= 2, up to 4096 (one permutation: up to 2^20)",
    cycles: "(2n - 1) + (N - 1); one permutation: 2n - 1; radix 4: about half of 2n - 1",
    drivers: "a table of settings per stage",
    paper: SOURCE,
    options: &[PERMUTATION, RADIX, PIPELINE, STUCK, CHOOSE],
    example: 16,
};

/// The plan of a complete exchange: round k sends i to (i - k) mod N.
pub fn plan(request: &Request) -> Result<Plan, Refusal> {
    let mut options = request.options.clone();
    let network = network(request.terminals, &mut options)?;
    check_size(request.terminals, request.terminals)?;
    let terminals = network.terminals();
    let rotation = |round: RoundIdx| (0..terminals).map(|i| (i + terminals - round.0) % terminals).collect();
    build(network, options, terminals, Demand::AllToAll, rotation)
}

/// The plan that routes one permutation: `permutation[i]` is the destination of terminal i
/// ([`permutation::parse`](frit_traffic::permutation::parse) reads one).
pub fn plan_with_permutation(permutation: &[u32]) -> Result<Plan, Refusal> {
    plan_with_permutation_as(permutation, &BTreeMap::new())
}

/// The same with the options of a request, which were checked.
pub fn plan_with_permutation_as(
    permutation: &[u32],
    options: &BTreeMap<String, String>,
) -> Result<Plan, Refusal> {
    let mut options = options.clone();
    options.insert(PERMUTATION.name.into(), CUSTOM.into());
    let network = network(permutation.len() as u64, &mut options)?;
    chosen_named(around_named(build(network, options, 1, Demand::Scheduled, |_| permutation.to_vec())?)?)
}

/// The network with the switches that the options ask for.
fn network(terminals: u64, options: &mut BTreeMap<String, String>) -> Result<Network, Refusal> {
    match takes_radix4(options) {
        true => benes_radix4(terminals),
        false => benes(terminals),
    }
}

fn build(
    network: Network,
    options: BTreeMap<String, String>,
    rounds: u32,
    demand: Demand,
    permutation: impl Fn(RoundIdx) -> Vec<u32>,
) -> Result<Plan, Refusal> {
    let settings = |round| looping::settings(&permutation(round)).expect("the network has this size");
    let tables = Tables::settings(&network, rounds, settings)?;
    // A word passes one group in a cycle; each stage is a group if the switches have two lanes.
    let groups = network.groups();
    let mut figures = match demand {
        Demand::AllToAll | Demand::Among(_) => Figures::full_outputs(rounds, groups, SOURCE),
        Demand::Scheduled => {
            Figures::tight(groups.into(), format!("a message passes {groups} stages"), SOURCE)
        }
    };
    if network.is_grouped() {
        figures.bound_reason = figures.bound_reason.replace(" stages", " groups of stages");
    }
    let figures =
        Figures { drivers: network.switches(), stored_bits: tables.stored_bits().total(), ..figures };
    Ok(Plan { demand, ..Plan::new(&ROW, &options, network, rounds, Control::Table(tables), figures) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_plan;
    use frit_network::{LaneIdx, RoundIdx};
    use proptest::prelude::*;

    #[test]
    fn every_rotation_in_two_n_minus_one_stages() {
        for (terminals, cycles) in [(4u64, 6), (8, 12), (16, 22), (32, 40), (64, 74)] {
            let plan = crate::plan(&Request::new("benes", terminals)).unwrap();
            assert_eq!((plan.cycles(), plan.figures.cycles_paper), (cycles, cycles));
            for (round, lane) in [(0, 3), (1, 0), (3, 2)] {
                assert_eq!(
                    u64::from(plan.destination(RoundIdx(round), LaneIdx(lane)).0),
                    (u64::from(lane + terminals as u32 - round)) % terminals
                );
            }
            let report = check_plan(&plan);
            assert!(report.complete() && report.repeated == 0, "N={terminals}: {report:?}");
        }
    }

    #[test]
    fn the_bits_of_the_tables_are_counted() {
        // N = 8: settings 8 rounds x 5 stages x 4 switches, destinations and sources 8 x 8 x 3 each.
        let plan = crate::plan(&Request::new("benes", 8)).unwrap();
        assert_eq!(plan.figures.stored_bits, 160 + 192 + 192);
        assert_eq!(plan.figures.drivers, 20);
    }

    #[test]
    fn one_permutation_is_one_round_and_its_pairs_are_all_that_is_due() {
        let plan = plan_with_permutation(&[3, 7, 4, 0, 2, 6, 1, 5]).unwrap();
        assert_eq!((plan.rounds, plan.cycles(), plan.pairs_due()), (1, 5, 8));
        assert_eq!(plan.name(), "benes_custom_n8");
        assert_eq!(plan.arguments(), "benes -n 8 --permutation FILE");
        let report = check_plan(&plan);
        assert!(report.complete() && report.missing == 0, "{report:?}");
        // As an exchange between all it would miss the rest.
        let wrong = Plan { demand: Demand::AllToAll, ..plan };
        assert_eq!(check_plan(&wrong).missing, 56);
    }

    #[test]
    fn sizes_are_refused() {
        let text = |n| crate::plan(&Request::new("benes", n)).unwrap_err().to_string();
        assert!(text(6).starts_with("the Benes network does not exist with 6 terminals"), "{}", text(6));
        assert!(text(8192).starts_with("8192 rounds of 8192 lanes exceed"), "{}", text(8192));
        let odd = plan_with_permutation(&[2, 1, 0]).unwrap_err().to_string();
        assert!(odd.starts_with("the Benes network does not exist with 3 terminals"), "{odd}");
    }

    proptest! {
        #[test]
        fn any_permutation_is_a_plan_that_the_checker_accepts(n in 2u32..9, seed in any::<u64>()) {
            let mut permutation: Vec<u32> = (0..1 << n).collect();
            let mut random = frit_traffic::random::SplitMix64(seed);
            for i in (1..permutation.len()).rev() {
                permutation.swap(i, (random.next() % (i as u64 + 1)) as usize);
            }
            let plan = plan_with_permutation(&permutation).unwrap();
            prop_assert!(check_plan(&plan).complete());
            let reached: Vec<u32> = LaneIdx::all(1 << n).map(|lane| plan.destination(RoundIdx(0), lane).0).collect();
            prop_assert_eq!(reached, permutation);
        }
    }
}
