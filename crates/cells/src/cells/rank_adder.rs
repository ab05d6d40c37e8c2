use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RankAdder`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankAdderSpec {
    /// Bits of a count, 2 or more: the top one says that it is too large.
    pub bits: u32,
}

impl Describe for RankAdderSpec {
    fn module(&self) -> String {
        "frit_rank_adder".into()
    }
    fn title(&self) -> &'static str {
        "frit_rank_adder"
    }
    fn summary(&self) -> &'static str {
        "Adds two counts of wanted edges; beyond what the lower bits hold the sum is only known to be too large."
    }
    fn details(&self) -> &'static str {
        "A node of the tree that ranks the heads of a strong switch. The top bit of a count says that it is 2^(RankBits-1) or more; it stays, and the bits below then mean nothing. Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RankBits", self.bits, "bits of a count, its top bit included, 2 or more").at_least(2),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RankAdder::new(self.bits as usize))
    }
    fn example() -> Self {
        RankAdderSpec { bits: 3 }
    }
}

/// A sum that stops where no edge has so high a number: its top bit stays.
#[derive(LogicBlock)]
pub struct RankAdder {
    left_i: Bus<In>,
    right_i: Bus<In>,
    sum_o: Bus<Out>,
    low: Const,
    top: Const,
}

impl RankAdder {
    /// For counts of `bits` bits, 2 or more.
    pub fn new(bits: usize) -> Self {
        let top = 1 << (bits - 1);
        RankAdder {
            left_i: Bus::named(bits, "RankBits"),
            right_i: Bus::named(bits, "RankBits"),
            sum_o: Bus::named(bits, "RankBits"),
            low: Const::local(top - 1, bits, Some("RankBits"), "{1'b0, {(RankBits-1){1'b1}}}"),
            top: Const::local(top, bits, Some("RankBits"), "{1'b1, {(RankBits-1){1'b0}}}"),
        }
    }
}

cell_ports!(RankAdder:
    In left_i "a count",
    In right_i "another",
    Out sum_o "both together, same cycle",
);

impl Logic for RankAdder {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_o.next = ((self.left_i.val() & self.low.val()) + (self.right_i.val() & self.low.val()))
            | ((self.left_i.val() | self.right_i.val()) & self.top.val());
    }
}
