use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The driver of one stage in ATA-2: like the stage driver, and in rounds that alternate the odd switches take the
/// other state.
#[derive(LogicBlock)]
pub struct AlternatingDriver {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    word_i: Bus<In>,
    alternate_i: Signal<In, Bit>,
    even_o: Signal<Out, Bit>,
    odd_o: Signal<Out, Bit>,
    word_o: Bus<Out>,
    alternate_o: Signal<Out, Bit>,
    top: Const,
    one: Const,
    word: Reg,
    alternate: BitReg,
}

impl AlternatingDriver {
    /// A driver in a chain whose control word has `bits` bits, 2 at least.
    pub fn new(bits: usize) -> Self {
        AlternatingDriver {
            clk_i: Default::default(),
            rst_i: Default::default(),
            word_i: Bus::named(bits, "K"),
            alternate_i: Default::default(),
            even_o: Default::default(),
            odd_o: Default::default(),
            word_o: Bus::named(bits, "K"),
            alternate_o: Default::default(),
            top: Const::top(bits, "K"),
            one: Const::one(bits, "K"),
            word: Reg::zero(bits, "K"),
            alternate: Default::default(),
        }
    }
}

cell_ports!(AlternatingDriver: In clk_i, In rst_i, In word_i, In alternate_i, Out even_o, Out odd_o,
    Out word_o, Out alternate_o);

impl Logic for AlternatingDriver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, word, alternate);
        self.word.reset.next = self.rst_i.val();
        self.alternate.reset.next = self.rst_i.val();
        self.word.d.next = self.word_i.val() << self.one.val();
        self.alternate.d.next = self.alternate_i.val();
        self.even_o.next = self.word_i.val().get_bit(self.top.val().index());
        self.odd_o.next = self.word_i.val().get_bit(self.top.val().index()) ^ self.alternate_i.val();
        self.word_o.next = self.word.q.val();
        self.alternate_o.next = self.alternate.q.val();
    }
}
