//! A plan from the configurations of the last plan, for demands that follow each other faster than [`plan`](super::plan) searches.
//!
//! The permutations stay, and get new holds. What these leave is covered by new configurations, so a plan carries its demand
//! whatever the last plan was. Then the holds are weighed once more, now for all configurations of the best plan.

use super::{Best, Fabric, Few, rest};
use crate::demand::Demand;
use crate::peel::{Held, NONE};
use frit_network::{Refusal, refuse};
use std::cmp::Reverse;

/// Holds are weighed as if N / 2, N / 4, … pairs shared a configuration of the rest; in the last case one pair, so that a hold leaves nothing.
const SHARES: [u64; 4] = [2, 4, 8, u64::MAX];

/// How often holds are weighed at most.
const PASSES: u32 = 3;

/// A plan of this demand from the permutations of `last`, where [`NONE`] is the destination of a source that sends nothing. On one network
/// it takes no longer than the last plan if that carries this demand.
///
/// # Errors
///
/// Too few configurations; a configuration of `last` that has other terminals, or two sources with one destination.
pub fn again(demand: &Demand, last: &[Held], fabric: Fabric) -> Result<Few, Refusal> {
    fabric.check(demand)?;
    let whole = |(at, one): (usize, &Held)| Ok(Held { to: whole(demand, &one.to, at)?, hold: one.hold });
    let mut last = last.iter().enumerate().map(whole).collect::<Result<Vec<Held>, Refusal>>()?;
    // A configuration that two networks held is one.
    last.sort_by(|a, b| a.to.cmp(&b.to));
    last.dedup_by(|next, one| {
        let same = next.to == one.to;
        one.hold = one.hold.saturating_add(if same { next.hold } else { 0 });
        same
    });
    let mut best = Best::new(demand, fabric);
    serve(&mut best, &last, |one, _| one.hold);
    let mut before = None;
    for _ in 0..PASSES {
        last.sort_by_key(|one| Reverse(one.hold));
        for share in SHARES {
            let together = (u64::from(demand.terminals()) / share).max(1);
            serve(&mut best, &last, |_, words| weighed(words, fabric.delta, together));
        }
        if before.is_none() {
            // A plan without any configuration of the last plan has the fewest configurations.
            serve(&mut best, &[], |_, _| 0);
        }
        if best.time() == before {
            break;
        }
        before = best.time();
        last = best.few.iter().flat_map(Few::all).collect();
    }
    Ok(best.few.expect("a cover has as few configurations as there can be"))
}

/// A permutation from a part of one: each source without a destination gets the one of those left for which it has the most words.
fn whole(demand: &Demand, to: &[u16], at: usize) -> Result<Vec<u16>, Refusal> {
    let n = demand.terminals();
    let place = || format!("configuration {at} of the last plan (the first one is 0)");
    if to.len() != n as usize {
        refuse!(
            "{} has {} terminals, but the demand has {n}; give a plan of {n} terminals",
            place(),
            to.len()
        );
    }
    let mut source_of = vec![None; n as usize];
    for (source, &to) in to.iter().enumerate().filter(|(_, to)| **to != NONE) {
        let Some(slot) = source_of.get_mut(usize::from(to)) else {
            refuse!("{}: source {source} sends to {to}; give a terminal from 0 to {}", place(), n - 1);
        };
        if let Some(other) = slot.replace(source) {
            refuse!("{}: sources {other} and {source} send to {to}; give each another terminal", place());
        }
    }
    let mut to = to.to_vec();
    for (source, to) in to.iter_mut().enumerate().filter(|(_, to)| **to == NONE) {
        let free = (0..n).filter(|&column| source_of[column as usize].is_none());
        let column =
            free.max_by_key(|&column| demand.words(source as u32, column)).expect("as many as sources");
        source_of[column as usize] = Some(source);
        *to = column as u16;
    }
    Ok(to)
}

/// Considers a plan: these configurations, each with a new hold that depends on the words that are left for its pairs, and a cover of the rest.
fn serve(best: &mut Best, last: &[Held], hold: impl Fn(&Held, &[u32]) -> u32) {
    if best.is_least() {
        return;
    }
    let n = best.demand.terminals() as usize;
    let mut left = best.demand.matrix().to_vec();
    let mut held = Vec::with_capacity(last.len());
    for one in last {
        let words = |(source, &to): (usize, &u16)| left[source * n + usize::from(to)];
        let words: Vec<u32> = one.to.iter().enumerate().map(words).collect();
        let one = Held { to: one.to.clone(), hold: hold(one, &words) };
        one.take_from(&mut left);
        held.push(one);
    }
    held.extend(rest(n, left));
    best.consider(held);
}

