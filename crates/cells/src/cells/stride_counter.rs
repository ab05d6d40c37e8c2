use crate::atoms::{Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Counts in strides from 0 to `LastCount` and begins again: a digit of the count of beats, or what it adds to an address.
    StrideCounter, StrideCounterSpec, "frit_stride_counter":
    "Counts steps from 0 to LastCount in strides and starts again at 0. It counts a digit of the beats of a data set, or what this digit adds to an address.";
    "State: the count (reset to FirstCount, since it is that of the beat after the next).";
    parameters {
        CountBits bits: u32 = 3, "bits of the count, 1 or more";
        FirstCount(bits) first: u64 = 1, "count after reset";
        LastCount(bits) last: u64 = 4, "last count before 0";
        Stride(bits) stride: u64 = 1, "what a step adds";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In step_i: Bit, "adds Stride to the count";
        Out count_o: Bus(bits, "CountBits"), "count";
        Out wrap_o: Bit, "the count goes from LastCount to 0, same cycle";
    }
    with {
        let first = Const::parameter(first, bits, Some("CountBits"));
    }
    parts {
        first_count: Const = first.clone();
        last_count: Const = Const::parameter(last, bits, Some("CountBits"));
        stride: Const = Const::parameter(stride, bits, Some("CountBits"));
        zero: Const = Const::zero(bits, "CountBits");
        at_end: Signal<Local, Bit>;
        count: Reg = Reg::reset_to(&first, "CountBits", "FirstCount");
    }
}

impl Logic for StrideCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, count);
        self.count.reset.next = self.rst_i.val();
        self.at_end.next = self.count.q.val() == self.last_count.val();
        self.count.d.next = self.count.q.val();
        if self.step_i.val() {
            self.count.d.next = self.count.q.val() + self.stride.val();
            if self.at_end.val() {
                self.count.d.next = self.zero.val();
            }
        }
        self.wrap_o.next = self.step_i.val() & self.at_end.val();
        self.count_o.next = self.count.q.val();
    }
}
