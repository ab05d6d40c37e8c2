use crate::table::*;

cell! {
    /// The de Bruijn controller's shift register: its state is the next bits of the sequence, the first to leave on top.
    ///
    /// While `run_i` is high it moves on by one bit in each cycle with `step_i`, taking in `bit_i`, which one of three next-bit
    /// rules makes from `state_o`; without `run_i`, and after a cycle with `stop_i`, it stands at the start of the sequence. `control_o` is the bit of
    /// this cycle, `ahead_o` that of the next; `next_o` the state of the next, from which the routing word of this cycle follows.
    DeBruijn, DeBruijnSpec, "frit_debruijn":
    "De Bruijn controller: a shift register of the next bits of the sequence. bit_i comes from a next-bit rule.";
    "The state is the next Order bits of the sequence; the bit on top leaves first. The rule that computes bit_i reads state_o; controllers.md compares the three rules. After a cycle without run_i, or with stop_i, the state is the start of the sequence. State: 1 word (reset to Start).";
    parameters {
        Order order: u32 = 4, "order of the sequence, 1 or more";
        Start(order) start: u64 = 0, "first Order bits of the sequence, the first bit on top";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to the start of the sequence";
        In run_i: Bit, "keeps the sequence running; while low the state is the start of the sequence";
        In step_i: Bit, "moves on by one bit; while low the state is held";
        In stop_i: Bit, "returns to the start of the sequence";
        In bit_i: Bit, "bit that follows the state";
        Out control_o: Bit, "control bit of this cycle, the top bit of the state";
        Out ahead_o: Bit, "control bit of the next cycle, for drivers that have a register";
        Out state_o: Bus(order, "Order") = state.q, "state";
        Out next_o: Bus(order, "Order") = following, "state of the next cycle if the sequence moves on, same cycle as bit_i";
    }
    with {
        let start = Const::parameter(start, order, Some("Order"));
    }
    parts {
        start: Const = start.clone();
        one: Const = Const::one(order, "Order");
        top: Const = Const::top(order, "Order");
        none: Const = Const::zero(order, "Order");
        every: Const = Const::local(u64::MAX >> (64 - order), order, Some("Order"), "{Order{1'b1}}");
        moved: Bus<Local> = Bus::named(order, "Order").purpose("the state, moved on by one bit or held");
        kept: Bus<Local> = Bus::named(order, "Order").purpose("all bits while the sequence runs");
        given: Bus<Local> = Bus::named(order, "Order").purpose("the start of the sequence while it does not run");
        coming: Bus<Local> = Bus::named(order, "Order");
        following: Bus<Local> = Bus::named(order, "Order");
        state: Reg = Reg::reset_to(&start, "Order", "Start");
    }
}

impl kernel::Kernel for DeBruijn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Doubling, since a word of one bit cannot be shifted by one.");
        self.following.next = self.state.q.val() + self.state.q.val();
        if self.bit_i.val() {
            self.following.next = (self.state.q.val() + self.state.q.val()) | self.one.val();
        }
        comment!("The next state: unchanged, shifted, or the first one while the controller stands.");
        self.moved.next = self.state.q.val();
        if self.step_i.val() {
            self.moved.next = self.following.val();
        }
        comment!("No multiplexer whose input is a constant: the net that resets the registers would be slow.");
        self.kept.next = self.none.val();
        self.given.next = self.start.val();
        if self.run_i.val() & !self.stop_i.val() {
            self.kept.next = self.every.val();
            self.given.next = self.none.val();
        }
        self.coming.next = (self.moved.val() & self.kept.val()) | self.given.val();
        self.state.d.next = self.coming.val();
        self.ahead_o.next = self.coming.val().get_bit(self.top.val().index());
        self.control_o.next = self.state.q.val().get_bit(self.top.val().index());
    }
}
