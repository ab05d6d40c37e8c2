//! The first difference of an engine from the model.

use super::events::{Events, Said};
use crate::campaign::{FirstDifference, WaveDifference, known_wave_difference};
use frit_cells::design::multibutterfly::Hardware;
use frit_device::multibutterfly::{Expected, in_order};
use frit_network::Refusal;
use frit_router::multibutterfly::{NodeEvent, Problem};
use std::path::Path;

/// Signals that a simulator may not know yet: words that were never written, and sizes before a column first has them.
const UNKNOWN: [&str; 5] = ["*.word_?", "*.u_fabric.word*", "*.request*", "*.is_small", "*.asked_unused_low"];

fn words(event: &NodeEvent) -> String {
    match event {
        NodeEvent::Commit { column, side, row, ports, .. } => {
            format!("column {column} row {row} side {side} commits to ports {ports:?}")
        }
        NodeEvent::Place { column, row, side, buffer, message, .. } => {
            format!("message {message} comes to column {column} row {row} side {side} buffer {buffer}")
        }
        NodeEvent::Deliver { row, message, .. } => format!("message {message} arrives in row {row}"),
    }
}

/// The first event that only one of them has.
fn event(expected: &[NodeEvent], got: &[NodeEvent]) -> Option<FirstDifference> {
    let at = (0..expected.len().max(got.len())).find(|&at| expected.get(at) != got.get(at))?;
    let first =
        [expected.get(at), got.get(at)].into_iter().flatten().min_by_key(|event| (event.phase(), *event))?;
    // The lists are in order: what comes first in one of them is not in the other.
    let words = |event: Option<&NodeEvent>| {
        event.filter(|event| *event == first).map_or("no such event".into(), words)
    };
    Some(FirstDifference::new(first.phase().into(), "event", words(expected.get(at)), words(got.get(at))))
}

/// The first difference by phases; what the bench says comes first, because it names the cycle.
pub(super) fn first(expected: &Expected, got: &Events) -> Option<FirstDifference> {
    let said = got.complaint.as_ref().map(|Said { phase, cycle, text }| {
        FirstDifference::new(*phase, "the testbench", "PASS", format!("cycle {cycle}: {text}"))
    });
    let event = event(&expected.events, &in_order(got.events.clone()));
    let cycles = (expected.cycles != got.cycles)
        .then(|| FirstDifference::new(expected.phases.into(), "cycles_o", expected.cycles, got.cycles));
    [said, event, cycles].into_iter().flatten().min_by_key(|found| found.cycle)
}

/// The first difference of an engine's waveform `b` from rust-hdl's, in its phase. What differs before the run differs in phase 0.
pub(super) fn of_waves(
    problem: &Problem,
    hardware: &Hardware,
    a: &Path,
    b: &Path,
) -> Result<Option<FirstDifference>, Refusal> {
    let lead = lead(problem);
    Ok(known_wave_difference(a, b, &UNKNOWN)?.map(|WaveDifference { cycle, signal, expected, got }| {
        let cycle = cycle.map_or(0, |cycle| cycle as u64);
        let phase = cycle.saturating_sub(lead) / hardware.phase_cycles();
        let got = format!("{got} in cycle {cycle} behind reset");
        FirstDifference::new(phase, &signal, format!("{expected} (rust-hdl)"), got)
    }))
}

/// Cycles behind reset before the first of a run: one of rest, one for each message of the fullest row, that of start_i.
fn lead(problem: &Problem) -> u64 {
    let mut of_row = vec![0; problem.network().shape().rows() as usize];
    problem.messages().iter().for_each(|message| of_row[message.source as usize] += 1);
    of_row.into_iter().max().unwrap_or(0) + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::RowIdx;

    #[test]
    fn the_earliest_difference_is_told() {
        let place = |phase, message| NodeEvent::Place {
            phase,
            column: 1,
            row: RowIdx(2),
            side: 0,
            buffer: 0,
            message,
        };
        let expected =
            Expected { events: vec![place(0, 3), place(1, 4)], phases: 2, cycles: 20, left: vec![] };
        let right = Events { events: vec![place(1, 4), place(0, 3)], cycles: 20, complaint: None };
        assert_eq!(first(&expected, &right), None);
        let told = |events: Events| {
            let d = first(&expected, &events).unwrap();
            (d.cycle, d.expected, d.got)
        };
        let other = Events { events: vec![place(0, 3), place(1, 5)], ..right.clone() };
        let four = "message 4 comes to column 1 row 2 side 0 buffer 0".to_string();
        assert_eq!(told(other), (1, four.clone(), "no such event".into()));
        let missing = Events { events: vec![place(0, 3)], ..right.clone() };
        assert_eq!(told(missing), (1, four, "no such event".into()));
        let more = Events { events: vec![place(0, 3), place(0, 9), place(1, 4)], ..right.clone() };
        assert_eq!((told(more.clone()).0, told(more).1), (0, "no such event".into()));
        let said = Said { phase: 1, cycle: 12, text: "no".into() };
        let said = Events { complaint: Some(said), ..right.clone() };
        assert_eq!(told(said), (1, "PASS".into(), "cycle 12: no".into()));
        assert_eq!(told(Events { cycles: 21, ..right }), (2, "20".into(), "21".into()));
    }
}
