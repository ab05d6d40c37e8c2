//! Packets that will never move again.

use frit_network::dilated::InEdge;

/// What a blocked head waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// An unused edge of this out bundle.
    Bundle(u32),
    /// Its turn: a weak switch examines this edge of the bundle until it can shunt it.
    Turn(u32),
}

/// A packet whose head will never move again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Its number.
    pub packet: u32,
    /// The edge at whose end its head stands; at level 0 in bundle 0 and its place among the packets that start there. With a
    /// barrier, levels of the second pass begin at n.
    pub at: InEdge,
    /// What it waits for.
    pub waits_for: WaitsFor,
}
