use crate::atoms::{Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Counts steps from 0 to `LastCount` and begins again: the word of a message, or the round whose words are on their way.
    ///
    /// `wrap_o` is high in the cycle of the step that leads from `LastCount` to 0.
    ModuloCounter, ModuloCounterSpec, "frit_modulo_counter":
    "Counts steps from 0 to LastCount and starts again at 0. It counts the words of a message, or the rounds whose words are under way.";
    "State: the count (reset to 0).";
    parameters {
        CountBits bits: u32 = 3, "bits of the count, 1 or more";
        LastCount(bits) last: u64 = 4, "last count before 0";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In step_i: Bit, "adds 1 to the count";
        Out count_o: Bus(bits, "CountBits"), "count, same cycle";
        Out wrap_o: Bit, "the count goes from LastCount to 0, same cycle";
    }
    parts {
        last_count: Const = Const::parameter(last, bits, Some("CountBits"));
        one: Const = Const::one(bits, "CountBits");
        zero: Const = Const::zero(bits, "CountBits");
        at_end: Signal<Local, Bit>;
        count: Reg = Reg::zero(bits, "CountBits");
    }
}

impl Logic for ModuloCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, count);
        self.count.reset.next = self.rst_i.val();
        self.at_end.next = self.count.q.val() == self.last_count.val();
        self.count.d.next = self.count.q.val();
        if self.step_i.val() {
            self.count.d.next = self.count.q.val() + self.one.val();
            if self.at_end.val() {
                self.count.d.next = self.zero.val();
            }
        }
        self.wrap_o.next = self.step_i.val() & self.at_end.val();
        self.count_o.next = self.count.q.val();
    }
}
