use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`TailShunt`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TailShuntSpec {
    /// Edges in a bundle.
    pub edges: u32,
}

impl Describe for TailShuntSpec {
    fn module(&self) -> String {
        "frit_tail_shunt".into()
    }
    fn title(&self) -> &'static str {
        "frit_tail_shunt"
    }
    fn summary(&self) -> &'static str {
        "An in edge of a switch of worms: shows the routing bit of a head, takes the edge that it is given, and sends what follows there until the worm's last bit."
    }
    fn details(&self) -> &'static str {
        "Without a target it wants an edge of the bundle that its bit names (want0_o, want1_o); with take_i it stores edge_i as its target, and the bit is popped. From the next cycle on it offers its bits there, and pops one where that edge has room. The target is stored with a bit for each edge of a bundle (none: no target) and one for the bundle. When the last bit leaves the target is forgotten, and free_o says that nobody has the in edge from the next cycle on. State: target (reset to none) and bundle (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Edges", self.edges, "edges in a bundle, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(TailShunt::new(self.edges as usize))
    }
    fn example() -> Self {
        TailShuntSpec { edges: 4 }
    }
}

/// What a switch has for each of its in edges: the target to which the edge is shunted, if it is.
#[derive(LogicBlock)]
pub struct TailShunt {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    bit_i: Signal<In, Bit>,
    take_i: Signal<In, Bit>,
    edge_i: Bus<In>,
    last_i: Signal<In, Bit>,
    room0_i: Bus<In>,
    room1_i: Bus<In>,
    want0_o: Signal<Out, Bit>,
    want1_o: Signal<Out, Bit>,
    pop_o: Signal<Out, Bit>,
    offer0_o: Bus<Out>,
    offer1_o: Bus<Out>,
    ones0_o: Bus<Out>,
    ones1_o: Bus<Out>,
    lasts0_o: Bus<Out>,
    lasts1_o: Bus<Out>,
    free_o: Signal<Out, Bit>,
    none: Const,
    leaves: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    wants: Signal<Local, Bit>,
    room: Bus<Local>,
    target: Reg,
    bundle: BitReg,
}

impl TailShunt {
    /// For bundles of `edges` edges.
    pub fn new(edges: usize) -> Self {
        TailShunt {
            clk_i: Default::default(),
            rst_i: Default::default(),
            valid_i: Default::default(),
            bit_i: Default::default(),
            take_i: Default::default(),
            edge_i: Bus::named(edges, "Edges"),
            last_i: Default::default(),
            room0_i: Bus::named(edges, "Edges"),
            room1_i: Bus::named(edges, "Edges"),
            want0_o: Default::default(),
            want1_o: Default::default(),
            pop_o: Default::default(),
            offer0_o: Bus::named(edges, "Edges"),
            offer1_o: Bus::named(edges, "Edges"),
            ones0_o: Bus::named(edges, "Edges"),
            ones1_o: Bus::named(edges, "Edges"),
            lasts0_o: Bus::named(edges, "Edges"),
            lasts1_o: Bus::named(edges, "Edges"),
            free_o: Default::default(),
            leaves: Default::default(),
            ends: Default::default(),
            none: Const::zero(edges, "Edges"),
            wants: Default::default(),
            room: Bus::named(edges, "Edges"),
            target: Reg::zero(edges, "Edges").purpose("the edge of the target, a bit for each; none: not shunted"),
            bundle: BitReg::default().purpose("the out bundle of the target"),
        }
    }
}

cell_ports!(TailShunt:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: not shunted",
    In valid_i "there is a bit",
    In bit_i "the bit",
    In take_i "the edge that is wanted is given",
    In edge_i "which: a bit for each edge",
    In last_i "the bit is the last of its worm",
    In room0_i "edges of out bundle 0 with room",
    In room1_i "edges of out bundle 1 with room",
    Out want0_o "a head wants an edge of out bundle 0, same cycle",
    Out want1_o "a head wants an edge of out bundle 1, same cycle",
    Out pop_o "the bit leaves, same cycle",
    Out offer0_o "edges of out bundle 0 to which the bit is offered",
    Out offer1_o "edges of out bundle 1 to which the bit is offered",
    Out ones0_o "the same if the bit is 1",
    Out ones1_o "the same if the bit is 1",
    Out lasts0_o "the same if it is the last",
    Out lasts1_o "the same if it is the last",
    Out free_o "the last bit leaves: nobody has the in edge from the next cycle on",
);

impl Logic for TailShunt {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, target, bundle);
        self.target.reset.next = self.rst_i.val();
        self.bundle.reset.next = self.rst_i.val();
        self.wants.next = self.valid_i.val() & !self.target.q.val().any();
        self.want0_o.next = self.wants.val() & !self.bit_i.val();
        self.want1_o.next = self.wants.val() & self.bit_i.val();
        self.target.d.next = self.target.q.val();
        self.bundle.d.next = self.bundle.q.val();
        if self.take_i.val() {
            self.target.d.next = self.edge_i.val();
            self.bundle.d.next = self.bit_i.val();
        }
        self.room.next = self.room0_i.val();
        if self.bundle.q.val() {
            self.room.next = self.room1_i.val();
        }
        self.leaves.next = self.valid_i.val() & (self.room.val() & self.target.q.val()).any();
        self.ends.next = self.leaves.val() & self.last_i.val();
        if self.ends.val() {
            self.target.d.next = self.none.val();
        }
        self.pop_o.next = self.take_i.val() | self.leaves.val();
        self.free_o.next = self.ends.val();
        self.lasts0_o.next = self.none.val();
        self.lasts1_o.next = self.none.val();
        if self.valid_i.val() & self.last_i.val() & !self.bundle.q.val() {
            self.lasts0_o.next = self.target.q.val();
        }
        if self.valid_i.val() & self.last_i.val() & self.bundle.q.val() {
            self.lasts1_o.next = self.target.q.val();
        }
        self.offer0_o.next = self.none.val();
        self.offer1_o.next = self.none.val();
        self.ones0_o.next = self.none.val();
        self.ones1_o.next = self.none.val();
        if self.valid_i.val() & !self.bundle.q.val() {
            self.offer0_o.next = self.target.q.val();
        }
        if self.valid_i.val() & self.bundle.q.val() {
            self.offer1_o.next = self.target.q.val();
        }
        if self.bit_i.val() & !self.bundle.q.val() {
            self.ones0_o.next = self.target.q.val();
        }
        if self.bit_i.val() & self.bundle.q.val() {
            self.ones1_o.next = self.target.q.val();
        }
    }
}
