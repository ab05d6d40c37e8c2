use crate::atoms::{Bus, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RoundDelay`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundDelaySpec {
    /// Bits of a round's number.
    pub bits: u32,
}

impl Describe for RoundDelaySpec {
    fn module(&self) -> String {
        "frit_round_delay".into()
    }
    fn title(&self) -> &'static str {
        "frit_round_delay"
    }
    fn summary(&self) -> &'static str {
        "Hands the round from the table of one stage to that of the next, one cycle later."
    }
    fn details(&self) -> &'static str {
        "Each stage works one cycle behind the one before. It also hands other control on: to a fabric that works behind its terminals, and, of labels, whether there was a conflict. State: the round (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RoundBits", self.bits, "bits of a round's number, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RoundDelay::new(self.bits as usize))
    }
    fn example() -> Self {
        RoundDelaySpec { bits: 3 }
    }
}

/// Hands the round of one stage's table to the next, a cycle later: each stage works one cycle behind the one before.
#[derive(LogicBlock)]
pub struct RoundDelay {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    round_i: Bus<In>,
    round_o: Bus<Out>,
    round: Reg,
}

impl RoundDelay {
    /// For rounds of `bits` bits.
    pub fn new(bits: usize) -> Self {
        RoundDelay {
            clk_i: Default::default(),
            rst_i: Default::default(),
            round_i: Bus::named(bits, "RoundBits"),
            round_o: Bus::named(bits, "RoundBits"),
            round: Reg::zero(bits, "RoundBits"),
        }
    }
}

cell_ports!(RoundDelay:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In round_i "the round of this stage",
    Out round_o "the round of the next stage: round_i one cycle ago",
);

impl Logic for RoundDelay {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, round);
        self.round.reset.next = self.rst_i.val();
        self.round.d.next = self.round_i.val();
        self.round_o.next = self.round.q.val();
    }
}
