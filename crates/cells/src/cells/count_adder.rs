use crate::table::*;

cell! {
    CountAdder, CountAdderSpec, "frit_count_adder":
    "Adds two counts.";
    "The carry is dropped. A multibutterfly's node uses it to add what the inputs report, and for other sums. Combinational. No state.";
    parameters {
        CountBits bits: u32 = 4, "bits of a count";
    }
    ports {
        In left_i: Bus(bits, "CountBits"), "first count";
        In right_i: Bus(bits, "CountBits"), "second count";
        Out sum_o: Bus(bits, "CountBits"), "sum of the counts, same cycle";
    }
}

impl kernel::Kernel for CountAdder {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_o.next = self.left_i.val() + self.right_i.val();
    }
}
