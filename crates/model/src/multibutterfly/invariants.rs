//! What must hold behind every phase, whatever the traffic. The reference checks all of it in every phase of every run.

use super::state::{Fill, Side, State};
use frit_network::multibutterfly::Node;
use frit_network::{PortIdx, RowIdx};
use frit_router::multibutterfly::Problem;

/// What does not hold, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum Broken {
    #[error("{0:?}, side {1}: buffer {2} is {3:?} behind {4:?}")]
    Order(Node, u32, usize, Fill, Fill),
    #[error("{node:?}, side {side}: {given} ghosts, but g' + g'' = {uncommitted} + {committed}")]
    Ghosts { node: Node, side: u32, given: u32, uncommitted: u32, committed: u32 },
    #[error("{node:?}, side {side}: port {port} has {given} buffers, a batch is {batch}")]
    Port { node: Node, side: u32, port: PortIdx, given: u32, batch: u32 },
    #[error("{0:?}, side {1}: {2} full buffers, but W = {3}")]
    Size(Node, u32, u32, u32),
    #[error("{0:?}: {1} messages and ghosts are assigned to it, but g'' = {2}")]
    Reported(Node, u32, u32),
    #[error("message {0} is in {1} places")]
    Places(u32, u32),
    #[error("message {message} for row {destination} is at {node:?}, side {side}")]
    Way { message: u32, destination: u32, node: Node, side: u32 },
    #[error("message {0}: {1} of {2} bits are left")]
    Bits(u32, u32, u32),
}

/// Checks a state behind phase `phase`.
///
/// # Errors
///
/// The first thing that does not hold.
pub fn check(problem: &Problem, state: &State, phase: u32) -> Result<(), Broken> {
    let shape = problem.network().shape();
    let newest = shape.dimensions().min(phase + 1);
    for (column, row) in (0..=newest).flat_map(|column| (0..shape.rows()).map(move |row| (column, row))) {
        let node = Node { column, row: RowIdx(row) };
        if column > 0 {
            check_output(problem, state, node)?;
        }
        for side in 0..if column < shape.dimensions() { 2 } else { 0 } {
            check_order(problem, state.side(node, side), node, side)?;
            check_ports(problem, state.side(node, side), node, side)?;
        }
    }
    check_messages(problem, state)
}

/// DEAD* MSG* GHOST* EMPTY*. In the bit model a message whose head has gone on may stand behind one that waits for its next
/// bit: there all messages are before all ghosts, and these before nothing.
fn check_order(problem: &Problem, of: &Side, node: Node, side: u32) -> Result<(), Broken> {
    let words = problem.parameters().payload == 0;
    let rank = |fill| match fill {
        Fill::Dead | Fill::Stream if words => 0,
        Fill::Message | Fill::Dead | Fill::Stream => 1,
        Fill::Ghost => 2,
        Fill::Empty => 3,
    };
    for (place, pair) in of.buffers.windows(2).enumerate() {
        if rank(pair[0].fill) > rank(pair[1].fill) {
            return Err(Broken::Order(node, side, place + 1, pair[1].fill, pair[0].fill));
        }
    }
    Ok(())
}

/// At most a batch on every port, and not more than W in all. A side that is no input yet has no W.
fn check_ports(problem: &Problem, of: &Side, node: Node, side: u32) -> Result<(), Broken> {
    let Some(ports) = &of.committed else { return Ok(()) };
    let shape = problem.network().shape();
    let batch = problem.parameters().batch(shape, node.column, of.size);
    for &port in ports {
        let given = of.buffers.iter().filter(|held| held.port == Some(port)).count() as u32;
        if given > batch {
            return Err(Broken::Port { node, side, port: PortIdx(port), given, batch });
        }
    }
    let full = of.full();
    if full > of.size { Err(Broken::Size(node, side, full, of.size)) } else { Ok(()) }
}

/// Both sides have g' + g'' ghosts, and g'' covers what the inputs really have.
fn check_output(problem: &Problem, state: &State, node: Node) -> Result<(), Broken> {
    let network = problem.network();
    let output = state.output(node);
    if node.column < network.shape().dimensions() {
        for (side, of) in (0..).zip(state.sides(node)) {
            let given = of.ghosts();
            let (uncommitted, committed) = (output.uncommitted, output.committed);
            if given != uncommitted + committed {
                return Err(Broken::Ghosts { node, side, given, uncommitted, committed });
            }
        }
    }
    let side = network.shape().side_of(node);
    let assigned = network.origins(node).iter().map(|from| {
        let input = Node { column: node.column - 1, row: from.row };
        state.side(input, side).alive_on(from.port)
    });
    let assigned = assigned.sum();
    if assigned > output.committed {
        return Err(Broken::Reported(node, assigned, output.committed));
    }
    Ok(())
}

