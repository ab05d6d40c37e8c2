//! Sunflow: X. S. Huang, X. S. Sun, T. S. E. Ng, "Sunflow: Efficient Optical Circuit Scheduling for Coflows", CoNEXT 2016.
//!
//! As in the paper: the unit is a circuit, not a configuration. A pair has one reservation of δ + words on its input port and its output
//! port, and is never preempted. Other ports go on meanwhile. A pair is reserved as soon as both of its ports are free. This is one coflow;
//! the paper also has an order of several.
//!
//! What differs: pairs are tried with the largest first, where the paper has any order. With s planes a port has s ends, and a circuit takes the
//! ends of the first plane that has both free.
//!
//! In this model a port that changes does not stop the others. The lower bound of [`Demand::time_bound`] holds for both models.

use crate::demand::Demand;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A reservation of a port of `source` and a port of `destination`, both of `plane`, from `start` on and before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Circuit {
    pub end: u64,
    pub start: u64,
    pub plane: u32,
    pub source: u32,
    pub destination: u32,
}

/// The circuits in the order of their starts. Times are in words, and `delta` is the time to set up a circuit.
pub fn plan(demand: &Demand, delta: u32, planes: u32) -> Vec<Circuit> {
    let n = demand.terminals() as usize;
    let mut pairs: Vec<(u32, u32, u32)> = demand.pairs().collect();
    pairs.sort_by_key(|&(.., words)| Reverse(words));
    // The pairs of each row, then of each column, that wait; pairs are known by their places in the order.
    let mut waiting = vec![BTreeSet::new(); 2 * n];
    for (at, &(source, destination, _)) in pairs.iter().enumerate() {
        waiting[source as usize].insert(at);
        waiting[n + destination as usize].insert(at);
    }
    // For each plane its lines that are taken.
    let mut taken = vec![vec![false; 2 * n]; planes as usize];
    let mut circuits = Vec::with_capacity(pairs.len());
    let mut running = BinaryHeap::new();
    let mut ready: BTreeSet<usize> = (0..pairs.len()).collect();
    let mut now = 0;
    loop {
        for at in std::mem::take(&mut ready) {
            let (source, destination, words) = pairs[at];
            let lines = [source as usize, n + destination as usize];
            let free = |taken: &Vec<bool>| lines.iter().all(|&line| !taken[line]);
            let Some(plane) = taken.iter().position(free) else { continue };
            for line in lines {
                taken[plane][line] = true;
                waiting[line].remove(&at);
            }
            let end = now + u64::from(delta) + u64::from(words);
            let circuit = Circuit { end, start: now, plane: plane as u32, source, destination };
            circuits.push(circuit);
            running.push(Reverse(circuit));
        }
        let Some(Reverse(first)) = running.peek() else { break };
        now = first.end;
        while let Some(Reverse(ended)) = running.peek().copied().filter(|Reverse(one)| one.end == now) {
            running.pop();
            for line in [ended.source as usize, n + ended.destination as usize] {
                taken[ended.plane as usize][line] = false;
                ready.extend(&waiting[line]);
            }
        }
    }
    circuits
}

/// The first thing that is wrong with a list of circuits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A terminal or a plane that does not exist.
    #[error("{0:?} has a terminal or a plane that does not exist")]
    NoPort(Circuit),
    /// Two circuits have a port at the same time.
    #[error("{0:?} and {1:?} have a port at the same time")]
    Overlap(Circuit, Circuit),
    /// A circuit ends before it is set up.
    #[error("{0:?} is shorter than the time to set it up")]
    Short(Circuit),
    /// The circuits of a pair are too short.
    #[error("{source_} -> {destination} has {words} words, but is joined for {joined}")]
    Lacking { source_: u32, destination: u32, words: u32, joined: u64 },
}

