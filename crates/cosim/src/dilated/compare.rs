//! The first difference of an engine from the model.

use super::events::Events;
use crate::campaign::{FirstDifference, WaveDifference, wave_difference};
use frit_model::dilated::Trace;
use frit_network::Refusal;
use frit_router::dilated::{Arrival, Shunt};
use std::path::Path;

fn of_shunt(shunt: &Shunt) -> String {
    let Shunt { level, row, y, e, x, out, .. } = shunt;
    format!("level {level} row {row} bundle {y} edge {e} to bundle {x} edge {out}")
}

fn of_arrival(arrival: &Arrival) -> String {
    let Arrival { row, y, e, bit, .. } = arrival;
    format!("{} at row {row} bundle {y} edge {e}", u8::from(*bit))
}

/// The first place where two ordered lists differ, as the earlier of the two steps there.
fn difference<T: Ord>(
    signal: &str,
    expected: &[T],
    got: &[T],
    step: impl Fn(&T) -> u32,
    words: impl Fn(&T) -> String,
) -> Option<FirstDifference> {
    let at = (0..expected.len().max(got.len())).find(|&at| expected.get(at) != got.get(at))?;
    let (expected, got) = (expected.get(at), got.get(at));
    let first = [expected, got].into_iter().flatten().map(&step).min()?;
    // The later of the two has not happened in this step.
    let words = |event: Option<&T>| event.filter(|event| step(event) == first).map_or("none".into(), &words);
    Some(FirstDifference::new(first.into(), signal, words(expected), words(got)))
}

/// The first difference, the earliest of all kinds; of one step shunts come before bits, what the bench says after both.
pub(super) fn first(expected: &Trace, got: &Events) -> Option<FirstDifference> {
    let shunts = difference("shunt", &expected.shunts, &got.shunts, |shunt| shunt.step, of_shunt);
    let arrivals = difference("payload bit", &expected.arrivals, &got.arrivals, |bit| bit.step, of_arrival);
    let said = got.complaint.as_ref();
    let said = said.map(|(step, text)| FirstDifference::new(*step, "the testbench", "PASS", text));
    let (due, came) = (expected.steps, got.steps);
    let steps = (due != came).then(|| FirstDifference::new(due.min(came), "steps_o", due, came));
    // The steps tell nothing of when it happened: they are the last thing to name.
    [shunts, arrivals, said].into_iter().flatten().min_by_key(|found| found.cycle).or(steps)
}

/// The first difference of an engine's waveform `b` from the model's; one of the whole stands in the last of the steps.
pub(super) fn of_waves(expected: &Trace, a: &Path, b: &Path) -> Result<Option<FirstDifference>, Refusal> {
    Ok(wave_difference(a, b, &[])?.map(|WaveDifference { cycle, signal, expected: model, got }| {
        let cycle = cycle.map_or(expected.last_step(), |cycle| step_of(cycle as u64, expected.second));
        FirstDifference::new(cycle, &signal, model, got)
    }))
}

/// The step of a cycle. The first that is compared is that of rest behind reset: step −2. What differs before the run differs in
/// step 0; what differs between two passes in the first step of the `second`, which is also the last of the first: there it is shown
/// twice, four cycles apart.
fn step_of(cycle: u64, second: Option<u32>) -> u64 {
    let step = cycle.saturating_sub(2);
    match second.map(u64::from) {
        Some(second) if step > second => step.saturating_sub(4).max(second),
        _ => step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::RowIdx;

    #[test]
    fn the_earliest_difference_is_told() {
        let shunt = |step, out| Shunt { step, level: 0, row: RowIdx(0), y: 0, e: 0, x: 1, out };
        let bit = |step, bit| Arrival { step, row: RowIdx(1), y: 0, e: 2, bit };
        let expected = Trace {
            shunts: vec![shunt(0, 0), shunt(3, 1)],
            arrivals: vec![bit(2, true), bit(5, false)],
            second: None,
            steps: 6,
            left: vec![],
            blocked: vec![],
        };
        let right = Events {
            shunts: expected.shunts.clone(),
            arrivals: expected.arrivals.clone(),
            steps: 6,
            complaint: None,
        };
        assert_eq!(first(&expected, &right), None);
        let told = |events: Events| {
            let d = first(&expected, &events).unwrap();
            (d.cycle, d.signal, d.expected, d.got)
        };
        let late = Events { shunts: vec![shunt(0, 0), shunt(4, 1)], ..right.clone() };
        let edge = "level 0 row 0 bundle 0 edge 0 to bundle 1 edge 1";
        assert_eq!(told(late), (3, "shunt".into(), edge.into(), "none".into()));
        let missing = Events { arrivals: vec![bit(2, true)], ..right.clone() };
        assert_eq!(told(missing).0, 5);
        let both =
            Events { arrivals: vec![bit(2, false)], complaint: Some((1, "no".into())), ..right.clone() };
        assert_eq!(told(both), (1, "the testbench".into(), "PASS".into(), "no".into()));
        assert_eq!(told(Events { steps: 7, ..right.clone() }).1, "steps_o");
        let never = Events { steps: 0, complaint: Some((5, "no end".into())), ..right };
        assert_eq!(told(never).0, 5);
    }
}