/// The hold of least cost for pairs with so many words. A hold a > 0 costs a + δ; a pair that has w > a words costs w − a + δ later, a cost
/// that it shares with the other pairs of a configuration, `together` in all.
fn weighed(words: &[u32], delta: u32, together: u64) -> u32 {
    let mut words = words.to_vec();
    words.sort_unstable_by_key(|&words| Reverse(words));
    let (mut least, mut longer) = ((u64::MAX, Reverse(0)), 0);
    for (pairs, &hold) in (0..).zip(words.iter().chain([&0])) {
        // `longer` is the sum over the pairs before, which have as many words or more.
        let own = if hold > 0 { u64::from(hold) + u64::from(delta) } else { 0 };
        least = least.min((together * own + longer - pairs * u64::from(hold), Reverse(hold)));
        longer += u64::from(hold) + u64::from(delta);
    }
    least.1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Fault, check};
    use crate::few::plan;
    use crate::generate::{Kind, generate};
    use crate::plan_file::PlanFile;
    use frit_traffic::random::SplitMix64;
    use proptest::prelude::*;

    fn checked(demand: &Demand, few: &Few, delta: u32) -> Result<(), Fault> {
        check(demand, &PlanFile::new(demand.terminals(), delta, few.clone()), delta)
    }

    proptest! {
        #[test]
        fn every_demand_is_carried_within_the_limits_whatever_the_last_plan_was(
            n in 2u32..24, kept in 0usize..40, most in 1u32..3000, delta in 0u32..200, planes in 1u32..4,
            room in proptest::option::of(0u32..20), seed in any::<u64>(),
        ) {
            let mut random = SplitMix64(seed);
            let words = (0..n * n).map(|_| random.below(most).saturating_sub(most / 2)).collect();
            let demand = Demand::new(n, words).unwrap();
            let mut part = || {
                let to = random.permutation(n).into_iter().map(|to| if to % 5 == 4 { NONE } else { to as u16 });
                Held { to: to.collect(), hold: random.below(most) }
            };
            let last: Vec<Held> = (0..kept).map(|_| part()).collect();
            let least = demand.least_configurations().div_ceil(planes).max(1);
            let fabric = Fabric { delta, planes, matchings: room.map(|more| least + more) };
            let few = again(&demand, &last, fabric).unwrap();
            prop_assert_eq!(checked(&demand, &few, delta), Ok(()));
            let longest = few.planes.iter().map(Vec::len).max().unwrap() as u32;
            prop_assert!(fabric.matchings.is_none_or(|most| longest <= most));
            let cost = |plane: &Vec<Held>| plane.iter().map(|one| u64::from(one.hold + delta)).sum::<u64>();
            prop_assert_eq!(Some(few.time), few.planes.iter().map(cost).max());
        }
    }

    fn demands() -> impl Iterator<Item = Demand> {
        let kinds = [
            Kind::Uniform { words: 900 },
            Kind::LogNormal { words: 900, sigma: 1.0 },
            Kind::Sparse { pairs: 4, words: 300 },
        ];
        kinds.into_iter().map(|kind| generate(&kind, 24, 3).unwrap())
    }

    #[test]
    fn the_same_demand_takes_no_longer_and_another_one_needs_the_cover() {
        let (mut keeps, mut lacks) = ([0; 2], 0);
        for demand in demands() {
            for (delta, planes) in [(0, 1), (10, 1), (100, 1), (10, 2)] {
                let fabric = Fabric { delta, planes, matchings: None };
                let last = plan(&demand, fabric).unwrap();
                let few = again(&demand, &last.all(), fabric).unwrap();
                assert!(few.time <= last.time, "{fabric:?}: {} {}", few.time, last.time);
                // A twentieth of the words goes elsewhere: the last plan itself lacks some of them.
                let n = demand.terminals() as usize;
                let moved = |at: usize| demand.matrix()[at / n * n + (at + 1) % n];
                let words = demand
                    .matrix()
                    .iter()
                    .enumerate()
                    .map(|(at, words)| (words * 19 + moved(at)).div_ceil(20));
                let next = Demand::new(demand.terminals(), words.collect()).unwrap();
                lacks += u32::from(matches!(checked(&next, &last, delta), Err(Fault::Lacking { .. })));
                let few = again(&next, &last.all(), fabric).unwrap();
                assert_eq!(checked(&next, &few, delta), Ok(()));
                let kept = few.all().iter().any(|one| last.all().iter().any(|last| last.to == one.to));
                keeps[usize::from(kept)] += 1;
            }
        }
        // A new cover is better now and then.
        assert!(keeps[1] > keeps[0] && lacks > keeps[1] / 2, "{keeps:?} {lacks}");
    }

    #[test]
    fn a_hold_weighs_what_it_leaves() {
        // One pair has more words: its hold is longer if the rest would have a configuration of its own.
        let weighed = |words: &[u32], together| weighed(words, 10, together);
        assert_eq!([1, 2].map(|together| weighed(&[20, 90, 20, 18], together)), [90, 20]);
        assert_eq!([1, 4].map(|together| weighed(&[3, 0, 0, 0], together)), [3, 0]);
        assert_eq!([weighed(&[0, 0], 1), weighed(&[7, 7], 2)], [0, 7]);
    }

    #[test]
    fn what_is_no_configuration_is_refused() {
        let demand = Demand::new(3, vec![1; 9]).unwrap();
        let text = |to: &[u16], matchings| {
            let last = [Held { to: vec![2, NONE, 0], hold: 1 }, Held { to: to.into(), hold: 1 }];
            again(&demand, &last, Fabric { delta: 1, planes: 1, matchings })
                .map_err(|error| error.to_string())
        };
        let place = "configuration 1 of the last plan (the first one is 0)";
        for (to, said) in [
            (&[0, 1][..], " has 2 terminals, but the demand has 3; give a plan of 3 terminals"),
            (&[0, 3, 1], ": source 1 sends to 3; give a terminal from 0 to 2"),
            (&[2, NONE, 2], ": sources 0 and 2 send to 2; give each another terminal"),
        ] {
            assert_eq!(text(to, None), Err(format!("{place}{said}")));
        }
        let few = text(&[0, 1, 2], Some(2)).unwrap_err();
        assert!(few.starts_with("2 configurations are too few"), "{few}");
        assert_eq!(text(&[0, NONE, NONE], Some(3)).unwrap().time, 6);
    }
}
