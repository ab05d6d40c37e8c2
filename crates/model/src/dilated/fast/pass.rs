//! A pass through the network: worms and the heads in front of them.

use super::bits::Bits;
use super::chunk::{self, Chunk, FLUSH, LANES, REFILL, Report};
use super::edges::Edges;
use crate::dilated::blocked::{Blocked, WaitsFor};
use crate::dilated::state::words;
use frit_network::dilated::{InEdge, Node};
use frit_network::{DilatedButterfly, RowIdx};
use frit_router::dilated::{Packets, Shunt, Switch};

/// What goes into a pass.
pub(super) struct Start {
    /// The packets (row, packet), row by row.
    pub starts: Vec<(RowIdx, u32)>,
    /// The bits of every packet, of which each has the same number of words.
    pub content: Vec<u64>,
    /// Bits of a packet.
    pub bits: u32,
    /// The number of the first step.
    pub step: u32,
    /// The level that a trace gives to level 0.
    pub level: u32,
}

/// Where and when the last bit of a packet arrived. The order is that of the row's packets in a pass behind this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrived {
    pub row: RowIdx,
    step: u32,
    y: u32,
    e: u32,
}

/// What has come of it.
pub(super) struct End {
    /// Steps of this pass until the last bit arrived; 0 if none did.
    pub steps: u64,
    /// The first step in which nothing moved any more.
    pub rest: u32,
    /// Where each packet arrived.
    pub arrived: Vec<Option<Arrived>>,
    /// The bits that arrived.
    pub received: Vec<u64>,
    /// The heads that stand.
    pub blocked: Vec<Blocked>,
    /// Steps that heads waited until they were shunted.
    pub waits: u64,
}

/// Where the head of a packet is, or is about to come.
#[derive(Clone, Copy, Debug)]
struct Head {
    at: InEdge,
    /// The first step in which its switch sees it.
    since: u32,
}

/// A pass that is under way.
pub(super) struct Pass<'a, const Q: usize> {
    network: &'a DilatedButterfly,
    switch: Switch,
    release: bool,
    step: u32,
    begun: u32,
    first_level: u32,
    bits: u32,
    stride: usize,
    chunks: Vec<Chunk<Q>>,
    /// Chunks in which something moved in the last step, or was shunted in this one.
    active: Vec<bool>,
    heads: Vec<Head>,
    edges: Edges,
    /// Strong: places of heads that must be looked at. Weak: places where a head stands.
    waiting: Bits,
    /// Strong, with release: places of heads that found no edge.
    parked: Bits,
    /// Weak: switches that must be looked at.
    ready: Bits,
    used: Vec<[u32; 2]>,
    /// Weak: the edge of each in bundle that is examined, and the bundle that is served first.
    turns: Vec<([u32; 2], u32)>,
    /// With release: the place at each level of a packet's way and the switch before it.
    ways: Vec<(u32, u32)>,
    content: Vec<u64>,
    /// Bits of each packet taken from its content, and bits arrived in whole words.
    taken: Vec<u32>,
    stored: Vec<u32>,
    end: End,
    left: usize,
}

impl<'a, const Q: usize> Pass<'a, Q> {
    /// A pass of the packets given, whose bundles have the loads given.
    pub(super) fn new(packets: &'a Packets, start: Start, loads: &[Vec<u32>]) -> Self {
        let (network, parameters) = (packets.network(), packets.parameters());
        let count = packets.packets().len();
        let mut per_row = vec![0; network.rows() as usize];
        for &(row, _) in &start.starts {
            per_row[row.idx()] += 1;
        }
        let mut edges = Edges::new(network, &per_row, loads, parameters.release);
        let weak = parameters.switch == Switch::Weak;
        let (places, switches) = (edges.count(), network.switches() as usize);
        let mut waiting = Bits::new(places);
        let mut ready = Bits::new(if weak { switches } else { 0 });
        let nowhere =
            Head { at: InEdge { node: Node { level: 0, row: RowIdx(0) }, y: 0, e: 0 }, since: start.step };
        let mut heads = vec![nowhere; count];
        for (place, &(row, packet)) in start.starts.iter().enumerate() {
            let node = Node { level: 0, row };
            let e = (place - edges.places(node, 0).start) as u32;
            heads[packet as usize].at = InEdge { node, y: 0, e };
            edges.owner[place] = packet;
            waiting.insert(place);
            if weak {
                ready.insert(row.idx());
            }
        }
        let stride = words(packets);
        let mut pass = Pass {
            network,
            switch: parameters.switch,
            release: parameters.release,
            step: start.step,
            begun: start.step,
            first_level: start.level,
            bits: start.bits,
            stride,
            chunks: vec![Chunk::empty(); count.div_ceil(LANES)],
            active: vec![false; count.div_ceil(LANES)],
            heads,
            parked: Bits::new(if parameters.release && !weak { places } else { 0 }),
            edges,
            waiting,
            ready,
            used: vec![[0; 2]; switches],
            turns: vec![([0; 2], 0); if weak { switches } else { 0 }],
            ways: vec![(0, 0); if parameters.release { count * network.levels() as usize } else { 0 }],
            taken: vec![0; count],
            stored: vec![0; count],
            end: End {
                steps: 0,
                rest: start.step,
                arrived: vec![None; count],
                received: vec![0; start.content.len()],
                blocked: Vec::new(),
                waits: 0,
            },
            content: start.content,
            left: start.starts.len(),
        };
        for &(_, packet) in &start.starts {
            pass.refill(packet as usize);
            pass.chunks[packet as usize / LANES].wanted[packet as usize % LANES] =
                pass.next_word(packet as usize);
        }
        pass
    }

