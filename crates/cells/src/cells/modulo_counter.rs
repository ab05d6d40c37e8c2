use crate::atoms::{Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// Counts steps from 0 to `LAST` and begins again: the word of a message, or the round whose words are on their way.
///
/// `wrap_o` is high in the cycle of the step that leads from `LAST` to 0.
#[derive(LogicBlock)]
pub struct ModuloCounter {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    step_i: Signal<In, Bit>,
    count_o: Bus<Out>,
    wrap_o: Signal<Out, Bit>,
    last: Const,
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
            count_o: Bus::named(bits, "K"),
            wrap_o: Default::default(),
            last: Const::parameter(last, bits, Some("K")),
            one: Const::unit(bits, "K"),
            zero: Const::zero(bits, "K"),
            at_end: Default::default(),
            count: Reg::zero(bits, "K"),
        }
    }
}

cell_ports!(ModuloCounter: In clk_i, In rst_i, In step_i, Out count_o, Out wrap_o);

impl Logic for ModuloCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, count);
        self.count.reset.next = self.rst_i.val();
        self.at_end.next = self.count.q.val() == self.last.val();
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
