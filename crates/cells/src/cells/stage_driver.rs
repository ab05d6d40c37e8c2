use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`StageDriver`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageDriverSpec {
    /// Bits of a control word.
    pub bits: u32,
}

impl Describe for StageDriverSpec {
    fn module(&self) -> String {
        "frit_stage_driver".into()
    }
    fn title(&self) -> &'static str {
        "frit_stage_driver"
    }
    fn summary(&self) -> &'static str {
        "Driver of one stage: the top bit of the control word sets the stage in this cycle, the rest goes on to the next driver one cycle later."
    }
    fn details(&self) -> &'static str {
        "The rest of the word goes on together with the messages. Initiation interval 1. State: 1 word (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("ControlBits", self.bits, "bits of a control word, 1 or more: one per stage, the first stage's the most significant"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(StageDriver::new(self.bits as usize))
    }
    fn example() -> Self {
        StageDriverSpec { bits: 4 }
    }
}

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
            word_i: Bus::named(bits, "ControlBits"),
            state_o: Default::default(),
            word_o: Bus::named(bits, "ControlBits"),
            top: Const::top(bits, "ControlBits"),
            one: Const::one(bits, "ControlBits"),
            word: Reg::zero(bits, "ControlBits"),
        }
    }
}

cell_ports!(StageDriver:
    In clk_i "clock, rising edge",
    In rst_i "reset of the word",
    In word_i "the control word: of the round that is sent, or what the driver before leaves of it",
    Out state_o "the state of the stage's switches, same cycle",
    Out word_o "the rest of the word for the next driver, one cycle later, shifted up by one bit",
);

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
