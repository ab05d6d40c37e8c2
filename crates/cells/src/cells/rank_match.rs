use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// A head and an edge of each out bundle.
    RankMatch, RankMatchSpec, "frit_rank_match":
    "Whether a head is given an edge where edges are released: if its rank among the heads is the edge's among the unused ones.";
    "For one in edge of a strong switch and the edges of one number of both out bundles. A rank that is too large (its top bit) is no edge's. Combinational. No state.";
    parameters {
        RankBits bits: u32 = 3, "bits of a count, its top bit included, 2 or more", at_least 2;
    }
    ports {
        In want0_i: Bit, "the head wants an edge of out bundle 0";
        In want1_i: Bit, "the head wants an edge of out bundle 1";
        In rank0_i: Bus(bits, "RankBits"), "heads before it that want one of out bundle 0";
        In rank1_i: Bus(bits, "RankBits"), "heads before it that want one of out bundle 1";
        In free0_i: Bit, "nobody has the edge of out bundle 0";
        In free1_i: Bit, "nobody has the edge of out bundle 1";
        In place0_i: Bus(bits, "RankBits"), "edges of out bundle 0 before it that nobody has";
        In place1_i: Bus(bits, "RankBits"), "edges of out bundle 1 before it that nobody has";
        Out given0_o: Bit, "the head is given the edge of out bundle 0, same cycle";
        Out given1_o: Bit, "the head is given the edge of out bundle 1, same cycle";
    }
}

impl Logic for RankMatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.given0_o.next = self.want0_i.val() & self.free0_i.val() & (self.rank0_i.val() == self.place0_i.val());
        self.given1_o.next = self.want1_i.val() & self.free1_i.val() & (self.rank1_i.val() == self.place1_i.val());
    }
}
