//! Systolic routing in the optical butterfly: one control bit, taken from a de Bruijn sequence, for all routers at a
//! time, and a routing table that tells each processor for which two destinations it may send at each time step.
//!
//! Source: "Systolic Routing in an Optical Butterfly", sections 2 and 3. Three slips are corrected here: the sequence
//! starts with l = r - 1 zeros, not r; the routing table has rows 0 … 2^(r-1) - 1; its condition reads
//! τ_j = ξ_(t+j+1) mod T for j = 0 … r - 2.

use crate::de_bruijn::{DeBruijn, SequenceError};
use crate::plan::{CUSTOM, Control, Figures, Plan, Request, ScheduleError};
use frit_network::{SwitchState, optical_butterfly};
use std::collections::BTreeMap;

/// Where this comes from.
pub const SOURCE: &str = "Systolic Routing in an Optical Butterfly, sections 2 and 3";

/// The sequences that a request can name; the first is the paper's.
pub const SEQUENCES: &[&str] = &["prefer-one", "prefer-same", "granddaddy"];

/// The largest order for which hardware has a minimised feedback function.
pub const FEEDBACK_MAX_ORDER: u32 = 10;

/// The control sequence ξ of the r-dimensional optical butterfly and the routing that follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Systolic {
    dimension: u32,
    sequence: DeBruijn,
    /// The routing word of `out_up` in each slot: the paper's routing table without the XOR by the sender's number.
    routing: Vec<u32>,
}

impl Systolic {
    /// The routing that a sequence of order l = r - 1 gives in r dimensions.
    pub fn new(sequence: DeBruijn) -> Self {
        // A packet of slot t meets level j in step t + j, and τ_j = a_j XOR a_(j+1) is the state it needs at level
        // j + 1, so the word at t + 1 is τ; a is the running XOR of its bits behind a_0 = 0.
        let running_xor = |word: u32| [1, 2, 4, 8, 16].iter().fold(word, |a, by| a ^ a >> by);
        let dimension = sequence.order() + 1;
        let mut routing: Vec<u32> = sequence.words().map(running_xor).collect();
        routing.rotate_left(1);
        Systolic { dimension, sequence, routing }
    }

    /// The routing of `terminals` processors with one of the built-in sequences, by name.
    fn named(terminals: u64, name: &str) -> Result<Self, SequenceError> {
        let order = terminals.trailing_zeros() - 1;
        let sequence = match name {
            "prefer-same" => DeBruijn::prefer_same(order),
            "granddaddy" => DeBruijn::granddaddy(order),
            _ => DeBruijn::prefer_one(order),
        };
        sequence.map(Systolic::new)
    }

    /// r: a packet passes r edges and r - 1 routers.
    pub fn dimension(&self) -> u32 {
        self.dimension
    }

    /// ξ.
    pub fn sequence(&self) -> &DeBruijn {
        &self.sequence
    }

    /// T = 2^(r-1), the slots after which control and routing table repeat.
    pub fn period(&self) -> u32 {
        self.routing.len() as u32
    }

    /// The state of every router in a cycle.
    pub fn state(&self, cycle: u64) -> SwitchState {
        SwitchState::from_bit(self.sequence.bit(cycle))
    }

    /// The routing word a = s XOR d (a_0, the first edge, most significant) of the packets that go out on `out_up` in a
    /// slot; those on `out_down` have its complement.
    pub fn routing_word(&self, slot: u64) -> u32 {
        self.routing[(slot & (self.routing.len() as u64 - 1)) as usize]
    }

    /// The lane where the packet from `lane` in a slot arrives: of its destination d, `in_up` (2d) if its last edge is
    /// straight, `in_down` (2d + 1) if it is a cross edge.
    pub fn destination(&self, slot: u64, lane: u32) -> u32 {
        let (source, down) = (lane / 2, lane % 2);
        let all = (1u32 << self.dimension) - 1;
        let word = self.routing_word(slot) ^ (all * down);
        2 * (source ^ word) + (word & 1)
    }

    /// For each routing word a = s XOR d the slot in which s sends to d, the inverse of the routing table. Every word
    /// and its complement share one.
    pub fn slots(&self) -> Vec<u32> {
        let mut slots = vec![0; 2 * self.routing.len()];
        let all = slots.len() - 1;
        for (slot, &word) in self.routing.iter().enumerate() {
            slots[word as usize] = slot as u32;
            slots[all ^ word as usize] = slot as u32;
        }
        slots
    }
}

/// The plan of a request, whose sequence is a built-in one.
pub fn plan(request: &Request) -> Result<Plan, ScheduleError> {
    let network = optical_butterfly(request.terminals)?;
    let systolic = Systolic::named(request.terminals, &request.options["sequence"])?;
    check_controller(&request.options, systolic.sequence().order())?;
    Ok(build(network, request.options.clone(), systolic))
}

/// Refuses a way to make the next bit that the sequence has not.
fn check_controller(options: &BTreeMap<String, String>, order: u32) -> Result<(), ScheduleError> {
    let (controller, sequence) = (options["controller"].as_str(), options["sequence"].as_str());
    let reason = match controller {
        "successor" if sequence != SEQUENCES[0] => {
            format!("there is a successor rule for prefer-one, not for {sequence}")
        }
        "feedback" if order > FEEDBACK_MAX_ORDER => {
            format!(
                "feedback functions are minimised up to order {FEEDBACK_MAX_ORDER}, this sequence has order {order}"
            )
        }
        _ => return Ok(()),
    };
    Err(ScheduleError::Controller { controller: controller.into(), reason })
}

/// The plan for `terminals` processors with a sequence of the user's, which must be of order log2 N - 1. Its option
/// `sequence` is [`CUSTOM`], so its request does not give it again.
pub fn plan_with_sequence(terminals: u64, sequence: DeBruijn) -> Result<Plan, ScheduleError> {
    let network = optical_butterfly(terminals)?;
    let order = terminals.trailing_zeros() - 1;
    if sequence.order() != order {
        return Err(ScheduleError::SequenceOrder { terminals, order, given: sequence.order() });
    }
    let option = |key: &str, value: &str| (key.to_string(), value.to_string());
    let options = BTreeMap::from([
        option("sequence", CUSTOM),
        option("controller", "auto"),
        option("fanout", "shared"),
    ]);
    Ok(build(network, options, Systolic::new(sequence)))
}

fn build(network: frit_network::Network, options: BTreeMap<String, String>, systolic: Systolic) -> Plan {
    let (terminals, r, rounds) = (network.terminals(), systolic.dimension(), systolic.period());
    let cycles = rounds as u64 + r as u64 - 1;
    let per_level = options.get("fanout").is_some_and(|fanout| fanout == "per-level");
    // Prefer-one is computed from the state alone; the others are read from a table of next bits.
    let stored_bits = if options["sequence"] == SEQUENCES[0] { 0 } else { rounds as u64 };
    let reason = format!("each processor takes {terminals} messages, two a step, the first after {r} edges");
    let figures = Figures {
        drivers: if per_level { r as u64 - 1 } else { 1 },
        stored_bits,
        ..Figures::tight(cycles, reason, SOURCE)
    };
    let plan = Plan::new("obf", &options, network, rounds, Control::Systolic(systolic), figures);
    // The first edge leads from a processor to a router of level 1.
    Plan { entry_delay: 1, ..plan }
}

#[cfg(test)]
mod tests;
