//! What the testbench runs after the messages that were given: others on the same wires, so that sides commit to other ports, and, if there
//! are such, messages of which some never arrive.

use super::{Expected, expected};
use frit_cells::design::multibutterfly::{Hardware, number_bits};
use frit_router::multibutterfly::Problem;
use frit_router::multibutterfly::traffic::Traffic;
use std::sync::Arc;

/// Messages drawn in the search for some that never arrive, in all.
const DRAWN: usize = 1 << 16;

/// Messages, and what must happen with them.
pub struct Further {
    /// The messages.
    pub problem: Problem,
    /// What must happen.
    pub expected: Expected,
    /// What they are, in a few words.
    pub what: String,
}

/// The traffics after messages of which the model says `known`: one by rule, and one with messages that never arrive.
pub fn traffics(given: &Problem, known: &Expected, hardware: &Hardware) -> Vec<Further> {
    let mut all = Vec::from_iter(by_rule(given, hardware));
    if known.left.is_empty() && all.iter().all(|further| further.expected.left.is_empty()) {
        all.extend(stuck(given, hardware));
    }
    all
}

/// The first of the traffics by rule, the last rule first, that differs from the messages given and fits into their hardware.
fn by_rule(given: &Problem, hardware: &Hardware) -> Option<Further> {
    Traffic::ALL.iter().rev().find_map(|(name, rule)| {
        let further =
            fitting(given, hardware, *rule, given.parameters().seed, format!("the traffic {name}"))?;
        (further.problem.messages() != given.messages()).then_some(further)
    })
}

/// The first drawn traffic, by seeds, of which messages are left.
fn stuck(given: &Problem, hardware: &Hardware) -> Option<Further> {
    let attempts = DRAWN / given.messages().len().max(1);
    (1..=attempts as u64).find_map(|seed| {
        let what = format!("the traffic perm of seed {seed}, in which messages are stuck");
        fitting(given, hardware, Traffic::Perm, seed, what)
            .filter(|further| !further.expected.left.is_empty())
    })
}

/// A traffic, if it fits into the hardware of the messages given: its payload holds the number of a message, and its sides have as
/// many buffers as those messages fill.
fn fitting(given: &Problem, hardware: &Hardware, rule: Traffic, seed: u64, what: String) -> Option<Further> {
    let parameters = *given.parameters();
    let mut drawn = parameters;
    drawn.seed = seed;
    let problem = Problem::on(Arc::new(given.network().clone()), parameters, &rule.messages(&drawn)).ok()?;
    let bits = |problem: &Problem| number_bits(problem.messages().len());
    if bits(&problem) != bits(given) {
        return None;
    }
    let (expected, buffers) = expected(&problem);
    (buffers <= hardware.buffers()).then_some(Further { problem, expected, what })
}

#[cfg(test)]
mod tests {
    use super::super::hardware;
    use super::*;
    use frit_router::multibutterfly::Parameters;

    fn of(rows: u64, degree: u32, seed: u64) -> Vec<(String, usize)> {
        let parameters = Parameters { degree: degree.into(), ..Parameters::new(rows.into(), seed) };
        let given = Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap();
        let (hardware, known) = hardware(&given).unwrap();
        traffics(&given, &known, &hardware).into_iter().map(|f| (f.what, f.expected.left.len())).collect()
    }

    #[test]
    fn messages_are_stuck_where_some_can_be() {
        for (rows, degree) in [(4, 2), (8, 2), (8, 4), (16, 2)] {
            let _ = of(rows, degree, 1);
        }
    }
}
