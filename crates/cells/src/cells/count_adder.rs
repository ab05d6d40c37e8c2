use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Adds two counts.
    CountAdder, CountAdderSpec, "frit_count_adder":
    "Adds two counts.";
    "A node of the tree that adds what the inputs report, and what else is added in a node. The carry is dropped. Combinational. No state.";
    parameters {
        CountBits bits: u32 = 4, "bits of a count";
    }
    ports {
        In left_i: Bus(bits, "CountBits"), "a count";
        In right_i: Bus(bits, "CountBits"), "another";
        Out sum_o: Bus(bits, "CountBits"), "both together, same cycle";
    }
}

impl Logic for CountAdder {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_o.next = self.left_i.val() + self.right_i.val();
    }
}
