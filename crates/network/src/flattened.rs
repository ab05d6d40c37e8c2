//! The flattened butterfly: the switches of a row of a Butterfly as one router ("Realizing the right Latin square on the
//! Butterfly–Butterfly", section V-B).
//!
//! Router v holds switch v of every stage, and the terminals 2v and 2v + 1. A wire between two stages that stays in its
//! row stays inside the router; one that crosses to another row uses the channel of its dimension. Dimension d joins
//! the routers whose numbers differ in bit d alone; it has a channel each way.

pub mod drawing;

use crate::ids::{PortIdx, StageIdx};
use crate::network::Network;

/// A channel between two routers, one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// The router that it leaves.
    pub from: u32,
    /// The bit in which the number of the router that it reaches differs.
    pub dimension: u32,
}

impl Channel {
    /// The router that it reaches.
    pub fn to(self) -> u32 {
        self.from ^ 1 << self.dimension
    }
}

impl std::fmt::Display for Channel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}>{}", self.from, self.dimension, self.to())
    }
}

/// The channel that the wire behind output port `port` of the stage before `column` uses, if it leaves its router.
///
/// # Panics
///
/// If the wire joins rows that differ in several bits: the network is no butterfly then.
pub fn channel(network: &Network, column: StageIdx, port: PortIdx) -> Option<Channel> {
    let (from, to) = (port.0 / 2, network.link(column)[port.idx()] / 2);
    let apart = from ^ to;
    assert!(apart == 0 || apart.is_power_of_two(), "rows {from} and {to} are no neighbours");
    (apart != 0).then(|| Channel { from, dimension: apart.trailing_zeros() })
}

/// All channels of `routers` routers (a power of two), in order.
pub fn channels(routers: u32) -> impl Iterator<Item = Channel> {
    let dimensions = routers.trailing_zeros();
    (0..routers).flat_map(move |from| (0..dimensions).map(move |dimension| Channel { from, dimension }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::butterfly::butterfly_butterfly;
    use std::collections::BTreeMap;

    #[test]
    fn every_edge_stage_has_one_wire_in_every_channel_of_its_dimension() {
        let network = butterfly_butterfly(32).unwrap();
        let mut wires: BTreeMap<(u32, Channel), u32> = BTreeMap::new();
        for column in 1..network.stages() {
            for port in PortIdx::all(network.lanes()) {
                if let Some(channel) = channel(&network, StageIdx(column), port) {
                    assert_eq!(network.link(StageIdx(column))[port.idx()] / 2, channel.to());
                    *wires.entry((column, channel)).or_default() += 1;
                }
            }
        }
        // Edge stage 1 touches the most significant of the 4 bits, and edge stage 5 does so again.
        for channel in channels(16) {
            let columns: Vec<u32> = wires.keys().filter(|(_, c)| *c == channel).map(|(c, _)| *c).collect();
            assert_eq!(columns, [4 - channel.dimension, 8 - channel.dimension]);
        }
        assert!(wires.values().all(|&count| count == 1));
        assert_eq!(channels(16).count(), 16 * 4);
    }
}
