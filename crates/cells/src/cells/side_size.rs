use crate::atoms::{Bus, Const, DataReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`SideSize`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideSizeSpec {
    /// Bits of a size, 2 to 32.
    pub bits: u32,
    /// 1: greater than the count; 0: not less.
    pub strict: u64,
    /// Sizes that must ask, a bit for each.
    pub asks: u64,
}

impl Describe for SideSizeSpec {
    fn module(&self) -> String {
        "frit_side_size".into()
    }
    fn title(&self) -> &'static str {
        "frit_side_size"
    }
    fn summary(&self) -> &'static str {
        "The size W of a side: the smallest power of two greater than its full buffers, or not less than them. Until the side is committed it is what it asks for."
    }
    fn details(&self) -> &'static str {
        "The highest 1 of the count is found by doubling steps (counts of at most 32 bits). A size without a bit of Asks is small: the side commits unasked. State: W, without reset; it means nothing before the first set_i."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("SizeBits", self.bits, "bits of a size, 2 to 32").at_least(2),
            Parameter::sized("Strict", self.strict, 1, "1: greater than the count; 0: not less"),
            Parameter::sized("Asks", self.asks, self.bits, "sizes that must ask, a bit for each"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(SideSize::new(self.bits as usize, self.strict, self.asks))
    }
    fn example() -> Self {
        SideSizeSpec { bits: 5, strict: 1, asks: 24 }
    }
}

/// The size W of what a side must send: a power of two, so it is kept with a bit for each.
#[derive(LogicBlock)]
pub struct SideSize {
    clk_i: Signal<In, Clock>,
    set_i: Signal<In, Bit>,
    end_i: Bus<In>,
    committed_i: Signal<In, Bit>,
    small_o: Signal<Out, Bit>,
    request_o: Bus<Out>,
    by_1: Const,
    by_2: Const,
    by_4: Const,
    by_8: Const,
    by_16: Const,
    strict: Const,
    asks: Const,
    none: Const,
    two: Bus<Local>,
    four: Bus<Local>,
    eight: Bus<Local>,
    sixteen: Bus<Local>,
    below: Bus<Local>,
    top: Bus<Local>,
    rest: Bus<Local>,
    size: DataReg,
}

impl SideSize {
    /// Sizes of `bits` bits; `asks` has a bit for each that must ask.
    pub fn new(bits: usize, strict: u64, asks: u64) -> Self {
        SideSize {
            clk_i: Default::default(),
            set_i: Default::default(),
            end_i: Bus::named(bits, "SizeBits"),
            committed_i: Default::default(),
            small_o: Default::default(),
            request_o: Bus::named(bits, "SizeBits"),
            by_1: Const::local(1, 5, None, "5'd1"),
            by_2: Const::local(2, 5, None, "5'd2"),
            by_4: Const::local(4, 5, None, "5'd4"),
            by_8: Const::local(8, 5, None, "5'd8"),
            by_16: Const::local(16, 5, None, "5'd16"),
            strict: Const::parameter(strict, 1, None),
            asks: Const::parameter(asks, bits, Some("SizeBits")),
            none: Const::zero(bits, "SizeBits"),
            two: Bus::named(bits, "SizeBits"),
            four: Bus::named(bits, "SizeBits"),
            eight: Bus::named(bits, "SizeBits"),
            sixteen: Bus::named(bits, "SizeBits"),
            below: Bus::named(bits, "SizeBits"),
            top: Bus::named(bits, "SizeBits"),
            rest: Bus::named(bits, "SizeBits"),
            size: DataReg::new(bits, "SizeBits").purpose("W"),
        }
    }
}

cell_ports!(SideSize:
    In clk_i "clock, rising edge",
    In set_i "the side becomes an input: set W",
    In end_i "its full buffers",
    In committed_i "it is committed",
    Out small_o "it need not ask",
    Out request_o "W, or 0 when it is committed",
);

impl Logic for SideSize {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, size);
        self.two.next = self.end_i.val() | (self.end_i.val() >> self.by_1.val());
        self.four.next = self.two.val() | (self.two.val() >> self.by_2.val());
        self.eight.next = self.four.val() | (self.four.val() >> self.by_4.val());
        self.sixteen.next = self.eight.val() | (self.eight.val() >> self.by_8.val());
        self.below.next = self.sixteen.val() | (self.sixteen.val() >> self.by_16.val());
        self.top.next = self.below.val() & !(self.below.val() >> self.by_1.val());
        self.rest.next = self.end_i.val() & !self.top.val();
        self.size.d.next = self.size.q.val();
        if self.set_i.val() {
            self.size.d.next = self.top.val();
            if self.rest.val().any() | self.strict.val().any() {
                self.size.d.next = self.top.val() << self.by_1.val();
            }
        }
        self.small_o.next = !(self.size.q.val() & self.asks.val()).any();
        self.request_o.next = self.size.q.val();
        if self.committed_i.val() {
            self.request_o.next = self.none.val();
        }
    }
}
