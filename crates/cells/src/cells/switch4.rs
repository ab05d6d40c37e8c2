use crate::table::*;

cell! {
    /// The 4×4 switch: each output has the word of the input that its number says. One register deep; data have no reset.
    Switch4, Switch4Spec, "frit_switch4":
    "4x4 switch: from0_i to from3_i are the numbers of the inputs whose words go to outputs 0 to 3. Latency 1 cycle, initiation interval 1.";
    "Four different numbers make a permutation. State: 4 valid bits (reset to 0) and 4 words, which have no reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the valid bits";
        In from0_i: Bus(2), "number of the input whose word goes to output 0";
        In from1_i: Bus(2), "number of the input whose word goes to output 1";
        In from2_i: Bus(2), "number of the input whose word goes to output 2";
        In from3_i: Bus(2), "number of the input whose word goes to output 3";
        In valid0_i: Bit, "input 0 holds a word";
        In data0_i: Bus(width, "W"), "word of input 0";
        In valid1_i: Bit, "input 1 holds a word";
        In data1_i: Bus(width, "W"), "word of input 1";
        In valid2_i: Bit, "input 2 holds a word";
        In data2_i: Bus(width, "W"), "word of input 2";
        In valid3_i: Bit, "input 3 holds a word";
        In data3_i: Bus(width, "W"), "word of input 3";
        Out valid0_o: Bit = valid0.q, "output 0 holds a word";
        Out data0_o: Bus(width, "W") = data0.q, "word of output 0. Follows its input also while that input is not valid";
        Out valid1_o: Bit = valid1.q, "output 1 holds a word";
        Out data1_o: Bus(width, "W") = data1.q, "word of output 1. Follows its input also while that input is not valid";
        Out valid2_o: Bit = valid2.q, "output 2 holds a word";
        Out data2_o: Bus(width, "W") = data2.q, "word of output 2. Follows its input also while that input is not valid";
        Out valid3_o: Bit = valid3.q, "output 3 holds a word";
        Out data3_o: Bus(width, "W") = data3.q, "word of output 3. Follows its input also while that input is not valid";
    }
    parts {
        low: Const = Const::local(0, 1, None, "0");
        high: Const = Const::local(1, 1, None, "1");
        valid0: BitReg;
        valid1: BitReg;
        valid2: BitReg;
        valid3: BitReg;
        data0: DataReg = DataReg::new(width, "W");
        data1: DataReg = DataReg::new(width, "W");
        data2: DataReg = DataReg::new(width, "W");
        data3: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for Switch4 {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Output 0: one of inputs 0 and 1, or one of inputs 2 and 3.");
        self.valid0.d.next = self.valid0_i.val();
        self.data0.d.next = self.data0_i.val();
        if self.from0_i.val().get_bit(self.low.val().index()) {
            self.valid0.d.next = self.valid1_i.val();
            self.data0.d.next = self.data1_i.val();
        }
        if self.from0_i.val().get_bit(self.high.val().index()) {
            self.valid0.d.next = self.valid2_i.val();
            self.data0.d.next = self.data2_i.val();
            if self.from0_i.val().get_bit(self.low.val().index()) {
                self.valid0.d.next = self.valid3_i.val();
                self.data0.d.next = self.data3_i.val();
            }
        }
        comment!("Output 1: one of inputs 0 and 1, or one of inputs 2 and 3.");
        self.valid1.d.next = self.valid0_i.val();
        self.data1.d.next = self.data0_i.val();
        if self.from1_i.val().get_bit(self.low.val().index()) {
            self.valid1.d.next = self.valid1_i.val();
            self.data1.d.next = self.data1_i.val();
        }
        if self.from1_i.val().get_bit(self.high.val().index()) {
            self.valid1.d.next = self.valid2_i.val();
            self.data1.d.next = self.data2_i.val();
            if self.from1_i.val().get_bit(self.low.val().index()) {
                self.valid1.d.next = self.valid3_i.val();
                self.data1.d.next = self.data3_i.val();
            }
        }
        comment!("Output 2: one of inputs 0 and 1, or one of inputs 2 and 3.");
        self.valid2.d.next = self.valid0_i.val();
        self.data2.d.next = self.data0_i.val();
        if self.from2_i.val().get_bit(self.low.val().index()) {
            self.valid2.d.next = self.valid1_i.val();
            self.data2.d.next = self.data1_i.val();
        }
        if self.from2_i.val().get_bit(self.high.val().index()) {
            self.valid2.d.next = self.valid2_i.val();
            self.data2.d.next = self.data2_i.val();
            if self.from2_i.val().get_bit(self.low.val().index()) {
                self.valid2.d.next = self.valid3_i.val();
                self.data2.d.next = self.data3_i.val();
            }
        }
        comment!("Output 3: one of inputs 0 and 1, or one of inputs 2 and 3.");
        self.valid3.d.next = self.valid0_i.val();
        self.data3.d.next = self.data0_i.val();
        if self.from3_i.val().get_bit(self.low.val().index()) {
            self.valid3.d.next = self.valid1_i.val();
            self.data3.d.next = self.data1_i.val();
        }
        if self.from3_i.val().get_bit(self.high.val().index()) {
            self.valid3.d.next = self.valid2_i.val();
            self.data3.d.next = self.data2_i.val();
            if self.from3_i.val().get_bit(self.low.val().index()) {
                self.valid3.d.next = self.valid3_i.val();
                self.data3.d.next = self.data3_i.val();
            }
        }
    }
}
