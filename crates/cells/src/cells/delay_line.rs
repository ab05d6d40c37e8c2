use crate::atoms::{Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`DelayLine`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayLineSpec {
    /// Cycles that a bit takes, 1 to [`DelayLineSpec::MOST`].
    pub cycles: u32,
}

impl DelayLineSpec {
    /// The longest line; a longer delay is several behind each other.
    pub const MOST: u32 = 64;
}

impl Describe for DelayLineSpec {
    fn module(&self) -> String {
        "frit_delay_line".into()
    }
    fn title(&self) -> &'static str {
        "frit_delay_line"
    }
    fn summary(&self) -> &'static str {
        "Tells Cycles cycles later that a round was sent: it arrives then."
    }
    fn details(&self) -> &'static str {
        "A shift register, as long as the way through the network, so that the rounds of several exchanges may be under way. State: Cycles bits (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Cycles", self.cycles, "cycles from in to out, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(DelayLine::new(self.cycles as usize))
    }
    fn example() -> Self {
        DelayLineSpec { cycles: 5 }
    }
}

/// A bit comes out so many cycles after it went in.
#[derive(LogicBlock)]
pub struct DelayLine {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    bit_i: Signal<In, Bit>,
    bit_o: Signal<Out, Bit>,
    one: Const,
    top: Const,
    line: Reg,
}

impl DelayLine {
    /// A line of `cycles` bits, 1 to 64.
    pub fn new(cycles: usize) -> Self {
        DelayLine {
            clk_i: Default::default(),
            rst_i: Default::default(),
            bit_i: Default::default(),
            bit_o: Default::default(),
            one: Const::one(cycles, "Cycles"),
            top: Const::top(cycles, "Cycles"),
            line: Reg::zero(cycles, "Cycles"),
        }
    }
}

cell_ports!(DelayLine:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In bit_i "goes in",
    Out bit_o "what went in Cycles cycles before",
);

impl Logic for DelayLine {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, line);
        self.line.reset.next = self.rst_i.val();
        self.line.d.next = self.line.q.val() << self.one.val();
        if self.bit_i.val() {
            self.line.d.next = (self.line.q.val() << self.one.val()) | self.one.val();
        }
        self.bit_o.next = self.line.q.val().get_bit(self.top.val().index());
    }
}
