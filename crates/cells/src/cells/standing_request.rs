use crate::table::*;

cell! {
    /// The request that stands at an in-port of an output, and whether it is granted.
    StandingRequest, StandingRequestSpec, "frit_standing_request":
    "Stores the size that an in-port of an output of a multibutterfly asks for, and grants the request unless another in-port asks for the same size.";
    "A size is one bit of Sizes; no bit set means no request. State: the size (reset to none).";
    parameters {
        Sizes bits: u32 = 3, "number of sizes, one bit for each size";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no request";
        In hear_i: Bit, "stores size_i";
        In size_i: Bus(bits, "Sizes"), "size that the input asks for, or 0";
        In twice_i: Bus(bits, "Sizes"), "sizes that two or more in-ports ask for";
        Out size_o: Bus(bits, "Sizes") = size.q, "size still requested";
        Out grant_o: Bit, "the request is granted: no other in-port asks for the same size, same cycle";
    }
    parts {
        size: Reg = Reg::zero(bits, "Sizes");
    }
}

impl kernel::Kernel for StandingRequest {
    #[hdl_gen]
    fn update(&mut self) {
        if self.hear_i.val() {
            self.size.d.next = self.size_i.val();
        }
        self.grant_o.next = (self.size.q.val() & !self.twice_i.val()).any();
    }
}
