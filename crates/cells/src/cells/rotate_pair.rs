use crate::table::*;

cell! {
    /// Two lanes of a column of a rotator: for each a multiplexer, which takes the word of its own lane or that of the lane so many
    /// below by which the column turns, and a register. Data have no reset.
    RotatePair, RotatePairSpec, "frit_rotate_pair":
    "Two lanes of a column that turns all lanes or none: state_i 0 takes the words of their own lanes, 1 those that are turned. Latency 1 cycle.";
    "State: 2 valid bits (reset to 0) and 2 words, which have no reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the valid bits";
        In state_i: Bit, "0: each lane takes its own word. 1: each lane takes the turned word";
        In valid0_i: Bit, "lane 0 holds a word";
        In data0_i: Bus(width, "W"), "word of lane 0";
        In valid1_i: Bit, "lane 1 holds a word";
        In data1_i: Bus(width, "W"), "word of lane 1";
        In turned_valid0_i: Bit, "the lane that turns into lane 0 holds a word";
        In turned_data0_i: Bus(width, "W"), "word of this lane";
        In turned_valid1_i: Bit, "the lane that turns into lane 1 holds a word";
        In turned_data1_i: Bus(width, "W"), "word of this lane";
        Out valid0_o: Bit = valid0.q, "lane 0 holds a word behind the column";
        Out data0_o: Bus(width, "W") = data0.q, "word of lane 0. Follows its input also while that input is not valid";
        Out valid1_o: Bit = valid1.q, "lane 1 holds a word behind the column";
        Out data1_o: Bus(width, "W") = data1.q, "word of lane 1. Follows its input also while that input is not valid";
    }
    parts {
        valid0: BitReg;
        valid1: BitReg;
        data0: DataReg = DataReg::new(width, "W");
        data1: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for RotatePair {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Straight, or as the rotation is turned.");
        self.valid0.d.next = self.valid0_i.val();
        self.valid1.d.next = self.valid1_i.val();
        self.data0.d.next = self.data0_i.val();
        self.data1.d.next = self.data1_i.val();
        if self.state_i.val() {
            self.valid0.d.next = self.turned_valid0_i.val();
            self.valid1.d.next = self.turned_valid1_i.val();
            self.data0.d.next = self.turned_data0_i.val();
            self.data1.d.next = self.turned_data1_i.val();
        }
    }
}
