//! What the nodes do: they commit sides to ports, place messages in buffers, and deliver them.

use frit_network::RowIdx;
use frit_traffic::event::{Event, EventKind};

/// Something that a node did in a phase. The digest of a run is the sum of its events' own, since nodes do things at once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeEvent {
    /// A side with something in its buffers is committed to ports.
    Commit {
        /// The phase.
        phase: u32,
        /// The column of the node.
        column: u32,
        /// The side.
        side: u32,
        /// The row of the node.
        row: RowIdx,
        /// The ports, in ascending order; the k-th full buffer uses port k modulo their number.
        ports: Vec<u32>,
    },
    /// A message takes the place of a ghost.
    Place {
        /// The phase.
        phase: u32,
        /// The column of the node.
        column: u32,
        /// The row of the node.
        row: RowIdx,
        /// The side that its next address bit says.
        side: u32,
        /// The buffer.
        buffer: u32,
        /// The message.
        message: u32,
    },
    /// A message arrives in the last column.
    Deliver {
        /// The phase.
        phase: u32,
        /// The last column.
        column: u32,
        /// The row.
        row: RowIdx,
        /// The message.
        message: u32,
    },
}

impl NodeEvent {
    /// The phase in which it happens.
    pub fn phase(&self) -> u32 {
        match *self {
            NodeEvent::Commit { phase, .. }
            | NodeEvent::Place { phase, .. }
            | NodeEvent::Deliver { phase, .. } => phase,
        }
    }
}

impl Event for NodeEvent {
    const KINDS: &'static [EventKind] = &[
        EventKind { name: "commit", columns: &["stage", "column", "side", "row", "ports"], list: true },
        EventKind {
            name: "place",
            columns: &["stage", "column", "row", "side", "buffer", "message"],
            list: false,
        },
        EventKind { name: "deliver", columns: &["stage", "column", "row", "message"], list: false },
    ];

    #[inline]
    fn kind(&self) -> usize {
        match self {
            NodeEvent::Commit { .. } => 0,
            NodeEvent::Place { .. } => 1,
            NodeEvent::Deliver { .. } => 2,
        }
    }

    #[inline]
    fn each_number(&self, mut take: impl FnMut(u32)) {
        match *self {
            NodeEvent::Commit { phase, column, side, row, ref ports } => {
                [phase, column, side, row.0].into_iter().for_each(&mut take);
                ports.iter().copied().for_each(take);
            }
            NodeEvent::Place { phase, column, row, side, buffer, message } => {
                [phase, column, row.0, side, buffer, message].into_iter().for_each(take);
            }
            NodeEvent::Deliver { phase, column, row, message } => {
                [phase, column, row.0, message].into_iter().for_each(take);
            }
        }
    }
}
