use crate::atoms::{Bus, Const};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The last part of a strong switch's ranker: the rank in the bundle that the head wants becomes an edge.
    RankEdge, RankEdgeSpec, "frit_rank_edge":
    "From the rank of a head the edge that it is given: a bit for each edge, none if there is none of so high a number.";
    "Combinational. No state.";
    parameters {
        Edges edges: u32 = 4, "edges in a bundle, 1 or more";
        RankBits bits: u32 = 3, "bits of a count, 2^(RankBits-1) is Edges or more";
    }
    ports {
        In want0_i: Bit, "a head wants an edge of out bundle 0";
        In want1_i: Bit, "a head wants an edge of out bundle 1";
        In rank0_i: Bus(bits, "RankBits"), "its rank in out bundle 0";
        In rank1_i: Bus(bits, "RankBits"), "its rank in out bundle 1";
        Out take_o: Bit, "it is given one, same cycle";
        Out edge_o: Bus(edges, "Edges"), "which, same cycle: a bit for each edge";
    }
    parts {
        one: Const = Const::one(edges, "Edges");
        rank: Bus<Local> = Bus::named(bits, "RankBits");
        place: Bus<Local> = Bus::named(edges, "Edges");
    }
}

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
