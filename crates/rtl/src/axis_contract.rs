//! The contract of the streams as a circuit that watches them, for model checkers: what `docs/streams.md` promises of `D_axis`.
//!
//! The properties stand in `axis_contract.sv.tera` and know the ports and the plan. What is needed beside them for a proof by
//! induction stands in `axis_lemmas.sv.tera`, and names registers inside the cells (`probes.rs`).

mod probes;

use crate::contract::items;
use crate::streams::generator;
use crate::template::{context, fill};
use frit_cells::describe::counter_bits;
use frit_cells::design::axis::{self, Streams};
use frit_cells::message::MessageWords;
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Plan;
use serde::Serialize;

/// What the circuit watches for: the bits of its `violation_o`, the lowest first.
pub const PROPERTIES: [&str; 10] =
    ["hold", "reset", "last", "word", "lost", "exchange", "ready", "accept", "reported", "conflict"];

/// What the templates are filled with.
#[derive(Serialize)]
struct Contract {
    contract: String,
    /// The module that it watches.
    axis: String,
    design: String,
    command: String,
    terminals: u32,
    /// Lanes of a terminal.
    sides: u32,
    lanes: u32,
    lane_bits: u32,
    address: u32,
    width: u32,
    /// Words of a message, and bits of their numbers.
    words: u32,
    word_bits: u32,
    /// Words of a message in a memory: a power of two.
    word_depth: u32,
    /// Words of a message memory, of an output buffer.
    depth: u32,
    buffer: u32,
    sets: u32,
    /// Words of an exchange that arrive at a terminal, on a lane.
    all_words: u32,
    lane_words: u32,
    index_bits: u32,
    due_bits: u32,
    slot_bits: u32,
    /// Cycles behind a reset.
    settle: u32,
    latency: u32,
    /// Cycles for which words are kept track of between the memories.
    history: u32,
    last_cycle: u64,
    cycle_bits: u32,
    /// Cycles from an exchange to the next one without a gap, and whether it may begin later, too.
    period: u64,
    joins_late: bool,
    /// Whether rounds bring words again, which are dropped.
    sieve: bool,
    slots: Vec<Slot>,
    pairs: Vec<Pair>,
    probes: String,
    state: &'static str,
    state_bits: u32,
}

/// A word of a round on all lanes; the items of concatenations, for lane 0 last.
#[derive(Serialize)]
struct Slot {
    asked: u64,
    arrives: u64,
    word: u32,
    destinations: String,
    sources: String,
    words: String,
    /// A bit for each lane: whether it has had no message of this source before.
    first: String,
}

/// How a message goes.
#[derive(Serialize)]
struct Pair {
    source: u32,
    dest: u32,
    /// The number of its first word among those of an exchange.
    slot: u32,
    /// The lanes on which it is sent, and arrives.
    from: u32,
    to: u32,
    /// The messages that arrive there before it.
    rank: u32,
}

/// The name of the module for a design.
pub fn module(design: &str) -> String {
    format!("{design}_axis_contract")
}

/// The module that watches `D_axis` of the plan with words of `width_bits` bits.
pub fn render(plan: &Plan, width_bits: u32, streams: Streams) -> String {
    let contract = Contract::new(plan, width_bits, streams);
    let mut values = context(&contract);
    let lemmas = fill(include_str!("../testbench/axis_lemmas.sv.tera"), &values);
    values.insert("lemmas", &lemmas);
    fill(include_str!("../testbench/axis_contract.sv.tera"), &values)
}

impl Contract {
    fn new(plan: &Plan, width: u32, streams: Streams) -> Self {
        let design = plan.design_name(width);
        let Streams { words, sets, .. } = streams;
        let (terminals, lanes, sides) =
            (plan.network.terminals(), plan.network.lanes(), plan.lanes_per_terminal());
        let (address, word_bits) = (plan.address_bits(), MessageWords::new(words).bits);
        let word_depth = if words > 1 { 1 << word_bits } else { 1 };
        let (all_words, lane_words) = (terminals * words, terminals / sides * words);
        let sieve = plan.rounds > terminals / sides;
        let last_cycle = axis::cycles(plan, streams);
        let cycle_bits = u64::BITS - (last_cycle + 1).leading_zeros();
        let mut contract = Contract {
            contract: module(&design),
            axis: format!("{design}_{}", streams.suffix()),
            command: generator(plan, width, Some(streams)),
            design,
            terminals,
            sides,
            lanes,
            lane_bits: plan.lane_bits(),
            address,
            width,
            words,
            word_bits,
            word_depth,
            depth: (sets * word_depth) << address,
            buffer: 1 << counter_bits(u64::from(lane_words * sets) - 1),
            sets,
            all_words,
            lane_words,
            index_bits: all_words.ilog2() + 1,
            due_bits: (sets * lane_words).ilog2() + 1,
            slot_bits: (plan.rounds * words).ilog2() + 1,
            settle: 1 << address,
            latency: plan.latency(),
            history: plan.latency() + u32::from(sieve),
            last_cycle,
            cycle_bits,
            period: plan.message_period(words),
            joins_late: plan.joins_late(words),
            sieve,
            slots: Vec::new(),
            pairs: pairs(plan, words),
            probes: String::new(),
            state: if sieve {
                "begun, settled, pending, running, cycle, older, older_cycle, was_done, odd"
            } else {
                "begun, settled, pending, running, cycle, older, older_cycle, was_done"
            },
            state_bits: 5 + address + 1 + 2 * cycle_bits + u32::from(sieve),
        };
        contract.slots = (0..plan.rounds * words).map(|slot| contract.slot(plan, slot)).collect();
        contract.probes = contract.all_probes();
        contract
    }

