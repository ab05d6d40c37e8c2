use crate::table::*;

cell! {
    /// The edges of an out bundle that are used, as a count that stays where it is too large.
    RankCount, RankCountSpec, "frit_rank_count":
    "Counts the edges of an out bundle of a strong switch that have been wanted. The count is the rank of the first head of the cycle.";
    "A head that found no edge is counted again in every cycle that it waits. That does no harm: all edges are used by then. State: the count (reset to 0).";
    parameters {
        RankBits bits: u32 = 3, "bits of a count, its top bit included, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no edge is used";
        In total_i: Bus(bits, "RankBits"), "edges used and wanted in this cycle";
        Out used_o: Bus(bits, "RankBits") = used.q, "edges used before this cycle";
    }
    parts {
        used: Reg = Reg::zero(bits, "RankBits");
    }
}

impl kernel::Kernel for RankCount {
    #[hdl_gen]
    fn update(&mut self) {
        self.used.d.next = self.total_i.val();
    }
}
