//! Sends every word of a demand through the bare network and compares where it arrives with where it should.
//!
//! What sends and what receives are counted apart: a lane sends the words that are left for the terminal that the plan names, and the
//! terminal that the *network* leads to notes them. No word may be left, and the two must agree for each word.

use crate::demand::Demand;
use crate::exchange::{Exchange, Machine, Slot};
use frit_network::LaneIdx;
use frit_schedule::route::{Conflict, Routed};

/// A word that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    pub cycle: u64,
    /// The terminal where it arrived.
    pub output: u32,
    /// The terminal that sent it.
    pub source: u32,
    /// The round in which it entered.
    pub round: u64,
    /// Which word of this pair of terminals it is, from 0.
    pub word: u32,
    pub lane: LaneIdx,
}

/// Is told of every word, in the order of cycles, then of outputs and sources.
pub trait Observer {
    /// A word arrived.
    fn arrival(&mut self, arrival: Arrival);
    /// Whether it wants to be told.
    fn wants(&self) -> bool {
        true
    }
    /// So many states of the network have been run, of so many.
    fn state(&mut self, _done: u64, _of: u64) {}
    /// The network is set for a slot, and leads its lanes so.
    fn routed(&mut self, _slot: &Slot, _routed: &Routed) {}
}

/// Wants to hear nothing.
impl Observer for () {
    fn arrival(&mut self, _: Arrival) {}
    fn wants(&self) -> bool {
        false
    }
}

/// Keeps everything.
impl Observer for Vec<Arrival> {
    fn arrival(&mut self, arrival: Arrival) {
        self.push(arrival);
    }
}

/// What a run adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Words that arrived, all of them where they should.
    pub words: u64,
    /// The cycle of the last arrival; 0 without words.
    pub cycles: u64,
    pub rounds: u64,
    /// States of the network.
    pub configurations: u64,
}

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the demand has {demand} terminals and the plan {plan}")]
    Terminals { demand: u32, plan: u32 },
    #[error("conflict in {0}")]
    Conflict(Conflict),
    #[error("cycle {cycle}: the word from {source_} to {destination} arrived at {output}")]
    Misrouted { cycle: u64, source_: u32, destination: u32, output: u32 },
    #[error("{words} words from {source_} to {destination} were not sent in {rounds} rounds")]
    Missing { words: u32, source_: u32, destination: u32, rounds: u64 },
}

/// Words of a lane in a slot.
struct Sent {
    lane: LaneIdx,
    source: u32,
    output: u32,
    first: u32,
    words: u32,
}

/// Where a state of the network leads the lanes, and where their words are meant to go.
struct Led {
    routed: Routed,
    meant: Vec<Option<u32>>,
}

/// Above so many lanes in all, windows are routed again instead of being kept.
const MOST_KEPT: u64 = 1 << 20;

/// Routes the states of an exchange, each once. Where a new control bit sets the network in each cycle, the next bits (a window) are the state;
/// there are few windows, and they come again and again.
struct States<'a> {
    exchange: &'a Exchange,
    /// The last state, or a place for each window.
    kept: Vec<Option<Led>>,
}

impl<'a> States<'a> {
    fn new(exchange: &'a Exchange) -> Self {
        let windows = match &exchange.machine {
            Machine::Systolic(plan, _) => 1u64.checked_shl(plan.network.stages()).unwrap_or(u64::MAX),
            _ => 1,
        };
        let few = windows.saturating_mul(exchange.machine.lanes().into()) <= MOST_KEPT;
        let places = if few { windows as usize } else { 1 };
        States { exchange, kept: std::iter::repeat_with(|| None).take(places).collect() }
    }

    fn at(&mut self, at: usize) -> Result<&Led, Fault> {
        let mut place = 0;
        if let (Machine::Systolic(plan, bits), true) = (&self.exchange.machine, self.kept.len() > 1) {
            let window = &bits[at..at + plan.network.stages() as usize];
            place = window.iter().fold(0, |word, &bit| word << 1 | usize::from(bit));
        } else {
            self.kept[0] = None;
        }
        if self.kept[place].is_none() {
            let routed = self.exchange.routed(at).map_err(Fault::Conflict)?;
            self.kept[place] = Some(Led { routed, meant: self.exchange.meant(at) });
        }
        Ok(self.kept[place].as_ref().expect("it was just kept"))
    }
}