    fn slot(&self, plan: &Plan, slot: u32) -> Slot {
        let terminal = |lane: u32| format!("{}'d{}", self.address, lane / self.sides);
        let round = slot / self.words;
        let destinations: Vec<u32> =
            LaneIdx::all(self.lanes).map(|lane| plan.destination(RoundIdx(round), lane).0).collect();
        let mut sources = vec![0; self.lanes as usize];
        for (source, &destination) in (0..).zip(&destinations) {
            sources[destination as usize] = source;
        }
        let first = |lane: u32| {
            let pair = (sources[lane as usize] / self.sides, lane);
            self.pairs.iter().any(|of| (of.source, of.to, of.slot / self.words) == (pair.0, pair.1, round))
        };
        let width = self.width;
        Slot {
            asked: plan.slot_at(slot.into()),
            arrives: plan.slot_at(slot.into()) + u64::from(plan.latency()) + 1,
            word: slot % self.words,
            destinations: items(&destinations, terminal),
            sources: items(&sources, terminal),
            words: items(&sources, |lane| format!("taken[{}:{}]", (lane + 1) * width - 1, lane * width)),
            first: (0..self.lanes).rev().map(|lane| if first(lane) { '1' } else { '0' }).collect(),
        }
    }
}

/// How the first message from each terminal to each goes.
fn pairs(plan: &Plan, words: u32) -> Vec<Pair> {
    let owned = plan.lanes_per_terminal();
    let mut pairs: Vec<Pair> = Vec::new();
    for round in 0..plan.rounds {
        for from in 0..plan.network.lanes() {
            let to = plan.destination(RoundIdx(round), LaneIdx(from));
            let (source, dest) = (from / owned, to.0 / owned);
            if pairs.iter().all(|pair| (pair.source, pair.dest) != (source, dest)) {
                let rank = pairs.iter().filter(|pair| pair.to == to.0).count() as u32;
                pairs.push(Pair { source, dest, slot: round * words, from, to: to.0, rank });
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};
    use std::collections::BTreeSet;

    /// A word that no place is watched for would not be checked.
    #[test]
    fn every_place_of_an_output_has_its_word() {
        for (system, terminals) in
            [("rls", 8), ("obf", 8), ("gsen", 6), ("gsen", 10), ("benes", 8), ("xor", 8)]
        {
            let plan = plan(&Request::new(system, terminals)).unwrap();
            let (terminals, sides) = (plan.network.terminals(), plan.lanes_per_terminal());
            let pairs = pairs(&plan, 1);
            for dest in 0..terminals {
                let to_it = pairs.iter().filter(|pair| pair.dest == dest);
                // As in the template.
                let places: BTreeSet<u32> =
                    to_it.map(|pair| sides * pair.rank + pair.to - sides * dest).collect();
                assert_eq!(places, (0..terminals).collect(), "{system} {terminals}: {dest}");
            }
        }
    }

    #[test]
    fn words_stand_in_their_cycles() {
        let plan = plan(&Request::new("rls", 4)).unwrap();
        let text = render(&plan, 2, Streams::packed(3, 2));
        // Round 1 sends from terminal 1 to 0: its words are 3 to 5 of an exchange; the last arrives after memory and fabric.
        assert!(text.contains("{ 2'd1, 2'd0 }: begin\n        first_slot = 3;\n"), "{text}");
        let arrival = "(older && older_cycle == 9)) begin\n      comes = 1'b1;\n      source = { 2'd0, 2'd3, 2'd2, 2'd1 };\n";
        assert!(text.contains(arrival), "{text}");
        // A memory has a quarter for each destination, with room for four words, twice.
        assert!(text.contains("localparam integer Depth = 32;"), "{text}");
        assert!(text.contains("messages[((loads_bank[s] ? 0 : 16) + d * 4 + w) * W +: W]"), "{text}");
        assert!(text.contains("(* hierconn *) wire [1:0] \\u_axis.u_messages_3.memory[31] ;"), "{text}");
    }

    #[test]
    fn what_comes_again_is_not_counted() {
        let plan = plan(&Request::new("gsen", 6)).unwrap();
        let text = render(&plan, 1, Streams::packed(1, 1));
        let firsts = text.lines().filter_map(|line| line.trim().strip_prefix("first = 6'b"));
        let bits: usize = firsts.map(|line| line.matches('1').count()).sum();
        assert_eq!((bits, text.contains("push_source")), (36, true));
    }
}
