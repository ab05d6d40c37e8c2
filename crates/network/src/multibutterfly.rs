//! The (N, d)-multibutterfly of "Deterministic routing of h-relations on the multibutterfly", section 2: N rows, columns
//! 0 … log N, and between columns c and c + 1 2^c *splitters*.
//!
//! Splitter j of column c has the M = N / 2^c nodes of column c in rows j·M … (j + 1)·M − 1 as *inputs*, and the nodes of
//! column c + 1 in the same rows as *outputs*: the upper half (side 0) and the lower half (side 1), m = M / 2 each. An input
//! has d ports on each side, each to another output of that side; an output has 2d *in-ports*, in the order of the row and
//! the port that they come from. So a message takes the side that bit c of its destination says, the most significant bit
//! being bit 0.
//!
//! The last splitters have fewer outputs on a side than d: there an input has a port to every one, min(d, m) in all. The
//! paper leaves this out: it lets only every L-th row send and receive, so that nothing meets in a small splitter.
//!
//! Modules in reading order: [`shape`] (sizes, splitters), `check`, [`file`](mod@file) (a user's
//! own as JSON), [`expansion`] (how many outputs some inputs reach), [`drawing`].

mod check;
pub mod drawing;
pub mod expansion;
pub mod file;
pub mod shape;

pub use shape::{Shape, SplitterSide};

use crate::Refusal;
use crate::ids::{PortIdx, RowIdx};
use check::check_side;

/// A node: (column, row). Column 0 has the sources, column log N the destinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// From 0.
    pub column: u32,
    /// From 0.
    pub row: RowIdx,
}

/// Where an in-port comes from. In this order the in-ports of a node are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InPort {
    /// The row of the input of the splitter, a column before.
    pub row: RowIdx,
    /// Its port on the side that the node is on.
    pub port: PortIdx,
}

/// The wires between a column and the next.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wires {
    /// `ends[(2 · row + side) · ports + port]`: the row in the next column.
    ends: Vec<u32>,
    /// The same: the number of the in-port at that end.
    numbers: Vec<u32>,
    /// `origins[row · 2 · ports + in-port]`, of the next column.
    origins: Vec<InPort>,
}

/// A multibutterfly with its wires, which have been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiButterfly {
    shape: Shape,
    columns: Vec<Wires>,
}

impl MultiButterfly {
    /// The network of a shape, wired side by side of every splitter: `wire` gives for each input of the splitter, from the
    /// first on, the outputs of that side that its ports lead to, as numbers from 0 in the side; the ports of an input one
    /// behind the other.
    ///
    /// # Errors
    ///
    /// The first thing that makes it no multibutterfly.
    pub fn wired(shape: Shape, mut wire: impl FnMut(SplitterSide) -> Vec<u32>) -> Result<Self, Refusal> {
        let mut columns = Vec::new();
        for column in 0..shape.dimensions() {
            let ports = shape.ports(column) as usize;
            let mut ends = vec![0; 2 * shape.rows() as usize * ports];
            for side in shape.sides(column) {
                let outputs = wire(side);
                check_side(shape, side, &outputs)?;
                let first = shape.output_rows(side).start;
                for (row, outputs) in shape.input_rows(side).zip(outputs.chunks_exact(ports)) {
                    let place = (2 * row + side.side) as usize * ports;
                    ends[place..place + ports].iter_mut().zip(outputs).for_each(|(end, o)| *end = first + o);
                }
            }
            columns.push(Wires::new(shape, column, ends));
        }
        Ok(MultiButterfly { shape, columns })
    }

    /// Its sizes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The rows in the next column to which the ports of a node on a side lead.
    ///
    /// # Panics
    ///
    /// In the last column, which has no ports.
    pub fn ends(&self, node: Node, side: u32) -> &[u32] {
        let ports = self.shape.ports(node.column) as usize;
        &self.columns[node.column as usize].ends[(2 * node.row.0 + side) as usize * ports..][..ports]
    }

