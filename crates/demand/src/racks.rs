//! Two levels: terminals in racks, and racks on optical switches.
//!
//! Terminals 0 to P − 1 are in rack 0, the next P in rack 1, and so on. A terminal has one port: in a cycle it sends at most one word and receives
//! at most one, whichever racks they come from or go to. The switch of a rack has no memory, and joins its ports anew in every cycle. Each rack
//! has U uplinks. Uplink p of every rack ends at optical switch p, which joins racks by a permutation, and takes δ cycles to change it;
//! meanwhile it carries nothing. A word to another rack passes an uplink in the cycle in which it is sent.
//!
//! The optical switches are planned for the words between racks by [`few`]. The terminals then fill every cycle: first the
//! uplinks that are joined, then the ports that are left with words inside the racks; terminals with the most words left come first. A
//! terminal may have more words for a rack than its share, so slower optical plans are tried, too. If racks with words for each other are joined by no
//! optical switch, now or later, those without a plan get new permutations. If terminals have words for few others, a plan of all terminals, as on
//! one switch, is tried as well.

mod fill;
mod flat;

use crate::check::{self, check};
use crate::demand::Demand;
use crate::few;
use crate::peel::{Held, permutations};
use crate::plan_file::{NONE, PlanFile, Row};
use fill::Fill;
use frit_network::{Refusal, refusal, refuse};

/// The racks, and what joins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Racks {
    /// How many racks there are; each has as many terminals.
    pub racks: u32,
    /// U: the uplinks of a rack, and the optical switches.
    pub uplinks: u32,
    /// δ: the cycles that an optical switch takes to change its permutation.
    pub delta: u32,
}

/// A plan of both levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Which terminal each terminal sends to, and for how many cycles.
    pub terminals: PlanFile,
    /// Which rack each optical switch joins to each rack.
    pub circuits: PlanFile,
}

/// What is wrong with a plan of both levels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the plan of the terminals: {0}")]
    Terminals(check::Fault),
    #[error("the plan of the optical switches: {0} (a terminal of this plan is a rack)")]
    Circuits(check::Fault),
    /// Words between two racks that no optical switch joins.
    #[error(
        "{place}: {pairs} terminals of rack {from} send to rack {to}, but only {joined} optical switches join these racks in cycle {cycle}"
    )]
    NotJoined { place: String, from: usize, to: usize, cycle: u64, pairs: usize, joined: usize },
}

/// How much slower than ports and uplinks need the optical plan is tried, in percent.
const SLOWER: [u64; 5] = [100, 103, 110, 125, 160];

/// So many pairs of each terminal are few.
const FEW_PAIRS: u64 = 32;

impl Racks {
    /// The racks of so many terminals; by default a rack has as many uplinks as terminals.
    ///
    /// # Errors
    ///
    /// Racks of different sizes, or fewer than two.
    pub fn new(terminals: u32, racks: u32, uplinks: Option<u32>, delta: u32) -> Result<Racks, Refusal> {
        if racks < 2 || !terminals.is_multiple_of(racks) {
            let fits = (2..=terminals).filter(|&racks| terminals.is_multiple_of(racks));
            let fits: Vec<String> = fits.map(|racks| racks.to_string()).collect();
            refuse!(
                "{racks} racks are not allowed; {terminals} terminals fill racks of equal size if there are {} of them",
                fits.join(" or ")
            );
        }
        Ok(Racks { racks, uplinks: uplinks.unwrap_or(terminals / racks), delta })
    }

    /// The words from each rack to each, row by row.
    fn blocks(&self, demand: &Demand) -> Vec<u64> {
        let ports = demand.terminals() / self.racks;
        let mut blocks = vec![0; (self.racks * self.racks) as usize];
        for (source, destination, words) in demand.pairs() {
            blocks[(source / ports * self.racks + destination / ports) as usize] += u64::from(words);
        }
        blocks
    }

    /// The words between racks, as a demand of racks.
    fn of_blocks(&self, mut blocks: Vec<u64>) -> Result<Demand, Refusal> {
        blocks.iter_mut().step_by(self.racks as usize + 1).for_each(|inside| *inside = 0);
        let rows: Vec<Vec<u64>> = blocks.chunks_exact(self.racks as usize).map(<[u64]>::to_vec).collect();
        Demand::from_rows(&rows)
            .map_err(|error| refusal!("too many words between racks: {error} (a terminal is here a rack)"))
    }

