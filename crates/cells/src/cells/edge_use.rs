use crate::atoms::{Bus, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`EdgeUse`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeUseSpec {
    /// Edges in a bundle.
    pub edges: u32,
}

impl Describe for EdgeUseSpec {
    fn module(&self) -> String {
        "frit_edge_use".into()
    }
    fn title(&self) -> &'static str {
        "frit_edge_use"
    }
    fn summary(&self) -> &'static str {
        "The edges of an out bundle that worms have, where edges are released."
    }
    fn details(&self) -> &'static str {
        "Only edges of free_o may be given; one that is released (free_i) can be given from the next cycle on. State: a bit for each edge, reset to 0 (nobody's)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Edges", self.edges, "edges in a bundle, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(EdgeUse::new(self.edges as usize))
    }
    fn example() -> Self {
        EdgeUseSpec { edges: 4 }
    }
}

/// Which edges of an out bundle are given to worms, until they are released.
#[derive(LogicBlock)]
pub struct EdgeUse {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    given_i: Bus<In>,
    free_i: Bus<In>,
    free_o: Bus<Out>,
    used: Reg,
}

impl EdgeUse {
    /// For bundles of `edges` edges.
    pub fn new(edges: usize) -> Self {
        EdgeUse {
            clk_i: Default::default(),
            rst_i: Default::default(),
            given_i: Bus::named(edges, "Edges"),
            free_i: Bus::named(edges, "Edges"),
            free_o: Bus::named(edges, "Edges"),
            used: Reg::zero(edges, "Edges").purpose("edges that worms have"),
        }
    }
}

cell_ports!(EdgeUse:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: nobody has an edge",
    In given_i "edges that are given in this cycle",
    In free_i "edges that their worms leave in this cycle",
    Out free_o "edges that nobody had when the cycle began",
);

impl Logic for EdgeUse {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, used);
        self.used.reset.next = self.rst_i.val();
        self.used.d.next = (self.used.q.val() & !self.free_i.val()) | self.given_i.val();
        self.free_o.next = !self.used.q.val();
    }
}
