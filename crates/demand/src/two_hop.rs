//! Two-hop balancing: any demand in two uniform exchanges of a cyclic system (L. Valiant, "A scheme for fast parallel communication",
//! 1982). Every word goes to an intermediate terminal in the first exchange and to its destination in the second.
//!
//! The words take h colours so that no terminal sends or receives two of one colour ([`peel`](crate::peel)); c = ⌈h / N⌉ colours that follow each
//! other belong to one intermediate terminal. So no source has more than c words for an intermediate terminal, and none of these has
//! more than c for a destination: either exchange has rounds of c cycles, whatever the demand is.

use crate::cyclic::{self, TooMany};
use crate::demand::Demand;
use crate::exchange::Exchange;
use crate::peel::permutations_ticking;
use crate::run::{Arrival, Fault, Observer, Report, run};
use frit_network::{Refusal, refusal};
use frit_schedule::Plan;

/// Words that take the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// Where they come from.
    pub source: u32,
    pub via: u32,
    pub destination: u32,
    pub words: u32,
}

/// A plan in two exchanges; the second begins when the first has arrived.
#[derive(Clone, Debug)]
pub struct TwoHop {
    /// Which words take which way.
    pub ways: Vec<Way>,
    /// Words from source to intermediate terminal, and from there to the destination.
    pub demands: [Demand; 2],
    pub exchanges: [Exchange; 2],
    /// c, the cycles of each round.
    pub length: u32,
    /// The most words that wait at a terminal between the exchanges and are neither its own nor for it.
    pub buffer_words: u32,
}

impl TwoHop {
    /// The cycle of the last arrival: the second exchange begins in the cycle after the first one's last.
    pub fn cycles(&self) -> u64 {
        match self.exchanges.each_ref().map(Exchange::cycles) {
            [0, second] => second,
            [first, 0] => first,
            [first, second] => first + 1 + second,
        }
    }
}

pub fn plan(demand: &Demand, plan: Plan) -> Result<TwoHop, Refusal> {
    plan_ticking(demand, plan, u64::MAX, &mut |_, _| ())
}

/// The same for a machine whose exchanges have at most `most` rounds where each round is stored; `tick` is told how many rounds have been
/// planned, and of how many.
pub fn plan_ticking(
    demand: &Demand,
    plan: Plan,
    most: u64,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<TwoHop, Refusal> {
    let n = demand.terminals();
    let length = demand.h().div_ceil(n);
    cyclic::check_uniform(demand, &plan, length, most)?;
    let ways = ways(demand, length, tick);
    let mut reached = vec![0u64; n as usize];
    for way in &ways {
        reached[way.via as usize] += u64::from(way.words);
    }
    let too_many = |&(_, &words): &(u32, &u64)| words > u32::MAX.into();
    if let Some((terminal, &words)) = (0..).zip(&reached).find(too_many) {
        return Err(refusal!(
            "two hops bring {words} words to terminal {terminal} in the first exchange, but a terminal may receive at most {}; give a demand of fewer words, or plan it without two hops",
            u32::MAX
        )
.with(TooMany));
    }
    let list = |ends: fn(&Way) -> (u32, u32)| {
        let line = |way: &Way| {
            let (from, to) = ends(way);
            (u64::from(from), u64::from(to), u64::from(way.words))
        };
        Demand::from_list(n.into(), ways.iter().map(line))
            .expect("no terminal has more words than in the demand")
    };
    let demands = [list(|way| (way.source, way.via)), list(|way| (way.via, way.destination))];
    let mut waiting = vec![0u32; n as usize];
    for way in ways.iter().filter(|way| way.source != way.via && way.destination != way.via) {
        waiting[way.via as usize] += way.words;
    }
    let buffer_words = waiting.into_iter().max().unwrap_or(0);
    let first = cyclic::uniform(&demands[0], plan, length)?;
    let exchanges = [first.clone(), first];
    Ok(TwoHop { ways, demands, exchanges, length, buffer_words })
}

fn ways(demand: &Demand, length: u32, tick: &mut dyn FnMut(u64, u64)) -> Vec<Way> {
    let n = demand.terminals();
    let mut left = demand.matrix().to_vec();
    let mut ways = Vec::new();
    let mut round = 0;
    let length = u64::from(length);
    for held in permutations_ticking(demand, tick) {
        let mut hold = held.hold;
        // A permutation may be held beyond the rounds of one intermediate terminal.
        while hold > 0 {
            let via = (round / length) as u32;
            // No more than is held.
            let rounds = u64::from(hold).min(length - round % length) as u32;
            for (source, &to) in (0..).zip(&held.to) {
                let destination = u32::from(to);
                let left = &mut left[(source * n + destination) as usize];
                let words = rounds.min(*left);
                *left -= words;
                if words > 0 {
                    ways.push(Way { source, via, destination, words });
                }
            }
            round += u64::from(rounds);
            hold -= rounds;
        }
    }
    ways
}

/// Runs both exchanges on the bare network, and checks that the ways are those of the demand's words.
pub fn check(demand: &Demand, two: &TwoHop) -> Result<[Report; 2], Fault> {
    check_ticking(demand, two, &mut |_, _| ())
}

/// The same; `tick` is told how many states of the network have been run, and of how many.
pub fn check_ticking(
    demand: &Demand,
    two: &TwoHop,
    tick: &mut dyn FnMut(u64, u64),
) -> Result<[Report; 2], Fault> {
    let n = demand.terminals() as usize;
    let mut sums = [vec![0u32; n * n], vec![0; n * n], vec![0; n * n]];
    for way in &two.ways {
        let ends = [(way.source, way.destination), (way.source, way.via), (way.via, way.destination)];
        for (sum, (from, to)) in sums.iter_mut().zip(ends) {
            sum[from as usize * n + to as usize] += way.words;
        }
    }
    let [whole, first, second] = sums;
    let pairs = [(&whole, demand), (&first, &two.demands[0]), (&second, &two.demands[1])];
    for (sum, demand) in pairs {
        if let Some(at) = sum.iter().zip(demand.matrix()).position(|(sum, words)| sum != words) {
            let words = demand.matrix()[at].abs_diff(sum[at]);
            let (source_, destination) = ((at / n) as u32, (at % n) as u32);
            return Err(Fault::Missing { words, source_, destination, rounds: 0 });
        }
    }
    let mut one = |k: usize| {
        let mut tick = |done, of| tick(k as u64 * of + done, 2 * of);
        run(&two.demands[k], &two.exchanges[k], &mut Ticks(&mut tick))
    };
    Ok([one(0)?, one(1)?])
}

/// Wants to hear only how far a run is.
struct Ticks<'a>(&'a mut dyn FnMut(u64, u64));

