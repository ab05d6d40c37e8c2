use crate::table::*;

cell! {
    /// Tells whether `tlast` of a stream stands where a data set ends.
    BeatCheck, BeatCheckSpec, "frit_beat_check":
    "Reports a tlast that comes early or late: the error stays until reset.";
    "Data sets are counted by their beats, whatever tlast says. State: 1 error (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In step_i: Bit, "a beat is taken";
        In ends_i: Bit, "this beat is the last of a data set";
        In tlast_i: Bit, "tlast of the beat";
        Out error_o: Bit = wrong.q, "error: tlast came early or late";
    }
    parts {
        wrong: BitReg = BitReg::default().purpose("tlast came early or late");
    }
}

impl kernel::Kernel for BeatCheck {
    #[hdl_gen]
    fn update(&mut self) {
        self.wrong.d.next = self.wrong.q.val() | (self.step_i.val() & (self.ends_i.val() ^ self.tlast_i.val()));
    }
}
