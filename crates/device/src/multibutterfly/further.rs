//! What the testbench runs after the messages that were given: others on the same wires, so that sides commit to other ports.

use super::{Expected, expected};
use crate::ways::choose;
use frit_cells::design::multibutterfly::{Hardware, number_bits};
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{NodeEvent, Parameters, Problem};
use frit_traffic::Messages;
use frit_traffic::random::SplitMix64;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Seeds that are tried, and how many traffics are run at most after the first by rule.
const SEEDS: u64 = 24;
const MOST: u32 = 9;
/// Buffers of all sides, all traffics taken together, so that tables stay small and a simulation takes seconds.
const MOST_WORK: u32 = 4096;

/// Messages, and what must happen with them.
pub struct Further {
    pub problem: Problem,
    pub expected: Expected,
    /// What they are, in a few words.
    pub what: String,
}

/// The first of the traffics by rule, the last rule first, and then at random, that differs from the messages given and fits into their
/// hardware: its payload holds the number of a message, and its sides have as many buffers as the messages given fill. In small networks
/// others follow: each time the one with most events that no other had.
pub fn traffics(given: &Problem, happens: &Expected, hardware: &Hardware) -> Vec<Further> {
    let parameters = given.parameters();
    let by_rule = Traffic::ALL
        .iter()
        .rev()
        .map(|(name, rule)| (rule.messages(parameters), format!("the traffic {name}")));
    let drawn = (1..=SEEDS).map(|seed| match seed % 2 {
        0 => {
            let permutations = Parameters { seed: parameters.seed + seed, ..*parameters };
            (Traffic::Perm.messages(&permutations), format!("other permutations {seed}"))
        }
        _ => (random(parameters, seed), format!("random messages {seed}")),
    });
    let mut fitting =
        by_rule.chain(drawn).filter_map(|(messages, what)| fitting(given, hardware, &messages, what));
    let Some(first) = fitting.next() else { return Vec::new() };
    let sides = 2 * hardware.columns() * given.network().shape().rows();
    let most = MOST.min(MOST_WORK / (sides * hardware.buffers()).max(1));
    if most == 0 {
        return vec![first];
    }
    let tried = fitting.map(|further| (ways(&further), further)).collect();
    let mut seen = ways_of(given, happens);
    seen.extend(ways(&first));
    let mut chosen = vec![first];
    chosen.extend(choose(tried, seen, most));
    chosen
}

/// These messages on the wires of the messages given, if they differ and fit into their hardware.
fn fitting(given: &Problem, hardware: &Hardware, messages: &Messages, what: String) -> Option<Further> {
    let problem = Problem::on(Arc::new(given.network().clone()), *given.parameters(), messages).ok()?;
    let bits = |problem: &Problem| number_bits(problem.messages().len());
    if bits(&problem) != bits(given) || problem.messages() == given.messages() {
        return None;
    }
    let (expected, buffers) = expected(&problem);
    (buffers <= hardware.buffers()).then_some(Further { problem, expected, what })
}

/// As many messages from each active row, each to any active row.
fn random(parameters: &Parameters, seed: u64) -> Messages {
    let mut draws = SplitMix64(seed);
    let lists: Vec<Vec<u32>> = (0..parameters.rows as u32)
        .map(|row| match row % parameters.stride {
            0 => (0..parameters.offered)
                .map(|_| draws.below(parameters.active_rows()) * parameters.stride)
                .collect(),
            _ => Vec::new(),
        })
        .collect();
    Messages::from_lists(lists.iter().map(Vec::as_slice))
}

/// An event without its phase: a side commits to a port, a bit of a message's number comes to a buffer or a row.
type Way = [u32; 6];

fn ways(further: &Further) -> BTreeSet<Way> {
    ways_of(&further.problem, &further.expected)
}

fn ways_of(problem: &Problem, expected: &Expected) -> BTreeSet<Way> {
    let bits = number_bits(problem.messages().len());
    let with_bits = |kind, place: [u32; 3], message: u32| {
        let [a, b, c] = place;
        (0..bits).map(move |bit| [kind, a, b, c, bit, message >> bit & 1]).collect::<Vec<Way>>()
    };
    let of = |event: &NodeEvent| match event {
        NodeEvent::Commit { column, side, row, ports, .. } => {
            ports.iter().map(|&port| [0, *column, row.0, *side, port, ports.len() as u32]).collect()
        }
        NodeEvent::Place { column, row, side, buffer, message, .. } => {
            with_bits(1, [*column, 2 * row.0 + side, *buffer], *message)
        }
        NodeEvent::Deliver { row, message, .. } => with_bits(2, [row.0, 0, 0], *message),
    };
    expected.events.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multibutterfly::hardware;

    #[test]
    fn each_traffic_has_events_that_no_other_has() {
        let of = |rows| {
            let parameters = Parameters::new(rows, 1);
            Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap()
        };
        let given = of(4);
        let (hardware, happens) = hardware(&given).unwrap();
        let others = traffics(&given, &happens, &hardware);
        assert!(others.len() > 4, "{}", others.len());
        let mut seen = ways_of(&given, &happens);
        for (at, other) in others.iter().enumerate() {
            let before = seen.len();
            seen.extend(ways(other));
            assert!(at == 0 || seen.len() > before, "{}", other.what);
            assert_eq!(other.problem.messages().len(), given.messages().len());
        }
    }
}
