use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// What is left of a count.
    CountRest, CountRestSpec, "frit_count_rest":
    "What is left of a count.";
    "Of the buffers of a bank those whose messages have not gone. Combinational. No state.";
    parameters {
        CountBits bits: u32 = 4, "bits of a count";
    }
    ports {
        In all_i: Bus(bits, "CountBits"), "all";
        In gone_i: Bus(bits, "CountBits"), "those that are gone, not more";
        Out rest_o: Bus(bits, "CountBits"), "what is left, same cycle";
    }
}

impl Logic for CountRest {
    #[hdl_gen]
    fn update(&mut self) {
        self.rest_o.next = self.all_i.val() - self.gone_i.val();
    }
}
