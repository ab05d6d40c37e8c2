//! The tables that a testbench reads with `$readmemh`: words in hexadecimal, one a line, comments saying which.

use frit_network::{LaneIdx, Refusal, RoundIdx, refusal};
use frit_schedule::check::states;
use frit_schedule::plan::Plan;
use frit_traffic::payload::{Payload, hex, limbs_of};
use std::fmt::Write;

/// The messages, row by row: word `source * N + destination`.
pub fn payload(design: &str, payload: &Payload) -> String {
    let terminals = payload.terminals();
    let mut text = header(design, "payload", "word [source * N + destination]");
    for source in 0..terminals {
        comment(&mut text, format_args!("source {source}"));
        for destination in 0..terminals {
            line(&mut text, payload.word(source, destination), payload.width_bits());
        }
    }
    text
}

/// The output lane that every input lane reaches in every round: word `round * L + lane`. With one lane per terminal
/// these are the destinations of the sources.
pub fn schedule(design: &str, plan: &Plan) -> String {
    let mut text = header(design, "expected output lanes", "word [round * L + lane]");
    for round in RoundIdx::all(plan.rounds) {
        comment(&mut text, format_args!("round {round}"));
        for lane in LaneIdx::all(plan.network.lanes()) {
            line(&mut text, &[plan.destination(round, lane).0.into()], plan.lane_bits());
        }
    }
    text
}

/// The state of every switch in every round: word `round * hops + hop`, its bit i the state of switch i. A hop is a stage,
/// or one of the stages of the first pass and then of the second.
pub fn settings(design: &str, plan: &Plan) -> Result<String, Refusal> {
    let row = if plan.second_pass.is_some() { "hops + hop" } else { "stages + stage" };
    let rows = &format!("word [round * {row}], bit i = switch i: 0 straight, 1 cross");
    let mut text = header(design, "expected switch states", rows);
    let switches = plan.network.switches_per_stage();
    for round in RoundIdx::all(plan.rounds) {
        comment(&mut text, format_args!("round {round}"));
        for stage in
            states(plan, round).map_err(|conflict| refusal!("the schedule has a conflict: {conflict}"))?
        {
            let mut limbs = vec![0u64; limbs_of(switches)];
            for (i, state) in stage.iter().enumerate() {
                limbs[i / 64] |= u64::from(state.bit()) << (i % 64);
            }
            line(&mut text, &limbs, switches);
        }
    }
    Ok(text)
}

/// A table that is a list of lines; `what` says what they are.
pub(crate) fn table(what: &str, lines: impl Iterator<Item = String>) -> String {
    let mut text = format!("// {what}\n");
    for line in lines {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

fn header(design: &str, what: &str, rows: &str) -> String {
    format!("// {design}: {what}; {rows}.\n// Generated; do not edit.\n")
}

// Writing to a string cannot fail.
fn comment(text: &mut String, what: std::fmt::Arguments<'_>) {
    writeln!(text, "// {what}").expect("a string grows");
}

fn line(text: &mut String, limbs: &[u64], width_bits: u32) {
    text.push_str(&hex(limbs, width_bits));
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn a_row_of_every_table() {
        let plan = plan(&Request::new("rls", 4)).unwrap();
        assert_eq!(
            schedule("d", &plan),
            "// d: expected output lanes; word [round * L + lane].\n// Generated; do not edit.\n\
             // round 0\n0\n1\n2\n3\n// round 1\n3\n0\n1\n2\n// round 2\n2\n3\n0\n1\n// round 3\n1\n2\n3\n0\n"
        );
        let words = Payload::random(4, 12, 1);
        let text = payload("d", &words);
        assert_eq!(text.lines().nth(4), Some(hex(words.word(0, 1), 12).as_str()));
        // The identity leaves the first stage straight.
        assert_eq!(settings("d", &plan).unwrap().lines().nth(3), Some("0"));
    }

    #[test]
    fn switch_states_stand_at_their_bit() {
        // Round 1 of 6 terminals crosses the last of three stages, three switches each.
        let plan = plan(&Request::new("gsen", 6)).unwrap();
        let text = settings("d", &plan).unwrap();
        let words: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
        assert_eq!(words[3..6], ["0", "0", "7"]);
        assert_eq!(words.len(), 8 * 3);
    }
}
