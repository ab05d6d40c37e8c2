use crate::atoms::{Bus, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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
            round_i: Bus::named(bits, "K"),
            round_o: Bus::named(bits, "K"),
            round: Reg::zero(bits, "K"),
        }
    }
}

cell_ports!(RoundDelay: In clk_i, In rst_i, In round_i, Out round_o);

impl Logic for RoundDelay {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, round);
        self.round.reset.next = self.rst_i.val();
        self.round.d.next = self.round_i.val();
        self.round_o.next = self.round.q.val();
    }
}
