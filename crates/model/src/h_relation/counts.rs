//! How many packets each slot still has: a table of which a step changes one row, so that two states can share the others.

use frit_network::{LaneIdx, RoundIdx};
use std::sync::Arc;

/// A number of packets, of no more bits than the largest one needs.
pub trait Count: Copy + Default + PartialEq + std::fmt::Debug + Into<u32> + TryFrom<u32> {}

impl Count for u8 {}
impl Count for u32 {}

/// One packet less, if there is one.
pub(super) fn less<C: Count>(count: C) -> Option<C> {
    count.into().checked_sub(1).and_then(|less| C::try_from(less).ok())
}

/// Packets by round and lane. A clone shares its rows with the original until one of them is [written](Counts::set_row).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts<C> {
    rows: Vec<Arc<Vec<C>>>,
}

impl<C: Count> Counts<C> {
    pub fn new(rows: Vec<Vec<C>>) -> Self {
        Counts { rows: rows.into_iter().map(Arc::new).collect() }
    }

    pub fn row(&self, round: RoundIdx) -> &[C] {
        &self.rows[round.idx()]
    }

    pub fn set_row(&mut self, round: RoundIdx, row: Vec<C>) {
        self.rows[round.idx()] = Arc::new(row);
    }

    /// Becomes equal to `other`. Rows that are shared already are left alone, which is what makes this cheap for a state of
    /// two steps ago.
    pub fn follow(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            if !Arc::ptr_eq(row, other) {
                row.clone_from(other);
            }
        }
    }

    /// Where packets are left: round and lane.
    pub fn left(&self) -> impl Iterator<Item = (RoundIdx, LaneIdx)> {
        (0..).map(RoundIdx).zip(&self.rows).flat_map(|(round, row)| {
            let lanes = (0..).map(LaneIdx).zip(row.iter()).filter(|&(_, &count)| count != C::default());
            lanes.map(move |(lane, _)| (round, lane))
        })
    }
}