    /// The words between racks: a demand whose terminals are the racks.
    ///
    /// # Errors
    ///
    /// More words of a rack than a demand can have.
    pub fn between(&self, demand: &Demand) -> Result<Demand, Refusal> {
        self.of_blocks(self.blocks(demand))
    }

    /// The words inside racks, or all others.
    fn part(&self, demand: &Demand, inside: bool) -> Demand {
        let ports = demand.terminals() / self.racks;
        let mut words = vec![0; demand.matrix().len()];
        for (source, destination, count) in demand.pairs() {
            if (source / ports == destination / ports) == inside {
                words[(source * demand.terminals() + destination) as usize] = count;
            }
        }
        Demand::new(demand.terminals(), words).expect("a part of a demand is one")
    }

    /// No plan takes fewer cycles: a port carries one word in a cycle, those between racks from cycle δ on, and the uplinks of a rack take their
    /// [time](Demand::time_bound) for them.
    ///
    /// # Errors
    ///
    /// As [`between`](Self::between).
    pub fn bound(&self, demand: &Demand) -> Result<u64, Refusal> {
        let between = self.between(demand)?;
        let (time, uplinks) = between.time_bound(self.delta, self.uplinks);
        let first = match self.part(demand, false).h().max(between.h().div_ceil(self.uplinks)) {
            0 => 0,
            words => u64::from(self.delta) + u64::from(words),
        };
        Ok(time.div_ceil(uplinks.into()).max(demand.h().into()).max(first))
    }

    /// The bytes that planning takes at most, beside the demand: two plans.
    pub fn bytes(&self, demand: &Demand) -> u64 {
        let row = 64 + 2 * u64::from(demand.terminals());
        // The words of a rack may be too many: then nothing is planned.
        2 * row * self.bound(demand).map_or(0, |bound| (2 * bound).min(2 * fill::MAX_ROWS))
    }

    /// Plans both levels together; and the cycles if each level is planned by itself: first the words inside the racks, then those between racks,
    /// by the same ports. Together they take no longer. `tick` is told how far the plans are, and of how much.
    ///
    /// # Errors
    ///
    /// As [`between`](Self::between).
    pub fn plan(&self, demand: &Demand, tick: &mut dyn FnMut(u64, u64)) -> Result<(Planned, u64), Refusal> {
        let (inside, outside) = (self.part(demand, true), self.part(demand, false));
        let together = self.search(demand, &mut |done, of| tick(done, 2 * of))?;
        let alone = self.search(&outside, &mut |done, of| tick(of + done, 2 * of))?;
        let cycles = u64::from(inside.h()) + alone.terminals.cycles();
        let is_shorter = cycles < together.terminals.cycles();
        Ok((if is_shorter { Self::one_after_other(&inside, alone) } else { together }, cycles))
    }

    /// The best of several plans.
    fn search(&self, demand: &Demand, tick: &mut dyn FnMut(u64, u64)) -> Result<Planned, Refusal> {
        let bound = self.bound(demand)?;
        let circuits = self.circuits(&self.between(demand)?)?;
        let mut tries: Vec<_> = SLOWER.map(|slower| (circuits.clone(), slower)).into();
        tries.extend(self.rotations().map(|rotations| (rotations, 100)));
        let (total, count) = (demand.total(), tries.len() as u64);
        let mut best: Option<Planned> = None;
        for (at, (circuits, slower)) in (0..).zip(tries) {
            let most = best.as_ref().map_or(u64::MAX, |best| best.terminals.cycles());
            if most <= bound + bound / 100 {
                break;
            }
            let mut progress = |done| tick(at * total + done, count * total);
            best = Fill::new(self, demand, bound).run(circuits, slower, most, &mut progress)?.or(best);
        }
        let mut best = best.expect("the first plan is shorter than none");
        // Where a terminal has few others to send to, they are planned one by one, too.
        let is_long = best.terminals.cycles() > bound + bound / 100;
        if is_long && demand.nonzeros() <= FEW_PAIRS * u64::from(demand.terminals()) {
            let other = flat::plan(self, demand)?;
            if other.terminals.cycles() < best.terminals.cycles() {
                best = other;
            }
        }
        Ok(best)
    }

