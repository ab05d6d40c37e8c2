//! The requests of a phase: sides ask for ports, outputs grant them, and what is not settled is kept in ghosts.

use super::plain::Plain;
use super::state::{Buffer, Fill, State};
use frit_network::multibutterfly::Node;
use frit_network::{PortIdx, RowIdx, refusal};
use frit_router::multibutterfly::NodeEvent;

/// A side of a node, column first.
type Place = (Node, u32);

impl Plain<'_> {
    /// The requests of phase `phase`, for the inputs of columns 0 … phase.
    pub(super) fn requests(&self, state: &mut State, phase: u32, see: &mut dyn FnMut(NodeEvent)) {
        let mut new = self.commit_unasked(state, phase, see);
        for _ in 0..self.problem.parameters().requests {
            new.extend(self.round_of_requests(state, phase, see));
        }
        if self.problem.parameters().force {
            new.extend(self.force(state, phase, see));
        }
        for &(node, side) in &new {
            self.assign(state, node, side);
            state.figures.late += u64::from(phase > node.column);
        }
        self.count_uncommitted(state, phase);
        if phase < self.shape().dimensions() {
            self.fill_with_ghosts(state, phase);
        }
    }

    /// Step 1: sides that are small enough, or in small splitters, take the first ports.
    fn commit_unasked(&self, state: &mut State, phase: u32, see: &mut dyn FnMut(NodeEvent)) -> Vec<Place> {
        let p = self.problem.parameters();
        let mut new = self.waiting(state, phase);
        new.retain(|&(node, side)| state.side(node, side).size <= p.threshold_of(self.shape(), node.column));
        for &(node, side) in &new {
            let ports: Vec<u32> = (0..p.ports_of(self.shape(), node.column)).collect();
            // Most sides of a network that is not full have nothing to send: they are no events.
            if state.side(node, side).full() > 0 {
                see(commit(phase, node, side, &ports));
            }
            state.side_mut(node, side).committed = Some(ports);
        }
        new
    }

    /// Step 2 once: every side that is left asks at all its ports; an output grants those that no other asks with the
    /// same size; a side with enough grants takes the lowest and takes its requests back.
    fn round_of_requests(&self, state: &mut State, phase: u32, see: &mut dyn FnMut(NodeEvent)) -> Vec<Place> {
        let p = self.problem.parameters();
        let mut waiting = self.waiting(state, phase);
        waiting.retain(|&(node, side)| state.silent[self.number(node, side)].is_none());
        for &(node, side) in &waiting {
            let batch = p.batch(self.shape(), node.column, state.side(node, side).size);
            for (output, in_port) in self.far_ends(node, side) {
                state.output_mut(output).standing[in_port] = batch;
                state.figures.requests += 1;
            }
        }
        let mut new = Vec::new();
        for &(node, side) in &waiting {
            let granted: Vec<u32> = (0..)
                .zip(self.far_ends(node, side))
                .filter(|&(_, (output, in_port))| is_alone(&state.output(output).standing, in_port))
                .map(|(port, _)| port)
                .collect();
            let needed = p.ports_of(self.shape(), node.column) as usize;
            if granted.len() >= needed {
                new.push((node, side, granted[..needed].to_vec()));
            }
        }
        self.notice_silence(state, &waiting, &new, phase);
        self.commit_all(state, phase, new, see)
    }

    /// The extension `force`: whoever is left takes its least requested ports, all at once.
    fn force(&self, state: &mut State, phase: u32, see: &mut dyn FnMut(NodeEvent)) -> Vec<Place> {
        let mut new = Vec::new();
        for (node, side) in self.waiting(state, phase) {
            let asked = |output| state.output(output).standing.iter().filter(|&&size| size > 0).count();
            let mut ports: Vec<(usize, u32)> = (0..)
                .zip(self.far_ends(node, side))
                .map(|(port, (output, _))| (asked(output), port))
                .collect();
            ports.sort_unstable();
            ports.truncate(self.problem.parameters().ports_of(self.shape(), node.column) as usize);
            let mut ports: Vec<u32> = ports.into_iter().map(|(_, port)| port).collect();
            ports.sort_unstable();
            new.push((node, side, ports));
        }
        self.commit_all(state, phase, new, see)
    }

    /// Commits sides that were decided on together, and takes their requests back.
    fn commit_all(
        &self,
        state: &mut State,
        phase: u32,
        new: Vec<(Node, u32, Vec<u32>)>,
        see: &mut dyn FnMut(NodeEvent),
    ) -> Vec<Place> {
        let places = new.into_iter().map(|(node, side, ports)| {
            see(commit(phase, node, side, &ports));
            for (output, in_port) in self.far_ends(node, side) {
                state.output_mut(output).standing[in_port] = 0;
            }
            state.side_mut(node, side).committed = Some(ports);
            (node, side)
        });
        places.collect()
    }

    /// The number of the side of a splitter of which a node is an input.
    fn number(&self, node: Node, side: u32) -> usize {
        (2 * ((1 << node.column) + self.shape().splitter_of(node)) + side) as usize
    }

    /// Remembers the sides of splitters where some asked and nobody was committed: nothing there will ever change.
    fn notice_silence(
        &self,
        state: &mut State,
        waiting: &[Place],
        new: &[(Node, u32, Vec<u32>)],
        phase: u32,
    ) {
        let heard: std::collections::BTreeSet<usize> =
            new.iter().map(|&(node, side, _)| self.number(node, side)).collect();
        for &(node, side) in waiting {
            let number = self.number(node, side);
            if !heard.contains(&number) {
                state.silent[number].get_or_insert(phase);
            }
        }
    }

    /// Step 3: the k-th full buffer of a side uses the k-th of its ports, and so on around.
    fn assign(&self, state: &mut State, node: Node, side: u32) {
        let side = state.side_mut(node, side);
        let ports = side.committed.as_ref().expect("a side is assigned when it is committed");
        let full = side.buffers.iter_mut().filter(|buffer| buffer.is_full());
        full.zip(ports.iter().cycle()).for_each(|(buffer, &port)| buffer.port = Some(port));
    }

    /// Step 4: g' is the sum of the different sizes that still stand.
    fn count_uncommitted(&self, state: &mut State, phase: u32) {
        for node in self.outputs(phase) {
            let output = state.output_mut(node);
            let mut sizes = output.standing.clone();
            sizes.sort_unstable();
            sizes.dedup();
            output.uncommitted = sizes.iter().sum();
        }
    }

    /// Step 5: the inputs of the newest splitters report what they have assigned, and their outputs keep a place for all of it
    /// on both sides, since nobody knows where it goes.
    fn fill_with_ghosts(&self, state: &mut State, phase: u32) {
        let nodes = self.inputs(phase).filter(|node| node.column == phase);
        for (node, side) in nodes.flat_map(|node| [(node, 0), (node, 1)]) {
            self.report(state, node, side);
        }
        let mut filled = 0;
        for node in self.outputs(phase).filter(|node| node.column == phase + 1) {
            let output = state.output_mut(node);
            output.committed = output.reported.iter().sum();
            filled += 2 * u64::from(output.uncommitted + output.committed);
        }
        // Counted before any is made.
        let made: usize = state.sides.iter().flatten().map(|side| side.buffers.len()).sum();
        let (needed, room, column) = (made as u64 + filled, self.room, phase + 1);
        if column < self.shape().dimensions() && needed > room {
            // A chain of sides that do not commit doubles them from column to column.
            state.refused = Some(refusal!(
                "phase {phase}: with column {column} the ghosts fill {needed} buffers, but there is room for {room}; \
                 declare a larger h (rerun=yes does so), pass force=yes, or take fewer rows"
            ));
            return;
        }
        for node in self.outputs(phase).filter(|node| node.column == phase + 1) {
            let output = state.output(node);
            let ghosts = output.uncommitted + output.committed;
            state.figures.max_raw = state.figures.max_raw.max(ghosts);
            if node.column < self.shape().dimensions() {
                for side in 0..2 {
                    let ghost = Buffer { fill: Fill::Ghost, ..Buffer::EMPTY };
                    state.side_mut(node, side).buffers = vec![ghost; ghosts as usize];
                }
            }
        }
    }

    /// A committed side reports for each port how many of its buffers are alive.
    pub(super) fn report(&self, state: &mut State, node: Node, side: u32) {
        if state.side(node, side).committed.is_some() {
            for (port, (output, in_port)) in (0..).zip(self.far_ends(node, side)) {
                let count = state.side(node, side).alive_on(PortIdx(port));
                state.output_mut(output).reported[in_port] = count;
            }
        }
    }

    /// The sides of the inputs of a phase that are not committed.
    fn waiting(&self, state: &State, phase: u32) -> Vec<Place> {
        let places = self.inputs(phase).flat_map(|node| [(node, 0), (node, 1)]);
        places.filter(|&(node, side)| state.side(node, side).committed.is_none()).collect()
    }

    /// Where the ports of a side lead: the outputs, and the numbers of the in-ports there.
    pub(super) fn far_ends(&self, node: Node, side: u32) -> impl Iterator<Item = (Node, usize)> + use<'_> {
        let network = self.problem.network();
        let ends = network.ends(node, side).iter().zip(network.numbers(node, side));
        ends.map(move |(&row, &in_port)| {
            (Node { column: node.column + 1, row: RowIdx(row) }, in_port as usize)
        })
    }
}

/// Whether no other request of the same size stands.
fn is_alone(standing: &[u32], in_port: usize) -> bool {
    let same = |(other, size): (usize, &u32)| other != in_port && *size == standing[in_port];
    !standing.iter().enumerate().any(same)
}

fn commit(phase: u32, node: Node, side: u32, ports: &[u32]) -> NodeEvent {
    NodeEvent::Commit { phase, column: node.column, side, row: node.row, ports: ports.to_vec() }
}
