use crate::atoms::BitReg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// An error that stays.
    ErrorFlag, ErrorFlagSpec, "frit_error_flag":
    "Keeps an error until reset.";
    "State: the error (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In error_i: Bit, "an error";
        Out error_o: Bit, "there was an error in a cycle before";
    }
    parts {
        wrong: BitReg = BitReg::default().purpose("there was an error");
    }
}

impl Logic for ErrorFlag {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, wrong);
        self.wrong.reset.next = self.rst_i.val();
        self.wrong.d.next = self.wrong.q.val() | self.error_i.val();
        self.error_o.next = self.wrong.q.val();
    }
}
