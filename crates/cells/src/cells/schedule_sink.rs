use crate::table::*;

cell! {
    /// A terminal's side of the outputs of a network whose schedule is loaded: it takes no word that is meant for another terminal.
    ScheduleSink, ScheduleSinkSpec, "frit_schedule_sink":
    "Output of a network whose schedule is loaded: lets words for Terminal pass, and drops words for other terminals.";
    "A word for another terminal comes only if the loaded settings and destinations do not fit each other. State: whether one came in the last cycle (reset to 0).";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 1 or more";
        Terminal(bits) terminal: u64 = 5, "number of the terminal";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In valid_i: Bit, "a word comes out of the network";
        In dest_i: Bus(bits, "TerminalBits"), "its destination";
        Out valid_o: Bit, "the word is for this terminal, same cycle";
        Out stray_o: Bit = stray.q, "in the last cycle a word for another terminal came";
    }
    parts {
        terminal: Const = Const::parameter(terminal, bits, Some("TerminalBits"));
        mine: Signal<Local, Bit>;
        stray: BitReg = BitReg::default().purpose("a word for another terminal came");
    }
}

impl kernel::Kernel for ScheduleSink {
    #[hdl_gen]
    fn update(&mut self) {
        self.mine.next = self.dest_i.val() == self.terminal.val();
        self.stray.d.next = self.valid_i.val() & !self.mine.val();
        self.valid_o.next = self.valid_i.val() & self.mine.val();
    }
}
