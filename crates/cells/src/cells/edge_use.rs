use crate::atoms::Reg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Which edges of an out bundle are given to worms, until they are released.
    EdgeUse, EdgeUseSpec, "frit_edge_use":
    "The edges of an out bundle that worms have, where edges are released.";
    "Only edges of free_o may be given; one that is released (free_i) can be given from the next cycle on. State: a bit for each edge, reset to 0 (nobody's).";
    parameters {
        Edges edges: u32 = 4, "edges in a bundle, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: nobody has an edge";
        In given_i: Bus(edges, "Edges"), "edges that are given in this cycle";
        In free_i: Bus(edges, "Edges"), "edges that their worms leave in this cycle";
        Out free_o: Bus(edges, "Edges"), "edges that nobody had when the cycle began";
    }
    parts {
        used: Reg = Reg::zero(edges, "Edges").purpose("edges that worms have");
    }
}

impl Logic for EdgeUse {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, used);
        self.used.reset.next = self.rst_i.val();
        self.used.d.next = (self.used.q.val() & !self.free_i.val()) | self.given_i.val();
        self.free_o.next = !self.used.q.val();
    }
}
