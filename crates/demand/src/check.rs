//! Says whether a plan in a file carries a demand. It reads what the plan says and counts, and knows nothing of planners: the plan may come from
//! any program.

use crate::demand::Demand;
use crate::plan_file::{PlanFile, Row};

/// The first thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A destination that does not exist.
    #[error("{place}: source {sender} sends to {to}, but the terminals are 0 to {last}")]
    NoTerminal { place: String, sender: usize, to: u16, last: u32 },
    /// Two sources have one destination.
    #[error(
        "{place}: the sources {senders:?} send to {to} at the same time, but a terminal receives from one"
    )]
    Twice { place: String, senders: [usize; 2], to: u16 },
    /// A configuration begins before its network has changed to it.
    #[error(
        "{place}: plane {plane} begins in cycle {start}, but it is not ready before cycle {ready} ({why}); begin later"
    )]
    Early { place: String, plane: u32, start: u64, ready: u64, why: String },
    /// Pairs have too few cycles.
    #[error(
        "{from} -> {to} has {words} words, but is joined for {joined} cycles; {pairs} pairs lack {lacking} words in all"
    )]
    Lacking { from: u32, to: u32, words: u32, joined: u64, pairs: u64, lacking: u64 },
}

/// Checks a plan on networks that take `delta` cycles to change their configuration: each configuration is a permutation or a part of
/// one; those of a network follow each other δ cycles apart, the first after δ cycles (two that are the same need no change); every pair is joined
/// for as many cycles as it has words.
///
/// # Errors
///
/// The first row that is wrong, in the order of the file; then the first that begins too early, in the order of time; then the first pair that
/// lacks words.
///
/// # Panics
///
/// If the plan has another number of terminals than the demand.
pub fn check(demand: &Demand, plan: &PlanFile, delta: u32) -> Result<(), Fault> {
    let n = demand.terminals() as usize;
    assert_eq!(plan.terminals, demand.terminals(), "a plan of as many terminals");
    for (at, row) in plan.rows.iter().enumerate() {
        let mut sender_of = vec![None; n];
        for (sender, to) in row.circuits() {
            let Some(seen) = sender_of.get_mut(usize::from(to)) else {
                return Err(Fault::NoTerminal {
                    place: plan.place(at),
                    sender,
                    to,
                    last: plan.terminals - 1,
                });
            };
            if let Some(first) = seen.replace(sender) {
                return Err(Fault::Twice { place: plan.place(at), senders: [first, sender], to });
            }
        }
    }
    apart(plan, delta)?;
    let mut joined = vec![0u64; n * n];
    for row in &plan.rows {
        for (from, to) in row.circuits() {
            joined[from * n + usize::from(to)] += row.hold;
        }
    }
    let joined = |from: u32, to: u32| joined[from as usize * n + to as usize];
    let lacking = demand.pairs().filter(|&(from, to, words)| joined(from, to) < words.into());
    let mut lacking = lacking.map(|(from, to, words)| (from, to, words, joined(from, to))).peekable();
    match lacking.peek().copied() {
        None => Ok(()),
        Some((from, to, words, joined)) => {
            let count = |(pairs, sum), (_, _, words, joined)| (pairs + 1, sum + u64::from(words) - joined);
            let (pairs, lacking) = lacking.fold((0, 0), count);
            Err(Fault::Lacking { from, to, words, joined, pairs, lacking })
        }
    }
}

