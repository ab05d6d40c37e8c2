use crate::table::*;

cell! {
    /// Counts steps from 0 to `LastCount` and begins again: the word of a message, or the round whose words are on their way.
    ///
    /// `wrap_o` is high in the cycle of the step that leads from `LastCount` to 0.
    ModuloCounter, ModuloCounterSpec, "frit_modulo_counter":
    "Counts steps from 0 to LastCount and starts again at 0. It counts the words of a message, or the rounds whose words are under way.";
    "The comparison is made one cycle ahead. State, reset to 0: the count, and whether it is LastCount.";
    parameters {
        CountBits bits: u32 = 3, "bits of the count, 1 or more";
        LastCount(bits) last: u64 = 4, "last count before 0";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In step_i: Bit, "adds 1 to the count";
        Out count_o: Bus(bits, "CountBits") = count.q, "count, same cycle";
        Out wrap_o: Bit = wraps, "the count goes from LastCount to 0, same cycle";
    }
    parts {
        last_count: Const = Const::parameter(last, bits, Some("CountBits"));
        one: Const = Const::one(bits, "CountBits");
        zero: Const = Const::zero(bits, "CountBits");
        before_last: Const = Const::before(last, bits, "CountBits", "LastCount");
        every: Const = Const::local(u64::MAX >> (64 - bits), bits, Some("CountBits"), "{CountBits{1'b1}}");
        amount: Bus<Local> = Bus::named(bits, "CountBits").purpose("what is added to the count");
        kept: Bus<Local> = Bus::named(bits, "CountBits").purpose("the bits of the sum that are kept");
        wraps: Signal<Local, Bit>;
        at_last: BitReg = BitReg::default().purpose("the count is LastCount, and LastCount is not 0");
        count: Reg = Reg::zero(bits, "CountBits");
    }
}

impl kernel::Kernel for ModuloCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Whether the count is at its last value is known a step ahead.");
        self.wraps.next =
            self.step_i.val() & (self.at_last.q.val() | (self.last_count.val() == self.zero.val()));
        if self.step_i.val() {
            self.at_last.d.next = (self.last_count.val() != self.zero.val())
                & (self.count.q.val() == self.before_last.val());
        }
        comment!("The next count: unchanged, one more, or 0.");
        self.amount.next = self.zero.val();
        if self.step_i.val() {
            self.amount.next = self.one.val();
        }
        self.kept.next = self.every.val();
        if self.wraps.val() {
            self.kept.next = self.zero.val();
        }
        self.count.d.next = (self.count.q.val() + self.amount.val()) & self.kept.val();
    }
}
