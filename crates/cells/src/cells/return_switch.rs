use crate::table::*;

cell! {
    /// The way back through a switch of a crossbar: what an output says goes to the input that leads to it.
    ReturnSwitch, ReturnSwitchSpec, "frit_return_switch":
    "The way back through a switch of a crossbar, one bit wide: what the outputs of the switch say goes to the inputs that lead to them. Latency 1 cycle.";
    "State: 2 bits (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In state_i: Bit, "state of the switch: 0 is straight, 1 is cross";
        In back0_i: Bit, "what output 0 says";
        In back1_i: Bit, "what output 1 says";
        Out back0_o: Bit = back0.q, "what the output says to which input 0 leads, one cycle later";
        Out back1_o: Bit = back1.q, "what the output says to which input 1 leads, one cycle later";
    }
    parts {
        back0: BitReg;
        back1: BitReg;
    }
}

impl kernel::Kernel for ReturnSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The switch beside this one has the same state: what comes from the output to which an input leads goes back to this input.");
        self.back0.d.next = self.back0_i.val();
        self.back1.d.next = self.back1_i.val();
        if self.state_i.val() {
            self.back0.d.next = self.back1_i.val();
            self.back1.d.next = self.back0_i.val();
        }
    }
}
