use crate::table::*;

cell! {
    /// Counts in strides from 0 to `LastCount` and begins again: a digit of the count of beats, or what it adds to an address.
    StrideCounter, StrideCounterSpec, "frit_stride_counter":
    "Counts steps from 0 to LastCount in strides and starts again at 0. It counts a digit of the beats of a data set, or what this digit adds to an address.";
    "Whether the count is the last is known a step ahead, in a register. LastCount is a multiple of Stride. State: the count (reset to FirstCount, since it is that of the beat after the next), and whether it is the last.";
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
        Out count_o: Bus(bits, "CountBits") = count.q, "count";
        Out wrap_o: Bit, "the count goes from LastCount to 0, same cycle";
    }
    with {
        let first_count = Const::parameter(first, bits, Some("CountBits"));
        let over = last + stride != 1 << bits;
        let goes_over = Const::local(u64::from(over), 1, None, "LastCount + Stride != {CountBits{1'b0}}");
        let at_first = Const::local(u64::from(first == last), 1, None, "FirstCount == LastCount");
    }
    parts {
        first_count: Const = first_count.clone();
        last_count: Const = Const::parameter(last, bits, Some("CountBits"));
        stride: Const = Const::parameter(stride, bits, Some("CountBits"));
        last_before: Const = Const::local(last.saturating_sub(stride), bits, Some("CountBits"), "LastCount - Stride");
        at_first: Const = at_first.clone();
        goes_over: Const = goes_over.clone();
        yes: Const = Const::local(1, 1, None, "1'b1");
        no: Const = Const::local(0, 1, None, "1'b0");
        zero: Const = Const::zero(bits, "CountBits");
        at_end: Signal<Local, Bit>;
        count: Reg = Reg::reset_to(&first_count, "CountBits", "FirstCount");
        ending: Reg = Reg::fixed_reset_to(&at_first, "AT_FIRST").purpose("the count is LastCount");
    }
}

impl kernel::Kernel for StrideCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The count goes on by the stride. Whether it is at its end is known a step ahead.");
        self.at_end.next = self.ending.q.val() == self.yes.val();
        if self.step_i.val() {
            self.count.d.next = self.count.q.val() + self.stride.val();
            self.ending.d.next = self.no.val();
            // A count that fills its bits comes to 0 by itself.
            if self.at_end.val() & (self.goes_over.val() == self.yes.val()) {
                self.count.d.next = self.zero.val();
            }
            if !self.at_end.val() & (self.count.q.val() == self.last_before.val()) {
                self.ending.d.next = self.yes.val();
            }
        }
        comment!("");
        self.wrap_o.next = self.step_i.val() & self.at_end.val();
    }
}
