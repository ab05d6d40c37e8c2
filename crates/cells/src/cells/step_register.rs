use crate::table::*;

cell! {
    /// A register of a streamed permutation's control (settings, addresses, valid bits on their way) or of an entry of a loaded schedule.
    StepRegister, StepRegisterSpec, "frit_step_register":
    "Register of the control of a streamed permutation, or of an entry of a loaded schedule: takes data_i in a cycle with step_i.";
    "State: 1 word (reset to Start).";
    parameters {
        Bits bits: u32 = 3, "bits of the word, 1 or more";
        Start(bits) start: u64 = 0, "word after reset";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In step_i: Bit, "takes data_i";
        In data_i: Bus(bits, "Bits"), "next word";
        Out data_o: Bus(bits, "Bits") = word.q, "word";
    }
    with {
        let start = Const::parameter(start, bits, Some("Bits"));
    }
    parts {
        start: Const = start.clone();
        word: Reg = Reg::reset_to(&start, "Bits", "Start");
    }
}

impl kernel::Kernel for StepRegister {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The word stays until the next step.");
        if self.step_i.val() {
            self.word.d.next = self.data_i.val();
        }
    }
}
