use crate::table::*;

cell! {
    /// The driver of one stage: the top bit of the control word sets the whole stage; the rest goes on, a cycle later, to
    /// the driver of the next stage, which so works one cycle behind.
    StageDriver, StageDriverSpec, "frit_stage_driver":
    "Driver of one stage: the top bit of the control word sets the stage in this cycle; the rest of the word goes to the next driver one cycle later.";
    "The rest of the word goes on together with the messages. Initiation interval 1. State: 1 word (reset to 0).";
    parameters {
        ControlBits bits: u32 = 4, "bits of a control word, 1 or more: one bit for each stage, the most significant for the first stage";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the word";
        In word_i: Bus(bits, "ControlBits"), "control word of the round that is sent, or the rest of it from the driver before";
        Out state_o: Bit, "state of the stage's switches, same cycle";
        Out word_o: Bus(bits, "ControlBits") = word.q, "rest of the word for the next driver, one cycle later, shifted up by one bit";
    }
    parts {
        top: Const = Const::top(bits, "ControlBits");
        one: Const = Const::one(bits, "ControlBits");
        word: Reg = Reg::zero(bits, "ControlBits");
    }
}

impl kernel::Kernel for StageDriver {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.d.next = self.word_i.val() << self.one.val();
        self.state_o.next = self.word_i.val().get_bit(self.top.val().index());
    }
}
