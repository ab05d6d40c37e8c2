use crate::table::*;

cell! {
    /// Which edges of an out bundle are given to packets, until they are released.
    EdgeUse, EdgeUseSpec, "frit_edge_use":
    "Keeps the edges of an out bundle that packets hold, in a dilated butterfly whose edges are released.";
    "Only edges of free_o may be given. An edge that is released (free_i) can be given from the next cycle on. State: one bit for each edge, reset to 0 (free).";
    parameters {
        Edges edges: u32 = 4, "edges in a bundle, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: all edges are free";
        In given_i: Bus(edges, "Edges"), "edges that are given in this cycle, one bit for each edge";
        In free_i: Bus(edges, "Edges"), "edges that their packets leave in this cycle, one bit for each edge";
        Out free_o: Bus(edges, "Edges"), "edges that were free when the cycle began, one bit for each edge";
    }
    parts {
        used: Reg = Reg::zero(edges, "Edges").purpose("edges that packets hold");
    }
}

impl kernel::Kernel for EdgeUse {
    #[hdl_gen]
    fn update(&mut self) {
        self.used.d.next = (self.used.q.val() & !self.free_i.val()) | self.given_i.val();
        self.free_o.next = !self.used.q.val();
    }
}
