//! A cyclic system with a length for each round: round k of the system's own exchange lasts as many cycles as the longest of the
//! pairs it joins has words, and a round without words is left out.
//!
//! Where several rounds join the same pair, its words fill room in rounds that are longer anyway, and lengthen only one.

use crate::demand::Demand;
use crate::exchange::{Exchange, Machine, Slot, State};
use crate::walk;
use frit_network::{LaneIdx, Refusal, RoundIdx, refusal, refuse};
use frit_schedule::Plan;

/// Whether a plan can run any demand of this size.
fn check(demand: &Demand, plan: &Plan) -> Result<(), Refusal> {
    let name = || plan.name();
    if plan.served() != demand.terminals() {
        refuse!(
            "the demand has {} terminals, but {} has {terminals}; give a demand of {terminals} terminals",
            demand.terminals(),
            name(),
            terminals = plan.served()
        );
    }
    match plan.second_pass {
        Some(_) => Err(refusal!(
            "{} passes its network twice, and its rounds cannot be lengthened; use a system without a second pass, for example rls",
            name()
        )),
        None => Ok(()),
    }
}

/// Too many words or rounds for this plan, though another plan of the same demand may have fewer: attached to the refusal.
pub struct TooMany;

pub fn plan(demand: &Demand, plan: Plan) -> Result<Exchange, Refusal> {
    plan_ticking(demand, plan, u64::MAX, &mut |_, _| ())
}

