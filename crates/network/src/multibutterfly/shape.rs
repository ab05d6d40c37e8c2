//! How large a multibutterfly is, and which nodes a splitter has.

use super::Node;
use crate::network::MAX_TERMINALS;
use crate::{Refusal, refuse};
use std::ops::Range;

/// The most ports of a node on a side.
pub const MAX_DEGREE: u32 = 1 << 16;

/// What side 0 and side 1 are called.
pub fn side_name(side: u32) -> &'static str {
    if side == 0 { "upper" } else { "lower" }
}

/// 2^n rows and d: everything but the wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    dimensions: u32,
    degree: u32,
}

/// One side of a splitter: its inputs, and the outputs of that side. In this order they are wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitterSide {
    /// c: the column of its inputs.
    pub column: u32,
    /// j: splitters of a column are numbered by rows.
    pub number: u32,
    /// 0 for the upper outputs, 1 for the lower ones.
    pub side: u32,
}

impl std::fmt::Display for SplitterSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}, splitter {}, {} side", self.column, self.number, side_name(self.side))
    }
}

impl Shape {
    /// `rows` rows, and `degree` ports of a node on each side, in small splitters as many as there are outputs.
    ///
    /// # Errors
    ///
    /// Rows that are not a power of two from 2 to 2^20, or a degree that is not from 1 to 65536.
    pub fn new(rows: u64, degree: u32) -> Result<Self, Refusal> {
        if !rows.is_power_of_two() || !(2..=MAX_TERMINALS).contains(&rows) {
            let inside = rows.clamp(2, MAX_TERMINALS);
            let above = inside.next_power_of_two();
            let nearest = if above - inside <= inside - above / 2 { above } else { above / 2 };
            let allowed = "a power of two from 2 to 2^20";
            return Err(Refusal::size("the multibutterfly", rows, allowed, nearest, ""));
        }
        if !(1..=MAX_DEGREE).contains(&degree) {
            refuse!(
                "{degree} ports of a node on a side are out of range; a multibutterfly has from 1 to {MAX_DEGREE}"
            );
        }
        Ok(Shape { dimensions: rows.ilog2(), degree })
    }

    /// n: there are 2^n rows and n + 1 columns of nodes.
    pub fn dimensions(self) -> u32 {
        self.dimensions
    }

    /// N: rows, which are numbered from 0.
    pub fn rows(self) -> u32 {
        1 << self.dimensions
    }

    /// d.
    pub fn degree(self) -> u32 {
        self.degree
    }

    /// M: inputs of a splitter of a column.
    pub fn inputs(self, column: u32) -> u32 {
        1 << (self.dimensions - column)
    }

    /// m: outputs of a splitter of a column on each side.
    pub fn outputs(self, column: u32) -> u32 {
        self.inputs(column) / 2
    }

    /// min(d, m): ports that a node of a column has on each side.
    pub fn ports(self, column: u32) -> u32 {
        self.degree.min(self.outputs(column))
    }

    /// In-ports that a node of a column has: as many from either half of the splitter's inputs as they have ports.
    pub fn in_ports(self, column: u32) -> u32 {
        column.checked_sub(1).map_or(0, |before| 2 * self.ports(before))
    }

    /// The sides of all splitters of a column, in order.
    pub fn sides(self, column: u32) -> impl Iterator<Item = SplitterSide> {
        (0..2 << column).map(move |at| SplitterSide { column, number: at / 2, side: at % 2 })
    }

    /// The rows of the inputs of a splitter.
    pub fn input_rows(self, side: SplitterSide) -> Range<u32> {
        let inputs = self.inputs(side.column);
        side.number * inputs..(side.number + 1) * inputs
    }

    /// The rows, in the next column, of the outputs of a side.
    pub fn output_rows(self, side: SplitterSide) -> Range<u32> {
        let outputs = self.outputs(side.column);
        let number = 2 * side.number + side.side;
        number * outputs..(number + 1) * outputs
    }

    /// The side of a splitter on which a node of column 1 or later is an output.
    pub fn side_of(self, node: Node) -> u32 {
        node.row.0 >> (self.dimensions - node.column) & 1
    }

    /// The side of the splitter that a message takes from column `column` to `destination`.
    pub fn side_to(self, destination: u32, column: u32) -> u32 {
        destination >> (self.dimensions - 1 - column) & 1
    }

    /// The splitter of which a node is an input.
    pub fn splitter_of(self, node: Node) -> u32 {
        node.row.0 >> (self.dimensions - node.column)
    }

    /// Number of nodes.
    pub fn nodes(self) -> u64 {
        u64::from(self.dimensions + 1) << self.dimensions
    }

    /// Number of splitters.
    pub fn splitters(self) -> u64 {
        u64::from(self.rows()) - 1
    }

    /// Number of edges.
    pub fn edges(self) -> u64 {
        (0..self.dimensions).map(|column| u64::from(2 * self.ports(column)) << self.dimensions).sum()
    }

    /// The wires of a side without chance, as [`wired`](super::MultiButterfly::wired) takes them: port k of input i leads to
    /// output (i + k) mod m. In small splitters, where an input has a port to every output, these are the wires.
    pub fn cyclic(self, column: u32) -> Vec<u32> {
        let (outputs, ports) = (self.outputs(column), self.ports(column));
        let ports = |input| (0..ports).map(move |port| (input + port) % outputs);
        (0..self.inputs(column)).flat_map(ports).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::RowIdx;

    #[test]
    fn splitters_halve_from_column_to_column() {
        let shape = Shape::new(16, 4).unwrap();
        let sizes = |column| (shape.inputs(column), shape.outputs(column), shape.ports(column));
        assert_eq!([0, 1, 2, 3].map(sizes), [(16, 8, 4), (8, 4, 4), (4, 2, 2), (2, 1, 1)]);
        assert_eq!((shape.nodes(), shape.splitters(), shape.edges()), (80, 15, 32 * (4 + 4 + 2 + 1)));
        assert_eq!((shape.in_ports(0), shape.in_ports(1), shape.in_ports(4)), (0, 8, 2));
        let side = SplitterSide { column: 2, number: 3, side: 1 };
        assert_eq!((shape.input_rows(side), shape.output_rows(side)), (12..16, 14..16));
        assert!(shape.output_rows(side).all(|row| shape.side_of(Node { column: 3, row: RowIdx(row) }) == 1));
        assert!(
            shape.input_rows(side).all(|row| shape.splitter_of(Node { column: 2, row: RowIdx(row) }) == 3)
        );
        assert_eq!((0..4).map(|column| shape.side_to(0b0110, column)).collect::<Vec<_>>(), [0, 1, 1, 0]);
    }

    #[test]
    fn sizes_that_do_not_exist_are_refused() {
        let text = |rows, degree| Shape::new(rows, degree).unwrap_err().to_string();
        assert!(
            text(12, 4).contains("the multibutterfly does not exist with 12 terminals"),
            "{}",
            text(12, 4)
        );
        assert!(text(12, 4).contains("nearest size is 16"));
        assert!(text(9, 4).contains("nearest size is 8"));
        assert!(text(0, 4).contains("nearest size is 2"));
        assert!(text(1 << 21, 4).contains("nearest size is 1048576"));
        assert_eq!(
            text(16, 0),
            "0 ports of a node on a side are out of range; a multibutterfly has from 1 to 65536"
        );
    }
}
