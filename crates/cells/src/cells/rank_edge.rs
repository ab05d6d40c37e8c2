use crate::table::*;

cell! {
    /// The last part of a strong switch's ranker: the rank in the bundle that the head wants becomes an edge.
    RankEdge, RankEdgeSpec, "frit_rank_edge":
    "Converts the rank of a head of a strong switch to the edge that it is given. If the rank exceeds the number of edges, no edge is given.";
    "Combinational. No state.";
    parameters {
        Edges edges: u32 = 4, "edges in a bundle, 1 or more";
        RankBits bits: u32 = 3, "bits of a count, 2^(RankBits-1) is Edges or more";
    }
    ports {
        In want0_i: Bit, "a head wants an edge of out bundle 0";
        In want1_i: Bit, "a head wants an edge of out bundle 1";
        In rank0_i: Bus(bits, "RankBits"), "rank of the head in out bundle 0";
        In rank1_i: Bus(bits, "RankBits"), "rank of the head in out bundle 1";
        Out take_o: Bit, "the head is given an edge, same cycle";
        Out edge_o: Bus(edges, "Edges") = place, "edge that is given, one bit for each edge, same cycle";
    }
    parts {
        one: Const = Const::one(edges, "Edges");
        rank: Bus<Local> = Bus::named(bits, "RankBits");
        place: Bus<Local> = Bus::named(edges, "Edges");
    }
}

impl kernel::Kernel for RankEdge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The rank within the bundle that is wanted is the number of the edge.");
        self.rank.next = self.rank0_i.val();
        if self.want1_i.val() {
            self.rank.next = self.rank1_i.val();
        }
        self.place.next = self.one.val() << self.rank.val();
        comment!("An edge beyond the last one is not given.");
        self.take_o.next = (self.want0_i.val() | self.want1_i.val()) & self.place.val().any();
    }
}
