use crate::table::*;

cell! {
    /// The controlled 2×2 switch: `state_i` 0 is straight, 1 is cross. One register deep; data have no reset.
    Switch, SwitchSpec, "frit_switch":
    "Controlled 2x2 switch: state_i 0 is straight, 1 is cross. Latency 1 cycle, initiation interval 1.";
    "State: 2 valid bits (reset to 0) and 2 words, which have no reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the valid bits";
        In state_i: Bit, "0: input 0 goes to output 0 and input 1 to output 1. 1: input 0 goes to output 1 and input 1 to output 0";
        In valid0_i: Bit, "input 0 holds a word";
        In data0_i: Bus(width, "W"), "word of input 0";
        In valid1_i: Bit, "input 1 holds a word";
        In data1_i: Bus(width, "W"), "word of input 1";
        Out valid0_o: Bit = valid0.q, "output 0 holds a word";
        Out data0_o: Bus(width, "W") = data0.q, "word of output 0. Follows its input also while that input is not valid";
        Out valid1_o: Bit = valid1.q, "output 1 holds a word";
        Out data1_o: Bus(width, "W") = data1.q, "word of output 1. Follows its input also while that input is not valid";
    }
    parts {
        valid0: BitReg;
        valid1: BitReg;
        data0: DataReg = DataReg::new(width, "W");
        data1: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for Switch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Straight, or crossed.");
        self.valid0.d.next = self.valid0_i.val();
        self.valid1.d.next = self.valid1_i.val();
        self.data0.d.next = self.data0_i.val();
        self.data1.d.next = self.data1_i.val();
        if self.state_i.val() {
            self.valid0.d.next = self.valid1_i.val();
            self.valid1.d.next = self.valid0_i.val();
            self.data0.d.next = self.data1_i.val();
            self.data1.d.next = self.data0_i.val();
        }
    }
}
