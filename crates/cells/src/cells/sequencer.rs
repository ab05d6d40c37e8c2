use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Sends the rounds of an exchange, and those of the next one behind them without a gap if there is a start by then.
    ///
    /// Cycle 0, the one after a start that is taken, sends round 0. Idle, the round is 0, so that everything derived from it shows
    /// its value of round 0. [`Arrivals`](super::Arrivals) counts the same rounds when they arrive.
    ///
    /// The comparison is made one cycle ahead and kept in a register, and so is `ready_o`: a start passes one gate on its way to
    /// the registers.
    Sequencer, SequencerSpec, "frit_sequencer":
    "Sends the rounds of an exchange, one a cycle, and begins the next exchange as soon as the last round has entered.";
    "The cycle after a start is cycle 0 and sends round 0; round k is sent in cycle k. A start is taken while ready_o is high: when nothing is being sent, or when the last round is being sent. So consecutive exchanges begin LastRound + 1 cycles apart. While nothing is sent, the round is 0. State, all reset to 0: sending, whether a start is refused, the number of the round, and whether the round is the last. frit_arrivals counts the same rounds when they arrive, and frit_cycle_counter counts the cycles.";
    parameters {
        RoundBits bits: u32 = 4, "bits of a round's number, 2 or more", at_least 2;
        LastRound(bits) last: u64 = 9, "number of the last round";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset: stops an exchange in any cycle";
        In start_i: Bit, "starts an exchange";
        In hold_i: Bit, "in the next cycle a start is taken only together with the last round";
        Out ready_o: Bit, "a start can be taken in this cycle";
        Out begin_o: Bit, "a start is taken, same cycle: the next cycle is cycle 0";
        Out sending_o: Bit, "a round is sent in this cycle";
        Out last_o: Bit, "the last round is sent in this cycle";
        Out round_o: Bus(bits, "RoundBits"), "number of the round that is sent, 0 if none is sent";
    }
    parts {
        last_round: Const = Const::parameter(last, bits, Some("RoundBits"));
        zero: Const = Const::zero(bits, "RoundBits");
        every: Const = Const::local(u64::MAX >> (64 - bits), bits, Some("RoundBits"), "{RoundBits{1'b1}}");
        by1: Const = Const::local(1, 32, None, "1");
        by2: Const = Const::local(if bits > 2 { 2 } else { 1 }, 32, None, "RoundBits > 2 ? 2 : 1");
        by4: Const = Const::local(if bits > 4 { 4 } else { 1 }, 32, None, "RoundBits > 4 ? 4 : 1");
        by8: Const = Const::local(if bits > 8 { 8 } else { 1 }, 32, None, "RoundBits > 8 ? 8 : 1");
        by16: Const = Const::local(if bits > 16 { 16 } else { 1 }, 32, None, "RoundBits > 16 ? 16 : 1");
        before_last: Const = Const::before(last, bits, "RoundBits", "LastRound");
        taken: Signal<Local, Bit>;
        ending: Signal<Local, Bit>;
        sends: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        below0: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 1 below");
        below1: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 2 below");
        below2: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 4 below");
        below3: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 8 below");
        below4: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 16 below");
        below5: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 32 below");
        kept: Bus<Local> = Bus::named(bits, "RoundBits").purpose("the bits of the next round that are kept");
        sending: BitReg;
        refused: BitReg = BitReg::default().purpose("no start can be taken");
        at_last: BitReg = BitReg::default().purpose("the round that is sent is the last of more than one");
        round: Reg = Reg::zero(bits, "RoundBits");
    }
}

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, sending, refused, at_last, round);
        self.sending.reset.next = self.rst_i.val();
        self.refused.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.taken.next = self.start_i.val() & !self.refused.q.val();
        self.ending.next =
            self.sending.q.val() & (self.at_last.q.val() | (self.last_round.val() == self.zero.val()));
        self.sends.next = self.taken.val() | (self.sending.q.val() & !self.ending.val());
        self.ends.next = (self.sending.q.val() & (self.round.q.val() == self.before_last.val()))
            | (self.taken.val() & (self.last_round.val() == self.zero.val()));
        self.sending.d.next = self.sends.val();
        self.at_last.d.next = self.ends.val();
        self.refused.d.next = (self.sends.val() | self.hold_i.val()) & !self.ends.val();
        // The next round without a carry chain or a multiplexer: a chain and a net that enables or resets registers are slow.
        self.below0.next = !self.round.q.val() << self.by1.val();
        self.below1.next = self.below0.val() | (self.below0.val() << self.by1.val());
        self.below2.next = self.below1.val() | (self.below1.val() << self.by2.val());
        self.below3.next = self.below2.val() | (self.below2.val() << self.by4.val());
        self.below4.next = self.below3.val() | (self.below3.val() << self.by8.val());
        self.below5.next = self.below4.val() | (self.below4.val() << self.by16.val());
        self.kept.next = self.zero.val();
        if self.sending.q.val() & !self.ending.val() {
            self.kept.next = self.every.val();
        }
        self.round.d.next = (self.round.q.val() ^ !self.below5.val()) & self.kept.val();
        self.ready_o.next = !self.refused.q.val();
        self.begin_o.next = self.taken.val();
        self.sending_o.next = self.sending.q.val();
        self.last_o.next = self.ending.val();
        self.round_o.next = self.round.q.val();
    }
}
