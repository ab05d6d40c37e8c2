use crate::table::*;

cell! {
    /// Whose turn it is among the in-ports: one after the other, all nodes alike.
    TurnRing, TurnRingSpec, "frit_turn_ring":
    "The in-port of a multibutterfly's node that has its turn in a round of moves, one bit for each in-port. Outside of rounds of moves no in-port has a turn.";
    "wrap_o is high in the cycle of the step from the last in-port to the first. State: the turn (reset to the first in-port).";
    parameters {
        Turns bits: u32 = 4, "in-ports of a node, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: the first in-port";
        In run_i: Bit, "messages move";
        In step_i: Bit, "the turn moves to the next in-port";
        Out turn_o: Bus(bits, "Turns"), "in-port whose turn it is, one bit for each in-port, same cycle";
        Out wrap_o: Bit = wrap, "the last in-port's turn ends, same cycle";
    }
    with {
        let one = Const::one(bits, "Turns");
    }
    parts {
        one: Const = one.clone();
        last: Const = Const::local(1 << (bits - 1), bits, Some("Turns"), "{1'b1, {(Turns-1){1'b0}}}");
        none: Const = Const::zero(bits, "Turns");
        wrap: Signal<Local, Bit>;
        turn: Reg = Reg::reset_to(&one, "Turns", "ONE");
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("(|(turn_q & (turn_q - 1'b1))) | ~(|turn_q)", "it is not the turn of exactly one port"),
            ]
        }
    }
}

impl kernel::Kernel for TurnRing {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("One bit says whose turn it is; behind the last one the first one follows.");
        self.wrap.next = self.step_i.val() & (self.turn.q.val() & self.last.val()).any();
        if self.step_i.val() {
            self.turn.d.next = self.turn.q.val() << self.one.val();
        }
        if self.wrap.val() {
            self.turn.d.next = self.one.val();
        }
        comment!("No port has its turn outside of transfers.");
        self.turn_o.next = self.none.val();
        if self.run_i.val() {
            self.turn_o.next = self.turn.q.val();
        }
    }
}
