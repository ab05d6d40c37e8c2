use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`CyclicTurn`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclicTurnSpec {
    /// Edges in the in bundle.
    pub edges: u32,
}

impl Describe for CyclicTurnSpec {
    fn module(&self) -> String {
        "frit_cyclic_turn".into()
    }
    fn title(&self) -> &'static str {
        "frit_cyclic_turn"
    }
    fn summary(&self) -> &'static str {
        "The edge of an in bundle that a weak switch examines: one after the other, each until it is shunted, and the first behind the last."
    }
    fn details(&self) -> &'static str {
        "For edges that are released and handed out in turn. State: the turn, a bit for each edge (reset to the first)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Edges", self.edges, "edges in the in bundle, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(CyclicTurn::new(self.edges as usize))
    }
    fn example() -> Self {
        CyclicTurnSpec { edges: 4 }
    }
}

/// Whose turn it is in an in bundle of a weak switch. Heads come in the order of the edges, round and round, since edges are handed out
/// so.
#[derive(LogicBlock)]
pub struct CyclicTurn {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    want0_i: Bus<In>,
    want1_i: Bus<In>,
    take_i: Signal<In, Bit>,
    want0_o: Signal<Out, Bit>,
    want1_o: Signal<Out, Bit>,
    take_o: Bus<Out>,
    one: Const,
    top: Const,
    none: Const,
    turn: Reg,
}

impl CyclicTurn {
    /// For an in bundle of `edges` edges.
    pub fn new(edges: usize) -> Self {
        let one = Const::one(edges, "Edges");
        CyclicTurn {
            clk_i: Default::default(),
            rst_i: Default::default(),
            want0_i: Bus::named(edges, "Edges"),
            want1_i: Bus::named(edges, "Edges"),
            take_i: Default::default(),
            want0_o: Default::default(),
            want1_o: Default::default(),
            take_o: Bus::named(edges, "Edges"),
            top: Const::top(edges, "Edges"),
            none: Const::zero(edges, "Edges"),
            turn: Reg::reset_to(&one, "Edges", "ONE"),
            one,
        }
    }
}

cell_ports!(CyclicTurn:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: the first edge",
    In want0_i "edges whose heads want an edge of out bundle 0",
    In want1_i "edges whose heads want an edge of out bundle 1",
    In take_i "the head of this turn is given one",
    Out want0_o "the head of this turn wants an edge of out bundle 0, same cycle",
    Out want1_o "the head of this turn wants an edge of out bundle 1, same cycle",
    Out take_o "whose head is given one, same cycle: a bit for each edge",
);

impl Logic for CyclicTurn {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, turn);
        self.turn.reset.next = self.rst_i.val();
        self.turn.d.next = self.turn.q.val();
        self.take_o.next = self.none.val();
        if self.take_i.val() {
            self.turn.d.next = (self.turn.q.val() << self.one.val()) | (self.turn.q.val() >> self.top.val());
            self.take_o.next = self.turn.q.val();
        }
        self.want0_o.next = (self.want0_i.val() & self.turn.q.val()).any();
        self.want1_o.next = (self.want1_i.val() & self.turn.q.val()).any();
    }
}
