use crate::atoms::{Bus};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`CountAdder`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountAdderSpec {
    /// Bits of a count.
    pub bits: u32,
}

impl Describe for CountAdderSpec {
    fn module(&self) -> String {
        "frit_count_adder".into()
    }
    fn title(&self) -> &'static str {
        "frit_count_adder"
    }
    fn summary(&self) -> &'static str {
        "Adds two counts."
    }
    fn details(&self) -> &'static str {
        "A node of the tree that adds what the inputs report, and what else is added in a node. The carry is dropped. Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of a count"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(CountAdder::new(self.bits as usize))
    }
    fn example() -> Self {
        CountAdderSpec { bits: 4 }
    }
}

/// Adds two counts.
#[derive(LogicBlock)]
pub struct CountAdder {
    left_i: Bus<In>,
    right_i: Bus<In>,
    sum_o: Bus<Out>,
}

impl CountAdder {
    /// For counts of `bits` bits.
    pub fn new(bits: usize) -> Self {
        CountAdder {
            left_i: Bus::named(bits, "CountBits"),
            right_i: Bus::named(bits, "CountBits"),
            sum_o: Bus::named(bits, "CountBits"),
        }
    }
}

cell_ports!(CountAdder:
    In left_i "a count",
    In right_i "another",
    Out sum_o "both together, same cycle",
);

impl Logic for CountAdder {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_o.next = self.left_i.val() + self.right_i.val();
    }
}
