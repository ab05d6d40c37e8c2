use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`ModuloCounter`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuloCounterSpec {
    /// Bits of the count.
    pub bits: u32,
    /// The count before it is 0 again.
    pub last: u64,
}

impl Describe for ModuloCounterSpec {
    fn module(&self) -> String {
        "frit_modulo_counter".into()
    }
    fn title(&self) -> &'static str {
        "frit_modulo_counter"
    }
    fn summary(&self) -> &'static str {
        "Counts steps from 0 to LastCount and begins again: the word of a message, or the round whose words are on their way."
    }
    fn details(&self) -> &'static str {
        "State: the count (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of the count, 1 or more"),
            Parameter::sized("LastCount", self.last, self.bits, "the count before it is 0 again"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(ModuloCounter::new(self.bits as usize, self.last))
    }
    fn example() -> Self {
        ModuloCounterSpec { bits: 3, last: 4 }
    }
}

/// Counts steps from 0 to `LastCount` and begins again: the word of a message, or the round whose words are on their way.
///
/// `wrap_o` is high in the cycle of the step that leads from `LastCount` to 0.
#[derive(LogicBlock)]
pub struct ModuloCounter {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    step_i: Signal<In, Bit>,
    count_o: Bus<Out>,
    wrap_o: Signal<Out, Bit>,
    last_count: Const,
    one: Const,
    zero: Const,
    at_end: Signal<Local, Bit>,
    count: Reg,
}

impl ModuloCounter {
    /// Counts 0 … `last` in `bits` bits.
    pub fn new(bits: usize, last: u64) -> Self {
        ModuloCounter {
            clk_i: Default::default(),
            rst_i: Default::default(),
            step_i: Default::default(),
            count_o: Bus::named(bits, "CountBits"),
            wrap_o: Default::default(),
            last_count: Const::parameter(last, bits, Some("CountBits")),
            one: Const::one(bits, "CountBits"),
            zero: Const::zero(bits, "CountBits"),
            at_end: Default::default(),
            count: Reg::zero(bits, "CountBits"),
        }
    }
}

cell_ports!(ModuloCounter:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In step_i "count on",
    Out count_o "the count, same cycle",
    Out wrap_o "this step leads from LastCount to 0, same cycle",
);

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
