//! All that changes in a dilated butterfly.

use super::blocked::Blocked;
use frit_network::RowIdx;
use frit_router::dilated::Packets;

/// No packet.
pub const NOBODY: u32 = u32::MAX;

/// The queue of a packet that has not started, or the one at the end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Whose it is, from the step in which the edge was taken.
    pub packet: u32,
    /// Bits in it.
    pub length: u32,
    /// Bits that have left it; at a sink, bits that have arrived.
    pub passed: u32,
    /// The first step in which the switch can see the head.
    pub since: u32,
    /// Out bundle and edge to which the switch has shunted it.
    pub target: Option<(u32, u32)>,
}

/// A queue at the end of an edge that nobody uses.
pub const UNUSED: Queue = Queue { packet: NOBODY, length: 0, passed: 0, since: 0, target: None };

/// What a switch remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwitchState {
    /// Edges handed out in each out bundle; with release and a weak switch the edge that is next.
    pub used: [u32; 2],
    /// Weak: the edge of each in bundle that is examined.
    pub turn: [u32; 2],
    /// Weak: the in bundle that is served first.
    pub first: u32,
}

/// What has come out of the network of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The row of the sink.
    pub row: RowIdx,
    /// Bits that have arrived.
    pub bits: u32,
    /// The step in which the last of them did.
    pub step: u32,
    /// The in bundle of the sink and the edge by which they came.
    pub by: (u32, u32),
}

/// Nothing has come out.
pub const NOWHERE: Arrived = Arrived { row: RowIdx(NOBODY), bits: 0, step: 0, by: (0, 0) };

/// The state of a run between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The pass, if there is a barrier between two; else 0.
    pub pass: u32,
    /// The step in which this pass began.
    pub begun: u32,
    /// Behind the last queue at each row where packets start; those of row 0 are the first.
    pub starts: Vec<u32>,
    /// First those of packets that start, as many as packets; behind them the edges by their numbers.
    pub queues: Vec<Queue>,
    /// Q bits for each edge, the front one first.
    pub bits: Vec<bool>,
    /// The switches by their numbers.
    pub switches: Vec<SwitchState>,
    /// What each packet brings into this pass, so many words a packet: its bits from the least significant on.
    pub content: Vec<u64>,
    /// What has come out of it, in the same form.
    pub received: Vec<u64>,
    /// Where, and how much of it.
    pub arrived: Vec<Arrived>,
    /// Blocked behind the barrier: they take no part in the second pass.
    pub lost: Vec<Blocked>,
    /// Steps of the pass before this one until its last bit came out; 0 in the first.
    pub before: u64,
    /// The same and those of this pass until the last bit so far.
    pub steps: u64,
    /// Packets that have arrived.
    pub delivered: u64,
    /// Steps that heads have waited at switches where they were shunted in the end.
    pub waits: u64,
}

/// Words for the bits of a packet.
pub fn words(packets: &Packets) -> usize {
    packets.packet_bits().div_ceil(64) as usize
}

/// The state before the first step.
pub fn start(packets: &Packets) -> State {
    let network = packets.network();
    let (count, edges) = (packets.packets().len(), network.edges() as usize);
    let words = words(packets);
    let mut content = vec![0; count * words];
    for packet in 0..count {
        for bit in (0..packets.packet_bits()).filter(|&bit| packets.bit(packet, bit)) {
            content[packet * words + bit as usize / 64] |= 1 << (bit % 64);
        }
    }
    let mut state = State {
        pass: 0,
        begun: 0,
        starts: Vec::new(),
        queues: vec![UNUSED; count + edges],
        bits: vec![false; edges * packets.queue() as usize],
        switches: vec![SwitchState::default(); network.switches() as usize],
        received: vec![0; content.len()],
        content,
        arrived: vec![NOWHERE; count],
        lost: Vec::new(),
        before: 0,
        steps: 0,
        delivered: 0,
        waits: 0,
    };
    let sources =
        packets.packets().iter().enumerate().map(|(number, packet)| (RowIdx(packet.source), number as u32));
    let mut sources: Vec<_> = sources.collect();
    sources.sort_unstable();
    state.line_up(network.rows(), &sources, packets.packet_bits());
    state
}

impl State {
    /// Places packets (row, packet) of `bits` bits each in front of level 0, row by row, those of a row as they are given.
    pub(super) fn line_up(&mut self, rows: u32, packets: &[(RowIdx, u32)], bits: u32) {
        self.starts =
            RowIdx::all(rows).map(|row| packets.partition_point(|&(of, _)| of <= row) as u32).collect();
        for (queue, &(_, packet)) in self.queues.iter_mut().zip(packets) {
            *queue = Queue { packet, length: bits, since: self.begun, ..UNUSED };
        }
    }

    /// The queues of the packets that start in a row.
    pub fn starts_of(&self, row: RowIdx) -> std::ops::Range<usize> {
        let first = row.0.checked_sub(1).map_or(0, |before| self.starts[before as usize]);
        first as usize..self.starts[row.idx()] as usize
    }
}
