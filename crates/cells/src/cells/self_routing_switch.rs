use crate::table::*;

cell! {
    /// The self-routing 2×2 switch: the top bit of a label asks for output 0 or 1, and is shifted out.
    ///
    /// It routes labels; `state_o` sets the data switch beside it in the same cycle (0 while nothing is valid), so that
    /// data paths of any width share one label path. `conflict_o` is high while both inputs want the same output; input 0
    /// wins then, and the message of input 1 leaves by the other output.
    SelfRoutingSwitch, SelfRoutingSwitchSpec, "frit_self_routing_switch":
    "Self-routing 2x2 switch for labels: the top bit of a label asks for output 0 or 1 and is shifted out. state_o sets the data switch beside this cell in the same cycle. conflict_o is high if both inputs want the same output. Latency 1 cycle, initiation interval 1.";
    "It routes labels only. The word of the same message passes the data switch in the same cycle. State: 2 valid bits (reset to 0) and 2 labels.";
    parameters {
        LabelBits bits: u32 = 5, "bits of a label, 1 or more: one bit for each stage, the most significant for the first stage";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the valid bits";
        In valid0_i: Bit, "input 0 holds a label";
        In label0_i: Bus(bits, "LabelBits"), "label of input 0";
        In valid1_i: Bit, "input 1 holds a label";
        In label1_i: Bus(bits, "LabelBits"), "label of input 1";
        Out state_o: Bit = crossed, "state of the switch, same cycle: the output that input 0 asks for; if input 0 is not valid, the opposite of the output that input 1 asks for; else 0";
        Out conflict_o: Bit, "both inputs want the same output, same cycle. Input 0 gets it; the message of input 1 leaves by the other output";
        Out valid0_o: Bit = valid0.q, "output 0 holds a label";
        Out label0_o: Bus(bits, "LabelBits") = label0.q, "rest of the label that leaves by output 0, shifted up by one bit";
        Out valid1_o: Bit = valid1.q, "output 1 holds a label";
        Out label1_o: Bus(bits, "LabelBits") = label1.q, "rest of the label that leaves by output 1, shifted up by one bit";
    }
    parts {
        top: Const = Const::top(bits, "LabelBits");
        one: Const = Const::one(bits, "LabelBits");
        crossed: Signal<Local, Bit>;
        valid0: BitReg;
        valid1: BitReg;
        label0: DataReg = DataReg::new(bits, "LabelBits");
        label1: DataReg = DataReg::new(bits, "LabelBits");
    }
}

impl kernel::Kernel for SelfRoutingSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The first message goes where its label says; alone, the second does.");
        self.crossed.next = self.valid1_i.val() & !self.label1_i.val().get_bit(self.top.val().index());
        if self.valid0_i.val() {
            self.crossed.next = self.label0_i.val().get_bit(self.top.val().index());
        }
        comment!("Both messages want the same output.");
        self.conflict_o.next = self.valid0_i.val()
            & self.valid1_i.val()
            & (self.label0_i.val().get_bit(self.top.val().index())
                == self.label1_i.val().get_bit(self.top.val().index()));
        comment!("Straight, or crossed; the bit of the label that was used goes.");
        self.valid0.d.next = self.valid0_i.val();
        self.valid1.d.next = self.valid1_i.val();
        self.label0.d.next = self.label0_i.val() << self.one.val();
        self.label1.d.next = self.label1_i.val() << self.one.val();
        if self.crossed.val() {
            self.valid0.d.next = self.valid1_i.val();
            self.valid1.d.next = self.valid0_i.val();
            self.label0.d.next = self.label1_i.val() << self.one.val();
            self.label1.d.next = self.label0_i.val() << self.one.val();
        }
    }
}
