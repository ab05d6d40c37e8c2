use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`FillPointer`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillPointerSpec {
    /// Bits of a count of buffers.
    pub bits: u32,
    /// Banks, a power of two.
    pub banks: u32,
}

impl Describe for FillPointerSpec {
    fn module(&self) -> String {
        "frit_fill_pointer".into()
    }
    fn title(&self) -> &'static str {
        "frit_fill_pointer"
    }
    fn summary(&self) -> &'static str {
        "The fill of a side, m: messages stand below it, ghosts above. A message that arrives takes the place of the lowest ghost."
    }
    fn details(&self) -> &'static str {
        "Buffer k is in bank k modulo Banks, so write_o is decoded from the low bits of m. limit_o is m as it was at the last snap_i: only messages below it move in this round. State: m and limit (reset to 0), whether a message has come since (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Banks", self.banks, "banks, a power of two"),
            Parameter::plain("CountBits", self.bits, "bits of a count of buffers, 2 or more").at_least(2),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(FillPointer::new(self.bits as usize, self.banks as usize))
    }
    fn example() -> Self {
        FillPointerSpec { bits: 4, banks: 2 }
    }
}

/// How far the buffers of a side are filled with messages, and how far they were when the round of moves began.
#[derive(LogicBlock)]
pub struct FillPointer {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    place_i: Signal<In, Bit>,
    snap_i: Signal<In, Bit>,
    bank_i: Bus<In>,
    fill_o: Bus<Out>,
    limit_o: Bus<Out>,
    write_o: Bus<Out>,
    fresh_o: Signal<Out, Bit>,
    one: Const,
    first: Const,
    none: Const,
    fresh: BitReg,
    fill: Reg,
    limit: Reg,
}

impl FillPointer {
    /// Counts of `bits` bits, `banks` banks.
    pub fn new(bits: usize, banks: usize) -> Self {
        FillPointer {
            clk_i: Default::default(),
            rst_i: Default::default(),
            place_i: Default::default(),
            snap_i: Default::default(),
            bank_i: Bus::named(bits, "CountBits"),
            fill_o: Bus::named(bits, "CountBits"),
            limit_o: Bus::named(bits, "CountBits"),
            write_o: Bus::named(banks, "Banks"),
            fresh_o: Default::default(),
            one: Const::one(bits, "CountBits"),
            first: Const::one(banks, "Banks"),
            none: Const::zero(banks, "Banks"),
            fresh: BitReg::default().purpose("a message has come since limit was taken"),
            fill: Reg::zero(bits, "CountBits").purpose("m"),
            limit: Reg::zero(bits, "CountBits").purpose("m at the last snap_i"),
        }
    }
}

cell_ports!(FillPointer:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: empty",
    In place_i "a message arrives",
    In snap_i "a round of moves begins",
    In bank_i "the bank of m: m modulo Banks",
    Out fill_o "m",
    Out limit_o "m when the round began",
    Out write_o "the bank in which the message is stored, a bit for each, same cycle",
    Out fresh_o "a message has come since the round began",
);

impl Logic for FillPointer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, fresh, fill, limit);
        self.fresh.reset.next = self.rst_i.val();
        self.fill.reset.next = self.rst_i.val();
        self.limit.reset.next = self.rst_i.val();
        self.fresh.d.next = self.fresh.q.val();
        self.fill.d.next = self.fill.q.val();
        self.limit.d.next = self.limit.q.val();
        self.write_o.next = self.none.val();
        if self.snap_i.val() {
            self.limit.d.next = self.fill.q.val();
            self.fresh.d.next = false;
        }
        if self.place_i.val() {
            self.fill.d.next = self.fill.q.val() + self.one.val();
            self.fresh.d.next = true;
            self.write_o.next = self.first.val() << self.bank_i.val();
        }
        self.fill_o.next = self.fill.q.val();
        self.limit_o.next = self.limit.q.val();
        self.fresh_o.next = self.fresh.q.val();
    }
}
