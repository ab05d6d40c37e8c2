use crate::table::*;

cell! {
    /// Whose turn it is in an in bundle of a weak switch. Heads come in the order of the edges, since edges are handed out so; where edges
    /// are released, round and round.
    WeakTurn, WeakTurnSpec, "frit_weak_turn":
    "The edge of an in bundle that a weak switch examines. The turn stays on an edge until its head is given an out edge, then moves to the next edge.";
    "With Cyclic 1 the first edge follows the last, for edges that are released and given out in this order; with Cyclic 0 no edge has the turn after the last. State: the turn, one bit for each edge (reset to the first).";
    parameters {
        Edges edges: u32 = 4, "edges in the in bundle, 1 or more";
        Cyclic(1) cyclic: u64 = 1, "1: the first edge follows the last. 0: none does";
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
        cyclic: Const = Const::parameter(cyclic, 1, None);
        turn: Reg = Reg::reset_to(&one, "Edges", "ONE");
    }
}

impl kernel::Kernel for WeakTurn {
    #[hdl_gen]
    fn update(&mut self) {
        self.take_o.next = self.none.val();
        if self.take_i.val() {
            self.turn.d.next = self.turn.q.val() << self.one.val();
            if self.cyclic.val().any() {
                self.turn.d.next = (self.turn.q.val() << self.one.val()) | (self.turn.q.val() >> self.top.val());
            }
            self.take_o.next = self.turn.q.val();
        }
        self.want0_o.next = (self.want0_i.val() & self.turn.q.val()).any();
        self.want1_o.next = (self.want1_i.val() & self.turn.q.val()).any();
    }
}
