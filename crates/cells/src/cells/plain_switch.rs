use crate::table::*;

cell! {
    /// A 2×2 switch without registers, inside a 4×4 switch. It passes the numbers of inputs, which select the words of a
    /// [`Switch4`](super::Switch4), or what comes back through a crossbar.
    PlainSwitch, PlainSwitchSpec, "frit_plain_switch":
    "2x2 switch without registers: state_i 0 is straight, 1 is cross. Combinational.";
    "It stands for a 2x2 switch inside a 4x4 switch: it passes the numbers of the inputs that reach its outputs, or the bits that come back through a crossbar. No state.";
    parameters {
        W width: u32 = 2, "bits of a word, 1 or more";
    }
    ports {
        In state_i: Bit, "0: input 0 goes to output 0 and input 1 to output 1. 1: input 0 goes to output 1 and input 1 to output 0";
        In data0_i: Bus(width, "W"), "word of input 0";
        In data1_i: Bus(width, "W"), "word of input 1";
        Out data0_o: Bus(width, "W"), "word of output 0, same cycle";
        Out data1_o: Bus(width, "W"), "word of output 1, same cycle";
    }
}

impl kernel::Kernel for PlainSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Straight, or crossed.");
        self.data0_o.next = self.data0_i.val();
        self.data1_o.next = self.data1_i.val();
        if self.state_i.val() {
            self.data0_o.next = self.data1_i.val();
            self.data1_o.next = self.data0_i.val();
        }
    }
}
