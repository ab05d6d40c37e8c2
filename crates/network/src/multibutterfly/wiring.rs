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
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum WiringError {
    #[error(transparent)]
    Rows(#[from] NetworkError),
    #[error(
        "{given} ports of a node on a side are out of range; a multibutterfly has from 1 to {MAX_DEGREE}"
    )]
    Degree { given: u64 },
    #[error("{place}: {given} {what}, expected {expected}")]
    Count { place: String, what: &'static str, given: usize, expected: usize },
    #[error(
        "column {column}, row {row}, {}: port {port} leads to row {given}; the {} outputs of its splitter are rows {first} to {last}",
        side_name(*side),
        side_name(*side)
    )]
    Range { column: u32, row: RowIdx, side: u32, port: usize, given: u64, first: u32, last: u32 },
    #[error(
        "column {column}, row {row}, {}: ports {first} and {second} both lead to row {end}; all ports of a side lead to different rows",
        side_name(*side)
    )]
    Repeated { column: u32, row: RowIdx, side: u32, first: usize, second: usize, end: u32 },
    #[error("column {column}, row {row}: {given} ports lead to this node, expected {expected}")]
    InPorts { column: u32, row: RowIdx, given: u32, expected: u32 },
}
