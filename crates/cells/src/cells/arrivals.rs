use crate::atoms::{Bus, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Counts the rounds that arrive: what [`Sequencer`](super::Sequencer) counts when they are sent.
    Arrivals, ArrivalsSpec, "frit_arrivals":
    "Counts the rounds that arrive.";
    "It stands behind a sequencer and the frit_delay_line of sending_o. After the last round the number is 0 again, so between exchanges arrival_o is 0. State, reset to 0: the number of the next round to arrive.";
    parameters {
        RoundBits bits: u32 = 4, "bits of a round's number, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In arriving_i: Bit, "a round arrives in this cycle";
        In done_i: Bit, "the last round arrives in this cycle";
        Out arrival_o: Bus(bits, "RoundBits"), "number of the next round to arrive; in a cycle with arriving_i the round that arrives";
    }
    parts {
        by1: Const = Const::local(1, 32, None, "1");
        by2: Const = Const::local(if bits > 2 { 2 } else { 1 }, 32, None, "RoundBits > 2 ? 2 : 1");
        by4: Const = Const::local(if bits > 4 { 4 } else { 1 }, 32, None, "RoundBits > 4 ? 4 : 1");
        by8: Const = Const::local(if bits > 8 { 8 } else { 1 }, 32, None, "RoundBits > 8 ? 8 : 1");
        by16: Const = Const::local(if bits > 16 { 16 } else { 1 }, 32, None, "RoundBits > 16 ? 16 : 1");
        zero: Const = Const::zero(bits, "RoundBits");
        every: Const = Const::local(u64::MAX >> (64 - bits), bits, Some("RoundBits"), "{RoundBits{1'b1}}");
        below0: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 1 below");
        below1: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 2 below");
        below2: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 4 below");
        below3: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 8 below");
        below4: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 16 below");
        below5: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 32 below");
        following: Bus<Local> = Bus::named(bits, "RoundBits").purpose("the round of the next cycle, if done_i is low");
        kept: Bus<Local> = Bus::named(bits, "RoundBits").purpose("the bits of it that are kept");
        arrival: Reg = Reg::zero(bits, "RoundBits").purpose("the next round to arrive");
    }
}

impl Logic for Arrivals {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, arrival);
        self.arrival.reset.next = self.rst_i.val();
        self.below0.next = !self.arrival.q.val() << self.by1.val();
        self.below1.next = self.below0.val() | (self.below0.val() << self.by1.val());
        self.below2.next = self.below1.val() | (self.below1.val() << self.by2.val());
        self.below3.next = self.below2.val() | (self.below2.val() << self.by4.val());
        self.below4.next = self.below3.val() | (self.below3.val() << self.by8.val());
        self.below5.next = self.below4.val() | (self.below4.val() << self.by16.val());
        self.following.next = self.arrival.q.val();
        if self.arriving_i.val() {
            self.following.next = self.arrival.q.val() ^ !self.below5.val();
        }
        self.kept.next = self.every.val();
        if self.done_i.val() {
            self.kept.next = self.zero.val();
        }
        self.arrival.d.next = self.following.val() & self.kept.val();
        self.arrival_o.next = self.arrival.q.val();
    }
}
