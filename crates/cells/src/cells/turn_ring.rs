use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`TurnRing`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnRingSpec {
    /// In-ports of a node, 2 or more.
    pub bits: u32,
}

impl Describe for TurnRingSpec {
    fn module(&self) -> String {
        "frit_turn_ring".into()
    }
    fn title(&self) -> &'static str {
        "frit_turn_ring"
    }
    fn summary(&self) -> &'static str {
        "The in-port whose turn it is in a round of moves, a bit for each; none outside."
    }
    fn details(&self) -> &'static str {
        "wrap_o is high in the cycle of the step that leads from the last to the first. State: the turn (reset to the first)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Turns", self.bits, "in-ports of a node, 2 or more").at_least(2),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(TurnRing::new(self.bits as usize))
    }
    fn example() -> Self {
        TurnRingSpec { bits: 4 }
    }
}

/// Whose turn it is among the in-ports: one after the other, all nodes alike.
#[derive(LogicBlock)]
pub struct TurnRing {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    run_i: Signal<In, Bit>,
    step_i: Signal<In, Bit>,
    turn_o: Bus<Out>,
    wrap_o: Signal<Out, Bit>,
    one: Const,
    last: Const,
    none: Const,
    wrap: Signal<Local, Bit>,
    turn: Reg,
}

impl TurnRing {
    /// For `bits` in-ports.
    pub fn new(bits: usize) -> Self {
        let one = Const::one(bits, "Turns");
        TurnRing {
            clk_i: Default::default(),
            rst_i: Default::default(),
            run_i: Default::default(),
            step_i: Default::default(),
            turn_o: Bus::named(bits, "Turns"),
            wrap_o: Default::default(),
            last: Const::local(1 << (bits - 1), bits, Some("Turns"), "{1'b1, {(Turns-1){1'b0}}}"),
            none: Const::zero(bits, "Turns"),
            wrap: Default::default(),
            turn: Reg::reset_to(&one, "Turns", "ONE"),
            one,
        }
    }
}

cell_ports!(TurnRing:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: the first",
    In run_i "messages move",
    In step_i "it is the next one's turn",
    Out turn_o "whose turn it is, same cycle",
    Out wrap_o "it was the last, same cycle",
);

impl Logic for TurnRing {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, turn);
        self.turn.reset.next = self.rst_i.val();
        self.wrap.next = self.step_i.val() & (self.turn.q.val() & self.last.val()).any();
        self.turn.d.next = self.turn.q.val();
        if self.step_i.val() {
            self.turn.d.next = self.turn.q.val() << self.one.val();
        }
        if self.wrap.val() {
            self.turn.d.next = self.one.val();
        }
        self.turn_o.next = self.none.val();
        if self.run_i.val() {
            self.turn_o.next = self.turn.q.val();
        }
        self.wrap_o.next = self.wrap.val();
    }
}
