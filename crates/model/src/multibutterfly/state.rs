//! All that changes: buffers with a state each, sides, outputs.

use super::figures::Figures;
use frit_network::multibutterfly::Node;
use frit_network::{PortIdx, Refusal, RowIdx};
use frit_router::multibutterfly::Problem;

/// Bytes that a run takes for a buffer: it is in two states.
pub const BUFFER_BYTES: u64 = 2 * size_of::<Buffer>() as u64;

/// What is in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Nothing.
    Empty,
    /// A place kept for a message.
    Ghost,
    /// A message whose head is here.
    Message,
    /// A message whose head has gone on and whose last bits have not (bit model).
    Stream,
    /// A message that has gone on.
    Dead,
}

/// A buffer of a side. It is used for one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// What is in it.
    pub fill: Fill,
    /// Which message; meaningless for ghosts and nothing.
    pub message: u32,
    /// The port that it was assigned to.
    pub port: Option<u32>,
    /// Bits of the message that have come here, the address bit that was used here included (bit model).
    pub received: u32,
    /// Bits that have left (bit model).
    pub sent: u32,
    /// Where the head is in the next column, side and buffer, once it is there.
    pub ahead: Option<(u32, usize)>,
}

/// A side of a node that is an input of a splitter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Its buffers.
    pub buffers: Vec<Buffer>,
    /// W.
    pub size: u32,
    /// F, with the ports.
    pub committed: Option<Vec<u32>>,
}

/// What a node keeps as an output of a splitter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// For each in-port the size of the request that stands, 0 for none.
    pub standing: Vec<u32>,
    /// For each in-port the count reported last.
    pub reported: Vec<u32>,
    /// g': ghosts for what sides may send that are not committed.
    pub uncommitted: u32,
    /// g'': ghosts for what committed sides still have.
    pub committed: u32,
}

/// A multibutterfly between two phases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    rows: u32,
    /// Both sides of every node but those of the last column, column by column.
    pub sides: Vec<[Side; 2]>,
    /// Every node but those of column 0.
    pub outputs: Vec<Output>,
    /// Bits of each message that have come to the last column; in the word model 1 or 0.
    pub arrived: Vec<u32>,
    /// Messages that have arrived as a whole.
    pub delivered: u32,
    /// Phases in a row that have moved nothing.
    pub idle: u32,
    /// For each side of a splitter, numbered 2 (2^c + j) + side, the phase in which some asked in a round of requests
    /// and none was committed: the same ones will ask for ever.
    pub silent: Vec<Option<u32>>,
    /// Why the run ended before its time.
    pub refused: Option<Refusal>,
    /// What was counted.
    pub figures: Figures,
}

impl State {
    fn place(&self, node: Node) -> usize {
        (node.column * self.rows + node.row.0) as usize
    }

    /// The sides of a node.
    pub fn sides(&self, node: Node) -> &[Side; 2] {
        &self.sides[self.place(node)]
    }

    /// A side of a node.
    pub fn side(&self, node: Node, side: u32) -> &Side {
        &self.sides(node)[side as usize]
    }

    /// The same, to change it.
    pub fn side_mut(&mut self, node: Node, side: u32) -> &mut Side {
        let place = self.place(node);
        &mut self.sides[place][side as usize]
    }

    /// A node as an output.
    pub fn output(&self, node: Node) -> &Output {
        &self.outputs[self.place(node) - self.rows as usize]
    }

    /// The same, to change it.
    pub fn output_mut(&mut self, node: Node) -> &mut Output {
        let place = self.place(node) - self.rows as usize;
        &mut self.outputs[place]
    }
}

impl Buffer {
    /// A buffer with nothing in it.
    pub const EMPTY: Buffer =
        Buffer { fill: Fill::Empty, message: u32::MAX, port: None, received: 0, sent: 0, ahead: None };

    /// Bits of its message that it keeps: one of those that came was the address bit that is used here (bit model).
    pub fn kept(&self) -> u32 {
        self.received - self.sent - 1
    }

    /// A message or a ghost is in it: messages that have gone on count too, their buffers are not used again.
    pub fn is_full(&self) -> bool {
        self.fill != Fill::Empty
    }

    /// Full, and its head has not gone on.
    pub fn is_alive(&self) -> bool {
        matches!(self.fill, Fill::Ghost | Fill::Message)
    }
}

impl Side {
    /// Buffers that are full.
    pub fn full(&self) -> u32 {
        self.count(Buffer::is_full)
    }

    /// Ghosts.
    pub fn ghosts(&self) -> u32 {
        self.count(|buffer| buffer.fill == Fill::Ghost)
    }

    /// Messages that have ever been placed here.
    pub fn placed(&self) -> u32 {
        self.count(|buffer| !matches!(buffer.fill, Fill::Empty | Fill::Ghost))
    }

    /// Buffers assigned to a port that are alive.
    pub fn alive_on(&self, port: PortIdx) -> u32 {
        self.count(|buffer| buffer.port == Some(port.0) && buffer.is_alive())
    }

    fn count(&self, which: impl Fn(&Buffer) -> bool) -> u32 {
        self.buffers.iter().filter(|&buffer| which(buffer)).count() as u32
    }
}

/// The state before phase 0: all messages at their sources, in the order of their numbers.
pub fn start(problem: &Problem) -> State {
    let shape = problem.network().shape();
    let (rows, dimensions) = (shape.rows(), shape.dimensions());
    let bits = dimensions + problem.parameters().payload;
    let mut state = State {
        rows,
        sides: vec![Default::default(); (dimensions * rows) as usize],
        outputs: Vec::new(),
        arrived: vec![0; problem.messages().len()],
        delivered: 0,
        idle: 0,
        silent: vec![None; 2 * rows as usize],
        refused: None,
        figures: Figures::default(),
    };
    for column in 1..=dimensions {
        let none = vec![0; shape.in_ports(column) as usize];
        let output = Output { standing: none.clone(), reported: none, uncommitted: 0, committed: 0 };
        state.outputs.extend((0..rows).map(|_| output.clone()));
    }
    for (message, to) in (0..).zip(problem.messages()) {
        let side = shape.side_to(to.destination, 0);
        let buffer = Buffer { fill: Fill::Message, message, received: bits, ..Buffer::EMPTY };
        state.side_mut(Node { column: 0, row: RowIdx(to.source) }, side).buffers.push(buffer);
    }
    for (row, side) in (0..rows).flat_map(|row| [(row, 0), (row, 1)]) {
        set_size(problem, &mut state, Node { column: 0, row: RowIdx(row) }, side);
    }
    state.figures.max_raw = state.figures.max_fill;
    state
}

/// Sets W by the buffers that are full.
pub(super) fn set_size(problem: &Problem, state: &mut State, node: Node, side: u32) {
    let full = state.side(node, side).full();
    let size = problem.parameters().size_of(full);
    state.side_mut(node, side).size = size;
    let figures = &mut state.figures;
    figures.max_fill = figures.max_fill.max(full);
    figures.max_w = figures.max_w.max(size);
}
