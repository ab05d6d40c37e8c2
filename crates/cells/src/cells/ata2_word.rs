use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`Ata2Word`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ata2WordSpec {
    /// Bits of a control word.
    pub bits: u32,
}

impl Describe for Ata2WordSpec {
    fn module(&self) -> String {
        "frit_ata2_word".into()
    }
    fn title(&self) -> &'static str {
        "frit_ata2_word"
    }
    fn summary(&self) -> &'static str {
        "Control word of ATA-2 for a round: combinational."
    }
    fn details(&self) -> &'static str {
        "For N = 2^n + 2 terminals it is the number of the round, but 2^n + 2^(n-1) and the next in the last two rounds, which alternate. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("ControlBits", self.bits, "bits of a control word, n + 1, 3 or more").at_least(3),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Ata2Word::new(self.bits as usize))
    }
    fn example() -> Self {
        Ata2WordSpec { bits: 4 }
    }
}

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
            round_i: Bus::named(bits, "ControlBits"),
            word_o: Bus::named(bits, "ControlBits"),
            alternate_o: Default::default(),
            top: Const::top(bits, "ControlBits"),
            inner: Const::local(1 << (bits - 2), bits, Some("ControlBits"), "{2'b01, {(ControlBits-2){1'b0}}}"),
        }
    }
}

cell_ports!(Ata2Word:
    In round_i "the round, 0 to N - 1",
    Out word_o "its control word, same cycle",
    Out alternate_o "it is one of the last two, same cycle",
);

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
