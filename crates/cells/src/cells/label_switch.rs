use crate::table::*;

cell! {
    /// The self-routing 2×2 switch of the second and of later stages, for labels: its registers stand in front of it, so that
    /// its state is a register, and so is whether both labels ask for one output, in the place of the two label bits that they follow
    /// from.
    ///
    /// It takes the labels that reach the switch with the next cycle: what [`LabelEntry`](super::LabelEntry) or the switches of
    /// the stage before put out in this one.
    LabelSwitch, LabelSwitchSpec, "frit_label_switch":
    "Self-routing 2x2 switch for labels behind the first stage, with its registers in front: it takes the labels of the next cycle. state_o is a register and sets the data switch beside this cell. conflict_o is high if both inputs want the same output.";
    "The top bit of a label asks for output 0 or 1 and is shifted out. Latency 1 cycle, initiation interval 1. The word of the same message is at the data switch in the cycle of state_o. State: the state, whether the labels ask for the same output, and 2 valid bits (reset to 0), and the rests of 2 labels.";
    parameters {
        LabelBits bits: u32 = 5, "bits of a label, 1 or more: one bit for each stage, the most significant for the first stage";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the state, the conflict and the valid bits";
        In valid0_i: Bit, "input 0 holds a label in the next cycle";
        In label0_i: Bus(bits, "LabelBits"), "label of input 0 in the next cycle";
        In valid1_i: Bit, "input 1 holds a label in the next cycle";
        In label1_i: Bus(bits, "LabelBits"), "label of input 1 in the next cycle";
        Out state_o: Bit = crossed.q, "state of the switch: the output that input 0 asks for; if input 0 is not valid, the opposite of the output that input 1 asks for; else 0";
        Out conflict_o: Bit, "both inputs want the same output. Input 0 gets it; the message of input 1 leaves by the other output";
        Out valid0_o: Bit, "output 0 holds a label";
        Out label0_o: Bus(bits, "LabelBits"), "rest of the label that leaves by output 0, shifted up by one bit";
        Out valid1_o: Bit, "output 1 holds a label";
        Out label1_o: Bus(bits, "LabelBits"), "rest of the label that leaves by output 1, shifted up by one bit";
    }
    parts {
        top: Const = Const::top(bits, "LabelBits");
        one: Const = Const::one(bits, "LabelBits");
        crossed: BitReg;
        agreed: BitReg = BitReg::default().purpose("both labels ask for the same output, whether valid or not");
        valid0: BitReg;
        valid1: BitReg;
        rest0: DataReg = DataReg::new(bits, "LabelBits").purpose("the label of input 0 without its top bit");
        rest1: DataReg = DataReg::new(bits, "LabelBits").purpose("the label of input 1 without its top bit");
    }
}

impl kernel::Kernel for LabelSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The first message will go where its label says; alone, the second will.");
        self.crossed.d.next = self.valid1_i.val() & !self.label1_i.val().get_bit(self.top.val().index());
        if self.valid0_i.val() {
            self.crossed.d.next = self.label0_i.val().get_bit(self.top.val().index());
        }
        self.agreed.d.next = self.label0_i.val().get_bit(self.top.val().index())
            == self.label1_i.val().get_bit(self.top.val().index());
        self.valid0.d.next = self.valid0_i.val();
        self.valid1.d.next = self.valid1_i.val();
        self.rest0.d.next = self.label0_i.val() << self.one.val();
        self.rest1.d.next = self.label1_i.val() << self.one.val();
        self.conflict_o.next = self.agreed.q.val() & self.valid0.q.val() & self.valid1.q.val();
        comment!("Straight, or crossed, as the state says.");
        self.valid0_o.next = self.valid0.q.val();
        self.valid1_o.next = self.valid1.q.val();
        self.label0_o.next = self.rest0.q.val();
        self.label1_o.next = self.rest1.q.val();
        if self.crossed.q.val() {
            self.valid0_o.next = self.valid1.q.val();
            self.valid1_o.next = self.valid0.q.val();
            self.label0_o.next = self.rest1.q.val();
            self.label1_o.next = self.rest0.q.val();
        }
    }
}
