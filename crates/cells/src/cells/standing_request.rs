use crate::atoms::Reg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The request that stands at an in-port of an output, and whether it is granted.
    StandingRequest, StandingRequestSpec, "frit_standing_request":
    "Keeps the size that an in-port asks for, and grants it unless another in-port asks for the same.";
    "A size is one bit of Sizes, no bit is no request. State: the size (reset to none).";
    parameters {
        Sizes bits: u32 = 3, "sizes, a bit for each";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no request";
        In hear_i: Bit, "take over what the input says now";
        In size_i: Bus(bits, "Sizes"), "the size that the input asks for, or none";
        In twice_i: Bus(bits, "Sizes"), "sizes that two in-ports or more ask for";
        Out size_o: Bus(bits, "Sizes"), "the size that stands";
        Out grant_o: Bit, "no other in-port asks for it, same cycle";
    }
    parts {
        size: Reg = Reg::zero(bits, "Sizes");
    }
}

impl Logic for StandingRequest {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, size);
        self.size.reset.next = self.rst_i.val();
        self.size.d.next = self.size.q.val();
        if self.hear_i.val() {
            self.size.d.next = self.size_i.val();
        }
        self.size_o.next = self.size.q.val();
        self.grant_o.next = (self.size.q.val() & !self.twice_i.val()).any();
    }
}
