use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// A node of the tree that finds which sizes are asked for, and which more than once.
    SizePair, SizePairSpec, "frit_size_pair":
    "Joins two halves of a tree: which sizes are asked for, and which twice or more.";
    "Combinational. No state.";
    parameters {
        Sizes bits: u32 = 3, "sizes, a bit for each";
    }
    ports {
        In left_any_i: Bus(bits, "Sizes"), "sizes asked for in the left half";
        In left_twice_i: Bus(bits, "Sizes"), "and those twice or more";
        In right_any_i: Bus(bits, "Sizes"), "sizes asked for in the right half";
        In right_twice_i: Bus(bits, "Sizes"), "and those twice or more";
        Out any_o: Bus(bits, "Sizes"), "sizes asked for, same cycle";
        Out twice_o: Bus(bits, "Sizes"), "and those twice or more, same cycle";
    }
}

impl Logic for SizePair {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_o.next = self.left_any_i.val() | self.right_any_i.val();
        self.twice_o.next = self.left_twice_i.val() | self.right_twice_i.val() | (self.left_any_i.val() & self.right_any_i.val());
    }
}
