use crate::atoms::{Bus, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`StandingRequest`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingRequestSpec {
    /// Sizes, a bit for each.
    pub bits: u32,
}

impl Describe for StandingRequestSpec {
    fn module(&self) -> String {
        "frit_standing_request".into()
    }
    fn title(&self) -> &'static str {
        "frit_standing_request"
    }
    fn summary(&self) -> &'static str {
        "Keeps the size that an in-port asks for, and grants it unless another in-port asks for the same."
    }
    fn details(&self) -> &'static str {
        "A size is one bit of Sizes, no bit is no request. State: the size (reset to none)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Sizes", self.bits, "sizes, a bit for each"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(StandingRequest::new(self.bits as usize))
    }
    fn example() -> Self {
        StandingRequestSpec { bits: 3 }
    }
}

/// The request that stands at an in-port of an output, and whether it is granted.
#[derive(LogicBlock)]
pub struct StandingRequest {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    hear_i: Signal<In, Bit>,
    size_i: Bus<In>,
    twice_i: Bus<In>,
    size_o: Bus<Out>,
    grant_o: Signal<Out, Bit>,
    size: Reg,
}

impl StandingRequest {
    /// For `bits` sizes.
    pub fn new(bits: usize) -> Self {
        StandingRequest {
            clk_i: Default::default(),
            rst_i: Default::default(),
            hear_i: Default::default(),
            size_i: Bus::named(bits, "Sizes"),
            twice_i: Bus::named(bits, "Sizes"),
            size_o: Bus::named(bits, "Sizes"),
            grant_o: Default::default(),
            size: Reg::zero(bits, "Sizes"),
        }
    }
}

cell_ports!(StandingRequest:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no request",
    In hear_i "take over what the input says now",
    In size_i "the size that the input asks for, or none",
    In twice_i "sizes that two in-ports or more ask for",
    Out size_o "the size that stands",
    Out grant_o "no other in-port asks for it, same cycle",
);

impl Logic for StandingRequest {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, size);
        self.size.reset.next = self.rst_i.val();
        self.size.d.next = self.size.q.val();
        if self.hear_i.val() {
            self.size.d.next = self.size_i.val();
        }
        self.size_o.next = self.size.q.val();
        self.grant_o.next = (self.size.q.val() & !self.twice_i.val()).any();
    }
}
