use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`AlternatingDriver`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlternatingDriverSpec {
    /// Bits of a control word.
    pub bits: u32,
}

impl Describe for AlternatingDriverSpec {
    fn module(&self) -> String {
        "frit_alternating_driver".into()
    }
    fn title(&self) -> &'static str {
        "frit_alternating_driver"
    }
    fn summary(&self) -> &'static str {
        "Driver of one stage in ATA-2: even_o sets the even switches, odd_o the odd ones, which take the other state in rounds that alternate."
    }
    fn details(&self) -> &'static str {
        "Otherwise as frit_stage_driver. Initiation interval 1. State: 1 word and 1 bit (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("ControlBits", self.bits, "bits of a control word, 1 or more: one per stage"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(AlternatingDriver::new(self.bits as usize))
    }
    fn example() -> Self {
        AlternatingDriverSpec { bits: 4 }
    }
}

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
            word_i: Bus::named(bits, "ControlBits"),
            alternate_i: Default::default(),
            even_o: Default::default(),
            odd_o: Default::default(),
            word_o: Bus::named(bits, "ControlBits"),
            alternate_o: Default::default(),
            top: Const::top(bits, "ControlBits"),
            one: Const::one(bits, "ControlBits"),
            word: Reg::zero(bits, "ControlBits"),
            alternate: Default::default(),
        }
    }
}

cell_ports!(AlternatingDriver:
    In clk_i "clock, rising edge",
    In rst_i "reset of the word and of the bit",
    In word_i "the control word, the bit of this stage on top",
    In alternate_i "this round alternates",
    Out even_o "the state of the even switches, same cycle",
    Out odd_o "the state of the odd switches, same cycle. Not used in the first and the last stage, which do not alternate",
    Out word_o "the rest of the word for the next driver, one cycle later, shifted up by one bit",
    Out alternate_o "alternate_i for the next driver, one cycle later",
);

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
