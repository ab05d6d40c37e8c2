use crate::table::*;

cell! {
    /// The cycle of the exchange that began first of those under way. An exchange counts the cycle of the one that began last
    /// (`cycle_i`); when another begins before it is done (`begin_i` with `running_i`, without its `finished_i`), this cell keeps how far it is
    /// ahead. Two exchanges at most may be under way.
    ExchangeAge, ExchangeAgeSpec, "frit_exchange_age":
    "Gives the cycle number of the oldest exchange under way. At most two exchanges are under way.";
    "The exchange itself counts the cycles of the youngest. State: whether two exchanges are under way, and by how many cycles the older one is ahead (reset to 0).";
    parameters {
        CycleBits bits: u32 = 6, "bits of a cycle's number, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In begin_i: Bit, "an exchange begins with the next cycle";
        In running_i: Bit, "an exchange is under way";
        In finished_i: Bit, "the oldest exchange ends with this cycle";
        In cycle_i: Bus(bits, "CycleBits"), "cycle number of the youngest exchange";
        Out cycle_o: Bus(bits, "CycleBits"), "cycle number of the oldest exchange";
    }
    parts {
        one: Const = Const::one(bits, "CycleBits");
        two: BitReg = BitReg::default().purpose("two exchanges are under way");
        ahead: Reg = Reg::zero(bits, "CycleBits").purpose("cycles by which the older exchange is ahead");
    }
}

impl kernel::Kernel for ExchangeAge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("While two exchanges are under way the older one is as old as the younger one and its lead.");
        self.two.d.next = self.two.q.val() & !self.finished_i.val();
        if self.begin_i.val() {
            self.two.d.next = self.running_i.val() & (self.two.q.val() | !self.finished_i.val());
            self.ahead.d.next = self.cycle_i.val() + self.one.val();
        }
        comment!("Of two exchanges the older one is reported.");
        self.cycle_o.next = self.cycle_i.val();
        if self.two.q.val() {
            self.cycle_o.next = self.cycle_i.val() + self.ahead.q.val();
        }
    }
}
