use crate::table::*;

cell! {
    /// The choice of a weak switch between the two heads that it examines, and the edges that it hands out in turn.
    WeakChoice, WeakChoiceSpec, "frit_weak_choice":
    "Choice of a weak switch of a dilated butterfly. In a cycle it connects the head of at most one in bundle to an out edge: the next edge of the out bundle that the head wants, once that edge is free.";
    "If the heads of both in bundles can be connected, the in bundle that was not served last is served. With Cyclic 1 the first edge follows the last, for edges that are released; with Cyclic 0 none does, and all edges are free. State: the next edge of each out bundle, one bit for each edge (reset to the first edge), and the in bundle that is served first (reset to 0).";
    parameters {
        Edges edges: u32 = 4, "edges in a bundle, 1 or more";
        Cyclic(1) cyclic: u64 = 1, "1: the first edge follows the last. 0: none does";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: the first edge of each bundle is next, in bundle 0 is served first";
        In upper0_i: Bit, "the head of in bundle 0 wants an edge of out bundle 0";
        In upper1_i: Bit, "the head of in bundle 0 wants an edge of out bundle 1";
        In lower0_i: Bit, "the head of in bundle 1 wants an edge of out bundle 0";
        In lower1_i: Bit, "the head of in bundle 1 wants an edge of out bundle 1";
        Out upper_o: Bit, "the head of in bundle 0 is given an edge, same cycle";
        Out lower_o: Bit, "the head of in bundle 1 is given an edge, same cycle";
        Out edge_o: Bus(edges, "Edges"), "edge that is given, one bit for each edge, same cycle";
        In free0_i: Bus(edges, "Edges"), "free edges of out bundle 0, one bit for each edge; all 1 where edges are not released";
        In free1_i: Bus(edges, "Edges"), "free edges of out bundle 1, one bit for each edge; all 1 where edges are not released";
        Out given0_o: Bus(edges, "Edges"), "edge of out bundle 0 that is given, one bit for each edge, same cycle";
        Out given1_o: Bus(edges, "Edges"), "edge of out bundle 1 that is given, one bit for each edge, same cycle";
    }
    with {
        let one = Const::one(edges, "Edges");
    }
    parts {
        one: Const = one.clone();
        top: Const = Const::top(edges, "Edges");
        none: Const = Const::zero(edges, "Edges");
        cyclic: Const = Const::parameter(cyclic, 1, None);
        upper: Signal<Local, Bit>;
        lower: Signal<Local, Bit>;
        bundle: Signal<Local, Bit>;
        lower_first: BitReg = BitReg::default().purpose("in bundle 1 is served first");
        next0: Reg = Reg::reset_to(&one, "Edges", "ONE").purpose("the next edge of out bundle 0, one bit for each edge");
        next1: Reg = Reg::reset_to(&one, "Edges", "ONE").purpose("the next edge of out bundle 1, one bit for each edge");
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("upper_o & lower_o", "one edge is given to two packets"),
            ]
        }
    }
}

impl kernel::Kernel for WeakChoice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Which in edges want an edge that is next in turn and free.");
        self.upper.next = (self.upper0_i.val() & (self.next0.q.val() & self.free0_i.val()).any())
            | (self.upper1_i.val() & (self.next1.q.val() & self.free1_i.val()).any());
        self.lower.next = (self.lower0_i.val() & (self.next0.q.val() & self.free0_i.val()).any())
            | (self.lower1_i.val() & (self.next1.q.val() & self.free1_i.val()).any());
        comment!("One of two that can; then it is the other's turn to be first.");
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
        comment!("The edge that is next in turn is given, and the turn goes on.");
        self.edge_o.next = self.next0.q.val();
        self.given0_o.next = self.none.val();
        self.given1_o.next = self.none.val();
        if self.bundle.val() {
            self.edge_o.next = self.next1.q.val();
        }
        if self.upper.val() | self.lower.val() {
            if self.bundle.val() {
                self.given1_o.next = self.next1.q.val();
                self.next1.d.next = self.next1.q.val() << self.one.val();
                if self.cyclic.val().any() {
                    self.next1.d.next = (self.next1.q.val() << self.one.val()) | (self.next1.q.val() >> self.top.val());
                }
            }
            if !self.bundle.val() {
                self.given0_o.next = self.next0.q.val();
                self.next0.d.next = self.next0.q.val() << self.one.val();
                if self.cyclic.val().any() {
                    self.next0.d.next = (self.next0.q.val() << self.one.val()) | (self.next0.q.val() >> self.top.val());
                }
            }
        }
    }
}
