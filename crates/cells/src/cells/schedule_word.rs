use crate::table::*;

cell! {
    /// The register behind a memory. It has no reset, so that it can be the register in a block RAM.
    ScheduleWord, ScheduleWordSpec, "frit_schedule_word":
    "Register for a word that comes from a memory, or from a lane: takes data_i in a cycle with step_i.";
    "State: 1 word, without reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In step_i: Bit, "takes data_i";
        In data_i: Bus(width, "W"), "next word";
        Out data_o: Bus(width, "W") = word.q, "word";
    }
    parts {
        word: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for ScheduleWord {
    #[hdl_gen]
    fn update(&mut self) {
        if self.step_i.val() {
            self.word.d.next = self.data_i.val();
        }
    }
}
