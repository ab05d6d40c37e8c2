//! Systolic routing: one control bit for all switches at a time, taken from a de Bruijn sequence, and a routing table that
//! tells each processor for which two destinations it may send at each time step.
//!
//! Source: "Systolic Routing in an Optical Butterfly", sections 2 and 3. Three slips are corrected here: the sequence
//! starts with l = r - 1 zeros, not r; the routing table has rows 0 … 2^(r-1) - 1; its condition reads
//! τ_j = ξ_(t+j+1) mod T for j = 0 … r - 2.

use crate::de_bruijn::DeBruijn;
use frit_network::{LaneIdx, SwitchState};

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
    pub fn destination(&self, slot: u64, lane: LaneIdx) -> LaneIdx {
        let (source, down) = (lane.0 / 2, lane.0 % 2);
        let all = (1u32 << self.dimension) - 1;
        let word = self.routing_word(slot) ^ (all * down);
        LaneIdx(2 * (source ^ word) + (word & 1))
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
