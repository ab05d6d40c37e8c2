use crate::table::*;

cell! {
    /// The routing word of a slot, in a register: a_0 = 0 and a_(j+1) = a_j XOR τ_j, where τ_0 … τ_(l-1) are the control bits that
    /// the packets of the slot will meet.
    ///
    /// The word alone is the state. Its bits XOR their neighbours are the τ_j again, from which a next-bit rule gives `bit_i`. The
    /// next word loses τ_0 = a_1: it moves up by one bit, and if a_1 is 1 it is complemented.
    RoutingWord, RoutingWordSpec, "frit_routing_word":
    "Routing word of a slot, in a register: the running XOR of the control bits that the packets of the slot will meet.";
    "a_0 = 0 and a_(j+1) = a_j XOR tau_j. bit_i comes from a next-bit rule, which reads tau_o. After a whole period of the sequence the word is Idle again. State: the word (reset to Idle).";
    parameters {
        Order order: u32 = 4, "order of the sequence, 1 or more: control bits of a packet";
        Idle(order) idle: u64 = 1, "word of slot 0, a_1 on top";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to the word of slot 0";
        In step_i: Bit, "a slot ends with this cycle";
        In bit_i: Bit, "bit of the sequence that follows tau_o";
        Out tau_o: Bus(order, "Order"), "tau_0 ... tau_(Order-1) of the slot, tau_0 on top";
        Out word_o: Bus(order, "Order") = word.q, "a_1 ... a_Order of the slot, a_1 on top. a_0 is 0 and left out";
    }
    with {
        let idle = Const::parameter(idle, order, Some("Order"));
    }
    parts {
        idle: Const = idle.clone();
        one: Const = Const::one(order, "Order");
        none: Const = Const::zero(order, "Order");
        every: Const = Const::local(u64::MAX >> (64 - order), order, Some("Order"), "{Order{1'b1}}");
        top: Const = Const::top(order, "Order");
        low: Const = Const::local(0, 32, None, "0");
        by1: Const = Const::local(1, 32, None, "1");
        ending: Signal<Local, Bit>;
        grown: Bus<Local> = Bus::named(order, "Order").purpose("the word moved up by one bit");
        turned: Bus<Local> = Bus::named(order, "Order").purpose("the next word");
        change: Bus<Local> = Bus::named(order, "Order").purpose("bits that change");
        moving: Bus<Local> = Bus::named(order, "Order").purpose("all bits if the slot ends");
        word: Reg = Reg::reset_to(&idle, "Order", "Idle");
    }
}

impl kernel::Kernel for RoutingWord {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The word is shifted, with the bit of the sequence at its end.");
        self.ending.next = self.word.q.val().get_bit(self.low.val().index()) ^ self.bit_i.val();
        self.grown.next = self.word.q.val() << self.by1.val();
        if self.ending.val() {
            self.grown.next = (self.word.q.val() << self.by1.val()) | self.one.val();
        }
        comment!("A word whose top bit would leave is inverted.");
        self.turned.next = self.grown.val();
        if self.word.q.val().get_bit(self.top.val().index()) {
            self.turned.next = !self.grown.val();
        }
        comment!("The change is added: a multiplexer that holds the word would become a net that enables its registers, which is slow.");
        self.change.next = self.word.q.val() ^ self.turned.val();
        self.moving.next = self.none.val();
        if self.step_i.val() {
            self.moving.next = self.every.val();
        }
        self.word.d.next = self.word.q.val() ^ (self.change.val() & self.moving.val());
        comment!("The controls of the stages.");
        self.tau_o.next = self.word.q.val() ^ (self.word.q.val() >> self.by1.val());
    }
}
