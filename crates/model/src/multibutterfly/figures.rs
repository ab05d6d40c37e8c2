//! What a run counts.

/// Counts and maxima of a run. Engines agree on all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The most buffers of a side that were full at once: right after an output has filled them with ghosts (step 1.5),
    /// which is what a side must have room for; of column 0 the messages at the start.
    pub max_raw: u32,
    /// The same when sizes are set, ghosts in excess having been deleted.
    pub max_fill: u32,
    /// The largest W.
    pub max_w: u32,
    /// The most messages that were placed in, or delivered to, a node.
    pub max_through: u32,
    /// The most messages on an edge in a round.
    pub max_link: u32,
    /// Sides that were committed in a later phase than the first in which they could.
    pub late: u64,
    /// Requests, each counted once however long it stands.
    pub requests: u64,
    /// Ghosts that were deleted, on either side.
    pub ghosts_deleted: u64,
    /// Word steps: 3Z + 1 a phase, and for each round the most messages on an edge and one.
    pub word_steps: u64,
    /// Moves of a message over an edge; in the bit model moves of one or two of its bits.
    pub moves: u64,
}
