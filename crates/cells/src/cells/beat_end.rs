use crate::table::*;

cell! {
    /// Says whether the beat at the output of a streamed permutation is the last of its data set.
    ///
    /// `read_i` comes late in a cycle and goes far. So the count of the beats follows it a cycle later, and looks two beats ahead.
    BeatEnd, BeatEndSpec, "frit_beat_end":
    "Says whether the beat at the output of a streamed permutation is the last of its data set. The count of beats follows read_i a cycle later.";
    "State: whether a beat was read in the last cycle, the count of the beats read before, whether it is LastCount and whether it is LastCount - 1, whether the beat shown is the last (all reset to 0, but the fourth where LastCount is 1).";
    parameters {
        CountBits bits: u32 = 3, "bits of the count, 1 or more";
        LastCount(bits) last: u64 = 4, "last count before 0, 1 or more", at_least 1;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In read_i: Bit, "a beat is shown in the next cycle";
        Out last_o: Bit = shown.q, "the beat that is shown is the last of its data set";
    }
    with {
        let nears = Const::local(u64::from(last == 1), 1, None, "LastCount == 1");
        let over = last + 1 != 1 << bits;
        let goes_over = Const::local(u64::from(over), 1, None, "LastCount + 1'b1 != {CountBits{1'b0}}");
        let two_before = Const::local(if last == 1 { 1 } else { last - 2 }, bits, Some("CountBits"), "LastCount == 1 ? LastCount : LastCount - 2");
    }
    parts {
        last_count: Const = Const::parameter(last, bits, Some("CountBits"));
        two_before: Const = two_before.clone();
        nears: Const = nears.clone();
        goes_over: Const = goes_over.clone();
        one: Const = Const::one(bits, "CountBits");
        zero: Const = Const::zero(bits, "CountBits");
        yes: Const = Const::local(1, 1, None, "1'b1");
        no: Const = Const::local(0, 1, None, "1'b0");
        ends: Signal<Local, Bit>;
        prior: Signal<Local, Bit>;
        count: Reg = Reg::zero(bits, "CountBits").purpose("beats read of the data set, a cycle late");
        near: Reg = Reg::fixed_reset_to(&nears, "NEARS").purpose("the count is LastCount - 1");
        ending: BitReg = BitReg::default().purpose("the count is LastCount");
        late: BitReg = BitReg::default().purpose("a beat was read in the last cycle");
        shown: BitReg = BitReg::default().purpose("the beat that is shown is the last");
    }
}

impl kernel::Kernel for BeatEnd {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The beat that is read ends a data set if it has the last number.");
        self.prior.next = self.near.q.val() == self.yes.val();
        self.ends.next =
            (self.late.q.val() & self.prior.val()) | (!self.late.q.val() & self.ending.q.val());
        self.late.d.next = self.read_i.val();
        self.shown.d.next =
            (self.read_i.val() & self.ends.val()) | (!self.read_i.val() & self.shown.q.val());
        comment!("The number of the beat, counted a cycle late; the comparison is made two beats ahead.");
        if self.late.q.val() {
            self.count.d.next = self.count.q.val() + self.one.val();
            self.ending.d.next = self.prior.val();
            self.near.d.next = self.no.val();
            if self.count.q.val() == self.two_before.val() {
                self.near.d.next = self.yes.val();
            }
            // A count that fills its bits comes to 0 by itself.
            if self.ending.q.val() & (self.goes_over.val() == self.yes.val()) {
                self.count.d.next = self.zero.val();
            }
        }
    }
}
