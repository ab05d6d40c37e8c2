use crate::table::*;

cell! {
    /// A head and an edge of each out bundle.
    RankMatch, RankMatchSpec, "frit_rank_match":
    "Matches a head with one edge of each out bundle, where edges are released: the head is given the edge if its rank among the heads is the rank of the edge among the free edges.";
    "A strong switch has one for each in edge and each number of an out edge. A rank that is too large (its top bit is set) matches no edge. Combinational. No state.";
    parameters {
        RankBits bits: u32 = 3, "bits of a count, its top bit included, 2 or more", at_least 2;
    }
    ports {
        In want0_i: Bit, "the head wants an edge of out bundle 0";
        In want1_i: Bit, "the head wants an edge of out bundle 1";
        In rank0_i: Bus(bits, "RankBits"), "number of heads before this one that want an edge of out bundle 0";
        In rank1_i: Bus(bits, "RankBits"), "number of heads before this one that want an edge of out bundle 1";
        In free0_i: Bit, "the edge of out bundle 0 is free";
        In free1_i: Bit, "the edge of out bundle 1 is free";
        In place0_i: Bus(bits, "RankBits"), "number of free edges of out bundle 0 before this edge";
        In place1_i: Bus(bits, "RankBits"), "number of free edges of out bundle 1 before this edge";
        Out given0_o: Bit, "the head is given the edge of out bundle 0, same cycle";
        Out given1_o: Bit, "the head is given the edge of out bundle 1, same cycle";
    }
}

impl kernel::Kernel for RankMatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.given0_o.next = self.want0_i.val() & self.free0_i.val() & (self.rank0_i.val() == self.place0_i.val());
        self.given1_o.next = self.want1_i.val() & self.free1_i.val() & (self.rank1_i.val() == self.place1_i.val());
    }
}
