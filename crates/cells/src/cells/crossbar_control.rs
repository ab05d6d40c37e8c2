use crate::table::*;

cell! {
    /// The control of a crossbar: what happens after a commit, counted in cycles from it.
    ///
    /// The inputs close, the words in the network arrive, the settings change, each output says whom it wants, and the inputs compare.
    CrossbarControl, CrossbarControlSpec, "frit_crossbar_control":
    "Control of a crossbar. A write of 1 to bit 1 of the register at byte 0 is a commit: the inputs close, the settings change when no word is in the network, and the outputs say which inputs they want.";
    "Cycles are counted from the commit. wrong_o holds until the next commit. An age is compared before its cycle, so that each output but close_o comes from a register. State: whether a commit is under way, its age, whether the settings change in this cycle or in the next one, whether the inputs are about to hear, the bit that is said next, the bit that is heard next, the error (all reset to 0).";
    parameters {
        Bits bits: u32 = 5, "bits of an age";
        Steps steps: u32 = 4, "bits that an output says";
        Swap(bits) swap: u64 = 3, "age two cycles before the settings change; the outputs speak from the cycle after this change on";
        Check(bits) check: u64 = 9, "age two cycles before the inputs begin to hear";
        Last(bits) last: u64 = 17, "last age of a commit";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In write_i: Bit, "a register is written";
        In here_i: Bit, "it is the one at byte 0";
        In update_i: Bit, "bit 1 of what is written";
        In wrong_i: Bit, "an input hears a number that is not its own";
        Out close_o: Bit = commit, "a commit begins, same cycle";
        Out busy_o: Bit = busy.q, "a commit is under way";
        Out swap_o: Bit = swaps.q, "the settings change at the end of this cycle";
        Out send_o: Bus(steps, "Steps") = send.q, "which bit the outputs say in the next cycle, as one bit; 0: none";
        Out check_o: Bus(steps, "Steps") = hear.q, "which bit the inputs hear in the next cycle, as one bit; 0: none";
        Out wrong_o: Bit = wrong.q, "error: since the last commit the settings do not lead each source to its output";
    }
    parts {
        swap: Const = Const::parameter(swap, bits, Some("Bits"));
        check: Const = Const::parameter(check, bits, Some("Bits"));
        last: Const = Const::parameter(last, bits, Some("Bits"));
        one: Const = Const::one(bits, "Bits");
        first: Const = Const::one(steps, "Steps");
        commit: Signal<Local, Bit>;
        busy: BitReg = BitReg::default().purpose("a commit is under way");
        soon: BitReg = BitReg::default().purpose("the settings change at the end of the next cycle");
        swaps: BitReg = BitReg::default().purpose("the settings change at the end of this cycle");
        hits: BitReg = BitReg::default().purpose("the inputs hear from the cycle after the next one on");
        wrong: BitReg = BitReg::default().purpose("the settings do not fit the sources");
        age: Reg = Reg::zero(bits, "Bits").purpose("cycles since the commit");
        send: Reg = Reg::zero(steps, "Steps").purpose("which bit the outputs say in the next cycle");
        hear: Reg = Reg::zero(steps, "Steps").purpose("which bit the inputs hear in the next cycle");
    }
}

impl kernel::Kernel for CrossbarControl {
    #[hdl_gen]
    fn update(&mut self) {
        self.commit.next = self.write_i.val() & self.here_i.val() & self.update_i.val();
        comment!("The age of a commit; its error is that of the inputs, until the next one.");
        self.soon.d.next = self.busy.q.val() & (self.age.q.val() == self.swap.val());
        self.swaps.d.next = self.soon.q.val();
        self.hits.d.next = self.busy.q.val() & (self.age.q.val() == self.check.val());
        self.busy.d.next = self.busy.q.val() & (self.age.q.val() != self.last.val());
        self.age.d.next = self.age.q.val() + self.one.val();
        self.wrong.d.next = self.wrong.q.val() | self.wrong_i.val();
        if self.commit.val() {
            self.busy.d.next = true;
            self.age.d.next = self.one.val();
            self.wrong.d.next = false;
        }
        comment!("The bits that are said and heard, one after the other. The first one is said when the settings have changed, and heard when it has come back through all stages; both are selected one cycle before.");
        self.send.d.next = self.send.q.val() << self.first.val();
        if self.soon.q.val() {
            self.send.d.next = self.first.val();
        }
        self.hear.d.next = self.hear.q.val() << self.first.val();
        if self.hits.q.val() {
            self.hear.d.next = self.first.val();
        }
    }
}
