use crate::atoms::{Bus, Const};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The control word of ATA-2: the number of the round, but 2^n + 2^(n-1) and the next in the last two rounds, in which
/// the inner stages alternate.
#[derive(LogicBlock)]
pub struct Ata2Word {
    round_i: Bus<In>,
    word_o: Bus<Out>,
    alternate_o: Signal<Out, Bit>,
    top: Const,
    inner: Const,
}

impl Ata2Word {
    /// For words of `bits` = n + 1 bits, 3 at least.
    pub fn new(bits: usize) -> Self {
        Ata2Word {
            round_i: Bus::named(bits, "K"),
            word_o: Bus::named(bits, "K"),
            alternate_o: Default::default(),
            top: Const::top(bits, "K"),
            inner: Const::local(1 << (bits - 2), bits, Some("K"), "{2'b01, {(K-2){1'b0}}}"),
        }
    }
}

cell_ports!(Ata2Word: In round_i, Out word_o, Out alternate_o);

impl Logic for Ata2Word {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.round_i.val();
        if self.round_i.val().get_bit(self.top.val().index()) {
            self.word_o.next = self.round_i.val() | self.inner.val();
        }
        self.alternate_o.next = self.round_i.val().get_bit(self.top.val().index());
    }
}
