//! A user's own multibutterfly: JSON with the rows to which every port leads.

use super::{MultiButterfly, Node, Shape, SplitterSide};
use crate::file::{check_format, parse};
use crate::ids::RowIdx;
use crate::{Refusal, refusal, refuse};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The `format` member of a file.
pub const FORMAT: &str = "fritillary-multibutterfly-1";

/// `columns[column][row][side][port]` is a row of the next column.
#[derive(Serialize, Deserialize)]
struct WiringFile {
    format: String,
    rows: u64,
    degree: u32,
    columns: Vec<Vec<[Vec<u64>; 2]>>,
}

/// The network as JSON, `{"format", "rows", "degree", "columns": [[[[row, …], [row, …]], …], …]}`: for every column but
/// the last and every row the rows in the next column to which the ports lead, of the upper and of the lower side. A line
/// per node.
pub fn to_json(network: &MultiButterfly) -> String {
    let shape = network.shape();
    let mut json = format!(
        "{{\n  \"format\": \"{FORMAT}\",\n  \"rows\": {},\n  \"degree\": {},\n  \"columns\": [",
        shape.rows(),
        shape.degree()
    );
    for column in 0..shape.dimensions() {
        json.push_str(if column == 0 { "\n    [" } else { ",\n    [" });
        for row in RowIdx::all(shape.rows()) {
            let [upper, lower] = [0, 1].map(|side| network.ends(Node { column, row }, side));
            let comma = if row == RowIdx(0) { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(json, "{comma}\n      [{upper:?}, {lower:?}]");
        }
        json.push_str("\n    ]");
    }
    json + "\n  ]\n}\n"
}

/// Reads a network written by [`to_json`] or by hand.
///
/// # Errors
///
/// What is no JSON of this form, and the first thing that makes it no multibutterfly.
pub fn from_json(text: &str) -> Result<MultiButterfly, Refusal> {
    let file: WiringFile = parse("a multibutterfly", text, "format, rows, degree and columns")?;
    check_format("the file", &file.format, FORMAT)?;
    let shape = Shape::new(file.rows, file.degree)?;
    check(shape, &file)?;
    MultiButterfly::wired(shape, |side| side_of(shape, &file, side))
}

/// The wires of a side, as numbers from 0 in it: what lies outside stays outside.
fn side_of(shape: Shape, file: &WiringFile, side: SplitterSide) -> Vec<u32> {
    let first = u64::from(shape.output_rows(side).start);
    let rows = shape.input_rows(side).flat_map(|row| {
        let ends = &file.columns[side.column as usize][row as usize][side.side as usize];
        ends.iter().map(move |end| (end - first) as u32)
    });
    rows.collect()
}

/// Refuses tables of other lengths, and rows outside of their splitters.
fn check(shape: Shape, file: &WiringFile) -> Result<(), Refusal> {
    let count = |place: String, what, given, expected: u32| {
        let expected = expected as usize;
        if given == expected { Ok(()) } else { Err(refusal!("{place}: {given} {what}, expected {expected}")) }
    };
    count("columns".into(), "columns of ports", file.columns.len(), shape.dimensions())?;
    for (column, rows) in (0..).zip(&file.columns) {
        count(format!("column {column}"), "rows", rows.len(), shape.rows())?;
        for side in shape.sides(column) {
            let outputs = shape.output_rows(side);
            for row in shape.input_rows(side) {
                let ends = &rows[row as usize][side.side as usize];
                let name = super::shape::side_name(side.side);
                count(
                    format!("column {column}, row {row}, {name}"),
                    "ports",
                    ends.len(),
                    shape.ports(column),
                )?;
                let outside = |end: &u64| !(u64::from(outputs.start)..u64::from(outputs.end)).contains(end);
                if let Some(port) = ends.iter().position(outside) {
                    refuse!(
                        "column {column}, row {row}, {name}: port {port} leads to row {}; the {name} outputs of its splitter are rows {} to {}",
                        ends[port],
                        outputs.start,
                        outputs.end - 1
                    );
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::cyclic;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (rows, degree) in [(2, 1), (8, 2), (16, 9)] {
            let network = cyclic(rows, degree);
            assert_eq!(from_json(&to_json(&network)).unwrap(), network);
        }
    }

    #[test]
    fn a_file_that_is_none_is_explained() {
        let good = to_json(&cyclic(4, 1));
        assert!(good.contains("[[0], [2]],\n      [[1], [3]]"), "{good}");
        let text = |from, to| from_json(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(text("\"rows\"", "\"lines\"").starts_with("not a multibutterfly: missing field `rows`"));
        assert!(text("-1\"", "-2\"").starts_with("the file has format \"fritillary-multibutterfly-2\""));
        assert!(text("\"rows\": 4", "\"rows\": 5").contains("does not exist with 5 terminals"));
        assert!(text("\"rows\": 4", "\"rows\": 8").starts_with("columns: 2 columns of ports, expected 3"));
        assert_eq!(text("[[0], [2]],", ""), "column 0: 3 rows, expected 4");
        assert_eq!(text("[[0], [2]]", "[[0, 1], [2]]"), "column 0, row 0, upper: 2 ports, expected 1");
        assert_eq!(
            text("[[0], [2]]", "[[0], [0]]"),
            "column 0, row 0, lower: port 0 leads to row 0; the lower outputs of its splitter are rows 2 to 3"
        );
        assert_eq!(
            text("[[0], [2]]", "[[1], [2]]"),
            "column 1, row 0: 1 ports lead to this node, expected 2"
        );
    }
}
