//! What must hold behind every stage, whatever the traffic. The reference checks all of it in every stage of every run.

use super::state::{Fill, Side, State};
use frit_network::multibutterfly::Node;
use frit_router::multibutterfly::Problem;

/// What does not hold, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// The buffers of a side are not sent messages, messages, ghosts, nothing, in this order.
    #[error("{0:?}, side {1}: buffer {2} is {3:?} behind {4:?}")]
    Order(Node, u32, usize, Fill, Fill),
    /// A side has more or fewer ghosts than its node's outputs ask for.
    #[error("{node:?}, side {side}: {given} ghosts, but g' + g'' = {uncommitted} + {committed}")]
    Ghosts {
        /// The node.
        node: Node,
        /// The side.
        side: u32,
        /// Its ghosts.
        given: u32,
        /// g'.
        uncommitted: u32,
        /// g''.
        committed: u32,
    },
    /// A port has more buffers than a batch.
    #[error("{node:?}, side {side}: port {port} has {given} buffers, a batch is {batch}")]
    Port {
        /// The node.
        node: Node,
        /// The side.
        side: u32,
        /// The port.
        port: u32,
        /// Buffers that were ever assigned to it.
        given: u32,
        /// W / min(R, m), one at least.
        batch: u32,
    },
    /// A side has more full buffers than it said.
    #[error("{0:?}, side {1}: {2} full buffers, but W = {3}")]
    Size(Node, u32, u32, u32),
    /// The inputs of a node have more for it than it knows of.
    #[error("{0:?}: {1} messages and ghosts are assigned to it, but g'' = {2}")]
    Reported(Node, u32, u32),
    /// A message is in no place, or in several.
    #[error("message {0} is in {1} places")]
    Places(u32, u32),
    /// A message is where it cannot reach its destination.
    #[error("message {message} for row {destination} is at {node:?}, side {side}")]
    Way {
        /// The message.
        message: u32,
        /// Where it must arrive.
        destination: u32,
        /// Where it is.
        node: Node,
        /// On which side.
        side: u32,
    },
    /// Bits of a message were lost or copied.
    #[error("message {0}: {1} of {2} bits are left")]
    Bits(u32, u32, u32),
}

/// Checks a state behind stage `stage`.
///
/// # Errors
///
/// The first thing that does not hold.
pub fn check(problem: &Problem, state: &State, stage: u32) -> Result<(), Broken> {
    let shape = problem.network().shape();
    let newest = shape.dimensions().min(stage + 1);
    for (column, row) in (0..=newest).flat_map(|column| (0..shape.rows()).map(move |row| (column, row))) {
        let node = Node { column, row };
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
            return Err(Broken::Port { node, side, port, given, batch });
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
    let nodes = (0..dimensions).flat_map(|column| (0..shape.rows()).map(move |row| Node { column, row }));
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
