use crate::table::*;

cell! {
    /// What the sources of the packets that arrive have in common, in a register: the bits XOR the number of the processor are the
    /// number of the source of the packet that comes in above.
    ///
    /// A packet above comes over a straight last edge, so it went out above or below as its routing word says. With the control bits
    /// τ_0 … τ_(l-1) that the packets have met, the bits are s_j = τ_j XOR … XOR τ_(l-1), and s_l = 0 is left out.
    SourceWord, SourceWordSpec, "frit_source_word":
    "Tells whose packets arrive: the bits in which the number of the source of the packet above differs from the processor's own, in a register.";
    "s_j is the XOR of tau_j to tau_(Order-1), the last control bits that the packets have met. bit_i comes from a next-bit rule, which reads tau_o. After a whole period of the sequence the word is Idle again. State: the word (reset to Idle).";
    parameters {
        Order order: u32 = 4, "order of the sequence, 1 or more: control bits of a packet";
        Idle(order) idle: u64 = 1, "word of slot 0, s_0 on top";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to the word of slot 0";
        In step_i: Bit, "the packets of a slot arrive for the last time in this cycle";
        In bit_i: Bit, "bit of the sequence that follows tau_o";
        Out tau_o: Bus(order, "Order"), "tau_0 ... tau_(Order-1) of the slot, tau_0 on top";
        Out word_o: Bus(order, "Order") = word.q, "s_0 ... s_(Order-1) of the slot, s_0 on top";
    }
    with {
        let idle = Const::parameter(idle, order, Some("Order"));
    }
    parts {
        idle: Const = idle.clone();
        none: Const = Const::zero(order, "Order");
        every: Const = Const::local(u64::MAX >> (64 - order), order, Some("Order"), "{Order{1'b1}}");
        by1: Const = Const::local(1, 32, None, "1");
        turned: Bus<Local> = Bus::named(order, "Order").purpose("the next word");
        moving: Bus<Local> = Bus::named(order, "Order").purpose("all bits if the slot ends");
        word: Reg = Reg::reset_to(&idle, "Order", "Idle");
    }
}

impl kernel::Kernel for SourceWord {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The next word is shifted, and inverted where the bit of the sequence is 1.");
        self.turned.next = self.word.q.val() << self.by1.val();
        if self.bit_i.val() {
            self.turned.next = !(self.word.q.val() << self.by1.val());
        }
        comment!("The change is added: a multiplexer that holds the word would become a net that enables its registers, which is slow.");
        self.moving.next = self.none.val();
        if self.step_i.val() {
            self.moving.next = self.every.val();
        }
        self.word.d.next = self.word.q.val() ^ ((self.word.q.val() ^ self.turned.val()) & self.moving.val());
        comment!("The controls of the stages.");
        self.tau_o.next = self.word.q.val() ^ (self.word.q.val() << self.by1.val());
    }
}
