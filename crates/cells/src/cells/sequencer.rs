use crate::atoms::{BitReg, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Sends the rounds of an exchange, and those of the next one behind them without a gap if there is a start by then.
    ///
    /// Cycle 0, the one after a start that is taken, sends round 0. Idle, the round is 0, so that everything derived from it shows
    /// its value of round 0. [`Arrivals`](super::Arrivals) counts the same rounds when they arrive.
    ///
    /// The comparison is made one cycle ahead and kept in a register.
    Sequencer, SequencerSpec, "frit_sequencer":
    "Sends the rounds of an exchange, one a cycle, and begins the next exchange as soon as the last round has entered.";
    "The cycle after a start is cycle 0 and sends round 0; round k is sent in cycle k. A start is taken while ready_o is high: when nothing is being sent, or when the last round is being sent. So consecutive exchanges begin LastRound + 1 cycles apart. While nothing is sent, the round is 0. State, all reset to 0: sending, the number of the round, and whether the round is the last. frit_arrivals counts the same rounds when they arrive, and frit_cycle_counter counts the cycles.";
    parameters {
        RoundBits bits: u32 = 4, "bits of a round's number, 2 or more", at_least 2;
        LastRound(bits) last: u64 = 9, "number of the last round";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset: stops an exchange in any cycle";
        In start_i: Bit, "starts an exchange";
        In hold_i: Bit, "a start is taken only together with the last round";
        Out ready_o: Bit, "a start can be taken in this cycle";
        Out begin_o: Bit, "a start is taken, same cycle: the next cycle is cycle 0";
        Out sending_o: Bit, "a round is sent in this cycle";
        Out round_o: Bus(bits, "RoundBits"), "number of the round that is sent, 0 if none is sent";
    }
    parts {
        last_round: Const = Const::parameter(last, bits, Some("RoundBits"));
        one: Const = Const::one(bits, "RoundBits");
        zero: Const = Const::zero(bits, "RoundBits");
        before_last: Const = Const::before(last, bits, "RoundBits", "LastRound");
        ready: Signal<Local, Bit>;
        ending: Signal<Local, Bit>;
        taken: Signal<Local, Bit>;
        sending: BitReg;
        at_last: BitReg = BitReg::default().purpose("the round is the last of more than one");
        round: Reg = Reg::zero(bits, "RoundBits");
    }
}

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, sending, at_last, round);
        self.sending.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.ending.next =
            self.sending.q.val() & (self.at_last.q.val() | (self.last_round.val() == self.zero.val()));
        self.ready.next = self.ending.val() | (!self.sending.q.val() & !self.hold_i.val());
        self.taken.next = self.start_i.val() & self.ready.val();
        self.sending.d.next = self.taken.val() | (self.sending.q.val() & !self.ending.val());
        self.at_last.d.next = self.sending.q.val() & (self.round.q.val() == self.before_last.val());
        self.round.d.next = self.round.q.val();
        if self.sending.q.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
        }
        if self.ending.val() {
            self.round.d.next = self.zero.val();
        }
        self.ready_o.next = self.ready.val();
        self.begin_o.next = self.taken.val();
        self.sending_o.next = self.sending.q.val();
        self.round_o.next = self.round.q.val();
    }
}
