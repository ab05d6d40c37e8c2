use crate::table::*;

cell! {
    /// The driver of one stage in ATA-2: like the stage driver, and in rounds that alternate the odd switches take the
    /// other state.
    AlternatingDriver, AlternatingDriverSpec, "frit_alternating_driver":
    "Driver of one stage in ATA-2: even_o sets the even switches and odd_o sets the odd switches. In a round that alternates, odd_o is the inverse of even_o.";
    "The control word and its timing are those of frit_stage_driver. Initiation interval 1. State: 1 word and 1 bit (reset to 0).";
    parameters {
        ControlBits bits: u32 = 4, "bits of a control word, 1 or more: one bit for each stage";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the word and of the bit";
        In word_i: Bus(bits, "ControlBits"), "control word, the bit of this stage on top";
        In alternate_i: Bit, "high in a round that alternates";
        Out even_o: Bit, "state of the even switches, same cycle";
        Out odd_o: Bit, "state of the odd switches, same cycle. The first and the last stage do not alternate and do not use it";
        Out word_o: Bus(bits, "ControlBits") = word.q, "rest of the word for the next driver, one cycle later, shifted up by one bit";
        Out alternate_o: Bit = alternate.q, "alternate_i for the next driver, one cycle later";
    }
    parts {
        top: Const = Const::top(bits, "ControlBits");
        one: Const = Const::one(bits, "ControlBits");
        word: Reg = Reg::zero(bits, "ControlBits");
        alternate: BitReg;
    }
}

impl kernel::Kernel for AlternatingDriver {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.d.next = self.word_i.val() << self.one.val();
        self.alternate.d.next = self.alternate_i.val();
        self.even_o.next = self.word_i.val().get_bit(self.top.val().index());
        self.odd_o.next = self.word_i.val().get_bit(self.top.val().index()) ^ self.alternate_i.val();
    }
}
