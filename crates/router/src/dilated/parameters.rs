//! The parameters of a run, checked once.

use frit_network::{DilatedButterfly, Refusal, refuse};

/// How much a switch sees in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// All edges, and shunts any number of them.
    Strong,
    /// One edge of each in bundle, and shunts one.
    Weak,
}

/// How the two passes share the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each pass has its own copy; the second copy comes after the first.
    Unrolled,
    /// Both passes use one network; the second pass begins when no bit of the first moves any more, with all edges unused.
    Barrier,
}

/// The parameters of a dilated butterfly and of its run, named as in `frit route dilated --set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// 2^n.
    pub rows: u64,
    /// b: edges in a bundle.
    pub bundle: u32,
    /// M: bits that a packet carries after its header.
    pub payload: u32,
    /// Q: bits that can wait at the end of an edge. The paper has 2; room for a whole packet is cut-through routing.
    pub queue: u32,
    /// Strong or weak.
    pub switch: Switch,
    /// Two copies or a barrier. Without intermediate rows there is one pass, and both are the same.
    pub mode: Mode,
    /// An edge is unused again the step after the last bit of its worm has left its queue (an extension: in the paper no
    /// edge is used twice).
    pub release: bool,
    /// Packets go to their destinations in one pass instead of through random intermediate rows.
    pub direct: bool,
    /// Seed of intermediate rows and payload.
    pub seed: u64,
}

/// The most edges in a bundle: more of them than all packets of a large network are of no use.
pub const MAX_BUNDLE: u32 = 1 << 16;
/// The most payload bits.
pub const MAX_PAYLOAD: u32 = 1 << 24;
/// The most bits in a queue, header included.
pub const MAX_QUEUE: u32 = MAX_PAYLOAD + 64;
/// The most packets.
pub const MAX_PACKETS: u64 = 1 << 26;
/// The most memory that a run may take, in bytes.
pub const MAX_MEMORY: u64 = 16 << 30;

impl Parameters {
    /// The paper's network with bundles of `bundle` edges: unrolled, strong, queues of two bits, 32 payload bits.
    pub fn new(rows: u64, bundle: u32, seed: u64) -> Self {
        Parameters {
            rows,
            bundle,
            payload: 32,
            queue: 2,
            switch: Switch::Strong,
            mode: Mode::Unrolled,
            release: false,
            direct: false,
            seed,
        }
    }

    /// Passes that a packet makes.
    pub fn passes(&self) -> u32 {
        if self.direct { 1 } else { 2 }
    }

    /// The network; in unrolled mode it contains both passes, one after the other.
    ///
    /// # Errors
    ///
    /// A parameter that is out of its range.
    pub fn network(&self) -> Result<DilatedButterfly, Refusal> {
        let most = [("bundle", self.bundle, "edges in a bundle", MAX_BUNDLE)]
            .into_iter()
            .chain([("payload", self.payload, "bits after the header of a packet", MAX_PAYLOAD)])
            .chain([("queue", self.queue, "bits that can wait at the end of an edge", MAX_QUEUE)]);
        for (name, given, meaning, most) in most {
            if !(1..=most).contains(&given) {
                refuse!("{name} = {given}: {meaning}; it must be from 1 to {most}");
            }
        }
        let copies = if self.mode == Mode::Unrolled { self.passes() } else { 1 };
        DilatedButterfly::new(self.rows, self.bundle, copies)
    }
}