/// Checks circuits that take `delta` words of time to set up: no port of a plane has two at a time, and each pair is joined for as many words as it
/// has, the time of setting up not counted.
///
/// # Errors
///
/// The first circuit that is wrong, or else the first pair that lacks words.
pub fn check(demand: &Demand, circuits: &[Circuit], delta: u32, planes: u32) -> Result<(), Fault> {
    let n = demand.terminals();
    let mut joined = vec![0; (n as usize).pow(2)];
    for &one in circuits {
        if one.source >= n || one.destination >= n || one.plane >= planes {
            return Err(Fault::NoPort(one));
        }
        let time = one.end.checked_sub(one.start).and_then(|time| time.checked_sub(delta.into()));
        joined[(one.source * n + one.destination) as usize] += time.ok_or(Fault::Short(one))?;
    }
    for port in [|one: &Circuit| (one.plane, one.source), |one: &Circuit| (one.plane, one.destination)] {
        let mut sorted = circuits.to_vec();
        sorted.sort_by_key(|one| (port(one), one.start, one.end));
        let overlap = |two: &&[Circuit]| port(&two[0]) == port(&two[1]) && two[1].start < two[0].end;
        if let Some(two) = sorted.windows(2).find(overlap) {
            return Err(Fault::Overlap(two[0], two[1]));
        }
    }
    for (source_, destination, words) in demand.pairs() {
        let joined = joined[(source_ * n + destination) as usize];
        if joined < words.into() {
            return Err(Fault::Lacking { source_, destination, words, joined });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::tests::demands;

    fn time(circuits: &[Circuit]) -> u64 {
        circuits.iter().map(|one| one.end).max().unwrap_or(0)
    }

    #[test]
    fn circuits_carry_the_demand_and_each_damage_is_found() {
        for demand in demands() {
            for (delta, planes) in [(0, 1), (10, 1), (10, 3)] {
                let circuits = plan(&demand, delta, planes);
                assert_eq!(check(&demand, &circuits, delta, planes), Ok(()));
                assert_eq!(circuits.len() as u64, demand.nonzeros());
                let (bound, s) = demand.time_bound(delta, planes);
                assert!(time(&circuits) * u64::from(s) >= bound);
                // The paper's bound, for one network: no port of the last circuit waits while both are free.
                assert!(planes > 1 || time(&circuits) <= 2 * bound);
                for at in 0..circuits.len() {
                    let damaged = |damage: fn(&mut Circuit)| {
                        let mut other = circuits.clone();
                        damage(&mut other[at]);
                        check(&demand, &other, delta, planes).unwrap_err()
                    };
                    assert!(matches!(damaged(|one| one.plane += 3), Fault::NoPort(_)));
                    assert!(matches!(damaged(|one| one.source += 9), Fault::NoPort(_)));
                    assert!(matches!(damaged(|one| one.destination += 9), Fault::NoPort(_)));
                    assert!(matches!(
                        damaged(|one| one.end = one.start),
                        Fault::Short(_) | Fault::Lacking { .. }
                    ));
                    assert!(matches!(damaged(|one| one.end -= 1), Fault::Lacking { .. }));
                    assert!(matches!(damaged(|one| one.start += 1), Fault::Lacking { .. }));
                    let mut twice = circuits.clone();
                    twice.push(circuits[at]);
                    assert!(matches!(check(&demand, &twice, delta, planes), Err(Fault::Overlap(..))));
                }
            }
        }
    }

    #[test]
    fn other_ports_go_on_while_one_changes() {
        // 0 has two pairs; 1 ends its second one before 0 does its first.
        let demand = Demand::from_list(3, [(0, 0, 50), (0, 1, 20), (1, 1, 10), (1, 2, 5)]).unwrap();
        let circuits = plan(&demand, 10, 1);
        let starts: Vec<_> = circuits.iter().map(|one| (one.start, one.source, one.destination)).collect();
        assert_eq!(starts, [(0, 0, 0), (0, 1, 1), (20, 1, 2), (60, 0, 1)]);
        assert_eq!((time(&circuits), demand.time_bound(10, 1).0), (90, 90));
        // An end of a port is used once: the third circuit may not begin before the second ends.
        let mut early = circuits;
        early[2].start -= 1;
        assert!(matches!(check(&demand, &early, 10, 1), Err(Fault::Overlap(..))));
    }
}