    /// Runs until nothing moves.
    pub(super) fn run(mut self, see: &mut impl FnMut(Shunt), tick: &mut dyn FnMut(u64)) -> End {
        let mut report = Report::empty();
        while self.left > 0 {
            tick(self.step.into());
            let mut changed = match self.switch {
                Switch::Strong => self.strong(see),
                Switch::Weak => self.weak(see),
            };
            for chunk in 0..self.chunks.len() {
                if !self.active[chunk] {
                    continue;
                }
                chunk::step::<Q>(&mut self.chunks[chunk], self.network.levels(), &mut report);
                self.active[chunk] = report.moved;
                changed |= report.moved;
                if self.release {
                    self.tails(chunk, &report);
                }
                if report.any {
                    self.attend(chunk, &report);
                }
            }
            if !changed {
                break;
            }
            self.step += 1;
        }
        self.end.rest = self.step;
        self.blocked();
        self.end
    }

    /// Gives a worm the next word of its packet.
    fn refill(&mut self, packet: usize) {
        let taken = self.taken[packet];
        let bits = (self.bits - taken).min(64);
        if bits > 0 {
            let word = self.content[packet * self.stride + taken as usize / 64];
            self.chunks[packet / LANES].refill(packet % LANES, word, bits.into());
            self.taken[packet] += bits;
        }
    }

    /// Bits of the next word that arrives.
    fn next_word(&self, packet: usize) -> u64 {
        let payload = self.bits - self.network.levels();
        u64::from((payload - self.stored[packet]).min(64))
    }

    /// Shunts the head of `packet`, which stands at `place`, if there is an edge. Gives whether there is.
    fn shunt(&mut self, packet: usize, see: &mut impl FnMut(Shunt)) -> bool {
        let Head { at: InEdge { node, y, e }, since } = self.heads[packet];
        let (chunk, lane) = (packet / LANES, packet % LANES);
        let x = self.chunks[chunk].front(lane, node.level);
        let switch = ((node.level << self.network.dimensions()) + node.row.0) as usize;
        let used = &mut self.used[switch][x as usize];
        let end = self.network.end(node, x, 0);
        let places = self.edges.places(end.node, end.y);
        let out = if !self.release {
            if *used >= self.network.bundle() {
                return false;
            }
            *used
        } else {
            let place = match self.switch {
                Switch::Strong => self.edges.busy.first_missing(places.clone()),
                Switch::Weak => {
                    let place = places.start + *used as usize;
                    (!self.edges.busy.contains(place)).then_some(place)
                }
            };
            let Some(place) = place else { return false };
            self.edges.busy.insert(place);
            self.ways[packet * self.network.levels() as usize + node.level as usize] =
                (place as u32, switch as u32);
            (place - places.start) as u32
        };
        *used = if self.release { (out + 1) % self.network.bundle() } else { out + 1 };
        self.edges.owner[places.start + out as usize] = packet as u32;
        self.heads[packet].at = InEdge { e: out, ..end };
        self.chunks[chunk].grant[lane] = 1 << (2 * node.level);
        self.active[chunk] = true;
        self.end.waits += u64::from(self.step - since);
        let level = node.level + self.first_level;
        see(Shunt { step: self.step, level, row: node.row, y, e, x, out });
        true
    }

    /// Looks at all heads that have come, in the order of a trace, which is that of their places.
    fn strong(&mut self, see: &mut impl FnMut(Shunt)) -> bool {
        let mut any = false;
        for word in 0..self.waiting.words() {
            let mut places = self.waiting.take_word(word);
            while places != 0 {
                let place = 64 * word + places.trailing_zeros() as usize;
                places &= places - 1;
                if self.shunt(self.edges.owner[place] as usize, see) {
                    any = true;
                } else if self.release {
                    self.parked.insert(place);
                }
            }
        }
        any
    }

