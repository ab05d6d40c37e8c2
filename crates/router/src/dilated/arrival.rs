//! What comes out of the network: a payload bit at the end of an edge behind the last level.

use frit_network::RowIdx;

/// A payload bit has come out. The derived order is that of a trace: by time, then place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrival {
    /// The bit step in which it passes its last edge, from 0.
    pub step: u32,
    /// The row of the sink.
    pub row: RowIdx,
    /// The bundle.
    pub y: u32,
    /// The edge in it.
    pub e: u32,
    /// The bit.
    pub bit: bool,
}
