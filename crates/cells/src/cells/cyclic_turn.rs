use crate::table::*;

cell! {
    /// Whose turn it is in an in bundle of a weak switch. Heads come in the order of the edges, round and round, since edges are handed out
    /// so.
    CyclicTurn, CyclicTurnSpec, "frit_cyclic_turn":
    "The edge of an in bundle that a weak switch examines. The turn stays on an edge until its head is given an out edge, then moves to the next edge; the first edge follows the last.";
    "It is for edges that are released and given out in cyclic order. State: the turn, one bit for each edge (reset to the first).";
    parameters {
        Edges edges: u32 = 4, "edges in the in bundle, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: the first edge has its turn";
        In want0_i: Bus(edges, "Edges"), "edges whose heads want an edge of out bundle 0, one bit for each edge";
        In want1_i: Bus(edges, "Edges"), "edges whose heads want an edge of out bundle 1, one bit for each edge";
        In take_i: Bit, "the head whose turn it is gets an edge";
        Out want0_o: Bit, "the head whose turn it is wants an edge of out bundle 0, same cycle";
        Out want1_o: Bit, "the head whose turn it is wants an edge of out bundle 1, same cycle";
        Out take_o: Bus(edges, "Edges"), "edge whose head gets an out edge, one bit for each edge, same cycle";
    }
    with {
        let one = Const::one(edges, "Edges");
    }
    parts {
        one: Const = one.clone();
        top: Const = Const::top(edges, "Edges");
        none: Const = Const::zero(edges, "Edges");
        turn: Reg = Reg::reset_to(&one, "Edges", "ONE");
    }
}

impl kernel::Kernel for CyclicTurn {
    #[hdl_gen]
    fn update(&mut self) {
        self.take_o.next = self.none.val();
        if self.take_i.val() {
            self.turn.d.next = (self.turn.q.val() << self.one.val()) | (self.turn.q.val() >> self.top.val());
            self.take_o.next = self.turn.q.val();
        }
        self.want0_o.next = (self.want0_i.val() & self.turn.q.val()).any();
        self.want1_o.next = (self.want1_i.val() & self.turn.q.val()).any();
    }
}
