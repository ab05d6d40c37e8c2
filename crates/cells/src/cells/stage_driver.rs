use crate::atoms::{Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The driver of one stage: the top bit of the control word sets the whole stage; the rest goes on, a cycle later, to
/// the driver of the next stage, which so works one cycle behind.
#[derive(LogicBlock)]
pub struct StageDriver {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    word_i: Bus<In>,
    state_o: Signal<Out, Bit>,
    word_o: Bus<Out>,
    top: Const,
    one: Const,
    word: Reg,
}

impl StageDriver {
    /// A driver in a chain whose control word has `bits` bits, 2 at least.
    pub fn new(bits: usize) -> Self {
        StageDriver {
            clk_i: Default::default(),
            rst_i: Default::default(),
            word_i: Bus::named(bits, "K"),
            state_o: Default::default(),
            word_o: Bus::named(bits, "K"),
            top: Const::top(bits, "K"),
            one: Const::one(bits, "K"),
            word: Reg::zero(bits, "K"),
        }
    }
}

cell_ports!(StageDriver: In clk_i, In rst_i, In word_i, Out state_o, Out word_o);

impl Logic for StageDriver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, word);
        self.word.reset.next = self.rst_i.val();
        self.word.d.next = self.word_i.val() << self.one.val();
        self.state_o.next = self.word_i.val().get_bit(self.top.val().index());
        self.word_o.next = self.word.q.val();
    }
}
