use crate::table::*;

cell! {
    /// A bit comes out so many cycles after it went in.
    DelayLine, DelayLineSpec, "frit_delay_line":
    "Delays a bit by Cycles cycles. It shows when a round that was sent arrives.";
    "A shift register as long as the path through the network, so that the rounds of several exchanges can be under way. State: Cycles bits (reset to 0).";
    parameters {
        Cycles cycles: u32 = 5, "cycles from bit_i to bit_o, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In bit_i: Bit, "bit to delay";
        In empty_i: Bit, "no other line before this one holds a bit that is 1";
        Out bit_o: Bit, "bit_i of Cycles cycles ago";
        Out only_o: Bit, "in the next cycle bit_o is 1, and no other bit of this line or of one before, same cycle as bit_i";
        Out empty_o: Bit, "in the next cycle no bit of this line or of one before is 1, same cycle as bit_i";
    }
    parts {
        one: Const = Const::one(cycles, "Cycles");
        top: Const = Const::top(cycles, "Cycles");
        zero: Const = Const::zero(cycles, "Cycles");
        oldest: Const = Const::local(1 << (cycles - 1), cycles, Some("Cycles"), "1 << (Cycles - 1)");
        coming: Bus<Local> = Bus::named(cycles, "Cycles");
        line: Reg = Reg::zero(cycles, "Cycles");
    }
}

impl DelayLineSpec {
    /// The longest line, in cycles; a longer delay is several behind each other.
    pub const MOST: u32 = 64;
}

impl kernel::Kernel for DelayLine {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The line in the next cycle.");
        self.coming.next = self.line.q.val() << self.one.val();
        if self.bit_i.val() {
            self.coming.next = (self.line.q.val() << self.one.val()) | self.one.val();
        }
        self.line.d.next = self.coming.val();
        self.only_o.next = self.empty_i.val() & (self.coming.val() == self.oldest.val());
        self.empty_o.next = self.empty_i.val() & (self.coming.val() == self.zero.val());
        self.bit_o.next = self.line.q.val().get_bit(self.top.val().index());
    }
}
