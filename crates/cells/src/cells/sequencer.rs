use crate::table::*;

cell! {
    /// Sends the rounds of an exchange, and those of the next one behind them without a gap if there is a start by then.
    ///
    /// Cycle 0, the one after a start that is taken, sends round 0. It counts nothing: the cycles of the youngest exchange are
    /// the rounds as well, and where controls follow from the round, a [`RoundCounter`](super::RoundCounter) counts it.
    ///
    /// The comparison is made two cycles ahead and kept in registers, and `ready_o` is known one cycle ahead: a start passes one gate on its way
    /// to the registers.
    Sequencer, SequencerSpec, "frit_sequencer":
    "Sends the rounds of an exchange, one a cycle, and begins the next exchange as soon as the last round has entered.";
    "The cycle after a start is cycle 0 and sends round 0; round k is sent in cycle k. A start is taken while ready_o is high: when nothing is being sent, or when the last round is being sent. So consecutive exchanges begin LastRound + 1 cycles apart. The number of the round comes from frit_cycle_counter or, where controls follow from it, from a frit_round_counter. State, all reset to 0: sending, whether a start is refused, and whether the round is the last, the one before it, or an earlier one.";
    parameters {
        RoundBits bits: u32 = 4, "bits of a round's number, 2 or more", at_least 2;
        LastRound(bits) last: u64 = 9, "number of the last round";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset: stops an exchange in any cycle";
        In start_i: Bit, "starts an exchange";
        In round_i: Bus(bits, "RoundBits"), "number of the round that is sent; not read while none is sent";
        In hold_i: Bit, "in the next cycle a start is taken only together with the last round";
        Out ready_o: Bit, "a start can be taken in this cycle";
        Out next_o: Bit, "ready_o of the next cycle, unless a reset comes between";
        Out begin_o: Bit = taken, "a start is taken, same cycle: the next cycle is cycle 0";
        Out sending_o: Bit = sending.q, "a round is sent in this cycle";
        Out last_o: Bit = at_last.q, "the last round is sent in this cycle";
    }
    parts {
        last_round: Const = Const::parameter(last, bits, Some("RoundBits"));
        zero: Const = Const::zero(bits, "RoundBits");
        one: Const = Const::one(bits, "RoundBits");
        two_before_last: Const = Const::two_before(last, bits, "RoundBits", "LastRound");
        taken: Signal<Local, Bit>;
        nears: Signal<Local, Bit>;
        single: Signal<Local, Bit>;
        twofold: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        refuses: Signal<Local, Bit>;
        sending: BitReg;
        refused: BitReg = BitReg::default().purpose("no start can be taken");
        early: BitReg = BitReg::default().purpose("a round is sent, and two or more follow it");
        before_last: BitReg = BitReg::default().purpose("a round is sent, and one follows it");
        at_last: BitReg = BitReg::default().purpose("a round is sent, and it is the last");
    }
}

impl kernel::Kernel for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Rounds are sent from the cycle after a start to the last round.");
        self.taken.next = self.start_i.val() & !self.refused.q.val();
        self.nears.next = self.round_i.val() == self.two_before_last.val();
        self.single.next = self.last_round.val() == self.zero.val();
        self.twofold.next = self.last_round.val() == self.one.val();
        self.early.d.next = (self.taken.val() & !self.single.val() & !self.twofold.val())
            | (self.early.q.val() & !self.nears.val());
        self.before_last.d.next =
            (self.taken.val() & self.twofold.val()) | (self.early.q.val() & self.nears.val());
        self.ends.next = (self.taken.val() & self.single.val()) | self.before_last.q.val();
        self.at_last.d.next = self.ends.val();
        self.sending.d.next = self.taken.val() | self.early.q.val() | self.before_last.q.val();
        self.refuses.next = (self.taken.val() & !self.single.val())
            | self.early.q.val()
            | (self.hold_i.val() & !self.ends.val());
        self.refused.d.next = self.refuses.val();
        self.ready_o.next = !self.refused.q.val();
        self.next_o.next = !self.refuses.val();
    }
}
