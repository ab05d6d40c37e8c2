use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`ExchangeAge`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeAgeSpec {
    /// Bits of a cycle's number.
    pub bits: u32,
}

impl Describe for ExchangeAgeSpec {
    fn module(&self) -> String {
        "frit_exchange_age".into()
    }
    fn title(&self) -> &'static str {
        "frit_exchange_age"
    }
    fn summary(&self) -> &'static str {
        "The cycle of the exchange that began first of those under way, of which there are two at most."
    }
    fn details(&self) -> &'static str {
        "The exchange itself counts the cycle of the one that began last. State: whether two are under way, and by how many cycles the older one is ahead (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::plain("CycleBits", self.bits, "bits of a cycle's number, 2 or more").at_least(2)]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(ExchangeAge::new(self.bits as usize))
    }
    fn example() -> Self {
        ExchangeAgeSpec { bits: 6 }
    }
}

/// The cycle of the exchange that began first of those under way. An exchange counts the cycle of the one that began last
/// (`cycle_i`); when another begins before it is done (`begin_i` with `running_i`, without its `finished_i`), this cell keeps how far it is
/// ahead. Two exchanges at most may be under way.
#[derive(LogicBlock)]
pub struct ExchangeAge {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    begin_i: Signal<In, Bit>,
    running_i: Signal<In, Bit>,
    finished_i: Signal<In, Bit>,
    cycle_i: Bus<In>,
    cycle_o: Bus<Out>,
    one: Const,
    two: BitReg,
    ahead: Reg,
}

impl ExchangeAge {
    /// For cycles of `bits` bits, 2 at least.
    pub fn new(bits: usize) -> Self {
        ExchangeAge {
            clk_i: Default::default(),
            rst_i: Default::default(),
            begin_i: Default::default(),
            running_i: Default::default(),
            finished_i: Default::default(),
            cycle_i: Bus::named(bits, "CycleBits"),
            cycle_o: Bus::named(bits, "CycleBits"),
            one: Const::one(bits, "CycleBits"),
            two: BitReg::default().purpose("two exchanges are under way"),
            ahead: Reg::zero(bits, "CycleBits").purpose("cycles by which the older one is ahead"),
        }
    }
}

cell_ports!(ExchangeAge:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In begin_i "an exchange begins with the next cycle",
    In running_i "an exchange is under way",
    In finished_i "the one that began first of them is done with this cycle",
    In cycle_i "the cycle of the one that began last",
    Out cycle_o "the cycle of the one that began first",
);

impl Logic for ExchangeAge {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, two, ahead);
        self.two.reset.next = self.rst_i.val();
        self.ahead.reset.next = self.rst_i.val();
        self.two.d.next = self.two.q.val() & !self.finished_i.val();
        self.ahead.d.next = self.ahead.q.val();
        if self.begin_i.val() {
            self.two.d.next = self.running_i.val() & (self.two.q.val() | !self.finished_i.val());
            self.ahead.d.next = self.cycle_i.val() + self.one.val();
        }
        self.cycle_o.next = self.cycle_i.val();
        if self.two.q.val() {
            self.cycle_o.next = self.cycle_i.val() + self.ahead.q.val();
        }
    }
}
