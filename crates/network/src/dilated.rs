//! The b-dilated butterfly of "Fast algorithms for bit-serial routing on a hypercube", section 2: every edge of a
//! butterfly is a *bundle* of b edges.
//!
//! Switches stand on levels; level l decides bit l mod n of the row, the least significant bit first. *Out bundle* x of
//! switch (l, r) leads to the row that is r with that bit set to x, where it is *in bundle* y, y being that bit of r. So a
//! packet stays in its row if x = y. The switches of level 0 have no in bundles but the packets themselves, and behind
//! the last level are the sinks.

pub mod drawing;

use crate::Refusal;
use crate::ids::RowIdx;
use crate::network::MAX_TERMINALS;

/// The levels, rows and bundles of a dilated butterfly. 2^n rows; n levels, or 2n if both passes of a packet have a copy of
/// the butterfly each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DilatedButterfly {
    dimensions: u32,
    levels: u32,
    bundle: u32,
}

/// A switch: (level, row).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// From 0; the sinks stand at the level behind the last.
    pub level: u32,
    /// From 0.
    pub row: RowIdx,
}

/// An edge as the switch at its end sees it. In this order edges are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InEdge {
    /// The switch, or sink, at the end.
    pub node: Node,
    /// The in bundle: the bit of the row that it comes from.
    pub y: u32,
    /// The edge in the bundle.
    pub e: u32,
}

impl DilatedButterfly {
    /// A butterfly with `rows` rows, a power of two, and `bundle` edges in each bundle; `copies` butterflies one behind the
    /// other.
    ///
    /// # Errors
    ///
    /// Rows that are not a power of two from 2 to 2^20.
    ///
    /// # Panics
    ///
    /// If there are no edges in a bundle, or no copies.
    pub fn new(rows: u64, bundle: u32, copies: u32) -> Result<Self, Refusal> {
        assert!(bundle > 0 && copies > 0, "{bundle} edges in a bundle, {copies} copies");
        let allowed = "a power of two from 2 to 2^20";
        let size = |nearest| Refusal::size("the dilated butterfly", rows, allowed, nearest, "");
        if !(2..=MAX_TERMINALS).contains(&rows) {
            return Err(size(rows.clamp(2, MAX_TERMINALS)));
        }
        if !rows.is_power_of_two() {
            let above = rows.next_power_of_two();
            return Err(size(if above - rows <= rows - above / 2 { above } else { above / 2 }));
        }
        let dimensions = rows.ilog2();
        Ok(DilatedButterfly { dimensions, levels: copies * dimensions, bundle })
    }

    /// n: there are 2^n rows.
    pub fn dimensions(&self) -> u32 {
        self.dimensions
    }

    /// Rows, which are numbered from 0.
    pub fn rows(&self) -> u32 {
        1 << self.dimensions
    }

    /// Levels of switches; the sinks are at the level of this number.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// b: edges in a bundle.
    pub fn bundle(&self) -> u32 {
        self.bundle
    }

    /// Number of switches.
    pub fn switches(&self) -> u64 {
        u64::from(self.levels) << self.dimensions
    }

    /// Number of edges.
    pub fn edges(&self) -> u64 {
        2 * self.switches() * u64::from(self.bundle)
    }

    /// The switch of a number below [`switches`](Self::switches): level by level.
    pub fn node(&self, switch: u32) -> Node {
        Node { level: switch >> self.dimensions, row: RowIdx(switch & (self.rows() - 1)) }
    }

    /// The bit of the row that a level decides.
    pub fn bit(&self, level: u32) -> u32 {
        level % self.dimensions
    }

    /// Where an edge of out bundle `x` of a switch ends.
    pub fn end(&self, from: Node, x: u32, e: u32) -> InEdge {
        let bit = self.bit(from.level);
        let row = from.row.0 & !(1 << bit) | x << bit;
        InEdge { node: Node { level: from.level + 1, row: RowIdx(row) }, y: from.row.0 >> bit & 1, e }
    }

    /// The switch and the out bundle from which an edge comes, the edge having a number in both.
    ///
    /// # Panics
    ///
    /// At level 0, where no edge ends.
    pub fn origin(&self, edge: InEdge) -> (Node, u32) {
        let level = edge.node.level.checked_sub(1).expect("an edge ends behind level 0");
        let bit = self.bit(level);
        let row = edge.node.row.0 & !(1 << bit) | edge.y << bit;
        (Node { level, row: RowIdx(row) }, edge.node.row.0 >> bit & 1)
    }

    /// The number of an edge, below [`edges`](Self::edges): in the order of their ends.
    pub fn edge_number(&self, edge: InEdge) -> usize {
        let node = ((edge.node.level as usize - 1) << self.dimensions) + edge.node.row.idx();
        (2 * node + edge.y as usize) * self.bundle as usize + edge.e as usize
    }

    /// The edge of a number.
    pub fn edge(&self, number: usize) -> InEdge {
        let (bundle, e) = (number / self.bundle as usize, number % self.bundle as usize);
        let node = self.node((bundle / 2) as u32);
        InEdge { node: Node { level: node.level + 1, ..node }, y: (bundle % 2) as u32, e: e as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_has_one_end_and_one_origin() {
        for (rows, bundle, copies) in [(2, 1, 1), (8, 3, 1), (8, 2, 2), (16, 1, 2)] {
            let network = DilatedButterfly::new(rows, bundle, copies).unwrap();
            let mut seen = vec![false; network.edges() as usize];
            for switch in 0..network.switches() as u32 {
                let from = network.node(switch);
                for (x, e) in (0..2).flat_map(|x| (0..bundle).map(move |e| (x, e))) {
                    let end = network.end(from, x, e);
                    assert_eq!(network.origin(end), (from, x));
                    let number = network.edge_number(end);
                    assert_eq!(network.edge(number), end);
                    assert!(!std::mem::replace(&mut seen[number], true), "{end:?} twice");
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn a_path_corrects_the_bits_from_the_least_significant_on() {
        let network = DilatedButterfly::new(8, 4, 1).unwrap();
        let mut at = Node { level: 0, row: RowIdx(0b010) };
        let mut rows = vec![];
        for level in 0..3 {
            at = network.end(at, 0b101 >> level & 1, 0).node;
            rows.push(at.row);
        }
        assert_eq!((at.level, rows), (3, [0b011, 0b001, 0b101].map(RowIdx).to_vec()));
    }

    #[test]
    fn sizes_that_do_not_exist_are_refused() {
        let text = |rows| DilatedButterfly::new(rows, 1, 1).unwrap_err().to_string();
        assert!(text(12).contains("nearest size is 16"), "{}", text(12));
        assert!(text(9).contains("nearest size is 8"));
        assert!(text(1).contains("nearest size is 2"));
        assert!(text(1 << 21).contains("nearest size is 1048576"));
    }
}
