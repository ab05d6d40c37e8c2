use crate::table::*;

cell! {
    /// Where the ghosts of a side end: buffers from there on are empty.
    GhostEnd, GhostEndSpec, "frit_ghost_end":
    "End e of the ghosts of a side of a multibutterfly's node: e = m + g' + g'' when the ghosts were last settled.";
    "The buffers from m up to e hold ghosts. State: e (reset to 0).";
    parameters {
        CountBits bits: u32 = 4, "bits of a count of buffers, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no ghosts";
        In settle_i: Bit, "creates or deletes ghosts, until there are kept_i";
        In fill_i: Bus(bits, "CountBits"), "m, the number of messages";
        In kept_i: Bus(bits, "CountBits"), "number of ghosts needed, g' + g''";
        Out end_o: Bus(bits, "CountBits") = ghosts_end.q, "e, the end of the ghosts";
    }
    parts {
        ghosts_end: Reg = Reg::zero(bits, "CountBits").purpose("e");
    }
}

impl kernel::Kernel for GhostEnd {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The ghosts begin behind the messages.");
        if self.settle_i.val() {
            self.ghosts_end.d.next = self.fill_i.val() + self.kept_i.val();
        }
    }
}
