use crate::atoms::{Bus};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`SizePair`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizePairSpec {
    /// Sizes, a bit for each.
    pub bits: u32,
}

impl Describe for SizePairSpec {
    fn module(&self) -> String {
        "frit_size_pair".into()
    }
    fn title(&self) -> &'static str {
        "frit_size_pair"
    }
    fn summary(&self) -> &'static str {
        "Joins two halves of a tree: which sizes are asked for, and which twice or more."
    }
    fn details(&self) -> &'static str {
        "Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Sizes", self.bits, "sizes, a bit for each"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(SizePair::new(self.bits as usize))
    }
    fn example() -> Self {
        SizePairSpec { bits: 3 }
    }
}

/// A node of the tree that finds which sizes are asked for, and which more than once.
#[derive(LogicBlock)]
pub struct SizePair {
    left_any_i: Bus<In>,
    left_twice_i: Bus<In>,
    right_any_i: Bus<In>,
    right_twice_i: Bus<In>,
    any_o: Bus<Out>,
    twice_o: Bus<Out>,
}

impl SizePair {
    /// For `bits` sizes.
    pub fn new(bits: usize) -> Self {
        SizePair {
            left_any_i: Bus::named(bits, "Sizes"),
            left_twice_i: Bus::named(bits, "Sizes"),
            right_any_i: Bus::named(bits, "Sizes"),
            right_twice_i: Bus::named(bits, "Sizes"),
            any_o: Bus::named(bits, "Sizes"),
            twice_o: Bus::named(bits, "Sizes"),
        }
    }
}

cell_ports!(SizePair:
    In left_any_i "sizes asked for in the left half",
    In left_twice_i "and those twice or more",
    In right_any_i "sizes asked for in the right half",
    In right_twice_i "and those twice or more",
    Out any_o "sizes asked for, same cycle",
    Out twice_o "and those twice or more, same cycle",
);

impl Logic for SizePair {
    #[hdl_gen]
    fn update(&mut self) {
        self.any_o.next = self.left_any_i.val() | self.right_any_i.val();
        self.twice_o.next = self.left_twice_i.val() | self.right_twice_i.val() | (self.left_any_i.val() & self.right_any_i.val());
    }
}