pub fn run(demand: &Demand, exchange: &Exchange, observer: &mut dyn Observer) -> Result<Report, Fault> {
    let machine = &exchange.machine;
    let (n, owned) = (machine.terminals(), machine.lanes_per_terminal());
    if demand.terminals() != n {
        return Err(Fault::Terminals { demand: demand.terminals(), plan: n });
    }
    let cell = |source: u32, destination: u32| source as usize * n as usize + destination as usize;
    let mut left = demand.matrix().to_vec();
    let mut got = vec![0u32; left.len()];
    let (mut round, mut last) = (0u64, 0u64);
    let mut states = States::new(exchange);
    let mut sent: Vec<Sent> = Vec::new();
    for (at, slot) in exchange.slots.iter().enumerate() {
        observer.state(at as u64, exchange.slots.len() as u64);
        let Led { routed, meant } = states.at(at)?;
        observer.routed(slot, routed);
        sent.clear();
        for (lane, meant) in (0..).zip(meant) {
            let &Some(meant) = meant else { continue };
            let (source, destination) = (lane / owned, meant / owned);
            let left = &mut left[cell(source, destination)];
            let words = (*left).min(slot.hold);
            if words == 0 {
                continue;
            }
            *left -= words;
            let output = routed.destinations[lane as usize] / owned;
            let cycle = round + u64::from(machine.latency());
            if output != destination {
                return Err(Fault::Misrouted { cycle, source_: source, destination, output });
            }
            let first = got[cell(source, output)];
            got[cell(source, output)] += words;
            last = last.max(cycle + u64::from(words) - 1);
            sent.push(Sent { lane: LaneIdx(lane), source, output, first, words });
        }
        if observer.wants() {
            tell(observer, &mut sent, round, machine.latency());
        }
        round += u64::from(slot.hold);
    }
    if let Some(at) = got.iter().zip(demand.matrix()).position(|(got, wanted)| got != wanted) {
        let (source_, destination) = (at as u32 / n, at as u32 % n);
        let words = demand.matrix()[at] - got[at];
        return Err(Fault::Missing { words, source_, destination, rounds: round });
    }
    let words = got.iter().map(|&words| u64::from(words)).sum();
    Ok(Report { words, cycles: last, rounds: round, configurations: exchange.slots.len() as u64 })
}

fn tell(observer: &mut dyn Observer, sent: &mut [Sent], round: u64, latency: u32) {
    sent.sort_by_key(|sent| (sent.output, sent.source));
    let longest = sent.iter().map(|sent| sent.words).max().unwrap_or(0);
    for k in 0..longest {
        let round = round + u64::from(k);
        for &Sent { lane, source, output, first, .. } in sent.iter().filter(|sent| k < sent.words) {
            let cycle = round + u64::from(latency);
            observer.arrival(Arrival { cycle, output, source, round, word: first + k, lane });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::State;
    use crate::generate::{Kind, generate};
    use crate::{benes, cyclic};
    use frit_network::{Network, RoundIdx, StageIdx};

    fn demand() -> Demand {
        generate(&Kind::Zipf { words: 30, exponent: 1.0 }, 8, 5).unwrap()
    }

    #[test]
    fn every_word_is_told_once() {
        let demand = demand();
        let mut arrivals: Vec<Arrival> = vec![];
        let exchange = benes::plan(&demand).unwrap();
        let report = run(&demand, &exchange, &mut arrivals).unwrap();
        assert_eq!((arrivals.len() as u64, report.words), (240, 240));
        assert!(arrivals.is_sorted() && arrivals.last().unwrap().cycle == report.cycles);
        // One word leaves a lane and one reaches a terminal in each cycle.
        for place in [|a: &Arrival| (a.cycle, a.output), |a: &Arrival| (a.cycle, a.source)] {
            let mut places: Vec<_> = arrivals.iter().map(place).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), 240);
        }
        for (source, destination, words) in demand.pairs() {
            let of = arrivals.iter().filter(|a| (a.source, a.output) == (source, destination));
            assert!(of.map(|a| a.word).eq(0..words));
        }
    }

    #[test]
    fn each_fault_is_found() {
        let demand = demand();
        let good = benes::plan(&demand).unwrap();
        assert!(run(&demand, &good, &mut ()).is_ok());
        let fault = |change: &dyn Fn(&mut Exchange)| {
            let mut wrong = good.clone();
            change(&mut wrong);
            run(&demand, &wrong, &mut ()).unwrap_err().to_string()
        };
        // The last slot is a round shorter, or is missing.
        let text = fault(&|wrong| wrong.slots.last_mut().unwrap().hold -= 1);
        assert!(text.contains("were not sent in "), "{text}");
        let text = fault(&|wrong| drop(wrong.slots.pop()));
        assert!(text.contains("were not sent in "), "{text}");
        // Two wires of the network are exchanged.
        let text = fault(&|wrong| {
            let Machine::Benes(network) = &mut wrong.machine else { unreachable!() };
            let mut links: Vec<Vec<u32>> =
                (0..=network.stages()).map(|column| network.link(StageIdx(column)).to_vec()).collect();
            links[5].swap(2, 3);
            *network = Network::new("wrong", 8, links).unwrap();
        });
        assert!(text.starts_with("cycle ") && text.contains(" arrived at "), "{text}");
        // A plan for other terminals.
        let other = generate(&Kind::Uniform { words: 3 }, 16, 1).unwrap();
        let text = run(&other, &good, &mut ()).unwrap_err().to_string();
        assert_eq!(text, "the demand has 16 terminals and the plan 8");
    }

    use crate::exchange::Machine;

    #[test]
    fn a_round_that_is_left_out_is_found() {
        let demand = demand();
        let mut exchange = cyclic::plan(&demand, crate::exchange::plain("rls", 8).unwrap()).unwrap();
        let at = exchange.slots.iter().position(|slot| slot.state == State::Round(RoundIdx(3))).unwrap();
        exchange.slots.remove(at);
        assert!(matches!(run(&demand, &exchange, &mut ()), Err(Fault::Missing { .. })));
    }
}
