use crate::table::*;

cell! {
    /// A register of a crossbar that the host writes: the source of an output, or the states of some switches.
    CrossbarWord, CrossbarWordSpec, "frit_crossbar_word":
    "Register of a crossbar that the host writes: the source of an output, or the states of some switches.";
    "A value that has a 1 where the register has no bit is refused and changes nothing. State: the word (reset to Start).";
    parameters {
        Bits bits: u32 = 4, "bits of the register";
        Start(bits) start: u64 = 8, "word after reset";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In write_i: Bit, "a register is written";
        In here_i: Bit, "it is this one";
        In above_i: Bit, "a bit of what is written is 1 that the register does not have";
        In data_i: Bus(bits, "Bits"), "its bits of what is written";
        Out known_o: Bit, "this register is addressed and takes the value, same cycle";
        Out data_o: Bus(bits, "Bits") = word.q, "word";
    }
    with {
        let start = Const::parameter(start, bits, Some("Bits"));
    }
    parts {
        start: Const = start.clone();
        known: Signal<Local, Bit>;
        word: Reg = Reg::reset_to(&start, "Bits", "Start");
    }
}

impl kernel::Kernel for CrossbarWord {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A value with more bits than the register has is not taken.");
        self.known.next = self.here_i.val() & !self.above_i.val();
        comment!("The word stays until it is written.");
        if self.write_i.val() & self.known.val() {
            self.word.d.next = self.data_i.val();
        }
        comment!("");
        self.known_o.next = self.known.val();
    }
}
