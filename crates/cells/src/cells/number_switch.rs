use crate::table::*;

cell! {
    /// What a 2×2 switch does with the numbers of the inputs of the [`Switch4`](super::Switch4) of which it is a part.
    NumberSwitch, NumberSwitchSpec, "frit_number_switch":
    "A 2x2 switch inside a 4x4 switch: from the state of the switch and the numbers of the inputs that reach it, the numbers of the inputs that reach its outputs.";
    "Words do not pass it: the numbers that leave the last 2x2 switches select the words in frit_switch4. Combinational. No state.";
    ports {
        In state_i: Bit, "0: input 0 goes to output 0 and input 1 to output 1. 1: input 0 goes to output 1 and input 1 to output 0";
        In from0_i: Bus(2), "number of the input of the 4x4 switch that reaches input 0";
        In from1_i: Bus(2), "number of the input of the 4x4 switch that reaches input 1";
        Out from0_o: Bus(2), "number of the input of the 4x4 switch that reaches output 0, same cycle";
        Out from1_o: Bus(2), "number of the input of the 4x4 switch that reaches output 1, same cycle";
    }
}

impl kernel::Kernel for NumberSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Straight, or crossed.");
        self.from0_o.next = self.from0_i.val();
        self.from1_o.next = self.from1_i.val();
        if self.state_i.val() {
            self.from0_o.next = self.from1_i.val();
            self.from1_o.next = self.from0_i.val();
        }
    }
}
