//! Permanent failure: sides that ask for ever. What stands at a side of a splitter only shrinks, so a round of requests
//! that commits nobody there is the last that could have.

use frit_network::multibutterfly::SplitterSide;

/// A request that stands for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StandingRequest {
    /// The row of the input that asks.
    pub row: u32,
    /// W, the size of what it must send.
    pub size: u32,
    /// Messages that wait there.
    pub messages: u32,
}

/// A side of a splitter that is stuck.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stuck {
    /// The side.
    pub side: SplitterSide,
    /// The stage in which a round of requests committed nobody.
    pub since: u32,
    /// Who asks, by rows.
    pub requests: Vec<StandingRequest>,
}
