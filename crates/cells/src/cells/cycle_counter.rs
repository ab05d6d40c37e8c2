use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`CycleCounter`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CycleCounterSpec;

impl Describe for CycleCounterSpec {
    fn module(&self) -> String {
        "frit_cycle_counter".into()
    }
    fn title(&self) -> &'static str {
        "frit_cycle_counter"
    }
    fn summary(&self) -> &'static str {
        "Counts the cycles of a run in 32 bits: one more after each cycle with count_i, 0 after one with clear_i."
    }
    fn details(&self) -> &'static str {
        "It counts in pieces of 8, 8 and 16 bits with registered carries, so that no path has more than 16 bits of carry: once begun it must count in every cycle until it is cleared. State: the pieces and their carries, all reset to 0."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(CycleCounter::default())
    }
    fn example() -> Self {
        CycleCounterSpec
    }
}

/// Counts the cycles of a run, from the first with `count_i` to the one with `clear_i`, without a pause.
///
/// The number is kept in pieces of 8, 8 and 16 bits, each in its place of a word of 32. A carry out of a piece is known a
/// cycle ahead and kept in a register, so that no path is longer than the carries of one piece.
#[derive(LogicBlock)]
pub struct CycleCounter {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    count_i: Signal<In, Bit>,
    clear_i: Signal<In, Bit>,
    cycles_o: Bus<Out>,
    low_one: Const,
    low_full: Const,
    low_almost: Const,
    middle_one: Const,
    middle_full: Const,
    high_one: Const,
    high_full: Const,
    none: Const,
    carry_low: BitReg,
    middle_is_full: BitReg,
    carry_middle: BitReg,
    low: Reg,
    middle: Reg,
    high: Reg,
}

impl Default for CycleCounter {
    fn default() -> Self {
        let cycles = |value: u64| Const::local(value, 32, None, &format!("32'h{value:08x}"));
        CycleCounter {
            clk_i: Default::default(),
            rst_i: Default::default(),
            count_i: Default::default(),
            clear_i: Default::default(),
            cycles_o: Bus::new(32),
            low_one: cycles(1),
            low_full: cycles(0xff),
            low_almost: cycles(0xfe),
            middle_one: cycles(0x100),
            middle_full: cycles(0xff00),
            high_one: cycles(0x1_0000),
            high_full: cycles(0xffff_0000),
            none: cycles(0),
            carry_low: BitReg::default().purpose("the low piece is full: the middle one counts"),
            middle_is_full: BitReg::default().purpose("the middle piece was full in the last cycle"),
            carry_middle: BitReg::default().purpose("both lower pieces are full: the high one counts"),
            low: Reg::fixed(32).purpose("bits 7:0 of the cycles, 0 elsewhere"),
            middle: Reg::fixed(32).purpose("bits 15:8 of the cycles, 0 elsewhere"),
            high: Reg::fixed(32).purpose("bits 31:16 of the cycles, 0 elsewhere"),
        }
    }
}

cell_ports!(CycleCounter:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous, active high",
    In count_i "a cycle to be counted",
    In clear_i "begin again at 0",
    Out cycles_o "the cycles counted before this one",
);

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
