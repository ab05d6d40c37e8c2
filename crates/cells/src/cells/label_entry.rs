use crate::table::*;

cell! {
    /// The self-routing 2×2 switch of the first stage, for labels: what [`SelfRoutingSwitch`](super::SelfRoutingSwitch) is
    /// without its registers. The registers stand in front of the next stage, in [`LabelSwitch`](super::LabelSwitch).
    LabelEntry, LabelEntrySpec, "frit_label_entry":
    "Self-routing 2x2 switch for the labels that enter a network: the top bit of a label asks for output 0 or 1 and is shifted out. Combinational.";
    "frit_label_switch of the next stage has the registers. No state.";
    parameters {
        LabelBits bits: u32 = 5, "bits of a label, 1 or more: one bit for each stage, the most significant for the first stage";
    }
    ports {
        In valid0_i: Bit, "input 0 holds a label";
        In label0_i: Bus(bits, "LabelBits"), "label of input 0";
        In valid1_i: Bit, "input 1 holds a label";
        In label1_i: Bus(bits, "LabelBits"), "label of input 1";
        Out state_o: Bit = crossed, "state of the switch, same cycle: the output that input 0 asks for; if input 0 is not valid, the opposite of the output that input 1 asks for; else 0";
        Out conflict_o: Bit, "both inputs want the same output, same cycle. Input 0 gets it; the message of input 1 leaves by the other output";
        Out valid0_o: Bit, "output 0 holds a label, same cycle";
        Out label0_o: Bus(bits, "LabelBits"), "rest of the label that leaves by output 0, shifted up by one bit, same cycle";
        Out valid1_o: Bit, "output 1 holds a label, same cycle";
        Out label1_o: Bus(bits, "LabelBits"), "rest of the label that leaves by output 1, shifted up by one bit, same cycle";
    }
    parts {
        top: Const = Const::top(bits, "LabelBits");
        one: Const = Const::one(bits, "LabelBits");
        crossed: Signal<Local, Bit>;
        rest0: Bus<Local> = Bus::named(bits, "LabelBits").purpose("the label of input 0 without its top bit");
        rest1: Bus<Local> = Bus::named(bits, "LabelBits").purpose("the label of input 1 without its top bit");
    }
}

impl kernel::Kernel for LabelEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The first message goes where its label says; alone, the second does.");
        self.crossed.next = self.valid1_i.val() & !self.label1_i.val().get_bit(self.top.val().index());
        if self.valid0_i.val() {
            self.crossed.next = self.label0_i.val().get_bit(self.top.val().index());
        }
        self.conflict_o.next = self.valid0_i.val()
            & self.valid1_i.val()
            & (self.label0_i.val().get_bit(self.top.val().index())
                == self.label1_i.val().get_bit(self.top.val().index()));
        self.rest0.next = self.label0_i.val() << self.one.val();
        self.rest1.next = self.label1_i.val() << self.one.val();
        comment!("Straight, or crossed; the bit of the label that was used goes.");
        self.valid0_o.next = self.valid0_i.val();
        self.valid1_o.next = self.valid1_i.val();
        self.label0_o.next = self.rest0.val();
        self.label1_o.next = self.rest1.val();
        if self.crossed.val() {
            self.valid0_o.next = self.valid1_i.val();
            self.valid1_o.next = self.valid0_i.val();
            self.label0_o.next = self.rest1.val();
            self.label1_o.next = self.rest0.val();
        }
    }
}
