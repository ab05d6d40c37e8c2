//! What a wiring must be: every input has min(d, m) ports to different outputs of each side, and every output as many
//! in-ports as any other.

use super::shape::{Shape, SplitterSide, side_name};
use crate::{Refusal, refusal, refuse};

/// Refuses wires of a side of a splitter, as [`wired`](super::MultiButterfly::wired) takes them.
pub(super) fn check_side(shape: Shape, side: SplitterSide, outputs: &[u32]) -> Result<(), Refusal> {
    let (inputs, ports) = (shape.inputs(side.column) as usize, shape.ports(side.column) as usize);
    if outputs.len() != inputs * ports {
        refuse!("{side}: {} ports, expected {}", outputs.len(), inputs * ports);
    }
    let (rows, name) = (shape.output_rows(side), side_name(side.side));
    let mut led = vec![0; rows.len()];
    // The input, from 1, and its port that led to an output last.
    let mut last = vec![(0, 0); rows.len()];
    for (place, &output) in outputs.iter().enumerate() {
        let (input, port) = (place / ports, place % ports);
        let row = shape.input_rows(side).start + input as u32;
        let Some(count) = led.get_mut(output as usize) else {
            refuse!(
                "column {}, row {row}, {name}: port {port} leads to row {}; the {name} outputs of its splitter are rows {} to {}",
                side.column,
                u64::from(rows.start) + u64::from(output),
                rows.start,
                rows.end - 1
            );
        };
        let before = std::mem::replace(&mut last[output as usize], (input + 1, port));
        if before.0 == input + 1 {
            refuse!(
                "column {}, row {row}, {name}: ports {} and {port} both lead to row {}; all ports of a side lead to different rows",
                side.column,
                before.1,
                rows.start + output
            );
        }
        *count += 1;
    }
    let expected = shape.in_ports(side.column + 1);
    match rows.zip(led).find(|&(_, given)| given != expected) {
        Some((row, given)) => Err(refusal!(
            "column {}, row {row}: {given} ports lead to this node, expected {expected}",
            side.column + 1
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multibutterfly::MultiButterfly;

    /// The error when one thing is changed on the upper side of column 0: 8 rows, two ports to four outputs.
    fn error(change: impl Fn(&mut Vec<u32>)) -> String {
        let shape = Shape::new(8, 2).unwrap();
        let wire = |side: SplitterSide| {
            let mut outputs = shape.cyclic(side.column);
            if side == (SplitterSide { column: 0, number: 0, side: 1 }) {
                change(&mut outputs);
            }
            outputs
        };
        MultiButterfly::wired(shape, wire).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_wiring_is_said_with_its_place() {
        assert_eq!(
            error(|outputs| {
                outputs.pop();
            }),
            "column 0, splitter 0, lower side: 15 ports, expected 16"
        );
        assert_eq!(
            error(|outputs| outputs[5] = 4),
            "column 0, row 2, lower: port 1 leads to row 8; the lower outputs of its splitter are rows 4 to 7"
        );
        assert_eq!(
            error(|outputs| outputs[5] = outputs[4]),
            "column 0, row 2, lower: ports 0 and 1 both lead to row 6; all ports of a side lead to different rows"
        );
        assert_eq!(error(|outputs| outputs[5] = 0), "column 1, row 4: 5 ports lead to this node, expected 4");
    }
}
