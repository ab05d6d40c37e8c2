//! What a run of the dilated butterfly gives.

use super::blocked::{Blocked, WaitsFor};
use super::state::{NOBODY, State};
use frit_network::RowIdx;
use frit_network::dilated::{InEdge, Node};
use frit_router::dilated::{Packets, Shunt, Switch};
use frit_traffic::event::ChainDigest;

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DilatedOutcome {
    /// Steps until the last payload bit had arrived. With a barrier each of the two passes counts its steps until its own last bit, and
    /// this is their sum.
    pub steps: u64,
    /// Packets that arrived.
    pub delivered: u64,
    /// Packets that arrived in another row than theirs or with another payload: none, or the engine is wrong.
    pub wrong: Vec<u32>,
    /// Those that did not arrive.
    pub blocked: Vec<Blocked>,
    /// Number of shunts.
    pub shunts: u64,
    /// The digest of all shunts. With a barrier the second pass is a run of its own, from step 0 and level 0, and its digest is hashed
    /// behind the shunts of the first.
    pub digest: u64,
    /// Steps that heads stood at switches that could see them, summed over all shunts.
    pub waits: u64,
}

/// Counts shunts and takes their digest.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    count: u64,
    /// Levels of the network, each of which a pass crosses once.
    levels: u32,
    /// Of each pass.
    digests: Vec<ChainDigest>,
    /// The step of the second pass's first shunt, in which that pass begins: level 0 shunts something at once.
    begun: Option<u32>,
}

impl Tally {
    pub(super) fn new(packets: &Packets) -> Self {
        let digests = vec![ChainDigest::default(); packets.runs() as usize];
        Tally { count: 0, levels: packets.network().levels(), digests, begun: None }
    }

    pub(super) fn take(&mut self, shunt: &Shunt) {
        self.count += 1;
        if shunt.level < self.levels {
            return self.digests[0].take(shunt);
        }
        let begun = *self.begun.get_or_insert(shunt.step);
        let own = Shunt { step: shunt.step - begun, level: shunt.level - self.levels, ..*shunt };
        self.digests[1].take(&own);
    }

    pub(super) fn shunts(&self) -> u64 {
        self.count
    }

    pub(super) fn digest(&self) -> u64 {
        match &self.digests[..] {
            [first, second] => first.followed_by(second),
            digests => digests[0].digest(),
        }
    }
}

/// The outcome of a run that ended in `state`.
pub(super) fn outcome(packets: &Packets, state: State, tally: &Tally) -> DilatedOutcome {
    let payload = packets.parameters().payload;
    let words = super::state::words(packets);
    let wrong = (0..packets.packets().len()).filter(|&packet| {
        let arrived = state.arrived[packet];
        let received = &state.received[packet * words..];
        let same = (0..payload).all(|bit| {
            let (word, bit) = (bit as usize / 64, bit % 64);
            received[word] >> bit & 1 == packets.payload(packet)[word] >> bit & 1
        });
        arrived.bits == payload && (arrived.row.0 != packets.packets()[packet].destination || !same)
    });
    DilatedOutcome {
        steps: state.steps,
        delivered: state.delivered,
        wrong: wrong.map(|packet| packet as u32).collect(),
        shunts: tally.shunts(),
        digest: tally.digest(),
        waits: state.waits,
        blocked: state.lost.iter().copied().chain(waiting(packets, &state)).collect(),
    }
}

/// The heads that stand at switches, level by level.
pub(super) fn waiting(packets: &Packets, state: &State) -> Vec<Blocked> {
    let (network, parameters) = (packets.network(), packets.parameters());
    let starts = packets.packets().len();
    let mut found = Vec::new();
    let mut look = |queue: usize, at: InEdge, front: bool| {
        let waiting = state.queues[queue];
        if waiting.packet == NOBODY || waiting.length == 0 || waiting.target.is_some() {
            return;
        }
        let switch = state.switches[((at.node.level << network.dimensions()) + at.node.row.0) as usize];
        let turn = switch.turn[at.y as usize];
        let waits_for = match parameters.switch {
            Switch::Weak if turn != at.e => WaitsFor::Turn(turn),
            _ => WaitsFor::Bundle(front.into()),
        };
        let node = Node { level: at.node.level + state.pass * network.dimensions(), ..at.node };
        found.push(Blocked { packet: waiting.packet, at: InEdge { node, ..at }, waits_for });
    };
    for row in RowIdx::all(network.rows()) {
        for (e, queue) in state.starts_of(row).enumerate() {
            let node = Node { level: 0, row };
            // A head at the start has not lost a bit.
            let front =
                state.content[state.queues[queue].packet as usize * super::state::words(packets)] & 1 == 1;
            look(queue, InEdge { node, y: 0, e: e as u32 }, front);
        }
    }
    let inner = (network.edges() - 2 * u64::from(network.bundle()) * u64::from(network.rows())) as usize;
    for edge in 0..inner {
        look(starts + edge, network.edge(edge), state.bits[edge * packets.queue() as usize]);
    }
    found
}
