use crate::atoms::Reg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Hands the round of one stage's table to the next, a cycle later: each stage works one cycle behind the one before.
    RoundDelay, RoundDelaySpec, "frit_round_delay":
    "Hands the round from the table of one stage to that of the next, one cycle later.";
    "Each stage works one cycle behind the one before. It also hands other control on: to a fabric that works behind its terminals, and, of labels, whether there was a conflict. State: the round (reset to 0).";
    parameters {
        RoundBits bits: u32 = 3, "bits of a round's number, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In round_i: Bus(bits, "RoundBits"), "the round of this stage";
        Out round_o: Bus(bits, "RoundBits"), "the round of the next stage: round_i one cycle ago";
    }
    parts {
        round: Reg = Reg::zero(bits, "RoundBits");
    }
}

impl Logic for RoundDelay {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, round);
        self.round.reset.next = self.rst_i.val();
        self.round.d.next = self.round_i.val();
        self.round_o.next = self.round.q.val();
    }
}
