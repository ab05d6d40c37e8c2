//! Worms as words: the lengths of all queues that a worm fills, two bits a level, are one word, and so are the front bits of
//! its queues, the second bits and so on. A step of a worm is a few operations on these words, whatever its length, and
//! eight worms are one vector.
//!
//! Field f of a word (bits 2f and 2f + 1) is the queue at the end of the worm's edge into level f. Field 0 is the packet
//! before it has started: its length is 1 as long as there are bits.

/// The low bit of each field.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Worms that are moved together.
pub(super) const LANES: usize = 32;

/// The most levels: the field behind the last is needed while a bit is delivered.
pub(super) const MAX_LEVELS: u32 = 31;

/// Worms, a word of each kind for every one; queues of up to `Q` bits.
#[derive(Clone, Debug)]
pub(super) struct Chunk<const Q: usize> {
    /// Bits in each queue.
    pub lengths: [u64; LANES],
    /// The low bits of the fields whose edges are shunted: all before the head's.
    pub shunted: [u64; LANES],
    /// The i-th bits of all queues.
    pub slots: [[u64; LANES]; Q],
    /// The field whose routing bit is stripped in this step, if any.
    pub grant: [u64; LANES],
    /// Bits that have not started, the next one in the least significant place.
    pub source: [u64; LANES],
    /// How many of them there are.
    pub left: [u64; LANES],
    /// Bits that have arrived, the last one in the most significant place.
    pub sink: [u64; LANES],
    /// How many more fit into the word, or complete the packet.
    pub wanted: [u64; LANES],
}

/// What must be looked at one by one after a step.
#[derive(Clone, Debug)]
pub(super) struct Report {
    /// The field into which a head has come.
    pub heads: [u64; LANES],
    /// The field that the last bit of a worm has left.
    pub tails: [u64; LANES],
    /// [`REFILL`] and [`FLUSH`].
    pub words: [u64; LANES],
    /// Anything moved in some worm.
    pub moved: bool,
    /// Anything of the above but `tails` in some worm.
    pub any: bool,
}

/// The word of bits to start is used up.
pub(super) const REFILL: u64 = 1;
/// The word of arrived bits is full, or the packet complete.
pub(super) const FLUSH: u64 = 2;

impl<const Q: usize> Chunk<Q> {
    /// No worms.
    pub(super) fn empty() -> Self {
        let none = [0; LANES];
        Chunk {
            lengths: none,
            shunted: none,
            slots: [none; Q],
            grant: none,
            source: none,
            left: none,
            sink: none,
            wanted: [u64::MAX; LANES],
        }
    }

    /// Gives a worm the next bits of its packet, of which there are some.
    pub(super) fn refill(&mut self, lane: usize, word: u64, bits: u64) {
        self.source[lane] = word;
        self.left[lane] = bits;
        self.lengths[lane] |= 1;
        self.slots[0][lane] = self.slots[0][lane] & !1 | word & 1;
    }

    /// The front bit of a queue.
    pub(super) fn front(&self, lane: usize, level: u32) -> u32 {
        (self.slots[0][lane] >> (2 * level) & 1) as u32
    }
}

impl Report {
    /// Nothing to report.
    pub(super) fn empty() -> Self {
        let none = [0; LANES];
        Report { heads: none, tails: none, words: none, moved: false, any: false }
    }
}

/// A step of some worms in a network of `levels` levels: every bit of a shunted queue moves on if the next queue has room, the
/// bits granted are stripped.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx+avx2+bmi1+bmi2",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
pub(super) fn step<const Q: usize>(chunk: &mut Chunk<Q>, levels: u32, report: &mut Report) {
    let sink = 2 * levels;
    let inner = (1u64 << sink) - 1;
    let (mut moved, mut any) = (0, 0);
    for lane in 0..LANES {
        let (lengths, shunted) = (chunk.lengths[lane], chunk.shunted[lane]);
        let (low, high) = (lengths & LOW, lengths >> 1 & LOW);
        let filled = low | high;
        let full = match Q {
            1 => low,
            2 => high,
            _ => low & high,
        };
        // Decided on the start of the step: who has a bit, and whether the next queue has room.
        let go = filled & shunted & !full >> 2;
        let leave = go | chunk.grant[lane];
        let bits = chunk.slots[0][lane] & go;
        // What leaves.
        let mut rest = lengths - leave;
        let mut slots = [0; Q];
        for (slot, to) in slots.iter_mut().enumerate() {
            let behind = if slot + 1 < Q { chunk.slots[slot + 1][lane] } else { 0 };
            *to = chunk.slots[slot][lane] & !leave | behind & leave;
        }
        // What comes: a field further, behind what is there.
        let (come, bits) = (go << 2, bits << 2);
        let (some, more) = (rest & LOW, rest >> 1 & LOW);
        for (slot, to) in slots.iter_mut().enumerate() {
            let here = match slot {
                0 => !some & !more,
                1 => some & !more,
                _ => more & !some,
            };
            *to |= bits & if Q == 1 { !0 } else { here };
        }
        rest += come;
        // The sink takes what has come behind the last level.
        let out = come >> sink & 1;
        let value = bits >> sink & 1;
        rest &= inner;
        let arrived = chunk.sink[lane];
        chunk.sink[lane] = if out == 1 { arrived >> 1 | value << 63 } else { arrived };
        let wanted = chunk.wanted[lane] - out;
        chunk.wanted[lane] = wanted;
        // The packet before its start.
        let started = leave & 1;
        let source = chunk.source[lane] >> started;
        let left = chunk.left[lane] - started;
        chunk.source[lane] = source;
        chunk.left[lane] = left;
        rest = rest & !1 | u64::from(left != 0);
        slots[0] = slots[0] & !1 | source & 1;
        for (slot, of) in slots.iter().enumerate() {
            chunk.slots[slot][lane] = of & inner;
        }
        chunk.lengths[lane] = rest;
        chunk.shunted[lane] = shunted | chunk.grant[lane];
        chunk.grant[lane] = 0;
        // A head has come into a queue that was empty and is the first that is not shunted.
        let heads = come & ((shunted << 2 | 1) ^ shunted) & !filled & inner;
        let after = (rest | rest >> 1) & LOW;
        report.heads[lane] = heads;
        // Behind the last queue with a bit there is none that could fill it again. Field 0 is no edge.
        report.tails[lane] = filled & filled.wrapping_neg() & !after & !1;
        let refill = started & u64::from(left == 0);
        let flush = out & u64::from(wanted == 0);
        let words = (refill * REFILL) | (flush * FLUSH);
        report.words[lane] = words;
        moved |= leave;
        any |= heads | words;
    }
    report.moved = moved != 0;
    report.any = any != 0;
}
