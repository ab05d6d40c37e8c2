//! Why there is no such multibutterfly.

use crate::ids::RowIdx;
use crate::network::NetworkError;

/// The most ports of a node on a side.
pub const MAX_DEGREE: u32 = 1 << 16;

/// What side 0 and side 1 are called.
pub fn side_name(side: u32) -> &'static str {
    if side == 0 { "upper" } else { "lower" }
}

/// Why there is no such multibutterfly.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum WiringError {
    /// It does not exist with so many rows.
    #[error(transparent)]
    Rows(#[from] NetworkError),
    /// It does not exist with so many ports.
    #[error(
        "{given} ports of a node on a side are out of range; a multibutterfly has from 1 to {MAX_DEGREE}"
    )]
    Degree {
        /// d.
        given: u64,
    },
    /// A table of another length.
    #[error("{place}: {given} {what}, expected {expected}")]
    Count {
        /// Where, in words.
        place: String,
        /// Of what.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A port that leads out of its splitter.
    #[error(
        "column {column}, row {row}, {}: port {port} leads to row {given}; the {} outputs of its splitter are rows {first} to {last}",
        side_name(*side),
        side_name(*side)
    )]
    Range {
        /// The column of the input.
        column: u32,
        /// Its row.
        row: RowIdx,
        /// Its side.
        side: u32,
        /// The port.
        port: usize,
        /// Where it leads.
        given: u64,
        /// The first row that is allowed.
        first: u32,
        /// The last one.
        last: u32,
    },
    /// Two ports of a node that lead to the same output: their requests would be in each other's way for ever.
    #[error(
        "column {column}, row {row}, {}: ports {first} and {second} both lead to row {end}; all ports of a side lead to different rows",
        side_name(*side)
    )]
    Repeated {
        /// The column of the input.
        column: u32,
        /// Its row.
        row: RowIdx,
        /// Its side.
        side: u32,
        /// A port.
        first: usize,
        /// Another port.
        second: usize,
        /// The row to which both lead.
        end: u32,
    },
    /// An output with more or fewer in-ports than the others.
    #[error("column {column}, row {row}: {given} ports lead to this node, expected {expected}")]
    InPorts {
        /// The column of the output.
        column: u32,
        /// Its row.
        row: RowIdx,
        /// In-ports that it has.
        given: u32,
        /// In-ports that every output has.
        expected: u32,
    },
}
