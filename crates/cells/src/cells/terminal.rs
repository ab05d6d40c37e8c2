use crate::table::*;

cell! {
    /// A terminal of a rotation schedule: asks for the word of the scheduled destination, and knows whose word arrives.
    ///
    /// The source counts up (right rotations) or down (left) from the terminal's own number with each arrival.
    Terminal, TerminalSpec, "frit_terminal":
    "Terminal of a rotation schedule: asks for the word of the scheduled destination, and names the source of the word that arrives.";
    "The source changes by one from round to round, up or down. State: the source (reset to Terminal).";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 2 or more", at_least 2;
        Terminal(bits) terminal: u64 = 0, "number of this terminal";
        Step(bits) step: u64 = 1, "added to the source with each arrival: 1 for right rotations, -1 (all ones) for left rotations";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to round 0";
        In sending_i: Bit, "a round is sent in this cycle";
        In dest_i: Bus(bits, "TerminalBits"), "destination of the round, from the label generator";
        In arriving_i: Bit, "a round arrives in this cycle";
        Out send_valid_o: Bit, "the terminal takes a word, same cycle as sending_i";
        Out send_dest_o: Bus(bits, "TerminalBits"), "destination of the word that is taken, same cycle as dest_i";
        Out recv_source_o: Bus(bits, "TerminalBits") = source.q, "source of the word that arrives in this cycle";
    }
    with {
        let terminal = Const::parameter(terminal, bits, Some("TerminalBits"));
    }
    parts {
        terminal: Const = terminal.clone();
        step: Const = Const::parameter(step, bits, Some("TerminalBits"));
        zero: Const = Const::zero(bits, "TerminalBits");
        amount: Bus<Local> = Bus::named(bits, "TerminalBits").purpose("what is added to the source");
        source: Reg = Reg::reset_to(&terminal, "TerminalBits", "Terminal");
    }
}

impl kernel::Kernel for Terminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.amount.next = self.zero.val();
        if self.arriving_i.val() {
            self.amount.next = self.step.val();
        }
        self.source.d.next = self.source.q.val() + self.amount.val();
        self.send_valid_o.next = self.sending_i.val();
        self.send_dest_o.next = self.dest_i.val();
    }
}
