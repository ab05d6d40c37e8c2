//! The modules of a multibutterfly: `D_side_c` and `D_node_c` (column c of inputs), `D_sink` (the last column), `D_fabric` (all nodes) and
//! `D_route` (with its sequencer).
//!
//! The word model, both sides at once. All nodes are in lock step: a sequencer says in every cycle which step of a phase it is.
//! A side is an array of buffers with three pointers, sent ≤ m ≤ e: messages that have gone, messages, ghosts, nothing. Buffer k
//! belongs to the (k mod R)-th port of the side, so a side is R *banks*, each wired to a port, and no buffer has a state or a port of
//! its own.

mod column;
mod fabric;
mod limits;
pub mod merge;
mod node;
mod payload;
mod requests;
mod route;
mod side;

pub use column::Column;
pub use fabric::node_name;
pub use limits::{MAX_BUFFERS, MAX_EDGES, MAX_PORTS, MAX_WORD};
pub(crate) use payload::message_number;
pub use payload::{number_bits, payload_bits, payloads};

use crate::netlist::Netlist;
use frit_network::multibutterfly::Node;
use frit_network::{MultiButterfly, Refusal, RowIdx};
use frit_router::multibutterfly::{Parameters, Problem};
use frit_schedule::plan::Variant;
use frit_traffic::fnv::Fnv32;

/// What of a multibutterfly its hardware depends on: everything but the messages.
#[derive(Clone, Debug)]
pub struct Hardware<'a> {
    problem: &'a Problem,
    buffers: u32,
    payload: u32,
    /// In what else the text of the design differs from that of others.
    pub variant: Option<Variant>,
}

impl<'a> Hardware<'a> {
    /// The hardware for sides of which at most `full` buffers are full at once, ghosts included: the plain engine's `max_raw`. It has
    /// a power of two of buffers, the size of such a side. A message carries its number and some bits more ([`payloads`]).
    ///
    /// # Errors
    ///
    /// The bit model, sides one after the other, `force`, and what is too large.
    pub fn new(problem: &'a Problem, full: u32) -> Result<Self, Refusal> {
        let payload = payload_bits(problem.messages().len());
        let least = 2 * problem.parameters().committed;
        let buffers = problem.parameters().size_of(full.min(1 << 30)).max(least);
        limits::check(problem, buffers, payload)?;
        Ok(Hardware { problem, buffers, payload, variant: None })
    }

    /// The same for messages of so many bits behind their address. The testbench's carry as many as [`Hardware::new`] gives them.
    ///
    /// # Errors
    ///
    /// No bits, and more than a word has.
    pub fn carrying(self, payload: u32) -> Result<Self, Refusal> {
        limits::check(self.problem, self.buffers, payload)?;
        Ok(Hardware { payload, ..self })
    }

    pub fn parameters(&self) -> &'a Parameters {
        self.problem.parameters()
    }

    /// The network with its wires.
    pub fn network(&self) -> &'a MultiButterfly {
        self.problem.network()
    }

    /// Columns of inputs, n: the nodes of column n take what arrives.
    pub fn columns(&self) -> u32 {
        self.network().shape().dimensions()
    }

    /// B: buffers of a side, a power of two.
    pub fn buffers(&self) -> u32 {
        self.buffers
    }

    /// Bits of a message behind its address.
    pub fn payload(&self) -> u32 {
        self.payload
    }

    /// Bits of a count of buffers.
    pub fn count_bits(&self) -> u32 {
        self.buffers.ilog2() + 1
    }

    /// Bits of a word that comes into a column: an address bit is used in each.
    pub fn word_bits(&self, column: u32) -> u32 {
        self.columns() - column + self.payload
    }

    /// What the nodes of a column have.
    pub fn column(&self, column: u32) -> Column {
        Column::new(self, column)
    }

    /// The most in-ports of a node: each has its turn in a round of moves.
    pub fn turns(&self) -> u32 {
        let shape = self.network().shape();
        (1..=self.columns()).map(|column| shape.in_ports(column)).max().unwrap_or(0)
    }

    /// Words that an in-port may take in its turn: the most buffers of a bank.
    pub fn slots(&self) -> u32 {
        let banks = (0..self.columns()).map(|column| self.column(column).banks());
        self.buffers / banks.min().unwrap_or(1)
    }

    /// Cycles of a phase: step 1, Z times three, g', the first reports; Y times four and a transfer for every turn and slot; sizes.
    pub fn phase_cycles(&self) -> u64 {
        let Parameters { requests, moves, .. } = *self.parameters();
        let transfers = u64::from(self.turns()) * u64::from(self.slots());
        3 * u64::from(requests) + 4 + u64::from(moves) * (transfers + 4)
    }

    /// The name of the design: its rows, and 32 bits of a digest of everything else that changes it, which the headers list.
    pub fn design_name(&self) -> String {
        let own = format!("multibutterfly_n{}_{:08x}", self.parameters().rows, self.digest());
        Variant::design_name(self.variant.as_ref(), own)
    }

    /// FNV-1a over the parameters and all ends, column by column.
    fn digest(&self) -> u32 {
        let Parameters { degree, committed, threshold, requests, moves, strict, free, .. } =
            *self.parameters();
        let parameters =
            [degree, committed, threshold, requests, moves, strict.into(), free, self.buffers, self.payload];
        let ends = (0..self.columns()).flat_map(|column| self.network().column_ends(column));
        Fnv32::of_words(parameters.into_iter().chain(ends.copied()))
    }

    /// The contract that stands above each module.
    fn header(&self, what: &str) -> Vec<String> {
        let Parameters { degree, committed, threshold, requests, moves, strict, free, .. } =
            *self.parameters();
        vec![
            what.into(),
            "Generated by Fritillary; do not edit.".into(),
            format!(
                "Multibutterfly: {} rows, {} columns of inputs, d = {degree}, R = {committed}, h = {threshold}, Z = {requests}, Y = {moves}, \
                 free = {free}, strict = {}, {} buffers a side, {} payload bits.",
                self.network().shape().rows(),
                self.columns(),
                if strict { "yes" } else { "no" },
                self.buffers,
                self.payload
            ),
            "Source: Deterministic routing of h-relations on the multibutterfly, section 3.".into(),
        ]
    }

    pub fn netlist(&self) -> Netlist {
        let mut netlist = Netlist::of_design(self.design_name());
        let mut nodes = Vec::new();
        for column in 0..self.columns() {
            let of = self.column(column);
            let side = netlist.add(side::module(self, of));
            nodes.push(netlist.add(node::module(self, of, side)));
        }
        nodes.push(netlist.add(node::sink(self)));
        let fabric = netlist.add(fabric::module(self, &nodes));
        netlist.add(route::module(self, fabric));
        netlist
    }

    /// The netlist of one node of a column of inputs.
    pub fn node_netlist(&self, column: u32) -> Netlist {
        let mut netlist = Netlist::of_design(self.design_name());
        let of = self.column(column);
        let side = netlist.add(side::module(self, of));
        netlist.add(node::module(self, of, side));
        netlist
    }

    /// Every node of the columns of inputs, column by column.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        let rows = self.network().shape().rows();
        (0..self.columns()).flat_map(move |column| RowIdx::all(rows).map(move |row| Node { column, row }))
    }
}
