use crate::table::*;

cell! {
    /// How many ghosts an output needs on either side: g' for inputs that are not committed, g'' for those that are.
    GhostCounter, GhostCounterSpec, "frit_ghost_counter":
    "Counts the ghosts that an output of a multibutterfly needs: g' is the sum of the different sizes that are still requested, and g'' is the number of messages that the committed inputs report.";
    "Sizes are different powers of two, so their sum is the word with their bits. State: g' and g'' (reset to 0).";
    parameters {
        CountBits bits: u32 = 4, "bits of a count of buffers";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no ghosts";
        In weigh_i: Bit, "sets g' to sizes_i";
        In sizes_i: Bus(bits, "CountBits"), "sizes still requested, each at the bit of its value";
        In count_i: Bit, "sets g'' to sum_i";
        In sum_i: Bus(bits, "CountBits"), "sum of the reports of the committed inputs";
        Out asked_o: Bus(bits, "CountBits") = asked.q, "g', ghosts for inputs that are not committed";
        Out told_o: Bus(bits, "CountBits") = told.q, "g'', ghosts for committed inputs";
    }
    parts {
        asked: Reg = Reg::zero(bits, "CountBits").purpose("g'");
        told: Reg = Reg::zero(bits, "CountBits").purpose("g''");
    }
}

impl kernel::Kernel for GhostCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The sum of the sizes that still ask, and what the committed sides have reported.");
        if self.weigh_i.val() {
            self.asked.d.next = self.sizes_i.val();
        }
        if self.count_i.val() {
            self.told.d.next = self.sum_i.val();
        }
    }
}
