use crate::table::*;

cell! {
    /// The signature register of the self-test.
    Signature, SignatureSpec, "frit_signature":
    "Signature of the words of a run: a register that takes its next value in each step.";
    "It is a multiple-input signature register. What follows in a step is added outside this cell (frit_parity): the signature times a power of x, and the words. It is reset to 0.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In clear_i: Bit, "a run starts: the signature becomes 0";
        In step_i: Bit, "a step; else the signature is kept";
        In next_i: Bus(31), "the signature after a step";
        Out signature_o: Bus(31) = sum.q, "signature";
    }
    parts {
        none: Const = Const::local(0, 31, None, "31'd0");
        sum: Reg = Reg::fixed(31);
    }
}

impl kernel::Kernel for Signature {
    #[hdl_gen]
    fn update(&mut self) {
        if self.step_i.val() {
            self.sum.d.next = self.next_i.val();
        }
        if self.clear_i.val() {
            self.sum.d.next = self.none.val();
        }
    }
}
