use crate::table::*;

cell! {
    /// An error that stays.
    ErrorFlag, ErrorFlagSpec, "frit_error_flag":
    "Keeps an error until reset.";
    "State: the error (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In error_i: Bit, "an error";
        Out error_o: Bit = wrong.q, "there was an error in a cycle before";
    }
    parts {
        wrong: BitReg = BitReg::default().purpose("there was an error");
    }
}

impl kernel::Kernel for ErrorFlag {
    #[hdl_gen]
    fn update(&mut self) {
        self.wrong.d.next = self.wrong.q.val() | self.error_i.val();
    }
}
