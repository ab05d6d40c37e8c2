//! Limits and defaults that commands share with sweeps.

/// Terminals of an h-relation. Rows of N counts are filled for each of N sources: above this that takes minutes.
pub const RELATION_TERMINALS: u32 = 65536;
/// Percent of the packets that go to the hot spot when nobody says.
pub const HOT_SPOT_PERCENT: u32 = 20;
/// Terminals of the largest networks: who compares asks for no more.
pub const COMPARED_TERMINALS: u64 = 1 << 20;