impl Observer for Ticks<'_> {
    fn arrival(&mut self, _: Arrival) {}
    fn wants(&self) -> bool {
        false
    }
    fn state(&mut self, done: u64, of: u64) {
        (self.0)(done, of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::plain;
    use crate::generate::{Kind, generate};

    #[test]
    fn any_demand_takes_two_uniform_exchanges() {
        let kinds = [
            Kind::Uniform { words: 40 },
            Kind::Zipf { words: 100, exponent: 1.0 },
            Kind::HotSpot { words: 60, hot: 5, percent: 90 },
            Kind::Sparse { pairs: 1, words: 500 },
            Kind::BlockDiagonal { words: 33, block: 2 },
            Kind::Uniform { words: 0 },
        ];
        for (key, n) in [("rls", 16), ("xor", 8), ("gsen", 12), ("obf", 16)] {
            for (kind, seed) in kinds.iter().zip(1..) {
                let demand = generate(kind, n, seed).unwrap();
                let two = plan(&demand, plain(key, n as u32).unwrap()).unwrap();
                let reports = check(&demand, &two).unwrap();
                assert_eq!(reports.map(|report| report.words), [demand.total(); 2], "{key} {kind:?}");
                assert_eq!(two.length, demand.h().div_ceil(n as u32));
                assert!(
                    two.demands.iter().all(|half| half.matrix().iter().all(|&words| words <= two.length))
                );
                assert!(two.buffer_words <= demand.h() + n as u32);
            }
        }
    }

    #[test]
    fn sums_at_the_limit_are_carried_or_refused() {
        let many = |more: u32| {
            let words = (0..16).map(|cell| if cell % 5 == 0 { u32::MAX - more } else { 0 }).collect();
            Demand::new(4, words).unwrap()
        };
        let two = plan(&many(3), plain("rls", 4).unwrap()).unwrap();
        assert!(check(&many(3), &two).is_ok());
        // Each source has 2^30 words for the first intermediate terminal, which is one word more than a terminal can receive.
        let text = plan(&many(0), plain("rls", 4).unwrap()).unwrap_err().to_string();
        assert!(text.starts_with("two hops bring 4294967296 words to terminal 0 in the first"), "{text}");
        // Each round of `obf` is stored.
        let text = plan_ticking(&many(3), plain("obf", 4).unwrap(), 1 << 20, &mut |_, _| ()).unwrap_err();
        let expected = "obf_n4 needs 2147483646 rounds or more for this demand, each with a control bit of its own, but at most 1048576 are allowed;";
        assert!(text.to_string().starts_with(expected), "{text}");
    }

    #[test]
    fn a_way_that_changes_is_found() {
        let demand = generate(&Kind::Uniform { words: 40 }, 8, 1).unwrap();
        let good = plan(&demand, plain("rls", 8).unwrap()).unwrap();
        let change = |change: fn(&mut TwoHop)| {
            let mut wrong = good.clone();
            change(&mut wrong);
            check(&demand, &wrong)
        };
        assert!(change(|_| ()).is_ok());
        assert!(change(|two| two.ways[3].via ^= 1).is_err());
        assert!(change(|two| two.ways[3].destination ^= 1).is_err());
        assert!(change(|two| two.ways.truncate(two.ways.len() - 1)).is_err());
        assert!(change(|two| drop(two.exchanges[1].slots.pop())).is_err());
    }
}
