use crate::table::*;

cell! {
    /// What is left of a count.
    CountRest, CountRestSpec, "frit_count_rest":
    "Subtracts a count.";
    "A bank uses it to count the buffers whose messages have not been sent. Combinational. No state.";
    parameters {
        CountBits bits: u32 = 4, "bits of a count";
    }
    ports {
        In all_i: Bus(bits, "CountBits"), "total";
        In gone_i: Bus(bits, "CountBits"), "count to subtract, at most all_i";
        Out rest_o: Bus(bits, "CountBits"), "all_i minus gone_i, same cycle";
    }
}

impl kernel::Kernel for CountRest {
    #[hdl_gen]
    fn update(&mut self) {
        self.rest_o.next = self.all_i.val() - self.gone_i.val();
    }
}
