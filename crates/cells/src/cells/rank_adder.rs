use crate::table::*;

cell! {
    /// A sum that stops where no edge has so high a number: its top bit stays.
    RankAdder, RankAdderSpec, "frit_rank_adder":
    "Adds two counts of wanted edges. A sum that does not fit into the lower bits is only known to be too large.";
    "It is a node of the tree that ranks the heads of a strong switch. The top bit of a count says that the count is 2^(RankBits-1) or more. Once set, the top bit stays set, and the bits below have no meaning. Combinational. No state.";
    parameters {
        RankBits bits: u32 = 3, "bits of a count, its top bit included, 2 or more", at_least 2;
    }
    ports {
        In left_i: Bus(bits, "RankBits"), "first count";
        In right_i: Bus(bits, "RankBits"), "second count";
        Out sum_o: Bus(bits, "RankBits"), "sum of the counts, same cycle";
    }
    with {
        let top = 1 << (bits - 1);
    }
    parts {
        low: Const = Const::local(top - 1, bits, Some("RankBits"), "{1'b0, {(RankBits-1){1'b1}}}");
        top: Const = Const::local(top, bits, Some("RankBits"), "{1'b1, {(RankBits-1){1'b0}}}");
    }
}

impl kernel::Kernel for RankAdder {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_o.next = ((self.left_i.val() & self.low.val()) + (self.right_i.val() & self.low.val()))
            | ((self.left_i.val() | self.right_i.val()) & self.top.val());
    }
}
