use crate::atoms::{Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Counts the cycles of an exchange, from the first with `count_i` to the one with `clear_i`.
    ///
    /// The count has as many bits as the longest exchange needs, in a word of 32: a synthesis tool keeps no register for the
    /// others, and the carry and the fan-out of the clear are as short.
    CycleCounter, CycleCounterSpec, "frit_cycle_counter":
    "Counts the cycles of an exchange: one more after each cycle with count_i, 0 after one with clear_i.";
    "The upper bits of cycles_o are 0. After Most the count begins again at 0. State: the count, reset to 0.";
    parameters {
        Most(32) most: u64 = 15, "the greatest count, one less than a power of two";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous, active high";
        In count_i: Bit, "counts this cycle";
        In clear_i: Bit, "sets the count to 0";
        Out cycles_o: Bus(32), "cycles counted before this cycle";
    }
    parts {
        one: Const = Const::local(1, 32, None, "32'd1");
        none: Const = Const::local(0, 32, None, "32'd0");
        most: Const = Const::parameter(most, 32, None);
        count: Reg = Reg::fixed(32);
    }
}

impl Logic for CycleCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, count);
        self.count.reset.next = self.rst_i.val();
        self.count.d.next = self.count.q.val();
        if self.count_i.val() {
            self.count.d.next = (self.count.q.val() + self.one.val()) & self.most.val();
        }
        if self.clear_i.val() {
            self.count.d.next = self.none.val();
        }
        self.cycles_o.next = self.count.q.val();
    }
}
