use crate::table::*;

cell! {
    /// The 2×2 switch of a streamed permutation: the words have no valid bit of their own, since all lanes of a beat share one.
    TurnSwitch, TurnSwitchSpec, "frit_turn_switch":
    "2x2 switch of a streamed permutation: state_i 0 is straight, 1 is cross. Latency 1 cycle.";
    "All lanes of a beat share one valid bit, which is not here. State: 2 words, without reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In state_i: Bit, "0: input 0 goes to output 0 and input 1 to output 1. 1: input 0 goes to output 1 and input 1 to output 0";
        In data0_i: Bus(width, "W"), "word of input 0";
        In data1_i: Bus(width, "W"), "word of input 1";
        Out data0_o: Bus(width, "W") = data0.q, "word of output 0";
        Out data1_o: Bus(width, "W") = data1.q, "word of output 1";
    }
    parts {
        data0: DataReg = DataReg::new(width, "W");
        data1: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for TurnSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        self.data0.d.next = self.data0_i.val();
        self.data1.d.next = self.data1_i.val();
        if self.state_i.val() {
            self.data0.d.next = self.data1_i.val();
            self.data1.d.next = self.data0_i.val();
        }
    }
}
