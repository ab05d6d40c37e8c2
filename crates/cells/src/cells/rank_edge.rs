use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RankEdge`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankEdgeSpec {
    /// Edges in a bundle.
    pub edges: u32,
    /// Bits of a rank, its top bit included.
    pub bits: u32,
}

impl Describe for RankEdgeSpec {
    fn module(&self) -> String {
        "frit_rank_edge".into()
    }
    fn title(&self) -> &'static str {
        "frit_rank_edge"
    }
    fn summary(&self) -> &'static str {
        "From the rank of a head the edge that it is given: a bit for each edge, none if there is none of so high a number."
    }
    fn details(&self) -> &'static str {
        "Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Edges", self.edges, "edges in a bundle, 1 or more"),
            Parameter::plain("RankBits", self.bits, "bits of a count, 2^(RankBits-1) is Edges or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RankEdge::new(self.edges as usize, self.bits as usize))
    }
    fn example() -> Self {
        RankEdgeSpec { edges: 4, bits: 3 }
    }
}

/// The last part of a strong switch's ranker: the rank in the bundle that the head wants becomes an edge.
#[derive(LogicBlock)]
pub struct RankEdge {
    want0_i: Signal<In, Bit>,
    want1_i: Signal<In, Bit>,
    rank0_i: Bus<In>,
    rank1_i: Bus<In>,
    take_o: Signal<Out, Bit>,
    edge_o: Bus<Out>,
    one: Const,
    rank: Bus<Local>,
    place: Bus<Local>,
}

impl RankEdge {
    /// For bundles of `edges` edges and ranks of `bits` bits.
    pub fn new(edges: usize, bits: usize) -> Self {
        RankEdge {
            want0_i: Default::default(),
            want1_i: Default::default(),
            rank0_i: Bus::named(bits, "RankBits"),
            rank1_i: Bus::named(bits, "RankBits"),
            take_o: Default::default(),
            edge_o: Bus::named(edges, "Edges"),
            one: Const::one(edges, "Edges"),
            rank: Bus::named(bits, "RankBits"),
            place: Bus::named(edges, "Edges"),
        }
    }
}

cell_ports!(RankEdge:
    In want0_i "a head wants an edge of out bundle 0",
    In want1_i "a head wants an edge of out bundle 1",
    In rank0_i "its rank in out bundle 0",
    In rank1_i "its rank in out bundle 1",
    Out take_o "it is given one, same cycle",
    Out edge_o "which, same cycle: a bit for each edge",
);

impl Logic for RankEdge {
    #[hdl_gen]
    fn update(&mut self) {
        self.rank.next = self.rank0_i.val();
        if self.want1_i.val() {
            self.rank.next = self.rank1_i.val();
        }
        self.place.next = self.one.val() << self.rank.val();
        self.take_o.next = (self.want0_i.val() | self.want1_i.val()) & self.place.val().any();
        self.edge_o.next = self.place.val();
    }
}
