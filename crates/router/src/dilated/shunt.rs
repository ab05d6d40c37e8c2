//! What a switch does: it shunts an edge on which a head has come to an edge that nobody uses.

use frit_network::RowIdx;
use frit_traffic::event::{Event, EventKind};

/// An edge is shunted to another. The derived order is that of a trace: by time, then place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shunt {
    /// The bit step, from 0.
    pub step: u32,
    /// The level of the switch. With a barrier the second pass begins at level n.
    pub level: u32,
    /// The row of the switch.
    pub row: RowIdx,
    /// The in bundle; 0 at the level where packets start.
    pub y: u32,
    /// The edge in it, or the number of the packet at its switch where packets start.
    pub e: u32,
    /// The out bundle: the routing bit, which is stripped.
    pub x: u32,
    /// The edge in it.
    pub out: u32,
}

impl Event for Shunt {
    const KINDS: &'static [EventKind] =
        &[EventKind { name: "shunt", columns: &["step", "level", "row", "y", "e", "x", "out"], list: false }];

    fn kind(&self) -> usize {
        0
    }

    #[inline]
    fn each_number(&self, take: impl FnMut(u32)) {
        [self.step, self.level, self.row.0, self.y, self.e, self.x, self.out].into_iter().for_each(take);
    }
}
