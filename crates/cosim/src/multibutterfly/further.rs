//! What the testbench runs after the messages that were given: others on the same wires, so that sides commit to other ports.

use super::{Expected, expected};
use frit_cells::design::multibutterfly::{Hardware, number_bits};
use frit_router::multibutterfly::Problem;
use frit_router::multibutterfly::traffic::Traffic;
use std::sync::Arc;

/// Messages, and what must happen with them.
pub struct Further {
    /// The messages.
    pub problem: Problem,
    /// What must happen.
    pub expected: Expected,
    /// What they are, in a few words.
    pub what: String,
}

/// The first of the traffics by rule, the last rule first, that differs from the messages given and fits into their hardware: its
/// payload holds the number of a message, and its sides have as many buffers as the messages given fill.
pub fn traffic(given: &Problem, hardware: &Hardware) -> Option<Further> {
    let network = Arc::new(given.network().clone());
    Traffic::ALL.iter().rev().find_map(|(name, rule)| {
        let parameters = *given.parameters();
        let problem = Problem::on(network.clone(), parameters, &rule.messages(&parameters)).ok()?;
        let bits = |problem: &Problem| number_bits(problem.messages().len());
        if bits(&problem) != bits(given) || problem.messages() == given.messages() {
            return None;
        }
        let (expected, buffers) = expected(&problem);
        (buffers <= hardware.buffers()).then(|| Further {
            problem,
            expected,
            what: format!("the traffic {name}"),
        })
    })
}