/// The same for a machine whose plans have at most `most` rounds where each round is stored; `tick` is told how many rounds have been looked
/// at, and of how many.
pub fn plan_ticking(
    demand: &Demand,
    plan: Plan,
    most: u64,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<Exchange, Refusal> {
    check(demand, &plan)?;
    let lengths = lengths(demand, &plan, tick)?;
    if plan.systolic().is_some() {
        return walk::exchange(plan, &lengths, most, tick);
    }
    let slot = |(round, hold)| Slot { hold, state: State::Round(round) };
    let slots = (0..).map(RoundIdx).zip(lengths).filter(|(_, hold)| *hold > 0).map(slot).collect();
    Ok(Exchange { machine: Machine::Cyclic(Box::new(plan)), slots })
}

/// Refuses an exchange in which every round lasts `length` cycles if each round is stored and there are more than `most`.
pub fn check_uniform(demand: &Demand, plan: &Plan, length: u32, most: u64) -> Result<(), Refusal> {
    check(demand, plan)?;
    let rounds = u64::from(plan.rounds) * u64::from(length);
    match plan.systolic().is_some() && rounds > most {
        true => Err(walk::too_long(plan, rounds, most)),
        false => Ok(()),
    }
}

/// The exchange in which every round lasts `length` cycles. It has room for `length` words of each pair, whatever the demand is.
pub fn uniform(demand: &Demand, plan: Plan, length: u32) -> Result<Exchange, Refusal> {
    check(demand, &plan)?;
    if plan.systolic().is_some() {
        return Ok(walk::repeated(plan, length));
    }
    let slot = |round| Slot { hold: length, state: State::Round(round) };
    let slots = RoundIdx::all(plan.rounds).filter(|_| length > 0).map(slot).collect();
    Ok(Exchange { machine: Machine::Cyclic(Box::new(plan)), slots })
}

fn lengths(demand: &Demand, plan: &Plan, tick: &mut dyn FnMut(u64, u64)) -> Result<Vec<u32>, Refusal> {
    let owned = plan.lanes_per_terminal();
    let n = plan.served();
    let mut occurrences: Vec<(u32, RoundIdx)> = Vec::new();
    for round in RoundIdx::all(plan.rounds) {
        tick(round.0.into(), plan.rounds.into());
        for lane in LaneIdx::all(n * owned).filter(|&lane| plan.sends(round, lane)) {
            let (source, to) = (lane.0 / owned, plan.destination(round, lane).0 / owned);
            if demand.words(source, to) > 0 {
                occurrences.push((source * n + to, round));
            }
        }
    }
    // The rounds of a pair stand side by side.
    occurrences.sort_unstable();
    let mut groups: Vec<&[(u32, RoundIdx)]> = occurrences.chunk_by(|a, b| a.0 == b.0).collect();
    if groups.len() as u64 != demand.nonzeros() {
        let joined = |pair: u32| groups.binary_search_by_key(&pair, |group| group[0].0).is_ok();
        let lost = demand.pairs().find(|&(source, to, _)| !joined(source * n + to));
        let (source_, destination, _) = lost.expect("there are fewer groups than pairs");
        refuse!(
            "no round of {} joins {source_} and {destination}; use a system whose rounds join all pairs",
            plan.name()
        );
    }
    let words = |pair: u32| demand.matrix()[pair as usize];
    groups.sort_by_key(|group| (group.len(), std::cmp::Reverse(words(group[0].0))));
    let mut lengths = vec![0u32; plan.rounds as usize];
    for group in groups {
        let room: u64 = group.iter().map(|&(_, round)| u64::from(lengths[round.idx()])).sum();
        let more = u64::from(words(group[0].0)).saturating_sub(room);
        // No more than the pair's words, which fit.
        lengths[group[0].1.idx()] += more as u32;
    }
    Ok(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::plain;
    use crate::generate::{Kind, generate};
    use crate::run::run;
    use frit_schedule::Request;

    #[test]
    fn every_system_carries_every_kind() {
        let kinds = [
            Kind::Uniform { words: 40 },
            Kind::LogNormal { words: 100, sigma: 1.0 },
            Kind::HotSpot { words: 60, hot: 5, percent: 50 },
            Kind::Sparse { pairs: 2, words: 50 },
            Kind::BlockDiagonal { words: 33, block: 4 },
            Kind::Uniform { words: 0 },
        ];
        for (key, n) in
            [("rls", 16), ("xor", 16), ("gsen", 12), ("gsen", 16), ("obf", 16), ("atape", 16), ("benes", 8)]
        {
            for (kind, seed) in kinds.iter().zip(1..) {
                let demand = generate(kind, n, seed).unwrap();
                let exchange = plan(&demand, plain(key, n as u32).unwrap()).unwrap();
                let report = run(&demand, &exchange, &mut ()).unwrap();
                assert_eq!(report.words, demand.total(), "{key} {kind:?}");
                let machine = &exchange.machine;
                assert!(
                    report.cycles >= demand.cycles_bound(machine.latency(), machine.lanes_per_terminal())
                );
                assert!(exchange.cycles() >= report.cycles);
            }
        }
    }

    #[test]
    fn a_round_is_as_long_as_its_longest_pair_and_empty_ones_are_left_out() {
        let demand = Demand::from_list(4, [(0, 1, 100), (1, 0, 1), (2, 3, 1), (3, 2, 1)]).unwrap();
        let shuffle = Request::new("xor", 4).with("network", "shuffle");
        let exchange = plan(&demand, frit_schedule::plan(&shuffle).unwrap()).unwrap();
        assert_eq!((exchange.slots.len(), exchange.rounds()), (1, 100));
        // Rotations: 0 -> 1 and 2 -> 3 in one round, 1 -> 0 and 3 -> 2 in another.
        let exchange = plan(&demand, plain("rls", 4).unwrap()).unwrap();
        assert_eq!((exchange.slots.len(), exchange.rounds()), (2, 101));
    }

    #[test]
    fn what_cannot_run_is_refused() {
        let demand = Demand::new(8, vec![1; 64]).unwrap();
        let text = plan(&demand, plain("rls", 4).unwrap()).unwrap_err().to_string();
        assert!(text.starts_with("the demand has 8 terminals, but rls_"), "{text}");
        let text = plan(&demand, plain("rls-folded", 8).unwrap()).unwrap_err().to_string();
        assert!(text.contains("passes its network twice"), "{text}");
        let one = frit_schedule::benes::plan_with_permutation(&[1, 0, 3, 2, 5, 4, 7, 6]).unwrap();
        let text = plan(&demand, one).unwrap_err().to_string();
        assert!(text.contains("joins 0 and 0;"), "{text}");
    }
}
