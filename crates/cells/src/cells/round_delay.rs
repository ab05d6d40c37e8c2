use crate::table::*;

cell! {
    /// Hands the round of one stage's table to the next, a cycle later: each stage works one cycle behind the one before.
    RoundDelay, RoundDelaySpec, "frit_round_delay":
    "Delays the number of the round by one cycle between the table of one stage and the table of the next.";
    "Each stage works one cycle behind the stage before it. The cell also delays other control signals: those of a fabric that works behind its terminals, and the conflict of labels. State: the round (reset to 0).";
    parameters {
        RoundBits bits: u32 = 3, "bits of the number of a round, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In round_i: Bus(bits, "RoundBits"), "round of this stage";
        Out round_o: Bus(bits, "RoundBits") = round.q, "round of the next stage: round_i one cycle ago";
    }
    parts {
        round: Reg = Reg::zero(bits, "RoundBits");
    }
}

impl kernel::Kernel for RoundDelay {
    #[hdl_gen]
    fn update(&mut self) {
        self.round.d.next = self.round_i.val();
    }
}
