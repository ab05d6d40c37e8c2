use crate::atoms::{Bus};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`CountRest`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountRestSpec {
    /// Bits of a count.
    pub bits: u32,
}

impl Describe for CountRestSpec {
    fn module(&self) -> String {
        "frit_count_rest".into()
    }
    fn title(&self) -> &'static str {
        "frit_count_rest"
    }
    fn summary(&self) -> &'static str {
        "What is left of a count."
    }
    fn details(&self) -> &'static str {
        "Of the buffers of a bank those whose messages have not gone. Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of a count"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(CountRest::new(self.bits as usize))
    }
    fn example() -> Self {
        CountRestSpec { bits: 4 }
    }
}

/// What is left of a count.
#[derive(LogicBlock)]
pub struct CountRest {
    all_i: Bus<In>,
    gone_i: Bus<In>,
    rest_o: Bus<Out>,
}

impl CountRest {
    /// For counts of `bits` bits.
    pub fn new(bits: usize) -> Self {
        CountRest {
            all_i: Bus::named(bits, "CountBits"),
            gone_i: Bus::named(bits, "CountBits"),
            rest_o: Bus::named(bits, "CountBits"),
        }
    }
}

cell_ports!(CountRest:
    In all_i "all",
    In gone_i "those that are gone, not more",
    Out rest_o "what is left, same cycle",
);

impl Logic for CountRest {
    #[hdl_gen]
    fn update(&mut self) {
        self.rest_o.next = self.all_i.val() - self.gone_i.val();
    }
}
