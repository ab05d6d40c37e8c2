use crate::atoms::{Bus, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RankCount`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankCountSpec {
    /// Bits of a count.
    pub bits: u32,
}

impl Describe for RankCountSpec {
    fn module(&self) -> String {
        "frit_rank_count".into()
    }
    fn title(&self) -> &'static str {
        "frit_rank_count"
    }
    fn summary(&self) -> &'static str {
        "How many edges of an out bundle have been wanted: the rank of the first head of the cycle."
    }
    fn details(&self) -> &'static str {
        "A head that found no edge counts again in every cycle that it waits, which is of no account: all edges are used then. State: the count (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RankBits", self.bits, "bits of a count, its top bit included, 2 or more").at_least(2),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RankCount::new(self.bits as usize))
    }
    fn example() -> Self {
        RankCountSpec { bits: 3 }
    }
}

/// The edges of an out bundle that are used, as a count that stays where it is too large.
#[derive(LogicBlock)]
pub struct RankCount {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    total_i: Bus<In>,
    used_o: Bus<Out>,
    used: Reg,
}

impl RankCount {
    /// For counts of `bits` bits.
    pub fn new(bits: usize) -> Self {
        RankCount {
            clk_i: Default::default(),
            rst_i: Default::default(),
            total_i: Bus::named(bits, "RankBits"),
            used_o: Bus::named(bits, "RankBits"),
            used: Reg::zero(bits, "RankBits"),
        }
    }
}

cell_ports!(RankCount:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: none is used",
    In total_i "edges used and wanted in this cycle",
    Out used_o "edges used before this cycle",
);

impl Logic for RankCount {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, used);
        self.used.reset.next = self.rst_i.val();
        self.used.d.next = self.total_i.val();
        self.used_o.next = self.used.q.val();
    }
}