    /// A rotation of the racks for each optical switch, for ever, if every rack is joined with every other one then.
    fn rotations(&self) -> Option<Vec<Vec<Held>>> {
        let racks = self.racks;
        let joined =
            move |plane: u32| (0..racks).map(move |rack| ((rack + 1 + plane % (racks - 1)) % racks) as u16);
        let plane = |plane| vec![Held { to: joined(plane).collect(), hold: u32::MAX }];
        (self.uplinks >= self.racks - 1).then(|| (0..self.uplinks).map(plane).collect())
    }

    /// A plan that first sends the words inside the racks, and then follows a plan of the words between racks.
    fn one_after_other(inside: &Demand, mut outside: Planned) -> Planned {
        let (mut rows, mut now) = (Vec::new(), 0);
        for Held { to, hold } in permutations(inside) {
            // Pairs without words may be of different racks.
            let pair = |(from, to): (u32, u16)| if inside.words(from, to.into()) > 0 { to } else { NONE };
            rows.push(Row { plane: 0, start: now, hold: hold.into(), to: (0..).zip(to).map(pair).collect() });
            now += u64::from(hold);
        }
        for plan in [&mut outside.terminals, &mut outside.circuits] {
            plan.rows.iter_mut().for_each(|row| row.start += now);
        }
        outside.terminals.rows.splice(0..0, rows);
        outside
    }

    /// The permutations of each optical switch, one after the other.
    fn circuits(&self, between: &Demand) -> Result<Vec<Vec<Held>>, Refusal> {
        Ok(few::shortest(between, self.delta, self.uplinks)?.planes)
    }

