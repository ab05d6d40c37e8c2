use crate::table::*;

cell! {
    /// The controlled 2×2 switch for wide words, two registers deep: the words wait in the first while the state goes to a
    /// [`LevelDriver`](super::LevelDriver) for each half of their bits.
    WideSwitch, WideSwitchSpec, "frit_wide_switch":
    "Controlled 2x2 switch for wide words: state 0 is straight, 1 is cross. Latency 2 cycles, initiation interval 1.";
    "The state comes one cycle after the words, from a register for each half of the bits of a word: one register for all bits would be slow. State: 4 valid bits (reset to 0) and 4 words, which have no reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the valid bits";
        In lower_i: Bit, "state for the lower W / 2 bits of the words of the last cycle. 0: input 0 goes to output 0 and input 1 to output 1. 1: input 0 goes to output 1 and input 1 to output 0";
        In upper_i: Bit, "the same state for the other bits and the valid bits";
        In valid0_i: Bit, "input 0 holds a word";
        In data0_i: Bus(width, "W"), "word of input 0";
        In valid1_i: Bit, "input 1 holds a word";
        In data1_i: Bus(width, "W"), "word of input 1";
        Out valid0_o: Bit = valid0.q, "output 0 holds a word";
        Out data0_o: Bus(width, "W") = data0.q, "word of output 0. Follows its input also while that input is not valid";
        Out valid1_o: Bit = valid1.q, "output 1 holds a word";
        Out data1_o: Bus(width, "W") = data1.q, "word of output 1. Follows its input also while that input is not valid";
    }
    with {
        let half = (1u64 << (width / 2)) - 1;
    }
    parts {
        none: Const = Const::zero(width, "W");
        lower: Const = Const::local(half, width, Some("W"), "{W{1'b1}} >> (W - W / 2)");
        upper: Const = Const::local(!half, width, Some("W"), "~({W{1'b1}} >> (W - W / 2))");
        low: Bus<Local> = Bus::named(width, "W").purpose("the bits of the lower half, if they cross");
        high: Bus<Local> = Bus::named(width, "W").purpose("the bits of the upper half, if they cross");
        held_valid0: BitReg;
        held_valid1: BitReg;
        held0: DataReg = DataReg::new(width, "W");
        held1: DataReg = DataReg::new(width, "W");
        valid0: BitReg;
        valid1: BitReg;
        data0: DataReg = DataReg::new(width, "W");
        data1: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for WideSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The words that came are held for a cycle, in which their state is copied for each half of a word.");
        self.held_valid0.d.next = self.valid0_i.val();
        self.held_valid1.d.next = self.valid1_i.val();
        self.held0.d.next = self.data0_i.val();
        self.held1.d.next = self.data1_i.val();
        comment!("Straight, or crossed: each copy of the state turns its half of both words.");
        self.low.next = self.none.val();
        if self.lower_i.val() {
            self.low.next = self.lower.val();
        }
        self.high.next = self.none.val();
        self.valid0.d.next = self.held_valid0.q.val();
        self.valid1.d.next = self.held_valid1.q.val();
        if self.upper_i.val() {
            self.high.next = self.upper.val();
            self.valid0.d.next = self.held_valid1.q.val();
            self.valid1.d.next = self.held_valid0.q.val();
        }
        self.data0.d.next = (self.held0.q.val() & !(self.low.val() | self.high.val()))
            | (self.held1.q.val() & (self.low.val() | self.high.val()));
        self.data1.d.next = (self.held1.q.val() & !(self.low.val() | self.high.val()))
            | (self.held0.q.val() & (self.low.val() | self.high.val()));
    }
}