    /// Looks at the switches where something has changed.
    fn weak(&mut self, see: &mut impl FnMut(Shunt)) -> bool {
        let mut any = false;
        for word in 0..self.ready.words() {
            let mut switches = self.ready.word(word);
            while switches != 0 {
                let switch = 64 * word + switches.trailing_zeros() as usize;
                switches &= switches - 1;
                if self.serve(switch, see) {
                    any = true;
                } else {
                    self.ready.remove(switch);
                }
            }
        }
        any
    }

    /// Lets a weak switch shunt one edge, if it can.
    fn serve(&mut self, switch: usize, see: &mut impl FnMut(Shunt)) -> bool {
        let node = self.network.node(switch as u32);
        let (turn, first) = self.turns[switch];
        for y in [first, 1 - first] {
            let e = turn[y as usize];
            let places = self.edges.places(node, y);
            let place = places.start + e as usize;
            if place < places.end
                && self.waiting.contains(place)
                && self.shunt(self.edges.owner[place] as usize, see)
            {
                self.waiting.remove(place);
                let round = self.release && node.level > 0;
                let (turn, first) = &mut self.turns[switch];
                turn[y as usize] = if round { (e + 1) % self.network.bundle() } else { e + 1 };
                *first = 1 - y;
                return true;
            }
        }
        false
    }

    /// Frees the edges that the last bits of worms have left.
    fn tails(&mut self, chunk: usize, report: &Report) {
        for (lane, &tail) in report.tails.iter().enumerate().filter(|&(_, &tail)| tail != 0) {
            self.free(chunk * LANES + lane, tail.trailing_zeros() / 2);
        }
    }

    /// Frees the edge of a packet that ends at a level, and lets the switch before it look at its heads again.
    fn free(&mut self, packet: usize, level: u32) {
        let (place, switch) = self.ways[packet * self.network.levels() as usize + level as usize - 1];
        self.edges.busy.remove(place as usize);
        match self.switch {
            Switch::Strong => {
                let heads = self.edges.places_of(self.network.node(switch));
                self.parked.move_to(&mut self.waiting, heads);
            }
            Switch::Weak => self.ready.insert(switch as usize),
        }
    }

    /// New heads, words used up, words that have arrived.
    fn attend(&mut self, chunk: usize, report: &Report) {
        for lane in 0..LANES {
            let packet = chunk * LANES + lane;
            if report.heads[lane] != 0 {
                let InEdge { node, y, e } = self.heads[packet].at;
                self.heads[packet].since = self.step + 1;
                self.waiting.insert(self.edges.places(node, y).start + e as usize);
                if self.switch == Switch::Weak {
                    self.ready.insert(((node.level << self.network.dimensions()) + node.row.0) as usize);
                }
            }
            if report.words[lane] & REFILL != 0 {
                self.refill(packet);
            }
            if report.words[lane] & FLUSH != 0 {
                self.flush(packet);
            }
        }
    }

    /// Stores a word that has arrived.
    fn flush(&mut self, packet: usize) {
        let bits = self.next_word(packet);
        let chunk = &mut self.chunks[packet / LANES];
        let place = packet * self.stride + self.stored[packet] as usize / 64;
        self.end.received[place] = chunk.sink[packet % LANES] >> (64 - bits);
        self.stored[packet] += bits as u32;
        let next = self.next_word(packet);
        if next > 0 {
            self.chunks[packet / LANES].wanted[packet % LANES] = next;
            return;
        }
        let InEdge { node, y, e } = self.heads[packet].at;
        self.end.arrived[packet] = Some(Arrived { row: node.row, step: self.step, y, e });
        self.end.steps = u64::from(self.step - self.begun) + 1;
        self.left -= 1;
        if self.release {
            self.free(packet, self.network.levels());
        }
    }

    /// The heads that stand at the end.
    fn blocked(&mut self) {
        let standing = |&packet: &u32| self.end.arrived[packet as usize].is_none();
        let mut found = Vec::new();
        for packet in self.edges.owner.iter().copied().filter(|&packet| packet != u32::MAX).filter(standing) {
            let at = self.heads[packet as usize].at;
            found.push((at, packet));
        }
        found.sort_unstable();
        found.dedup();
        for (at, packet) in found {
            let switch = ((at.node.level << self.network.dimensions()) + at.node.row.0) as usize;
            let x = self.chunks[packet as usize / LANES].front(packet as usize % LANES, at.node.level);
            let waits_for = match self.switch {
                Switch::Weak if self.turns[switch].0[at.y as usize] != at.e => {
                    WaitsFor::Turn(self.turns[switch].0[at.y as usize])
                }
                _ => WaitsFor::Bundle(x),
            };
            let node = Node { level: at.node.level + self.first_level, ..at.node };
            self.end.blocked.push(Blocked { packet, at: InEdge { node, ..at }, waits_for });
        }
    }
}
