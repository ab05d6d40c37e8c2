//! A plan of all terminals, as on one switch, by optical switches that join their racks.

use super::{Planned, Racks};
use crate::demand::Demand;
use crate::few;
use crate::peel::{Held, permutations};
use crate::plan_file::{NONE, PlanFile, Row};
use frit_network::Refusal;

/// Each permutation of the terminals in as many parts as its words between racks need: a part has at most U of each rack.
pub(super) fn plan(racks: &Racks, demand: &Demand) -> Result<Planned, Refusal> {
    let n = demand.terminals();
    let rack = |terminal: u32| (terminal / (n / racks.racks)) as usize;
    let (mut now, mut terminals, mut circuits) = (0, Vec::new(), Vec::new());
    for Held { to, hold } in few::shortest(demand, racks.delta, 1)?.all() {
        let with_words = |&(from, to): &(u32, u32)| demand.words(from, to) > 0;
        let pairs = (0..n).zip(to.iter().map(|&to| to.into())).filter(with_words);
        let (inside, mut between): (Vec<_>, Vec<_>) = pairs.partition(|&(from, to)| rack(from) == rack(to));
        let list = between.iter().map(|&(from, to)| (rack(from) as u64, rack(to) as u64, 1));
        let joined = permutations(&Demand::from_list(racks.racks.into(), list)?);
        let joined: Vec<Vec<u16>> =
            joined.into_iter().flat_map(|Held { to, hold }| vec![to; hold as usize]).collect();
        // Without words between racks there is one part, and no optical switch changes.
        let parts = joined.chunks(racks.uplinks as usize).chain(joined.is_empty().then_some(&[][..]));
        for part in parts {
            now += if part.is_empty() { 0 } else { u64::from(racks.delta) };
            let mut row = Row { plane: 0, start: now, hold: hold.into(), to: vec![NONE; n as usize] };
            inside.iter().for_each(|&(from, to)| row.to[from as usize] = to as u16);
            for (plane, joins) in (0..).zip(part) {
                circuits.push(Row { plane, start: now, hold: hold.into(), to: joins.clone() });
                for (first, &second) in joins.iter().enumerate() {
                    let is_next = |&(from, to): &(u32, u32)| (rack(from), rack(to)) == (first, second.into());
                    if let Some(at) = between.iter().position(is_next) {
                        let (from, to) = between.swap_remove(at);
                        row.to[from as usize] = to as u16;
                    }
                }
            }
            now = row.end();
            terminals.push(row);
        }
    }
    Ok(Planned {
        terminals: PlanFile::of_rows(n, 0, 1, terminals),
        circuits: PlanFile::of_rows(racks.racks, racks.delta, racks.uplinks, circuits),
    })
}