/// Whether each network has the time to change its configuration.
fn apart(plan: &PlanFile, delta: u32) -> Result<(), Fault> {
    let mut order: Vec<usize> = (0..plan.rows.len()).collect();
    order.sort_by_key(|&at| (plan.rows[at].plane, plan.rows[at].start));
    let mut before: Option<usize> = None;
    for at in order {
        let row = &plan.rows[at];
        let last = before.filter(|&last| plan.rows[last].plane == row.plane);
        let same = |last: &Row| last.to == row.to;
        let (ready, why) = match last.map(|last| (last, &plan.rows[last])) {
            None => (u64::from(delta), format!("it first changes its configuration in {delta} cycles")),
            Some((at, last)) => {
                let change = if same(last) { 0 } else { u64::from(delta) };
                let held = format!("{} is held until cycle {}", plan.place(at), last.end());
                (last.end() + change, format!("{held}, and a change takes {change} cycles"))
            }
        };
        if row.start < ready {
            let (plane, start) = (row.plane, row.start);
            return Err(Fault::Early { place: plan.place(at), plane, start, ready, why });
        }
        before = Some(at);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::few::{self, Fabric, Few};
    use crate::generate::{Kind, generate};
    use crate::peel::permutations;
    use crate::plan_file::{NONE, read};

    /// The plan of every planner, written and read again.
    fn plans(demand: &Demand, fabric: Fabric) -> Vec<PlanFile> {
        let spread = |held: Vec<crate::peel::Held>| few::spread(&held, fabric);
        let all = [
            spread(permutations(demand)),
            spread(few::cover(demand.terminals() as usize, demand.matrix().to_vec())),
            spread(few::birkhoff(demand)),
            few::plan(demand, fabric).unwrap(),
            few::shortest(demand, fabric.delta, fabric.planes).unwrap(),
        ];
        let again = |few: Few| {
            let time = few.time;
            let plan = PlanFile::new(demand.terminals(), fabric.delta, few);
            assert_eq!(plan.cycles(), time);
            let mut bytes = Vec::new();
            plan.csv(&mut bytes, None).unwrap();
            let read = read(&bytes, 0).unwrap();
            assert_eq!(read.rows, plan.rows);
            read
        };
        all.map(again).into()
    }

    fn demands() -> impl Iterator<Item = (Demand, Fabric)> {
        let kinds = [Kind::Uniform { words: 60 }, Kind::HotSpot { words: 60, hot: 3, percent: 40 }];
        let fabrics = [(0, 1), (10, 1), (10, 2), (3, 4)];
        kinds.into_iter().zip(1..).flat_map(move |(kind, seed)| {
            fabrics.map(|(delta, planes)| {
                (generate(&kind, 7, seed).unwrap(), Fabric { delta, planes, matchings: None })
            })
        })
    }

    #[test]
    fn plans_of_every_planner_pass_and_their_damage_is_found() {
        let mut exact = 0;
        for (demand, fabric) in demands() {
            let delta = fabric.delta;
            for plan in plans(&demand, fabric) {
                assert_eq!(check(&demand, &plan, delta), Ok(()), "{fabric:?}");
                let (bound, planes) = demand.time_bound(delta, fabric.planes);
                assert!(plan.cycles() * u64::from(planes) >= bound);
                for at in 0..plan.rows.len() {
                    let damaged = |damage: &dyn Fn(&mut Vec<Row>)| {
                        let mut other = plan.clone();
                        damage(&mut other.rows);
                        check(&demand, &other, delta).err()
                    };
                    let place = format!("line {}", at + 2);
                    // The destination of another source as well.
                    let twice = damaged(&|rows| rows[at].to[0] = rows[at].to[1]);
                    let to = plan.rows[at].to[1];
                    assert_eq!(twice, Some(Fault::Twice { place: place.clone(), senders: [0, 1], to }));
                    let outside = damaged(&|rows| rows[at].to[2] = 7);
                    let none = Fault::NoTerminal { place: place.clone(), sender: 2, to: 7, last: 6 };
                    assert_eq!(outside, Some(none));
                    // A cycle earlier.
                    if plan.rows[at].start > 0 {
                        let early = damaged(&|rows| rows[at].start -= 1);
                        let found =
                            matches!(&early, Some(Fault::Early { place: found, .. }) if *found == place);
                        assert!(found, "{early:?}");
                    }
                    // The same row once more.
                    let mut twice = plan.clone();
                    twice.rows.insert(at, plan.rows[at].clone());
                    let mut bytes = Vec::new();
                    twice.csv(&mut bytes, None).unwrap();
                    let doubled = check(&demand, &read(&bytes, 0).unwrap(), delta);
                    assert!(matches!(doubled, Err(Fault::Early { .. })), "{doubled:?}");
                    // No destination, or a shorter hold, where some pair needs every cycle.
                    let needed = needed(&demand, &plan, at);
                    if let Some((from, to)) = needed {
                        exact += 1;
                        let cut = damaged(&|rows| rows[at].hold -= 1);
                        assert!(matches!(cut, Some(Fault::Lacking { lacking: 1.., .. })), "{cut:?}");
                        let silent = damaged(&|rows| rows[at].to[from as usize] = NONE);
                        let hold = plan.rows[at].hold;
                        let lacks = matches!(silent, Some(Fault::Lacking { from: f, to: t, words, joined, .. })
                            if (f, t) == (from, to) && joined + hold >= u64::from(words));
                        assert!(lacks, "{silent:?}");
                        // The destinations of two sources exchanged.
                        let other = (from as usize + 1) % 7;
                        let exchanged = damaged(&|rows| rows[at].to.swap(from as usize, other));
                        assert!(matches!(exchanged, Some(Fault::Lacking { .. })), "{exchanged:?}");
                    }
                }
            }
        }
        assert!(exact > 200, "{exact} rows have a pair that needs every cycle");
    }

    /// A pair that needs every cycle for which this configuration is held.
    fn needed(demand: &Demand, plan: &PlanFile, at: usize) -> Option<(u32, u32)> {
        let joined = |from: usize, to: u16| -> u64 {
            plan.rows.iter().filter(|row| row.to[from] == to).map(|row| row.hold).sum()
        };
        let needs =
            |&(from, to): &(usize, u16)| joined(from, to) == u64::from(demand.words(from as u32, to.into()));
        plan.rows[at].circuits().find(needs).map(|(from, to)| (from as u32, to.into()))
    }

    #[test]
    fn plans_of_others_may_have_parts_of_permutations_pauses_and_any_order() {
        let demand = Demand::from_list(3, [(0, 1, 5), (0, 2, 2), (1, 0, 1)]).unwrap();
        let of = |text: &str, delta| check(&demand, &read(text.as_bytes(), delta).unwrap(), delta);
        let text = |text, delta| of(text, delta).unwrap_err().to_string();
        assert_eq!(of("start,hold,0,1,2\n20,2,2,0,\n4,5,1,,\n", 3), Ok(()));
        assert_eq!(of("hold,0,1,2\n5,1,,\n2,2,0,\n", 3), Ok(()));
        assert_eq!(
            text("start,hold,0,1,2\n20,2,2,0,\n4,5,1,,\n", 12),
            "line 3: plane 0 begins in cycle 4, but it is not ready before cycle 12 (it first changes its configuration in 12 cycles); begin later"
        );
        assert_eq!(
            text("start,hold,0,1,2\n11,2,2,0,\n4,5,1,,\n", 3),
            "line 2: plane 0 begins in cycle 11, but it is not ready before cycle 12 (line 3 is held until cycle 9, and a change takes 3 cycles); begin later"
        );
        // The same configuration goes on without a change, and another network is not in the way.
        assert_eq!(of("start,hold,0,1,2\n3,3,1,0,\n6,2,1,0,\n11,2,2,0,\n", 3), Ok(()));
        assert_eq!(of("plane,start,hold,0,1,2\n0,3,5,1,0,\n1,3,2,2,0,\n", 3), Ok(()));
        assert_eq!(
            text("hold,0,1,2\n5,1,,\n1,2,,\n", 0),
            "0 -> 2 has 2 words, but is joined for 1 cycles; 2 pairs lack 2 words in all"
        );
        assert_eq!(
            text("hold,0,1,2\n5,1,1,\n2,2,0,\n", 0),
            "line 2: the sources [0, 1] send to 1 at the same time, but a terminal receives from one"
        );
        assert_eq!(
            text("hold,0,1,2\n5,1,0,\n2,2,3,\n", 0),
            "line 3: source 1 sends to 3, but the terminals are 0 to 2"
        );
    }
}