    /// The numbers of the in-ports at the other ends of the ports of a node on a side.
    pub fn numbers(&self, node: Node, side: u32) -> &[u32] {
        let ports = self.shape.ports(node.column) as usize;
        &self.columns[node.column as usize].numbers[(2 * node.row.0 + side) as usize * ports..][..ports]
    }

    /// Where the in-ports of a node come from, in their order; none in column 0.
    pub fn origins(&self, node: Node) -> &[InPort] {
        let Some(column) = node.column.checked_sub(1) else { return &[] };
        let ports = 2 * self.shape.ports(column) as usize;
        &self.columns[column as usize].origins[node.row.idx() * ports..][..ports]
    }

    /// All ends of the ports of a column: `ends[(2 · row + side) · ports + port]` is a row of the next column.
    pub fn column_ends(&self, column: u32) -> &[u32] {
        &self.columns[column as usize].ends
    }
}

impl Wires {
    fn new(shape: Shape, column: u32, ends: Vec<u32>) -> Self {
        let (ports, rows) = (shape.ports(column) as usize, shape.rows() as usize);
        let mut origins = vec![InPort { row: RowIdx(0), port: PortIdx(0) }; rows * 2 * ports];
        let mut numbers = vec![0; ends.len()];
        let mut used = vec![0u32; rows];
        // Row by row, port by port: so the in-ports of every node are filled in their order.
        for (place, (&end, number)) in ends.iter().zip(&mut numbers).enumerate() {
            let in_port = &mut used[end as usize];
            *number = *in_port;
            origins[end as usize * 2 * ports + *in_port as usize] =
                InPort { row: RowIdx((place / ports / 2) as u32), port: PortIdx((place % ports) as u32) };
            *in_port += 1;
        }
        Wires { ends, numbers, origins }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A wiring without chance: port k of input i leads to output i + k, as in the small splitters.
    pub(crate) fn cyclic(rows: u64, degree: u32) -> MultiButterfly {
        let shape = Shape::new(rows, degree).unwrap();
        MultiButterfly::wired(shape, |side| shape.cyclic(side.column)).unwrap()
    }

    #[test]
    fn in_ports_are_the_ports_the_other_way_round_and_in_order() {
        for (rows, degree) in [(2, 1), (8, 2), (16, 4), (16, 100)] {
            let network = cyclic(rows, degree);
            let shape = network.shape();
            for (column, row) in (0..shape.dimensions()).flat_map(|c| (0..shape.rows()).map(move |r| (c, r)))
            {
                let node = Node { column, row: RowIdx(row) };
                for side in 0..2 {
                    let (ends, numbers) = (network.ends(node, side), network.numbers(node, side));
                    assert_eq!(ends.len(), shape.ports(column) as usize);
                    for (port, (&end, &number)) in ends.iter().zip(numbers).enumerate() {
                        let there = network.origins(Node { column: column + 1, row: RowIdx(end) });
                        assert_eq!(
                            there[number as usize],
                            InPort { row: RowIdx(row), port: PortIdx(port as u32) }
                        );
                        assert_eq!(shape.side_of(Node { column: column + 1, row: RowIdx(end) }), side);
                    }
                }
                let origins = network.origins(Node { column: column + 1, row: RowIdx(row) });
                assert_eq!(origins.len(), 2 * shape.ports(column) as usize);
                assert!(origins.is_sorted());
            }
        }
    }

    #[test]
    fn the_sides_name_the_destination_bit_by_bit_from_the_most_significant_on() {
        let network = cyclic(8, 2);
        let mut at = Node { column: 0, row: RowIdx(6) };
        for bit in [0, 1, 1] {
            at = Node { column: at.column + 1, row: RowIdx(network.ends(at, bit)[0]) };
        }
        assert_eq!(at, Node { column: 3, row: RowIdx(0b011) });
    }
}
