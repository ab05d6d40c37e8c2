use crate::table::*;

cell! {
    /// What a switch has for each of its in edges: the target to which the edge is shunted, if it is.
    Shunt, ShuntSpec, "frit_shunt":
    "An in edge of a switch of a dilated butterfly: shows which out bundle the head of a packet wants, stores the out edge that the head is given, and sends the rest of the packet to that edge, up to its last bit.";
    "Without a target the edge wants an edge of the out bundle that its front bit names (want0_o, want1_o). With take_i it stores edge_i as its target, and the front bit is popped. From the next cycle on it offers its bits to the target, and pops a bit whenever the target has room. The target has one bit for each edge of a bundle (all 0: no target), and one bit for the bundle. When the last bit leaves, the target is cleared, and free_o says that the in edge is free from the next cycle on. Where edges are not released, last_i is 0, and the target stays until a reset. State: target (reset to none) and bundle (reset to 0).";
    parameters {
        Edges edges: u32 = 4, "edges in a bundle, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no target";
        In valid_i: Bit, "bit_i holds a bit of the packet";
        In bit_i: Bit, "front bit";
        In take_i: Bit, "the edge that the head wants is given";
        In edge_i: Bus(edges, "Edges"), "edge that is given, one bit for each edge";
        In last_i: Bit, "the front bit is the last of its packet; 0 where edges are not released";
        In room0_i: Bus(edges, "Edges"), "edges of out bundle 0 with room, one bit for each edge";
        In room1_i: Bus(edges, "Edges"), "edges of out bundle 1 with room, one bit for each edge";
        Out want0_o: Bit, "a head wants an edge of out bundle 0, same cycle";
        Out want1_o: Bit, "a head wants an edge of out bundle 1, same cycle";
        Out pop_o: Bit, "the front bit leaves, same cycle";
        Out offer0_o: Bus(edges, "Edges"), "edges of out bundle 0 to which the bit is offered";
        Out offer1_o: Bus(edges, "Edges"), "edges of out bundle 1 to which the bit is offered";
        Out ones0_o: Bus(edges, "Edges"), "edges of out bundle 0 to which a 1 is offered";
        Out ones1_o: Bus(edges, "Edges"), "edges of out bundle 1 to which a 1 is offered";
        Out lasts0_o: Bus(edges, "Edges"), "edges of out bundle 0 to which the last bit of a packet is offered";
        Out lasts1_o: Bus(edges, "Edges"), "edges of out bundle 1 to which the last bit of a packet is offered";
        Out free_o: Bit = ends, "the last bit leaves: the in edge is free from the next cycle on";
    }
    parts {
        none: Const = Const::zero(edges, "Edges");
        leaves: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        wants: Signal<Local, Bit>;
        room: Bus<Local> = Bus::named(edges, "Edges");
        target: Reg = Reg::zero(edges, "Edges").purpose("the edge of the target, one bit for each edge; 0: no target");
        bundle: BitReg = BitReg::default().purpose("the out bundle of the target");
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("take_i & ~wants", "an edge is given to a packet that wants none"),
                Assertion::Never("take_i & (|(edge_i & (edge_i - 1'b1)))", "several edges are given at once"),
            ]
        }
    }
}

impl kernel::Kernel for Shunt {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Without a target the front bit is the address: it names the bundle that the head wants.");
        self.wants.next = self.valid_i.val() & !self.target.q.val().any();
        self.want0_o.next = self.wants.val() & !self.bit_i.val();
        self.want1_o.next = self.wants.val() & self.bit_i.val();
        comment!("The edge that was given is the target until the last bit has left.");
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
        comment!("");
        self.pop_o.next = self.take_i.val() | self.leaves.val();
        comment!("The target is offered the front bit, and told whether it is a 1 and the last one.");
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
