//! What an engine saw, and how it is read from the testbench's file.

use crate::campaign::{Printed, rows};
use frit_network::Refusal;
use frit_network::RowIdx;
use frit_router::multibutterfly::NodeEvent;
use std::io::Read;
use std::path::Path;

/// What a bench found wrong first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub phase: u64,
    /// The cycle, from the first of the run.
    pub cycle: u64,
    pub text: String,
}

/// What an engine saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// What the nodes did, in any order.
    pub events: Vec<NodeEvent>,
    /// Cycles as the design counted them.
    pub cycles: u64,
    /// What its bench found wrong first.
    pub complaint: Option<Said>,
}

/// The events of a file. A commit has a row for each bank, one behind the other.
pub fn events(file: impl Read, path: &Path) -> Result<Vec<NodeEvent>, Refusal> {
    let mut events = Vec::new();
    for [kind, phase, column, row, side, place, what] in rows(file, path)? {
        match (kind, place, events.last_mut()) {
            (0, 1.., Some(NodeEvent::Commit { ports, .. })) => ports.push(what),
            (0, ..) => {
                events.push(NodeEvent::Commit { phase, column, side, row: RowIdx(row), ports: vec![what] })
            }
            (1, ..) => {
                let (buffer, message) = (place, what);
                events.push(NodeEvent::Place { phase, column, row: RowIdx(row), side, buffer, message });
            }
            _ => events.push(NodeEvent::Deliver { phase, column, row: RowIdx(row), message: what }),
        }
    }
    Ok(events)
}

/// What the testbench said was wrong first: `FAIL: cycle C phase S: text`.
pub(super) fn complaint(printed: &Printed) -> Option<Said> {
    let said = printed.complaint()?;
    let read = || {
        let (when, text) = said.strip_prefix("cycle ")?.split_once(": ")?;
        let (cycle, phase) = when.split_once(" phase ")?;
        // Before the run the cycle is -1.
        Some(Said { phase: phase.parse().ok()?, cycle: cycle.parse().unwrap_or(0), text: text.into() })
    };
    Some(read().unwrap_or_else(|| Said { phase: 0, cycle: 0, text: said.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn rows_are_events() {
        let text = "kind,stage,column,row,side,place,what\n0,1,0,3,1,0,2\n0,1,0,3,1,1,3\n0,1,0,4,0,0,0\n1,1,1,2,0,5,7\n\
                    2,3,4,2,0,0,7\n";
        let commit = |row, side, ports: &[u32]| NodeEvent::Commit {
            phase: 1,
            column: 0,
            side,
            row,
            ports: ports.to_vec(),
        };
        let expected = [
            commit(RowIdx(3), 1, &[2, 3]),
            commit(RowIdx(4), 0, &[0]),
            NodeEvent::Place { phase: 1, column: 1, row: RowIdx(2), side: 0, buffer: 5, message: 7 },
            NodeEvent::Deliver { phase: 3, column: 4, row: RowIdx(2), message: 7 },
        ];
        assert_eq!(events(text.as_bytes(), Path::new("events.csv")).unwrap(), expected);
        assert!(events("heading\n1,2\n".as_bytes(), Path::new("events.csv")).is_err());
    }

    #[test]
    fn a_testbench_that_failed_without_a_word_failed() {
        let printed =
            |passed, output: &str| Printed { passed, output: output.into(), folder: PathBuf::new() };
        assert_eq!(complaint(&printed(true, "PASS d\n")), None);
        let said = Said { phase: 2, cycle: 71, text: "no".into() };
        assert_eq!(complaint(&printed(false, "FAIL: cycle 71 phase 2: no\n")), Some(said));
        assert!(complaint(&printed(false, "")).is_some());
    }
}
