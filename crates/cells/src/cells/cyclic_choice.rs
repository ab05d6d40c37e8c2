use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`CyclicChoice`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclicChoiceSpec {
    /// Edges in a bundle.
    pub edges: u32,
}

impl Describe for CyclicChoiceSpec {
    fn module(&self) -> String {
        "frit_cyclic_choice".into()
    }
    fn title(&self) -> &'static str {
        "frit_cyclic_choice"
    }
    fn summary(&self) -> &'static str {
        "What a weak switch does in a cycle where edges are released: it shunts the head of one in bundle to the next edge of the out bundle that this wants, once nobody has that edge."
    }
    fn details(&self) -> &'static str {
        "Of two heads that can be shunted the one of the bundle that was not served last comes first. State: the next edge of each out bundle, a bit for each edge (reset to the first, which also follows the last), and the in bundle that is first (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Edges", self.edges, "edges in a bundle, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(CyclicChoice::new(self.edges as usize))
    }
    fn example() -> Self {
        CyclicChoiceSpec { edges: 4 }
    }
}

/// The choice of a weak switch between the two heads that it examines, and the edges that it hands out in turn.
#[derive(LogicBlock)]
pub struct CyclicChoice {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    upper0_i: Signal<In, Bit>,
    upper1_i: Signal<In, Bit>,
    lower0_i: Signal<In, Bit>,
    lower1_i: Signal<In, Bit>,
    upper_o: Signal<Out, Bit>,
    lower_o: Signal<Out, Bit>,
    edge_o: Bus<Out>,
    free0_i: Bus<In>,
    free1_i: Bus<In>,
    given0_o: Bus<Out>,
    given1_o: Bus<Out>,
    one: Const,
    top: Const,
    none: Const,
    upper: Signal<Local, Bit>,
    lower: Signal<Local, Bit>,
    bundle: Signal<Local, Bit>,
    lower_first: BitReg,
    next0: Reg,
    next1: Reg,
}

impl CyclicChoice {
    /// For bundles of `edges` edges.
    pub fn new(edges: usize) -> Self {
        let one = Const::one(edges, "Edges");
        CyclicChoice {
            clk_i: Default::default(),
            rst_i: Default::default(),
            upper0_i: Default::default(),
            upper1_i: Default::default(),
            lower0_i: Default::default(),
            lower1_i: Default::default(),
            upper_o: Default::default(),
            lower_o: Default::default(),
            edge_o: Bus::named(edges, "Edges"),
            free0_i: Bus::named(edges, "Edges"),
            free1_i: Bus::named(edges, "Edges"),
            given0_o: Bus::named(edges, "Edges"),
            given1_o: Bus::named(edges, "Edges"),
            top: Const::top(edges, "Edges"),
            none: Const::zero(edges, "Edges"),
            upper: Default::default(),
            lower: Default::default(),
            bundle: Default::default(),
            lower_first: BitReg::default().purpose("in bundle 1 is served first"),
            next0: Reg::reset_to(&one, "Edges", "ONE").purpose("the next edge of out bundle 0, a bit for each"),
            next1: Reg::reset_to(&one, "Edges", "ONE").purpose("the next edge of out bundle 1, a bit for each"),
            one,
        }
    }
}

cell_ports!(CyclicChoice:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: the first edges are next, in bundle 0 is first",
    In upper0_i "the head of in bundle 0 wants an edge of out bundle 0",
    In upper1_i "the head of in bundle 0 wants an edge of out bundle 1",
    In lower0_i "the head of in bundle 1 wants an edge of out bundle 0",
    In lower1_i "the head of in bundle 1 wants an edge of out bundle 1",
    Out upper_o "the head of in bundle 0 is given one, same cycle",
    Out lower_o "the head of in bundle 1 is given one, same cycle",
    Out edge_o "which, same cycle: a bit for each edge",
    In free0_i "edges of out bundle 0 that nobody has",
    In free1_i "edges of out bundle 1 that nobody has",
    Out given0_o "the edge of out bundle 0 that is given, same cycle",
    Out given1_o "the edge of out bundle 1 that is given, same cycle",
);

impl Logic for CyclicChoice {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, lower_first, next0, next1);
        self.lower_first.reset.next = self.rst_i.val();
        self.next0.reset.next = self.rst_i.val();
        self.next1.reset.next = self.rst_i.val();
        self.upper.next = (self.upper0_i.val() & (self.next0.q.val() & self.free0_i.val()).any())
            | (self.upper1_i.val() & (self.next1.q.val() & self.free1_i.val()).any());
        self.lower.next = (self.lower0_i.val() & (self.next0.q.val() & self.free0_i.val()).any())
            | (self.lower1_i.val() & (self.next1.q.val() & self.free1_i.val()).any());
        // One of two that can; then it is the other's turn to be first.
        self.lower_first.d.next = self.lower_first.q.val();
        self.bundle.next = self.upper1_i.val();
        self.upper_o.next = false;
        self.lower_o.next = false;
        if self.upper.val() & (!self.lower_first.q.val() | !self.lower.val()) {
            self.upper_o.next = true;
            self.lower_first.d.next = true;
        }
        if self.lower.val() & (self.lower_first.q.val() | !self.upper.val()) {
            self.lower_o.next = true;
            self.lower_first.d.next = false;
            self.bundle.next = self.lower1_i.val();
        }
        self.edge_o.next = self.next0.q.val();
        self.next0.d.next = self.next0.q.val();
        self.next1.d.next = self.next1.q.val();
        self.given0_o.next = self.none.val();
        self.given1_o.next = self.none.val();
        if self.bundle.val() {
            self.edge_o.next = self.next1.q.val();
        }
        if self.upper.val() | self.lower.val() {
            if self.bundle.val() {
                self.given1_o.next = self.next1.q.val();
                self.next1.d.next = (self.next1.q.val() << self.one.val()) | (self.next1.q.val() >> self.top.val());
            }
            if !self.bundle.val() {
                self.given0_o.next = self.next0.q.val();
                self.next0.d.next = (self.next0.q.val() << self.one.val()) | (self.next0.q.val() >> self.top.val());
            }
        }
    }
}
