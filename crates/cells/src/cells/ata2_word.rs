use crate::table::*;

cell! {
    /// The control word of ATA-2: the number of the round, but 2^n + 2^(n-1) and the next in the last two rounds, in which
    /// the inner stages alternate.
    Ata2Word, Ata2WordSpec, "frit_ata2_word":
    "Control word of ATA-2 for a round. Combinational.";
    "For N = 2^n + 2 terminals the word is the number of the round. The last two rounds alternate: their words are 2^n + 2^(n-1) and the number after it. No state.";
    parameters {
        ControlBits bits: u32 = 4, "bits of a control word, n + 1, 3 or more", at_least 3;
    }
    ports {
        In round_i: Bus(bits, "ControlBits"), "number of the round, 0 to N - 1";
        Out word_o: Bus(bits, "ControlBits"), "control word of the round, same cycle";
        Out alternate_o: Bit, "high in the last two rounds, same cycle";
    }
    parts {
        top: Const = Const::top(bits, "ControlBits");
        inner: Const = Const::local(1 << (bits - 2), bits, Some("ControlBits"), "{2'b01, {(ControlBits-2){1'b0}}}");
    }
}

impl kernel::Kernel for Ata2Word {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.round_i.val();
        if self.round_i.val().get_bit(self.top.val().index()) {
            self.word_o.next = self.round_i.val() | self.inner.val();
        }
        self.alternate_o.next = self.round_i.val().get_bit(self.top.val().index());
    }
}
