//! The edges that packets can ever use, numbered so that a scan of their numbers meets heads in the order of a trace.

use super::bits::Bits;
use frit_network::dilated::Node;
use frit_network::{DilatedButterfly, RowIdx};
use std::ops::Range;

/// Places of heads: first those of the packets that start, row by row, then the edges by level, row, in bundle and number.
/// A bundle has as many places as edges, or as packets if they are fewer: the others are never used.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    network: DilatedButterfly,
    /// The first place of each row's starts, then of each in bundle of levels 1 to the sinks, then the number of places.
    first: Vec<u32>,
    /// Whose head stands, or will stand, at a place.
    pub owner: Vec<u32>,
    /// Taken by a worm; kept only if edges are released.
    pub busy: Bits,
}

impl Edges {
    /// For the packets that start at each row and the loads of the out bundles of each level.
    pub(super) fn new(network: &DilatedButterfly, starts: &[u32], loads: &[Vec<u32>], release: bool) -> Self {
        let rows = network.rows();
        let mut first = Vec::with_capacity(rows as usize * (2 * loads.len() + 1) + 1);
        let mut next = 0;
        for count in starts {
            first.push(next);
            next += count;
        }
        for level in 1..=network.levels() {
            for (row, y) in (0..rows).flat_map(|row| [(row, 0), (row, 1)]) {
                first.push(next);
                let edge = frit_network::dilated::InEdge { node: Node { level, row: RowIdx(row) }, y, e: 0 };
                let (from, x) = network.origin(edge);
                next += loads[from.level as usize][(2 * from.row.0 + x) as usize].min(network.bundle());
            }
        }
        first.push(next);
        let busy = Bits::new(if release { next as usize } else { 0 });
        Edges { network: *network, first, owner: vec![u32::MAX; next as usize], busy }
    }

    /// The number of in bundle `y` of a node; all starts of a row are bundle 0.
    fn bundle(&self, node: Node, y: u32) -> usize {
        let rows = self.network.rows() as usize;
        match node.level {
            0 => node.row.idx(),
            level => rows + 2 * ((level as usize - 1) * rows + node.row.idx()) + y as usize,
        }
    }

    /// The places of an in bundle. Bundle 1 of level 0 has none.
    pub(super) fn places(&self, node: Node, y: u32) -> Range<usize> {
        if node.level == 0 && y == 1 {
            return 0..0;
        }
        let bundle = self.bundle(node, y);
        self.first[bundle] as usize..self.first[bundle + 1] as usize
    }

    /// The places of all heads at a node.
    pub(super) fn places_of(&self, node: Node) -> Range<usize> {
        match node.level {
            0 => self.places(node, 0),
            _ => self.places(node, 0).start..self.places(node, 1).end,
        }
    }

    /// Number of places.
    pub(super) fn count(&self) -> usize {
        self.owner.len()
    }
}