/// Every message's head is in one place, on the way to its destination, and none of its bits is lost.
fn check_messages(problem: &Problem, state: &State) -> Result<(), Broken> {
    let shape = problem.network().shape();
    let dimensions = shape.dimensions();
    // Of every message: heads, the column of the head, and bits that are kept.
    let mut found = vec![(0, dimensions, 0); problem.messages().len()];
    let nodes =
        (0..dimensions).flat_map(|column| RowIdx::all(shape.rows()).map(move |row| Node { column, row }));
    for (node, side) in nodes.flat_map(|node| [(node, 0), (node, 1)]) {
        let buffers = state.side(node, side).buffers.iter();
        for held in buffers.filter(|held| matches!(held.fill, Fill::Message | Fill::Stream)) {
            let destination = problem.messages()[held.message as usize].destination;
            let splitter = destination >> (dimensions - node.column);
            if splitter != shape.splitter_of(node) || side != shape.side_to(destination, node.column) {
                return Err(Broken::Way { message: held.message, destination, node, side });
            }
            let (heads, at, bits) = &mut found[held.message as usize];
            if held.fill == Fill::Message {
                *heads += 1;
                *at = node.column;
            }
            *bits += held.kept();
        }
    }
    for (message, (&(heads, at, kept), &arrived)) in (0..).zip(found.iter().zip(&state.arrived)) {
        let places = heads + u32::from(arrived > 0);
        if places != 1 {
            return Err(Broken::Places(message, places));
        }
        // An address bit is used in every column that the head has reached.
        let expected = dimensions.saturating_sub(at + 1) + problem.parameters().payload;
        if problem.parameters().payload > 0 && kept + arrived != expected {
            return Err(Broken::Bits(message, kept + arrived, expected));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::plain::Plain;
    use super::super::state::Buffer;
    use super::*;
    use crate::stepper;
    use frit_router::multibutterfly::Parameters;
    use frit_router::multibutterfly::traffic::Traffic;

    fn problem(payload: u32) -> Problem {
        let parameters = Parameters {
            degree: 2,
            committed: 1,
            threshold: 2,
            offered: 2,
            requests: 1,
            free: 4,
            moves: 1,
            payload,
            ..Parameters::new(16, 18)
        };
        Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap()
    }

    /// The first place, column by column, of a side for which something holds.
    fn find(state: &State, which: impl Fn(&Side) -> bool) -> (Node, u32) {
        let nodes = (0..4).flat_map(|column| RowIdx::all(16).map(move |row| Node { column, row }));
        let mut places = nodes.flat_map(|node| [(node, 0), (node, 1)]);
        places.find(|&(node, side)| which(state.side(node, side))).expect("there is one")
    }

    /// What is said of the state behind two phases when something is changed in it.
    fn broken(payload: u32, change: impl Fn(&mut State)) -> Broken {
        let problem = problem(payload);
        let (phases, _, mut state) = stepper::run(&Plain::new(&problem), 2, |_| ());
        assert_eq!((phases, check(&problem, &state, 1)), (2, Ok(())));
        change(&mut state);
        check(&problem, &state, 1).unwrap_err()
    }

    fn has(side: &Side, fill: Fill) -> bool {
        side.buffers.iter().any(|held| held.fill == fill)
    }

    #[test]
    fn buffers_out_of_order_are_found() {
        let swap = |state: &mut State| {
            let (node, side) = find(state, |side| has(side, Fill::Message) && has(side, Fill::Ghost));
            let buffers = &mut state.side_mut(node, side).buffers;
            let ghost = buffers.iter().position(|held| held.fill == Fill::Ghost).unwrap();
            buffers.swap(ghost - 1, ghost);
        };
        assert!(matches!(broken(0, swap), Broken::Order(_, _, _, Fill::Message, Fill::Ghost)));
        let revive = |state: &mut State| {
            let (node, side) = find(state, |side| side.placed() > 1 && has(side, Fill::Dead));
            state.side_mut(node, side).buffers[0].fill = Fill::Message;
        };
        assert!(matches!(broken(0, revive), Broken::Order(_, _, 1, Fill::Dead, Fill::Message)));
    }

    #[test]
    fn a_ghost_too_many_or_too_few_is_found() {
        let lose = |state: &mut State| {
            let (node, side) = find(state, |side| has(side, Fill::Ghost));
            let last = state.side_mut(node, side).buffers.iter_mut().rfind(|held| held.fill == Fill::Ghost);
            *last.unwrap() = Buffer::EMPTY;
        };
        assert!(matches!(broken(0, lose), Broken::Ghosts { .. }));
        let forget = |state: &mut State| {
            let (node, _) = find(state, |side| has(side, Fill::Ghost));
            state.output_mut(node).uncommitted += 1;
        };
        assert!(matches!(broken(0, forget), Broken::Ghosts { .. }));
    }

    #[test]
    fn a_port_with_more_than_a_batch_is_found() {
        let crowd = |state: &mut State| {
            let (node, side) = find(state, |side| side.committed.is_some() && side.full() > 0);
            let of = state.side_mut(node, side);
            let port = of.committed.as_ref().unwrap()[0];
            of.buffers.resize(of.size as usize + 1, Buffer::EMPTY);
            of.buffers.iter_mut().for_each(|held| held.port = Some(port));
        };
        assert!(matches!(broken(0, crowd), Broken::Port { .. }));
        let shrink = |state: &mut State| {
            let (node, side) = find(state, |side| side.committed.is_some() && side.full() > 1);
            let of = state.side_mut(node, side);
            of.size = 1;
            of.buffers.iter_mut().for_each(|held| held.port = None);
        };
        assert!(matches!(broken(0, shrink), Broken::Size(_, _, _, 1)));
    }

    #[test]
    fn a_count_that_is_too_small_is_found() {
        let problem = problem(0);
        let behind = |phase| stepper::run(&Plain::new(&problem), phase, |_| ()).2;
        let (phase, mut state, node) = (1..4)
            .find_map(|phases| {
                let state = behind(phases);
                let mut nodes =
                    (1..=4).flat_map(|column| RowIdx::all(16).map(move |row| Node { column, row }));
                let assigned = |node: &Node| {
                    let origins = problem.network().origins(*node).iter();
                    let side = problem.network().shape().side_of(*node);
                    let on = |from: &frit_network::multibutterfly::InPort| {
                        state.side(Node { column: node.column - 1, row: from.row }, side).alive_on(from.port)
                    };
                    origins.map(on).sum::<u32>() > 0
                };
                let node = nodes.find(assigned)?;
                Some((phases as u32 - 1, state, node))
            })
            .expect("something is still to come in some phase");
        let output = state.output_mut(node);
        output.uncommitted += output.committed;
        output.committed = 0;
        assert!(matches!(check(&problem, &state, phase), Err(Broken::Reported(at, 1.., 0)) if at == node));
    }

    #[test]
    fn a_message_that_is_lost_copied_or_astray_is_found() {
        let lose = |state: &mut State| {
            let message = state.sides.iter().flatten().flat_map(|side| &side.buffers);
            let message =
                message.filter(|held| held.fill == Fill::Message).map(|held| held.message).next().unwrap();
            for held in state.sides.iter_mut().flatten().flat_map(|side| &mut side.buffers) {
                if held.message == message && held.fill == Fill::Message {
                    held.fill = Fill::Dead;
                }
            }
        };
        assert!(matches!(broken(0, lose), Broken::Places(_, 0)));
        let copy = |state: &mut State| state.arrived[0] = 1;
        assert!(matches!(broken(0, copy), Broken::Places(0, 2)));
        let astray = |state: &mut State| {
            let (node, side) = find(state, |side| has(side, Fill::Message));
            let held = &mut state.side_mut(node, side).buffers;
            let held = held.iter_mut().find(|held| held.fill == Fill::Message).unwrap();
            held.message = (held.message + 1) % 32;
        };
        assert!(matches!(broken(0, astray), Broken::Way { .. } | Broken::Places(..)));
    }

    #[test]
    fn a_lost_bit_is_found() {
        let lose = |state: &mut State| {
            let (node, side) =
                find(state, |side| side.buffers.iter().any(|h| h.fill == Fill::Message && h.kept() > 0));
            let of = state.side_mut(node, side);
            let held = of.buffers.iter_mut().find(|h| h.fill == Fill::Message && h.kept() > 0).unwrap();
            held.received -= 1;
        };
        assert!(matches!(broken(6, lose), Broken::Bits(_, given, expected) if given + 1 == expected));
    }
}