    /// Checks a plan of both levels; it knows nothing of how it was made. Each terminal sends to one, and receives from one; the optical switches have
    /// time to change; of the terminals of a rack no more send to another rack than optical switches join the two, in every cycle; and
    /// every pair is joined for as many cycles as it has words.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    ///
    /// # Panics
    ///
    /// If the plans have other numbers of terminals and racks.
    pub fn check(&self, demand: &Demand, plan: &Planned) -> Result<(), Fault> {
        let nothing = Demand::new(self.racks, vec![0; (self.racks * self.racks) as usize]);
        let nothing = nothing.expect("no words are a demand");
        check(&nothing, &plan.circuits, self.delta).map_err(Fault::Circuits)?;
        check(demand, &plan.terminals, 0).map_err(Fault::Terminals)?;
        let (racks, ports) = (self.racks as usize, (demand.terminals() / self.racks) as usize);
        for (at, row) in plan.terminals.rows.iter().enumerate() {
            let mut pairs = vec![0; racks * racks];
            row.circuits().for_each(|(from, to)| pairs[from / ports * racks + usize::from(to) / ports] += 1);
            // Between these cycles no optical switch changes.
            let during = |cycle: &u64| (row.start..row.end()).contains(cycle);
            let ends = plan.circuits.rows.iter().flat_map(|held| [held.start, held.end()]);
            for cycle in std::iter::once(row.start).chain(ends).filter(during) {
                let mut joined = vec![0; racks * racks];
                for held in &plan.circuits.rows {
                    if (held.start..held.end()).contains(&cycle) {
                        held.circuits().for_each(|(from, to)| joined[from * racks + usize::from(to)] += 1);
                    }
                }
                let short = |&block: &usize| block / racks != block % racks && pairs[block] > joined[block];
                if let Some(block) = (0..racks * racks).find(short) {
                    let (from, to) = (block / racks, block % racks);
                    let (pairs, joined) = (pairs[block], joined[block]);
                    return Err(Fault::NotJoined {
                        place: plan.terminals.place(at),
                        from,
                        to,
                        cycle,
                        pairs,
                        joined,
                    });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, generate};

    fn planned(kind: Kind, n: u64, racks: Racks) -> (Demand, Planned, u64) {
        let demand = generate(&kind, n, 1).unwrap();
        let (plan, alone) = racks.plan(&demand, &mut |_, _| ()).unwrap();
        racks.check(&demand, &plan).unwrap();
        let bound = racks.bound(&demand).unwrap();
        assert!((bound..=alone).contains(&plan.terminals.cycles()), "{kind:?}");
        (demand, plan, bound)
    }

    #[test]
    fn both_levels_are_planned_near_the_bound() {
        let mut bounds = [0; 2];
        for (name, kind) in Kind::ALL {
            for (n, racks, uplinks, delta) in [(24, 4, 1, 10), (24, 4, 6, 0), (24, 3, 2, 100), (18, 9, 1, 5)]
            {
                let racks = Racks::new(n, racks, Some(uplinks), delta).unwrap();
                let (demand, plan, bound) = planned(kind.clone(), n.into(), racks);
                let cycles = plan.terminals.cycles();
                assert!(cycles * 100 <= bound * 108, "{name} {racks:?}: {cycles} cycles, bound {bound}");
                bounds[usize::from(bound == u64::from(demand.h()))] += 1;
            }
        }
        assert!(bounds.iter().all(|&count| count > 3), "uplinks or ports are the narrow place: {bounds:?}");
    }

    #[test]
    fn damaged_plans_are_found() {
        let racks = Racks::new(24, 4, Some(2), 7).unwrap();
        let (demand, plan, _) = planned(Kind::Uniform { words: 100 }, 24, racks);
        let fault = |change: &dyn Fn(&mut Planned)| {
            let mut plan = plan.clone();
            change(&mut plan);
            racks.check(&demand, &plan)
        };
        assert_eq!(fault(&|_| ()), Ok(()));
        // Every optical permutation is needed, and every cycle of it.
        for at in 0..plan.circuits.rows.len() {
            let missing = fault(&|plan| drop(plan.circuits.rows.remove(at)));
            assert!(matches!(missing, Err(Fault::NotJoined { .. })), "{at}: {missing:?}");
            let early = fault(&|plan| plan.circuits.rows[at].start -= 1);
            assert!(matches!(early, Err(Fault::Circuits(check::Fault::Early { .. }))), "{at}: {early:?}");
            let late = fault(&|plan| {
                plan.circuits.rows[at].start += 1;
                plan.circuits.rows[at].hold -= 1;
            });
            assert!(matches!(late, Err(Fault::NotJoined { .. })), "{at}: {late:?}");
        }
        for at in 0..plan.terminals.rows.len() {
            let missing = fault(&|plan| drop(plan.terminals.rows.remove(at)));
            let lacks = matches!(missing, Err(Fault::Terminals(check::Fault::Lacking { .. })));
            let is_empty = plan.terminals.rows[at].circuits().next().is_none();
            assert_eq!(lacks, !is_empty, "{at}: {missing:?}");
        }
        // One pair more between two racks than they have uplinks.
        let mut crowd = plan;
        let end = crowd.terminals.cycles();
        let to = (0..24).map(|at| if at < 3 { at + 6 } else { crate::plan_file::NONE }).collect();
        crowd.terminals.rows.push(Row { plane: 0, start: end, hold: 9, to });
        for plane in 0..2 {
            crowd.circuits.rows.push(Row { plane, start: end + 20, hold: 9, to: vec![1, 2, 3, 0] });
        }
        let fault = racks.check(&demand, &crowd).unwrap_err().to_string();
        let at = crowd.terminals.rows.len() - 1;
        assert_eq!(
            fault,
            format!(
                "configurations[{at}]: 3 terminals of rack 0 send to rack 1, but only 0 optical switches join these racks in cycle {end}"
            )
        );
        crowd.terminals.rows[at].start = end + 20;
        assert!(
            racks.check(&demand, &crowd).unwrap_err().to_string().contains("only 2 optical switches join")
        );
        crowd.terminals.rows[at].to[0] = crate::plan_file::NONE;
        assert_eq!(racks.check(&demand, &crowd), Ok(()));
        crowd.terminals.rows[at].hold += 1;
        assert!(
            racks.check(&demand, &crowd).unwrap_err().to_string().contains("only 0 optical switches join")
        );
    }

    #[test]
    fn racks_have_one_size() {
        let error = |racks| Racks::new(12, racks, None, 0).unwrap_err().to_string();
        assert_eq!(
            error(5),
            "5 racks are not allowed; 12 terminals fill racks of equal size if there are 2 or 3 or 4 or 6 or 12 of them"
        );
        assert!(error(1).starts_with("1 racks are not allowed") && error(0).starts_with("0 racks are not"));
        let full = Demand::from_list(4, (0..2).map(|source| (source, 2, u64::from(u32::MAX) / 2))).unwrap();
        let racks = Racks::new(4, 2, Some(1), 0).unwrap();
        assert!(racks.bound(&full).is_ok());
        let over = [(0, 2, u64::from(u32::MAX)), (1, 3, 1)];
        let error = racks.bound(&Demand::from_list(4, over).unwrap()).unwrap_err().to_string();
        assert!(
            error.starts_with("too many words between racks: terminal 0 sends 4294967296 words"),
            "{error}"
        );
    }
}
