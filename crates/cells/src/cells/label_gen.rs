use crate::table::*;

cell! {
    /// The label generator of Algorithm 1: from a terminal's own number, without a table, the destination and the
    /// intermediate terminal of each round.
    ///
    /// The destination counts down (right rotations) or up (left) from the terminal's number; after N rounds it is there
    /// again. With h = N/2, x is the destination D in even rounds and (h - 1 - D) mod N in odd ones, which is ~D with its
    /// top bit inverted; the intermediate is x if its top and bottom bits are equal, else ~x.
    ///
    /// The destination changes by one from round to round, so its bottom bit says whether the round is odd. With that, each
    /// bit of the intermediate is the exclusive or of the destination's own bit, its top and its bottom one; the top bit of
    /// the intermediate never changes.
    LabelGen, LabelGenSpec, "frit_label_gen":
    "Label generator (Algorithm 1): destination and intermediate terminal of each round from the terminal's own number, without a table.";
    "The label is the intermediate terminal, followed by the destination without its top bit. After N = 2^TerminalBits rounds the generator is at round 0 again. State: the destination (reset to Terminal).";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 2 or more", at_least 2;
        Terminal(bits) terminal: u64 = 0, "number of this terminal";
        Step(bits) step: u64 = 7, "added to the destination each round: -1 (all ones) for right rotations, 1 for left rotations";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to round 0";
        In advance_i: Bit, "the round is sent in this cycle: the generator moves to the next round";
        Out dest_o: Bus(bits, "TerminalBits") = dest.q, "destination of the round";
        Out intermediate_o: Bus(bits, "TerminalBits"), "terminal where the first butterfly leaves the message";
    }
    with {
        let terminal = Const::parameter(terminal, bits, Some("TerminalBits"));
    }
    parts {
        terminal: Const = terminal.clone();
        step: Const = Const::parameter(step, bits, Some("TerminalBits"));
        rest: Const = Const::local((1 << (bits - 1)) - 1, bits, Some("TerminalBits"), "{1'b0, {(TerminalBits-1){1'b1}}}");
        zero: Const = Const::zero(bits, "TerminalBits");
        top: Const = Const::top(bits, "TerminalBits");
        low: Const = Const::local(0, 32, None, "0");
        amount: Bus<Local> = Bus::named(bits, "TerminalBits").purpose("what is added to the destination");
        folded: Bus<Local> = Bus::named(bits, "TerminalBits").purpose("the intermediate, but for its top bit");
        dest: Reg = Reg::reset_to(&terminal, "TerminalBits", "Terminal");
    }
}

impl kernel::Kernel for LabelGen {
    #[hdl_gen]
    fn update(&mut self) {
        self.amount.next = self.zero.val();
        if self.advance_i.val() {
            self.amount.next = self.step.val();
        }
        self.dest.d.next = self.dest.q.val() + self.amount.val();
        self.folded.next = self.dest.q.val();
        if self.dest.q.val().get_bit(self.top.val().index())
            != self.dest.q.val().get_bit(self.low.val().index())
        {
            self.folded.next = !self.dest.q.val();
        }
        self.intermediate_o.next = (self.folded.val() & self.rest.val()) | (self.terminal.val() << self.top.val());
    }
}
