use crate::atoms::{BitReg, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Counts the cycles of a run, from the first with `count_i` to the one with `clear_i`, without a pause.
    ///
    /// The number is kept in pieces of 8, 8 and 16 bits, each in its place of a word of 32. A carry out of a piece is known a
    /// cycle ahead and kept in a register, so that no path is longer than the carries of one piece.
    CycleCounter, CycleCounterSpec, "frit_cycle_counter":
    "Counts the cycles of a run in 32 bits: adds 1 after each cycle with count_i, and returns to 0 after a cycle with clear_i.";
    "The count is kept in pieces of 8, 8 and 16 bits with registered carries, so that no path has more than 16 bits of carry. For that reason, once a count has begun, count_i must stay high until clear_i. State: the pieces and their carries, all reset to 0.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous, active high";
        In count_i: Bit, "counts this cycle";
        In clear_i: Bit, "sets the count to 0";
        Out cycles_o: Bus(32), "cycles counted before this cycle";
    }
    with {
        let cycles = |value: u64| Const::local(value, 32, None, &format!("32'h{value:08x}"));
    }
    parts {
        low_one: Const = cycles(1);
        low_full: Const = cycles(0xff);
        low_almost: Const = cycles(0xfe);
        middle_one: Const = cycles(0x100);
        middle_full: Const = cycles(0xff00);
        high_one: Const = cycles(0x1_0000);
        high_full: Const = cycles(0xffff_0000);
        none: Const = cycles(0);
        carry_low: BitReg = BitReg::default().purpose("the low piece is full: the middle piece counts");
        middle_is_full: BitReg = BitReg::default().purpose("the middle piece was full in the last cycle");
        carry_middle: BitReg = BitReg::default().purpose("both lower pieces are full: the high piece counts");
        low: Reg = Reg::fixed(32).purpose("bits 7:0 of the cycles, 0 elsewhere");
        middle: Reg = Reg::fixed(32).purpose("bits 15:8 of the cycles, 0 elsewhere");
        high: Reg = Reg::fixed(32).purpose("bits 31:16 of the cycles, 0 elsewhere");
    }
}

impl Logic for CycleCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, carry_low, middle_is_full, carry_middle, low, middle, high);
        self.carry_low.reset.next = self.rst_i.val();
        self.middle_is_full.reset.next = self.rst_i.val();
        self.carry_middle.reset.next = self.rst_i.val();
        self.low.reset.next = self.rst_i.val();
        self.middle.reset.next = self.rst_i.val();
        self.high.reset.next = self.rst_i.val();
        self.carry_low.d.next = self.low.q.val() == self.low_almost.val();
        self.middle_is_full.d.next = self.middle.q.val() == self.middle_full.val();
        self.carry_middle.d.next = self.middle_is_full.q.val() & (self.low.q.val() == self.low_almost.val());
        self.low.d.next = self.low.q.val() & self.low_full.val();
        if self.count_i.val() {
            self.low.d.next = (self.low.q.val() + self.low_one.val()) & self.low_full.val();
        }
        self.middle.d.next = self.middle.q.val() & self.middle_full.val();
        if self.carry_low.q.val() {
            self.middle.d.next = (self.middle.q.val() + self.middle_one.val()) & self.middle_full.val();
        }
        self.high.d.next = self.high.q.val() & self.high_full.val();
        if self.carry_middle.q.val() {
            self.high.d.next = (self.high.q.val() + self.high_one.val()) & self.high_full.val();
        }
        if self.clear_i.val() {
            self.carry_low.d.next = false;
            self.carry_middle.d.next = false;
            self.low.d.next = self.none.val();
            self.middle.d.next = self.none.val();
            self.high.d.next = self.none.val();
        }
        self.cycles_o.next = self.low.q.val() | self.middle.q.val() | self.high.q.val();
    }
}
