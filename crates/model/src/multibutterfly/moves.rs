//! The moves of a phase: messages move, ghosts make room for them or disappear.

use super::plain::Plain;
use super::state::{Buffer, Fill, State, set_size};
use frit_network::multibutterfly::Node;
use frit_router::multibutterfly::NodeEvent;
use frit_router::multibutterfly::parameters::{BITS_KEPT, BITS_MOVED};

/// What a buffer puts on an edge in a round. The derived order is the one in which outputs take what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Transfer {
    output: Node,
    in_port: usize,
    buffer: usize,
    /// The input, and the side on which the buffer is.
    from: (Node, u32),
    message: u32,
    /// Bits (in the word model 1).
    bits: u32,
    /// The head of the message is among them.
    head: bool,
}

impl Plain<'_> {
    /// The moves of phase `phase`. Returns whether anything moved.
    pub(super) fn moves(&self, state: &mut State, phase: u32, see: &mut dyn FnMut(NodeEvent)) -> bool {
        let p = self.problem.parameters();
        let before = state.figures.moves;
        for sides in p.passes() {
            for _ in 0..p.moves {
                self.round_of_moves(state, phase, sides, see);
            }
        }
        state.figures.word_steps += 3 * u64::from(p.requests) + 1;
        self.set_sizes(state, phase);
        state.figures.moves > before
    }

    /// Step 1 once, for the splitters' sides given: committed sides send and report what is left, then outputs store what
    /// comes and delete the ghosts that are not needed any more.
    fn round_of_moves(&self, state: &mut State, phase: u32, sides: &[u32], see: &mut dyn FnMut(NodeEvent)) {
        let places = |node| sides.iter().map(move |&side| (node, side));
        let mut transfers = Vec::new();
        for (node, side) in self.inputs(phase).flat_map(places) {
            self.send(state, node, side, &mut transfers);
            self.report(state, node, side);
        }
        transfers.sort_unstable();
        let edges = transfers.chunk_by(|a, b| (a.output, a.in_port) == (b.output, b.in_port));
        let most = edges.map(|edge| edge.len() as u32).max().unwrap_or(0);
        for transfer in &transfers {
            self.take(state, transfer, phase, see);
        }
        for node in self.outputs(phase).filter(|node| sides.contains(&self.shape().side_of(*node))) {
            self.delete_ghosts(state, node);
        }
        let figures = &mut state.figures;
        figures.max_link = figures.max_link.max(most);
        figures.word_steps += u64::from(most) + 1;
        figures.moves += transfers.len() as u64;
    }

    /// Takes what can go out of the buffers of a committed side.
    fn send(&self, state: &mut State, node: Node, side: u32, transfers: &mut Vec<Transfer>) {
        if state.side(node, side).committed.is_none() {
            return;
        }
        let total = self.bits_into(node.column + 1);
        let ends: Vec<_> = self.far_ends(node, side).collect();
        for buffer in 0..state.side(node, side).buffers.len() {
            let held = state.side(node, side).buffers[buffer];
            if !matches!(held.fill, Fill::Message | Fill::Stream) {
                continue;
            }
            let port = held.port.expect("every message of a committed side has a port");
            let (output, in_port) = ends[port as usize];
            let bits = self.bits_to_send(state, output, &held);
            if bits == 0 {
                continue;
            }
            let (from, message, head) = ((node, side), held.message, held.fill == Fill::Message);
            transfers.push(Transfer { output, in_port, buffer, from, message, bits, head });
            let held = &mut state.side_mut(node, side).buffers[buffer];
            held.sent += bits;
            held.fill = if held.sent == total { Fill::Dead } else { Fill::Stream };
        }
    }

    /// How many bits of a message can go: in the word model the word. Columns send from the last to the first, so that there
    /// is room for what takes the place of bits that leave in the same round.
    fn bits_to_send(&self, state: &State, output: Node, held: &Buffer) -> u32 {
        if self.problem.parameters().payload == 0 {
            return 1;
        }
        let kept = held.ahead.map_or(0, |(side, buffer)| state.side(output, side).buffers[buffer].kept());
        held.kept().min(BITS_MOVED).min(BITS_KEPT - kept)
    }

    /// Bits of a message that come into a column: the address bits of those before have been used.
    fn bits_into(&self, column: u32) -> u32 {
        match self.problem.parameters().payload {
            0 => 1,
            payload => self.shape().dimensions() - column + payload,
        }
    }

    /// An output stores what comes on an edge.
    fn take(&self, state: &mut State, transfer: &Transfer, phase: u32, see: &mut dyn FnMut(NodeEvent)) {
        let Transfer { output, message, bits, from, .. } = *transfer;
        let Node { column, row } = output;
        if column == self.shape().dimensions() {
            let arrived = &mut state.arrived[message as usize];
            if transfer.head {
                see(NodeEvent::Deliver { phase, column, row, message });
            }
            *arrived += bits;
            state.delivered += u32::from(*arrived == self.bits_into(column));
            return;
        }
        let origin = &state.side(from.0, from.1).buffers[transfer.buffer];
        let Some((side, buffer)) = origin.ahead else {
            return self.place(state, transfer, phase, see);
        };
        state.side_mut(output, side).buffers[buffer].received += bits;
    }

    /// A head takes the place of the lowest ghost of the side that its first bit says.
    fn place(&self, state: &mut State, transfer: &Transfer, phase: u32, see: &mut dyn FnMut(NodeEvent)) {
        let Transfer { output, message, bits, from, .. } = *transfer;
        let Node { column, row } = output;
        let side = self.shape().side_to(self.problem.messages()[message as usize].destination, column);
        let buffers = &mut state.side_mut(output, side).buffers;
        let ghost = buffers.iter().position(|held| held.fill == Fill::Ghost);
        let buffer = ghost.unwrap_or_else(|| {
            panic!("phase {phase}, column {column}, row {row}, side {side}: no ghost for message {message}")
        });
        let held = &mut buffers[buffer];
        (held.fill, held.message, held.received) = (Fill::Message, message, bits);
        state.side_mut(from.0, from.1).buffers[transfer.buffer].ahead = Some((side, buffer));
        let buffer = buffer as u32;
        see(NodeEvent::Place { phase, column, row, side, buffer, message });
    }

    /// g'' is what the inputs report; ghosts in excess of g' + g'' are deleted, the highest first.
    fn delete_ghosts(&self, state: &mut State, node: Node) {
        let output = state.output_mut(node);
        output.committed = output.reported.iter().sum();
        let needed = output.uncommitted + output.committed;
        if node.column == self.shape().dimensions() {
            return;
        }
        for side in 0..2 {
            let side = state.side_mut(node, side);
            let excess = side.ghosts().saturating_sub(needed);
            let ghosts = side.buffers.iter_mut().rev().filter(|held| held.fill == Fill::Ghost);
            ghosts.take(excess as usize).for_each(|held| *held = Buffer::EMPTY);
            state.figures.ghosts_deleted += u64::from(excess);
        }
    }

    /// Step 2: the nodes that become inputs in the next phase set their sizes.
    fn set_sizes(&self, state: &mut State, phase: u32) {
        let dimensions = self.shape().dimensions();
        for node in self.outputs(phase).filter(|node| node.column == phase + 1) {
            if node.column < dimensions {
                (0..2).for_each(|side| set_size(self.problem, state, node, side));
            } else {
                let output = state.output(node);
                let full = output.uncommitted + output.committed;
                state.figures.max_fill = state.figures.max_fill.max(full);
            }
        }
    }
}
